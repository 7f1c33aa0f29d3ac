import CofferCore

/// A configuration of a store that knows SwiftData's protocols only, with layers around it.
struct LayeredConfiguration<Base: DataStoreConfiguration>: DataStoreConfiguration {
    typealias Store = LayeredStore<Base>
    var base: Base
    let layers: [any StoreLayer]

    init(_ base: Base, layers: [any StoreLayer]) {
        self.base = base
        self.layers = layers
    }

    var name: String { base.name }
    var schema: Schema? {
        get { base.schema }
        set { base.schema = newValue }
    }

    func validate() throws { try base.validate() }

    static func == (left: LayeredConfiguration, right: LayeredConfiguration) -> Bool {
        left.base == right.base && left.layers.isSame(as: right.layers)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(base) }
}

/// A store that knows SwiftData's protocols only, with layers around it.
final class LayeredStore<Base: DataStoreConfiguration>: DataStore {
    typealias Configuration = LayeredConfiguration<Base>
    typealias Snapshot = Base.Store.Snapshot
    let configuration: LayeredConfiguration<Base>
    private let base: Base.Store
    private var layers: [any StoreLayer] { configuration.layers }

    init(_ configuration: LayeredConfiguration<Base>, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        base = try Base.Store(configuration.base, migrationPlan: migrationPlan)
    }

    var identifier: String { base.identifier }
    var schema: Schema { base.schema }
    var capabilities: StoreCapabilities { base.capabilities }

    private func call(_ kind: StoreCall.Kind, _ state: EditingState? = nil) -> StoreCall {
        var call = StoreCall(kind, base.capabilities)
        call.editingState = state
        return call
    }

    private func call<M: PersistentModel>(_ kind: StoreCall.Kind, _ request: DataStoreFetchRequest<M>) -> StoreCall {
        var call = call(kind, request.editingState)
        call.entityName = Schema.entityName(for: M.self)
        call.isFiltered = request.descriptor.predicate != nil
        call.isSorted = !request.descriptor.sortBy.isEmpty
        return call
    }

    func fetch<M: PersistentModel>(_ request: DataStoreFetchRequest<M>) throws -> DataStoreFetchResult<M, Snapshot> {
        try layers.pass(call(.fetch, request), rows: { $0.fetchedSnapshots.count }) { try base.fetch(request) }
    }

    func fetchCount<M: PersistentModel>(_ request: DataStoreFetchRequest<M>) throws -> Int {
        try layers.pass(call(.count, request)) { try base.fetchCount(request) }
    }

    func fetchIdentifiers<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> [PersistentIdentifier] {
        try layers.pass(call(.identifiers, request), rows: { $0.count }) { try base.fetchIdentifiers(request) }
    }

    func save(_ request: DataStoreSaveChangesRequest<Snapshot>) throws -> DataStoreSaveChangesResult<Snapshot> {
        var call = call(.save, request.editingState)
        call.inserted = request.inserted.count
        call.updated = request.updated.count
        call.deleted = request.deleted.count
        return try layers.pass(call) { try base.save(request) }
    }

    func erase() throws { try layers.pass(call(.erase)) { try base.erase() } }

    func initializeState(for state: EditingState) {
        // These calls cannot fail, so a layer cannot refuse them either.
        try? layers.pass(call(.initializeState, state)) { base.initializeState(for: state) }
    }

    func invalidateState(for state: EditingState) {
        try? layers.pass(call(.invalidateState, state)) { base.invalidateState(for: state) }
    }

    func cachedSnapshots(
        for identifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot] {
        try layers.pass(call(.cachedSnapshots, editingState), rows: { $0.count }) {
            try base.cachedSnapshots(for: identifiers, editingState: editingState)
        }
    }
}
