import Foundation

/// Makes up a value of a type: nothing, zero, the first case, or whatever its decoder accepts for that.
///
/// What a read gives that has no value to give and cannot throw; see ``_placeholder(_:_:_:)``.
enum EmptyValue {
    /// A value; nil only for a type whose own decoder refuses everything that is tried, or that has none.
    static func make<V>(_ type: V.Type) -> V? {
        if let value: V = simple(type) { return value }
        guard let decodable = type as? any Decodable.Type else { return nil }
        for text in EmptyDecoder.texts {
            for choice in 0..<EmptyDecoder.choices {
                let decoder = EmptyDecoder(text: text, choice: choice)
                if let value = try? decodable.init(from: decoder) as? V { return value }
            }
        }
        return nil
    }

    /// A value that needs no decoder.
    static func simple<V>(_ type: V.Type) -> V? {
        if let none = _nilValue(of: type) { return none }
        switch type {
        case is String.Type: return "" as? V
        case is Data.Type: return Data() as? V
        case is URL.Type: return URL(fileURLWithPath: "/") as? V
        case is UUID.Type: return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) as? V
        case is Decimal.Type: return Decimal(0) as? V
        case is Character.Type: return Character(" ") as? V
        case is TimeZone.Type: return TimeZone(secondsFromGMT: 0) as? V
        case is Locale.Type: return Locale(identifier: "") as? V
        case is Calendar.Type: return Calendar(identifier: .gregorian) as? V
        case is AttributedString.Type: return AttributedString() as? V
        default: break
        }
        if let listed = type as? any CaseIterable.Type {
            func first<C: CaseIterable>(_ type: C.Type) -> V? { type.allCases.first as? V }
            if let value = first(listed) { return value }
        }
        return EnumerationCases.count(type) > 0 ? EnumerationCases.make(type, 0) : nil
    }
}

/// The cases of enumerations whose cases carry nothing, listed or not.
enum EnumerationCases {
    /// How many cases there are; 0 for any other type.
    static func count<T>(_ type: T.Type) -> Int {
        #if canImport(ObjectiveC)
        return 0
        #else
        // The kind of the metadata, then the pointer to the descriptor of the enumeration.
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: Int.self) == 0x201, _isPOD(type) else { return 0 }
        guard let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) else { return 0 }
        let carrying = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let count = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
        // Cases are counted from 0 in as few bytes as hold them. An enumeration of C's has others.
        let size = count < 2 ? 0 : count <= 1 << 8 ? 1 : count <= 1 << 16 ? 2 : 4
        return carrying == 0 && MemoryLayout<T>.size == size ? count : 0
        #endif
    }

    /// A case by its number, which must be less than ``count(_:)``.
    static func make<T>(_ type: T.Type, _ number: Int) -> T {
        var number = UInt64(number).littleEndian
        return withUnsafeBytes(of: &number) { $0.loadUnaligned(as: T.self) }
    }
}
