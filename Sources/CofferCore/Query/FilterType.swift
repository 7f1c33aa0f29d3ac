/// What an expression of a filter gives: the static type, as far as a store needs it.
public struct FilterType: Hashable, Sendable {
    /// What kind of value, apart from whether there may be none.
    public enum Kind: Hashable, Sendable {
        /// A value of its own: a number, text, a date… A condition is a Boolean.
        case scalar(ScalarStorage)
        /// One row of an entity, seen as its identifier.
        case link(entity: String)
        /// The rows that a to-many relationship holds.
        case rows(entity: String)
        /// A collection of values, kept as a JSON array. With the storage of an element, where that is a scalar.
        case values(ScalarStorage?)
        /// Any other `Codable` value, kept as JSON text.
        case composite
        /// Bytes that only a value transformer understands.
        case opaque
    }

    /// What the value is.
    public var kind: Kind
    /// Whether the value may be nil.
    public var isOptional: Bool

    /// Makes a type.
    ///
    /// - Parameters:
    ///   - kind: what the value is.
    ///   - isOptional: whether it may be nil.
    public init(_ kind: Kind, isOptional: Bool = false) {
        self.kind = kind
        self.isOptional = isOptional
    }

    /// The type of a condition.
    public static let boolean = FilterType(.scalar(.boolean))
    /// The type of a count.
    public static let integer = FilterType(.scalar(.integer))

    /// The storage, where the value is a scalar.
    public var storage: ScalarStorage? {
        if case .scalar(let storage) = kind { storage } else { nil }
    }

    /// The same type, with or without nil.
    public func optional(_ isOptional: Bool = true) -> FilterType { FilterType(kind, isOptional: isOptional) }
}

extension FilterType: CustomStringConvertible {
    /// The kind, with a question mark where there may be nil: `text?`.
    public var description: String {
        let name =
            switch kind {
            case .scalar(let storage): storage.rawValue
            case .link(let entity): entity
            case .rows(let entity): "[\(entity)]"
            case .values(let storage): "[\(storage?.rawValue ?? "composite")]"
            case .composite: "composite"
            case .opaque: "opaque"
            }
        return isOptional ? name + "?" : name
    }
}
