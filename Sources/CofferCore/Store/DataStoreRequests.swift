import Foundation

/// What a context asks a store for.
public struct DataStoreFetchRequest<M: PersistentModel>: Sendable {
    /// Which context asks.
    public let editingState: EditingState
    /// What it asks for: predicate, order, page and properties.
    public let descriptor: FetchDescriptor<M>

    /// Makes a request; contexts do, and tests of a store.
    ///
    /// - Parameters:
    ///   - editingState: which context asks.
    ///   - descriptor: what it asks for.
    public init(editingState: EditingState, descriptor: FetchDescriptor<M>) {
        self.editingState = editingState
        self.descriptor = descriptor
    }
}

/// What a store answers to a fetch.
public struct DataStoreFetchResult<M: PersistentModel, S: DataStoreSnapshot>: @unchecked Sendable {
    /// What was asked for.
    public let descriptor: FetchDescriptor<M>
    /// The rows asked for, of the requested entity only, in order.
    public let fetchedSnapshots: [S]
    /// Other rows that came along, of any entity.
    public let relatedSnapshots: [PersistentIdentifier: S]

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - descriptor: what was asked for.
    ///   - fetchedSnapshots: the rows asked for, of the requested entity only, in order.
    ///   - relatedSnapshots: other rows that came along.
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
    /// Rows that have changed, with all their values.
    public let updated: [S]
    /// Rows that go, with the values they had.
    public let deleted: [S]
    /// Which context saves, and under which author.
    public let editingState: EditingState

    /// Makes a request; contexts do, and tests of a store.
    ///
    /// - Parameters:
    ///   - editingState: which context saves.
    ///   - inserted: new rows, under temporary identifiers.
    ///   - updated: rows that have changed.
    ///   - deleted: rows that go.
    public init(editingState: EditingState, inserted: [S], updated: [S], deleted: [S]) {
        self.editingState = editingState
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }
}

/// What a store answers to a save.
public final class DataStoreSaveChangesResult<S: DataStoreSnapshot>: Sendable {
    /// The ``DataStore/identifier`` of the store that has saved.
    public let storeIdentifier: String
    /// From temporary to permanent: one entry for every inserted snapshot.
    public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
    /// Rows whose values the context shall take over, by permanent identifier.
    public let snapshotsToReregister: [PersistentIdentifier: S]
    /// The place of the save in the store's history, where it keeps one.
    public let historyToken: (any HistoryToken)?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - storeIdentifier: the identifier of the store.
    ///   - remappedIdentifiers: from temporary to permanent, one entry for every inserted snapshot.
    ///   - snapshotsToReregister: rows that came out differently from what was asked for.
    ///   - historyToken: the place of the save in the store's history, where it keeps one.
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
    /// Which context deletes.
    public let editingState: EditingState
    /// Which rows; nil for all.
    public let predicate: Predicate<M>?
    /// Whether rows of subclasses go along.
    public let includeSubclasses: Bool

    /// Makes a request; contexts do, and tests of a store.
    ///
    /// - Parameters:
    ///   - editingState: which context deletes.
    ///   - predicate: which rows; nil for all.
    ///   - includeSubclasses: whether rows of subclasses go along.
    public init(editingState: EditingState, predicate: Predicate<M>?, includeSubclasses: Bool) {
        self.editingState = editingState
        self.predicate = predicate
        self.includeSubclasses = includeSubclasses
    }
}
