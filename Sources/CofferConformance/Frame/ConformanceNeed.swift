import CofferCore

/// Something that not every store has and that a case of the kit cannot do without.
///
/// Some follow from the store's ``StoreCapabilities``, some from the protocols it conforms to, and some are said by the
/// subject, since no store can tell them: see ``ConformanceSubject/facilities(_:)``.
public struct ConformanceNeed: Hashable, Sendable, CustomStringConvertible {
    /// A name that never changes.
    public let name: String
    /// What it means that a store lacks it; the reason of a skip.
    public let absence: String
    let feature: StoreCapabilities.Features?

    private init(_ name: String, _ absence: String, _ feature: StoreCapabilities.Features? = nil) {
        self.name = name
        self.absence = absence
        self.feature = feature
    }

    /// The name.
    public var description: String { name }

    public static func == (left: ConformanceNeed, right: ConformanceNeed) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    // MARK: Declared by the store

    /// ``StoreCapabilities/Features/nativeFiltering``
    public static let filtering = ConformanceNeed("filtering", "the core filters for the store", .nativeFiltering)
    /// ``StoreCapabilities/Features/nativeSorting``
    public static let sorting = ConformanceNeed("sorting", "the core sorts for the store", .nativeSorting)
    /// ``StoreCapabilities/Features/batchDelete``
    public static let batchDelete = ConformanceNeed(
        "batchDelete", "the store does not delete by predicate", .batchDelete)
    /// ``StoreCapabilities/Features/batchUpdate``
    public static let batchUpdate = ConformanceNeed(
        "batchUpdate", "the store does not update by predicate", .batchUpdate)
    /// ``StoreCapabilities/Features/uniqueness``
    public static let uniqueness = ConformanceNeed(
        "uniqueness", "the store enforces no unique constraints", .uniqueness)
    /// ``StoreCapabilities/Features/transactions``
    public static let transactions = ConformanceNeed(
        "transactions", "the store may keep parts of a save that fails", .transactions)
    /// ``StoreCapabilities/Features/severalProcesses``
    public static let severalProcesses = ConformanceNeed(
        "severalProcesses", "only one process may have the store open", .severalProcesses)
    /// ``StoreCapabilities/Features/durable``
    public static let durable = ConformanceNeed(
        "durable", "what was saved may be lost with the process", .durable)
    /// ``StoreCapabilities/Features/orderedRelationships``
    public static let ordered = ConformanceNeed(
        "orderedRelationships", "the store keeps no order of to-many relationships", .orderedRelationships)

    /// ``StoreCapabilities/Features/history``, of a ``RowStore``
    public static let history = ConformanceNeed("history", "the store keeps no history", .history)

    // MARK: Seen in the store's conformances

    /// The store is a ``RowStore``.
    public static let rows = ConformanceNeed("rows", "the store takes SwiftData's requests, not rows and plans")
    /// The store's snapshots are ``DefaultSnapshot``s, which the kit can make and read by itself.
    public static let defaultSnapshots = ConformanceNeed(
        "defaultSnapshots", "the store has a snapshot type of its own")
    /// The store is a ``DataStoreBatching``.
    public static let batching = ConformanceNeed("batching", "the store has no call to delete by predicate")

    /// The store is a ``HistoryProviding`` with ``DefaultHistoryTransaction``s, and declares
    /// ``StoreCapabilities/Features/history``.
    public static let historyProviding = ConformanceNeed(
        "historyProviding", "the store hands out no history of default transactions")

    /// ``DataStore/erase()`` does not throw ``DataStoreError/unsupportedFeature``.
    public static let erasing = ConformanceNeed("erasing", "the store cannot be erased")

    // MARK: Said by the subject

    /// What was saved is there when the place is opened again.
    public static let reopening = ConformanceNeed("reopening", "the store's data ends with its container")
    /// A place may be open several times at once in one process, and each opening sees what the others saved.
    public static let severalOpenings = ConformanceNeed(
        "severalOpenings", "a place can be open only once at a time")
    /// A place can be opened for reading only.
    public static let readOnly = ConformanceNeed("readOnly", "the store has no way to be opened for reading only")
    /// The subject names the files of a place, so that the kit can damage them.
    public static let damage = ConformanceNeed("damage", "the store names no files that could be damaged")
    /// The store refuses rows that do not fit the schema: missing values, values of a wrong kind, broken links.
    public static let checking = ConformanceNeed("checking", "the store takes rows as they come")

    // MARK: Said by the subject, or seen in a `MigratingStore`

    /// A place that was left by older models takes in what newer ones have beside: optional properties, properties with
    /// default values, and models. What else differs is refused.
    public static let additions = ConformanceNeed("additions", "the store takes in nothing that is new in models")
    /// Rows outlive properties that are renamed, or gone.
    public static let renames = ConformanceNeed("renames", "the store takes in no renamed or removed properties")
    /// Values are converted where a property has another type than before.
    public static let conversions = ConformanceNeed("conversions", "the store converts no values")
    /// Stages of a migration plan are run.
    public static let stages = ConformanceNeed("stages", "the store runs no stages of a migration plan")

    static let declared: [ConformanceNeed] = [
        .filtering, .sorting, .batchDelete, .batchUpdate, .uniqueness, .transactions, .severalProcesses, .durable,
        .ordered, .history,
    ]
}
