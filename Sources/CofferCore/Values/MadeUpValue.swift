import CofferRuntime

/// Puts a value together from those of its stored properties, past its initialisers: the last resort for a property that
/// cannot throw and has nothing to give.
///
/// ``EmptyValue`` asks a type's own code for a value. This serves types that refuse, and those that have no `Decodable`
/// initialiser: structures, tuples, enumerations and classes. Numbers are zero, texts and collections empty, links nil. What
/// it cannot make up, functions and values of unknown type, is refused when the schema is checked.
enum MadeUpValue {
    /// How deep values may lie in each other. Few are tried first, so that a type that holds itself ends soon.
    private static let depths = [2, 4, 7, 10]

    /// A value; nil where ``canMake(_:)`` says so.
    static func make<V>(_ type: V.Type) -> V? {
        guard let depth = depth(of: type) else { return nil }
        let place = UnsafeMutablePointer<V>.allocate(capacity: 1)
        defer { place.deallocate() }
        return fill(V.self, at: UnsafeMutableRawPointer(place), depth) ? place.move() : nil
    }

    /// Whether a value can be made up. Runs no code of the type but `allCases`.
    static func canMake(_ type: any Any.Type) -> Bool { depth(of: type) != nil }

    private static func depth(of type: any Any.Type) -> Int? {
        #if canImport(ObjectiveC)
        return nil
        #else
        return depths.first { fill(anyOf: type, at: nil, $0) }
        #endif
    }

    /// Makes a value at a place; without a place, says whether that can be done.
    ///
    /// - Parameter depth: how deep values may lie in this one.
    private static func fill<T>(_ type: T.Type, at place: UnsafeMutableRawPointer?, _ depth: Int) -> Bool {
        if let value = whole(type) {
            place?.initializeMemory(as: T.self, to: value)
            return true
        }
        guard depth > 0 else { return false }
        switch TypeReflection.kind(type) {
        case .structure, .tuple: return fillFields(type, at: place, depth)
        case .enumeration: return fillCase(type, at: place, depth)
        case .opaque:
            // A number or a word of the machine.
            place?.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<T>.size)
            return true
        case nil: return type is AnyClass && fillInstance(type, at: place, depth)
        }
    }

    /// A value that need not be put together.
    private static func whole<T>(_ type: T.Type) -> T? {
        if let value = EmptyValue.simple(type) { return value }
        if let list = type as? any ExpressibleByArrayLiteral.Type {
            func empty<E: ExpressibleByArrayLiteral>(_ type: E.Type) -> Any { [] as E }
            return empty(list) as? T
        }
        if let list = type as? any ExpressibleByDictionaryLiteral.Type {
            func empty<E: ExpressibleByDictionaryLiteral>(_ type: E.Type) -> Any { [:] as E }
            return empty(list) as? T
        }
        if let model = type as? any PersistentModel.Type { return model.init(_$blank: ()) as? T }
        return T.self == Any.self ? () as? T : nil
    }

    private static func fill(anyOf type: any Any.Type, at place: UnsafeMutableRawPointer?, _ depth: Int) -> Bool {
        func fill<T>(_ type: T.Type) -> Bool { self.fill(type, at: place, depth) }
        return _openExistential(type, do: fill)
    }

    private static func fillFields<T>(_ type: T.Type, at place: UnsafeMutableRawPointer?, _ depth: Int) -> Bool {
        let fields = TypeReflection.fields(type)
        if fields.isEmpty, MemoryLayout<T>.size > 0 { return false }
        place?.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<T>.size)
        return fields.allSatisfy { field in fill(anyOf: field.type, at: place.map { $0 + field.offset }, depth - 1) }
    }

    /// An instance of a class. It is never released: what its `deinit` would do with made-up values nobody knows.
    private static func fillInstance<T>(_ type: T.Type, at place: UnsafeMutableRawPointer?, _ depth: Int) -> Bool {
        let metadata = TypeReflection.metadata(type)
        // The fixed part of a class's metadata: kind, superclass, flags, address point, instance size, alignment mask.
        guard metadata.load(as: Int.self) == 0, metadata.load(fromByteOffset: 20, as: UInt32.self) == 0 else {
            return false
        }
        let size = Int(metadata.load(fromByteOffset: 24, as: UInt32.self))
        let header = 2 * MemoryLayout<Int>.size
        guard size >= header else { return false }
        let fields = TypeReflection.fields(type)
        guard let place else { return fields.allSatisfy { fill(anyOf: $0.type, at: nil, depth - 1) } }
        let object = coffer_allocate(metadata, size, Int(metadata.load(fromByteOffset: 28, as: UInt16.self)))
        for field in fields where !fill(anyOf: field.type, at: object + field.offset, depth - 1) { return false }
        _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
        place.initializeMemory(as: UnsafeMutableRawPointer.self, to: object)
        return true
    }

    // MARK: Enumerations

    /// The first case that carries nothing, or else the first one with a value that can be made up.
    private static func fillCase<T>(_ type: T.Type, at place: UnsafeMutableRawPointer?, _ depth: Int) -> Bool {
        let metadata = TypeReflection.metadata(type)
        let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
        let carrying = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let empty = descriptor.load(fromByteOffset: 24, as: UInt32.self)
        place?.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<T>.size)
        // Cases are numbered with those first that carry something.
        if empty > 0 {
            if let place { inject(carrying, into: place, metadata) }
            return true
        }
        for number in 0..<carrying {
            guard let payload = payload(number, descriptor, metadata) else { continue }
            guard fill(anyOf: payload.type, at: nil, depth - 1) else { continue }
            guard let place else { return true }
            if payload.isIndirect {
                let box = coffer_allocate_box(TypeReflection.metadata(payload.type))
                guard fill(anyOf: payload.type, at: box.content, depth - 1) else { return false }
                place.storeBytes(of: box.object, as: UnsafeMutableRawPointer.self)
            } else if !fill(anyOf: payload.type, at: place, depth - 1) {
                return false
            }
            inject(number, into: place, metadata)
            return true
        }
        return false
    }

    private static func inject(_ number: UInt32, into place: UnsafeMutableRawPointer, _ metadata: UnsafeRawPointer) {
        typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void
        let witnesses = metadata.load(fromByteOffset: -MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
        // It stands behind the witnesses of every type and two of enumerations.
        witnesses.load(fromByteOffset: 13 * MemoryLayout<Int>.size, as: Inject.self)(place, number, metadata)
    }

    /// What a case carries, as the descriptor of the enumeration's cases says it.
    private static func payload(
        _ number: UInt32, _ descriptor: UnsafeRawPointer, _ metadata: UnsafeRawPointer
    ) -> (type: any Any.Type, isIndirect: Bool)? {
        func follow(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
            let distance = Int(place.load(as: Int32.self))
            return distance == 0 ? nil : place + distance
        }
        guard let cases = follow(descriptor + 16) else { return nil }
        let record = cases + 16 + Int(number) * Int(cases.load(fromByteOffset: 10, as: UInt16.self))
        guard let name = follow(record + 4) else { return nil }
        // A mangled name ends with zero; references in it are marked by a byte below 0x20, and may hold zeros.
        var length = 0
        while true {
            let byte = name.load(fromByteOffset: length, as: UInt8.self)
            if byte == 0 { break }
            length += byte < 0x18 ? 5 : byte < 0x20 ? 1 + MemoryLayout<Int>.size : 1
        }
        let arguments = metadata + 2 * MemoryLayout<Int>.size
        guard let type = coffer_type_by_mangled_name(name, length, descriptor, arguments) else { return nil }
        return (unsafeBitCast(type, to: Any.Type.self), record.load(as: UInt32.self) & 1 != 0)
    }
}
