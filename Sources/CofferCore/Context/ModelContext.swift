import Foundation

/// A place to work with models: keeps one object for each row, collects changes, and saves them together.
///
/// ```swift
/// let context = ModelContext(container)
/// context.insert(Trip(name: "Rome"))
/// try context.save()
/// let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
/// ```
///
/// Isolation: a context and its models belong to one actor or thread. ``ModelContainer`` may be shared; each isolation
/// makes a context of its own. Debug builds notice two threads that use a context at the same time, and a main context
/// that is used elsewhere than on the main actor: a member that throws then throws ``SwiftDataError/wrongIsolation``,
/// and for the others a line is written to the standard error, once for each context.
///
/// Lifetime: a context owns models with unsaved changes; others live as long as the program refers to them. Models
/// outlive their context: they stay readable, with the values that were loaded.
public final class ModelContext: Equatable {
    /// The container whose stores the context reads and writes.
    public let container: ModelContainer
    /// Whether changes are saved without a call of ``save()``; on for a container's main context, off otherwise.
    ///
    /// The save runs on the main actor, after the code that made the changes: all that one piece of work changes is
    /// saved together. A save that fails leaves the changes, puts the reason into ``loadError``, and is tried again
    /// after the next change. Turn it on only for a context that the main actor uses.
    public var autosaveEnabled = false
    /// Whether a fetch may filter or sort in memory what its store cannot; on by default.
    ///
    /// Memory does it with the same result, at a cost that grows with the entity's rows. A context that shall never pay
    /// it has this off: a fetch, a count, an enumeration or a batch change that needs memory then throws
    /// ``SwiftDataError/inMemoryFallback``, which says for which piece and why. ``explain(_:)`` tells without running
    /// anything.
    ///
    /// Unsaved changes are no fallback. They are merged in memory in any case, and while they are such that no store
    /// could take them into account, the filter or the order runs there, too.
    public var allowsInMemoryFallback = true
    /// Who makes the changes; stores note it in their history.
    public var author: String? {
        get { editingState.author }
        set { editingState.author = newValue }
    }
    /// How stores tell this context from others: an identifier of its own, and the author of its saves.
    public internal(set) var editingState: EditingState
    /// Why values could not be loaded when a property was read, or changes not be saved by themselves, neither of which
    /// can throw; nil where all went well.
    ///
    /// The property read then gave its default or last known value. A save clears it.
    public internal(set) var loadError: (any Error)?

    let inbox = ChangeInbox()
    /// By model class.
    var homes: [ObjectIdentifier: _ModelHome] = [:]
    private var lastHome: (type: any PersistentModel.Type, home: _ModelHome)?
    /// Models that could not be taken in, since inserting cannot throw; the next save throws it.
    var insertionError: SwiftDataError?
    /// The entities of new models that were deleted before their first save; others may still refer to these.
    var discardedEntities: Set<String> = []
    /// Whether a model that waits to be saved may be linked to one whose row is gone.
    var mayLinkGone = false
    /// Whether a model may be linked to one of another context.
    var mayLinkForeign = false
    /// To-one links whose other side is to-one, too, that were changed here and by another context.
    var contested: [ObjectIdentifier: (model: any PersistentModel, slots: Set<Int>)] = [:]
    /// Runs of temporary keys that became permanent ones, in order.
    var remapped = RemappedKeys()
    /// New models that turned out to be stored ones in the save that runs.
    var merged: [(new: any PersistentModel, survivor: any PersistentModel)] = []
    var autosaveIsScheduled = false
    /// Records what can be undone.
    var recorder: UndoRecorder?
    /// Deletions and updates that wait for the save as plans.
    var pendingBatches: [PendingBatch] = []
    /// Whether the rows of a home concern others when they are deleted, by home.
    var entangled: [ObjectIdentifier: Bool] = [:]
    /// How often a store has taken changes, and changes of other contexts were taken in.
    var saveCount = 0
    var mergeCount = 0
    /// Whether it is its container's main context.
    var isMainContext = false
    #if DEBUG
    let occupancy = ContextOccupancy()
    /// Where a wrong use is reported instead of the standard error.
    package var misuseReporter: (@Sendable (String) -> Void)?
    #endif
    /// How many models came through to-many relationships since unreachable ones were last looked for.
    var relatedCount = 0
    /// How many have to come before that is done again, if it is more than the least number.
    var relatedLimit = 0
    /// Below this number nothing is looked for: a search costs about half of what reading the models did.
    package var leastRelated = 131_072

    /// A context of a container, without autosave.
    public init(_ container: ModelContainer) {
        self.container = container
        editingState = EditingState(id: .quick())
        container.enter(self, inbox: inbox)
        for store in container.stores { store.store.initializeState(for: editingState) }
    }

    deinit {
        recorder?.end(homes.values)
        for home in homes.values { home.leave() }
        for store in container.stores { store.store.invalidateState(for: editingState) }
    }

    public static func == (left: ModelContext, right: ModelContext) -> Bool { left === right }

    // MARK: Homes

    /// The home of a class that is known to be in the schema.
    func home(of descriptor: _ModelDescriptor) -> _ModelHome? {
        if let home = homes[ObjectIdentifier(descriptor.type)] { return home }
        // A class of another version or schema may have the same name, and other properties behind it.
        guard let entity = container.schema.entitiesByName[descriptor.entityName],
            entity._modelType.map({ $0 == descriptor.type }) ?? true,
            let store = container.store(of: descriptor.entityName)
        else { return nil }
        let home = _ModelHome(descriptor: descriptor, store: store, context: self)
        homes[ObjectIdentifier(descriptor.type)] = home
        home.recorder = recorder
        return home
    }

    @inline(__always)
    func knownHome<M: PersistentModel>(of type: M.Type) -> _ModelHome? {
        if let lastHome, lastHome.type == type { return lastHome.home }
        guard let home = home(of: type._$descriptor) else { return nil }
        lastHome = (type, home)
        return home
    }

    /// The home of a class.
    ///
    /// - Throws: ``SwiftDataError`` when the container's schema lacks it.
    func home<M: PersistentModel>(of type: M.Type, for operation: SwiftDataError.Operation) throws -> _ModelHome {
        if let home = knownHome(of: type) { return home }
        throw SwiftDataError(
            .unknownModelType, operation: operation, entity: type._$descriptor.entityName,
            detail: whyUnknown(type._$descriptor.entityName))
    }

    private func whyUnknown(_ entityName: String) -> String {
        container.schema.entitiesByName[entityName] == nil
            ? "the container's schema has no such model"
            : "the model of that name in the container's schema is another class"
    }

    // MARK: Changes

    /// Takes a new model in, with all new models it is related to; the next save stores them.
    ///
    /// Inserting a model that is to be deleted takes the deletion back. A model of another context or of an unknown
    /// type is not taken, and the next ``save()`` throws why.
    ///
    /// Complexity: O(1) for a model without relationships, otherwise O(*related new models*).
    public func insert<M: PersistentModel>(_ model: M) {
        let isInside = enterOrReport("insert a model")
        defer { if isInside { leave() } }
        // Not by calls within calls: a list of thousands of models that lead from one to the next is no deep stack then.
        var waiting: [any PersistentModel] = []
        take(model, &waiting)
        while let related = waiting.popLast() {
            if related._$home == nil { take(related, &waiting) }
        }
    }

    /// Takes one model in.
    ///
    /// - Parameter waiting: takes the new models it is related to, the first of them last.
    private func take<M: PersistentModel>(_ model: M, _ waiting: inout [any PersistentModel]) {
        if let home = model._$home {
            if home.context === self {
                if model._$flags & _Flag.detached == 0 { return restore(model, home) }
            } else if home.context != nil {
                refuse(model, .invalidRelationship, .insert, "it belongs to another context")
                return
            }
            model._$home = nil
        }
        guard let home = knownHome(of: Swift.type(of: model)) else {
            refuse(model, .unknownModelType, .insert, whyUnknown(Swift.type(of: model)._$descriptor.entityName))
            return
        }
        model._$home = home
        if model._$key >= 0 { model._$key = TemporaryKeys.next() }
        let known = model._$flags & _Flag.dirtyMask
        // A new model is stored whole, so no setter has to list it again.
        model._$flags = model._$flags & _Flag.observed | _Flag.inserted | _Flag.listed
        home.inserted.append(model)
        if let recorder { recorder.noteBirth(of: model) }
        if home.isWatched { model._$flags |= _Flag.observed }
        if home.hasRelationships {
            var visitor = _RelatedVisitor()
            model._$visit(&visitor)
            if !visitor.models.isEmpty { _completeLinks(of: model, in: home, known: known) }
            for related in visitor.models.reversed() {
                if related._isGone { mayLinkGone = true }
                if related._$home == nil {
                    waiting.append(related)
                } else if !related._isGone, related._isForeign(to: model) {
                    mayLinkForeign = true
                }
            }
        }
        if home.isWatched { home.tellWatches() }
        scheduleAutosave()
    }

    private func restore<M: PersistentModel>(_ model: M, _ home: _ModelHome) {
        guard model._$flags & _Flag.deleted != 0 else { return }
        settleBatchesOrNote()
        model._$flags &= ~_Flag.deleted
        home.deleted.removeAll { $0 === model }
        if let recorder { recorder.noteBirth(of: model) }
        if model._$flags & _Flag.dirtyMask != 0, model._$flags & _Flag.listed == 0 {
            model._$flags |= _Flag.listed
            home.changed.append(model)
        }
        home.tellWatches()
    }

    private func refuse<M: PersistentModel>(
        _ model: M, _ code: SwiftDataError.Code, _ operation: SwiftDataError.Operation, _ detail: String
    ) {
        if insertionError != nil { return }
        insertionError = SwiftDataError(
            code, operation: operation, entity: M._$descriptor.entityName, detail: detail)
    }

    /// Marks a model to be deleted by the next save; one that was never saved is just dropped.
    ///
    /// Delete rules are followed when the changes are saved. The model stays readable, afterwards too. One of another context
    /// is not marked, and the next ``save()`` throws why.
    public func delete<M: PersistentModel>(_ model: M) {
        let isInside = enterOrReport("delete a model")
        defer { if isInside { leave() } }
        guard let home = model._$home, home.context === self,
            model._$flags & (_Flag.deleted | _Flag.detached) == 0
        else {
            if let other = model._$home?.context, other !== self {
                refuse(model, .invalidRelationship, .delete, "it belongs to another context")
            }
            return
        }
        if model._$flags & _Flag.inserted != 0 {
            deleteUnsaved(model, home)
        } else {
            if let recorder { recorder.noteDeath(of: model, keepsContents: false) }
            model._$flags |= _Flag.deleted
            home.deleted.append(model)
        }
        if home.isWatched { home.tellWatches() }
        scheduleAutosave()
    }

    /// Drops a model that was never saved, and deletes what goes with it: the save will know nothing of it.
    ///
    /// However long a chain is, it takes no deeper a stack.
    private func deleteUnsaved<M: PersistentModel>(_ model: M, _ home: _ModelHome) {
        var waiting = drop(model, home)
        while let next = waiting.popLast() {
            if let home = next._$home, home.context === self, next._$flags & _Flag.inserted != 0 {
                guard next._$flags & (_Flag.deleted | _Flag.detached) == 0 else { continue }
                waiting += drop(next, home)
                if home.isWatched { home.tellWatches() }
            } else {
                delete(next)
            }
        }
    }

    /// - Returns: the models that go with it, the first one at the end.
    private func drop<M: PersistentModel>(_ model: M, _ home: _ModelHome) -> [any PersistentModel] {
        if let recorder { recorder.noteDeath(of: model, keepsContents: true) }
        let cascade = home.relationships.compactMap { $0 }.filter { $0.deleteRule == .cascade }
        let related = cascade.flatMap { model._related($0.slot) }
        home.discard(model)
        return related.reversed()
    }

    /// A setter lists its model here at its first change.
    func noteChanged<M: PersistentModel>(_ model: M) {
        let isInside = enterOrReport("change a model")
        defer { if isInside { leave() } }
        if let home = model._$home {
            home.changed.append(model)
            if home.isWatched { model._$flags |= _Flag.observed }
        }
        scheduleAutosave()
    }

    /// Whether a save would have anything to do: a new model, a changed one or one to be deleted, or a refused insertion
    /// to complain about.
    public var hasChanges: Bool {
        !pendingBatches.isEmpty || homes.values.contains { $0.hasChanges } || insertionError != nil
    }

    /// The models that wait to be stored for the first time.
    public var insertedModelsArray: [any PersistentModel] {
        homes.values.flatMap { $0.inserted }.sorted { $0._$key > $1._$key }
    }

    /// The stored models with unsaved changes.
    public var changedModelsArray: [any PersistentModel] {
        settleBatchesOrNote()
        return homes.values.flatMap { $0.liveChanged }
    }

    /// The stored models that wait to be deleted.
    public var deletedModelsArray: [any PersistentModel] {
        settleBatchesOrNote()
        return homes.values.flatMap { $0.deleted }
    }

    /// Discards everything that was not saved: new models leave the context, deletions are taken back, and changed
    /// models have the stored values again. Nothing that was done before can be undone by the ``undoManager`` then.
    public func rollback() {
        let isInside = enterOrReport("roll back")
        defer { if isInside { leave() } }
        recorder?.reset()
        pendingBatches = []
        insertionError = nil
        mayLinkForeign = false
        contested = [:]
        discardedEntities = []
        // Whoever observes reads when everything is as it was.
        let watched = homes.values.filter { $0.isWatched && $0.hasChanges }.map { ($0, $0.changed) }
        for home in homes.values { home.rollback() }
        for (home, models) in watched { home.tellWatches(ofChanged: models) }
    }

    /// Runs a block, and saves what it changed along with all other unsaved changes.
    ///
    /// - Throws: what the block throws, or what ``save()`` throws. Nothing is saved then, and the changes stay as they
    ///   are; ``rollback()`` discards them.
    public func transaction(block: () throws -> Void) throws {
        try block()
        try save()
    }

    // MARK: Autosave

    /// Saves soon after a change. There is no event loop to tie it to on every platform, so it is a task on the main
    /// actor: it runs when the code that makes the changes is done.
    func scheduleAutosave() {
        guard autosaveEnabled, !autosaveIsScheduled else { return }
        autosaveIsScheduled = true
        let reference = UncheckedReference(self)
        Task { @MainActor in reference.context?.autosave() }
    }

    private func autosave() {
        autosaveIsScheduled = false
        guard autosaveEnabled, hasChanges else { return }
        do { try save() } catch { loadError = error }
    }

    private final class UncheckedReference: @unchecked Sendable {
        weak var context: ModelContext?
        init(_ context: ModelContext) { self.context = context }
    }
}
