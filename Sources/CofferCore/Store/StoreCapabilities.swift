/// What a store can do by itself, and how it wants to be used.
///
/// What a store lacks and the core can supply, the core supplies. The default value claims nothing.
public struct StoreCapabilities: Hashable, Codable, Sendable {
    /// One optional feature.
    public struct Features: OptionSet, Hashable, Codable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Filters run in the store. Without it the core fetches all rows of the entity and filters them.
        public static let nativeFiltering = Features(rawValue: 1 << 0)
        /// Sorting runs in the store. Without it the core sorts what was fetched.
        public static let nativeSorting = Features(rawValue: 1 << 1)
        /// Deletes by predicate without handing rows out: a ``RowStore`` takes ``RowChanges/batchDeletes``, any other is
        /// a ``DataStoreBatching``. Without it the core fetches and deletes.
        public static let batchDelete = Features(rawValue: 1 << 2)
        /// Keeps a history of saves.
        public static let history = Features(rawValue: 1 << 3)
        /// Enforces unique constraints, turning a collision into an update. Without it constraints are not enforced: the
        /// store keeps what it is given.
        public static let uniqueness = Features(rawValue: 1 << 4)
        /// Has secondary indexes.
        public static let indexes = Features(rawValue: 1 << 5)
        /// A save of several entities is stored all or none.
        public static let transactions = Features(rawValue: 1 << 6)
        /// Several processes may have the store open at once.
        public static let severalProcesses = Features(rawValue: 1 << 7)
        /// What a save stored is there after a crash of the process or the machine.
        public static let durable = Features(rawValue: 1 << 8)
        /// Keeps the order of to-many relationships.
        public static let orderedRelationships = Features(rawValue: 1 << 9)
        /// Keeps hierarchies of model classes: a fetch of an entity gives the rows of its subentities too, each with its
        /// own entity, and keys are unique in a hierarchy. Without it the core asks a store that knows SwiftData's own
        /// protocols only for one entity after the other; a ``RowStore`` is refused when the schema has subclasses.
        public static let inheritance = Features(rawValue: 1 << 10)
        /// Keeps an index of words for what `#FullText` declares. Without it full-text conditions are as true, and every
        /// row's texts are read.
        public static let fullText = Features(rawValue: 1 << 12)
        /// Updates by predicate without handing rows out: takes ``RowChanges/batchUpdates``. Without it the core fetches
        /// and changes.
        public static let batchUpdate = Features(rawValue: 1 << 11)
        /// Works sums, counts, least and largest values and distinct values out by itself, also for groups of rows
        /// (``RowStore/aggregate(_:)``). Without it the core goes over the rows that the store hands out.
        public static let aggregates = Features(rawValue: 1 << 13)
    }

    /// The features the store has.
    public var features: Features
    /// The largest value in bytes; nil where only memory limits it.
    public var maximumValueSize: Int?

    /// Declares what a store is capable of.
    ///
    /// - Parameters:
    ///   - features: what it has; nothing is claimed that is not named.
    ///   - maximumValueSize: the largest value in bytes; nil where only memory limits it.
    public init(_ features: Features = [], maximumValueSize: Int? = nil) {
        self.features = features
        self.maximumValueSize = maximumValueSize
    }

    /// Whether the store would rather have the core filter.
    public var prefersInMemoryFiltering: Bool { !features.contains(.nativeFiltering) }
    /// Whether the store would rather have the core sort.
    public var prefersInMemorySorting: Bool { !features.contains(.nativeSorting) }
}
