/// An insertion in the history of a store that uses Coffer's own types.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert {
    /// Numbers, growing with time.
    public typealias TransactionIdentifier = Int64
    /// Numbers, growing with time.
    public typealias ChangeIdentifier = Int64

    /// The change's number in its store.
    public let changeIdentifier: Int64
    /// The number of the transaction it belongs to.
    public let transactionIdentifier: Int64
    /// The identifier of the model.
    public let changedPersistentIdentifier: PersistentIdentifier

    /// Makes an insertion; for stores.
    public init(
        changeIdentifier: Int64, transactionIdentifier: Int64, changedPersistentIdentifier: PersistentIdentifier
    ) {
        self.changeIdentifier = changeIdentifier
        self.transactionIdentifier = transactionIdentifier
        self.changedPersistentIdentifier = changedPersistentIdentifier
    }
}

/// An update in the history of a store that uses Coffer's own types.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate {
    /// Numbers, growing with time.
    public typealias TransactionIdentifier = Int64
    /// Numbers, growing with time.
    public typealias ChangeIdentifier = Int64

    /// The change's number in its store.
    public let changeIdentifier: Int64
    /// The number of the transaction it belongs to.
    public let transactionIdentifier: Int64
    /// The identifier of the model.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The properties that got new values.
    public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]

    /// Makes an update; for stores.
    public init(
        changeIdentifier: Int64, transactionIdentifier: Int64, changedPersistentIdentifier: PersistentIdentifier,
        updatedAttributes: [any PartialKeyPath<Model> & Sendable]
    ) {
        self.changeIdentifier = changeIdentifier
        self.transactionIdentifier = transactionIdentifier
        self.changedPersistentIdentifier = changedPersistentIdentifier
        self.updatedAttributes = updatedAttributes
    }
}

/// A deletion in the history of a store that uses Coffer's own types.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete {
    /// Numbers, growing with time.
    public typealias TransactionIdentifier = Int64
    /// Numbers, growing with time.
    public typealias ChangeIdentifier = Int64

    /// The change's number in its store.
    public let changeIdentifier: Int64
    /// The number of the transaction it belongs to.
    public let transactionIdentifier: Int64
    /// The identifier the model had.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The values of the model that were to outlive it.
    public let tombstone: HistoryTombstone<Model>

    /// Makes a deletion; for stores.
    public init(
        changeIdentifier: Int64, transactionIdentifier: Int64, changedPersistentIdentifier: PersistentIdentifier,
        tombstone: HistoryTombstone<Model> = HistoryTombstone()
    ) {
        self.changeIdentifier = changeIdentifier
        self.transactionIdentifier = transactionIdentifier
        self.changedPersistentIdentifier = changedPersistentIdentifier
        self.tombstone = tombstone
    }
}
