/// What the language's runtime knows of a type: what `Mirror` asks, without a value to mirror.
///
/// The functions and layouts are part of the language's ABI.
enum TypeReflection {
    struct Field {
        let name: String
        let type: any Any.Type
        /// Where it lies in a value, or in an instance of a class.
        let offset: Int
    }

    /// The kinds of metadata.
    enum Kind: Int {
        case structure = 0x200
        case enumeration = 0x201
        case opaque = 0x300
        case tuple = 0x301
    }

    static func metadata(_ type: any Any.Type) -> UnsafeRawPointer { unsafeBitCast(type, to: UnsafeRawPointer.self) }

    static func kind(_ type: any Any.Type) -> Kind? { Kind(rawValue: metadata(type).load(as: Int.self)) }

    /// The stored properties of a structure or a class, those of superclasses first, or the elements of a tuple. Names are
    /// empty where the program was built without them.
    static func fields(_ type: any Any.Type) -> [Field] {
        (0..<reflectedCount(type)).map { index in
            var field = ReflectedField(name: nil, free: nil, isStrong: false, isVariable: false)
            let fieldType = reflectedType(type, index: index, field: &field)
            defer { field.free?(field.name) }
            return Field(
                name: field.name.map { String(cString: $0) } ?? "", type: fieldType,
                offset: reflectedOffset(type, index: index))
        }
    }
}

private struct ReflectedField {
    let name: UnsafePointer<CChar>?
    let free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    let isStrong: Bool
    let isVariable: Bool
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func reflectedCount(_ type: any Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func reflectedType(
    _ type: any Any.Type, index: Int, field: UnsafeMutablePointer<ReflectedField>
) -> any Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func reflectedOffset(_ type: any Any.Type, index: Int) -> Int
