/// What a store does for a fetch plan: its part of a ``FetchExplanation``.
public struct StoreExplanation: Hashable, Codable, Sendable {
    /// How the rows are found.
    public enum Access: Hashable, Codable, Sendable {
        /// Every row of the entity is looked at.
        case scan
        /// By their keys.
        case keys
        /// By an index; its name, or the properties that it is over.
        case index(String)
        /// By a link that they have to a given row; the property's name.
        case link(String)
        /// None is looked at, since the filter can match nothing, or the page is empty.
        case nothing
        /// The store does not say.
        case unknown
    }

    /// How the rows come into their order.
    public enum Order: Hashable, Codable, Sendable {
        /// The plan asks for none but that of the keys, in which the rows are read.
        case keys
        /// An index has them in order.
        case index(String)
        /// They are sorted after they were found.
        case sorting
        /// The store does not say.
        case unknown
    }

    /// How the rows are found.
    public var access: Access
    /// How they come into order.
    public var order: Order
    /// What runs, in the store's own language: SQL, for instance. Values are bound and not in it.
    public var statement: String?
    /// What the store says about the way it goes, step by step, in its own words.
    public var steps: [String]

    /// Makes an explanation.
    ///
    /// - Parameters:
    ///   - access: how the rows are found.
    ///   - order: how they come into their order.
    ///   - statement: what is handed to the engine, where it has a language; without the user's values.
    ///   - steps: what the engine says about the way it goes, in its own words.
    public init(
        access: Access, order: Order = .unknown, statement: String? = nil, steps: [String] = []
    ) {
        self.access = access
        self.order = order
        self.statement = statement
        self.steps = steps
    }
}

extension StoreExplanation.Access: CustomStringConvertible {
    public var description: String {
        switch self {
        case .scan: "all rows"
        case .keys: "rows by their keys"
        case .index(let name): "index " + name
        case .link(let name): "rows that \(name) links"
        case .nothing: "no rows"
        case .unknown: "unknown"
        }
    }
}

extension StoreExplanation.Order: CustomStringConvertible {
    public var description: String {
        switch self {
        case .keys: "as read"
        case .index(let name): "index " + name
        case .sorting: "sorted"
        case .unknown: "unknown"
        }
    }
}
