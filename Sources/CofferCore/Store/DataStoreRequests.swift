import Foundation

/// What a context asks a store for.
public struct DataStoreFetchRequest<M: PersistentModel>: Sendable {
    public let editingState: EditingState
    public let descriptor: FetchDescriptor<M>

    public init(editingState: EditingState, descriptor: FetchDescriptor<M>) {
        self.editingState = editingState
        self.descriptor = descriptor
    }
}

/// What a store answers to a fetch.
public struct DataStoreFetchResult<M: PersistentModel, S: DataStoreSnapshot>: @unchecked Sendable {
    public let descriptor: FetchDescriptor<M>
    /// The rows asked for, of the requested entity only, in order.
    public let fetchedSnapshots: [S]
    /// Other rows that came along, of any entity.
    public let relatedSnapshots: [PersistentIdentifier: S]

    public init(
        descriptor: FetchDescriptor<M>, fetchedSnapshots: [S], relatedSnapshots: [PersistentIdentifier: S] = [:]
    ) {
        self.descriptor = descriptor
        self.fetchedSnapshots = fetchedSnapshots
        self.relatedSnapshots = relatedSnapshots
    }
}

/// A context's changes for one store.
public struct DataStoreSaveChangesRequest<S: DataStoreSnapshot>: Sendable {
    /// New rows, under temporary identifiers.
    public let inserted: [S]
    public let updated: [S]
    public let deleted: [S]
    public let editingState: EditingState

    public init(editingState: EditingState, inserted: [S], updated: [S], deleted: [S]) {
        self.editingState = editingState
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }
}

/// What a store answers to a save.
public final class DataStoreSaveChangesResult<S: DataStoreSnapshot>: Sendable {
    public let storeIdentifier: String
    /// From temporary to permanent: one entry for every inserted snapshot.
    public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
    /// Rows whose values the context shall take over, by permanent identifier.
    public let snapshotsToReregister: [PersistentIdentifier: S]
    /// The place of the save in the store's history, where it keeps one.
    public let historyToken: (any HistoryToken)?

    public init(
        for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: S] = [:], historyToken: (any HistoryToken)? = nil
    ) {
        self.storeIdentifier = storeIdentifier
        self.remappedIdentifiers = remappedIdentifiers
        self.snapshotsToReregister = snapshotsToReregister
        self.historyToken = historyToken
    }
}

/// A deletion by predicate.
public struct DataStoreBatchDeleteRequest<M: PersistentModel>: @unchecked Sendable {
    public let editingState: EditingState
    /// Which rows; nil for all.
    public let predicate: Predicate<M>?
    public let includeSubclasses: Bool

    public init(editingState: EditingState, predicate: Predicate<M>?, includeSubclasses: Bool) {
        self.editingState = editingState
        self.predicate = predicate
        self.includeSubclasses = includeSubclasses
    }
}
