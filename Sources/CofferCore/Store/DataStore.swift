import Foundation

/// A place that keeps models: what lies on the other side of the seam from ``ModelContext``.
///
/// The protocol family is SwiftData's, member for member: a store written for Apple's framework compiles against this
/// one. A store that wants the fast path takes whole plans and row batches instead; see ``RowStore``.
///
/// Isolation: a container's contexts call a store from their own isolations, at the same time. A store brings its own
/// locks.
public protocol DataStore: AnyObject {
    /// The type of values that say where such a store lies.
    associatedtype Configuration: DataStoreConfiguration where Configuration.Store == Self
    /// The form in which rows come and go; ``DefaultSnapshot``, or a type of the store's own.
    associatedtype Snapshot: DataStoreSnapshot

    /// What the store's permanent identifiers carry as their ``PersistentIdentifier/storeIdentifier``.
    var identifier: String { get }
    /// The part of the schema that the store keeps.
    var schema: Schema { get }
    /// The configuration that the store was opened with.
    var configuration: Configuration { get }
    /// Which optional features the store has, and how it wants to be used.
    var capabilities: StoreCapabilities { get }

    /// Opens the store, making it where there is none.
    ///
    /// - Parameters:
    ///   - configuration: where and what; its schema is set.
    ///   - migrationPlan: how older versions of the data become the current one.
    /// - Throws: a named error when the place cannot be opened; the place is then as it was.
    init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

    /// Fetches snapshots.
    ///
    /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` to have the context
    ///   do that part; any other error fails the fetch.
    func fetch<M: PersistentModel>(_ request: DataStoreFetchRequest<M>) throws -> DataStoreFetchResult<M, Snapshot>
    /// Counts the rows a fetch would give; by default it fetches them.
    ///
    /// - Throws: as ``fetch(_:)`` does.
    func fetchCount<M: PersistentModel>(_ request: DataStoreFetchRequest<M>) throws -> Int
    /// The identifiers of the rows a fetch would give; by default it fetches them.
    ///
    /// - Throws: as ``fetch(_:)`` does.
    func fetchIdentifiers<M: PersistentModel>(_ request: DataStoreFetchRequest<M>) throws -> [PersistentIdentifier]
    /// Stores a context's changes, all or none.
    ///
    /// - Returns: the permanent identifier of every inserted snapshot.
    /// - Throws: an error that names what was refused; nothing is stored then.
    func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws -> DataStoreSaveChangesResult<Snapshot>
    /// Removes everything; by default throws ``DataStoreError/unsupportedFeature``.
    func erase() throws
    /// A context begins to work with the store.
    func initializeState(for state: EditingState)
    /// A context has ended.
    func invalidateState(for state: EditingState)
    /// Snapshots that the store still has in memory; by default none.
    ///
    /// - Throws: an error of the store's.
    func cachedSnapshots(
        for identifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
    public var capabilities: StoreCapabilities { StoreCapabilities() }

    public func fetchCount<M: PersistentModel>(_ request: DataStoreFetchRequest<M>) throws -> Int {
        try fetch(request).fetchedSnapshots.count
    }

    public func fetchIdentifiers<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> [PersistentIdentifier] {
        try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
    }

    public func erase() throws { throw DataStoreError.unsupportedFeature }
    public func initializeState(for state: EditingState) {}
    public func invalidateState(for state: EditingState) {}

    public func cachedSnapshots(
        for identifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot] {
        [:]
    }
}

/// A store that deletes by predicate without handing rows out.
///
/// ``ModelContext/delete(model:where:includeSubclasses:)`` goes through it where the model has no relationships, and none
/// lead to it: what delete rules ask for, the context sees to itself. A ``RowStore`` need not write the member; it has
/// one from ``StoreCapabilities/Features/batchDelete``.
public protocol DataStoreBatching: DataStore {
    /// Deletes the rows of a predicate, all or none.
    ///
    /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/unsupportedFeature`` to have the context
    ///   fetch the rows and delete them one by one; any other error fails the save.
    func delete<M: PersistentModel>(_ request: DataStoreBatchDeleteRequest<M>) throws
}

/// Says which store to open and where; a container is given values of such types.
public protocol DataStoreConfiguration: Hashable {
    /// The kind of store that is opened.
    associatedtype Store: DataStore where Store.Configuration == Self

    /// The name by which errors speak of the store; unique in a container.
    var name: String { get }
    /// The models that go into the store; nil for all of the container's.
    var schema: Schema? { get set }
    /// Checks what can be checked without opening anything.
    ///
    /// - Throws: ``SwiftDataError`` that says what is wrong with the configuration.
    func validate() throws
}

extension DataStoreConfiguration {
    public func validate() throws {}
}

/// One context's work with a store.
public struct EditingState: Identifiable, Sendable {
    public let id: UUID
    /// Who makes the changes, as ``ModelContext/author`` says.
    public var author: String?

    /// Makes the identity of a context that is none of the framework's, for calling a store without one.
    ///
    /// - Parameters:
    ///   - id: what tells it from others.
    ///   - author: who makes the changes.
    public init(id: UUID = UUID(), author: String? = nil) {
        self.id = id
        self.author = author
    }
}
