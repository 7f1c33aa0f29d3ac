import Foundation

/// A predicate over models: what the context evaluates itself, for unsaved changes and for what a store hands back.
///
/// What the predicate has of a filter runs over the models' values in packed form: models and stored rows are then
/// judged alike, and what would stop a Swift program, such as a division by zero, merely does not match. Only where the
/// filter does not say all is the predicate evaluated itself, for models that pass it; see
/// ``PredicateLowering/parts(_:)``.
final class ModelMatcher<M: PersistentModel> {
    private let predicate: Predicate<M>?
    private let expression: FilterExpression?
    /// Whether the filter does not say all of the predicate.
    private let evaluates: Bool
    private let context: ModelContext
    // Most fetches leave everything to the store.
    private lazy var filter = expression.map { RowFilter($0) }
    private lazy var rows = ModelRows(context, followsLinks: expression?.followsLinks ?? false)

    /// - Parameters:
    ///   - predicate: nil for all models.
    ///   - filter: what the predicate was lowered to; nil where nothing of it could be.
    ///   - evaluates: whether the predicate has parts that the filter does not say.
    init(_ predicate: Predicate<M>?, filter: FilterExpression?, evaluates: Bool, context: ModelContext) {
        self.predicate = predicate
        self.expression = filter
        self.evaluates = evaluates || filter == nil
        self.context = context
    }

    /// Whether a model matches, with its unsaved changes.
    ///
    /// - Throws: what evaluating throws. A force-unwrapped nil and a number that does not fit are no errors: the model
    ///   does not match.
    func matches(_ model: M) throws -> Bool {
        guard let predicate else { return true }
        if let filter {
            let row = try rows.row(of: model)
            if try !filter.matches(row.batch, row: row.row, in: rows) { return false }
        }
        return try !evaluates || matchesItself(model, predicate)
    }

    private func matchesItself(_ model: M, _ predicate: Predicate<M>) throws -> Bool {
        do {
            return try predicate.evaluate(model)
        } catch let error as PredicateError
            where error == .forceUnwrapFailure || error == .forceCastFailure || error == .invalidInput
        {
            return false
        }
    }
}

/// The models of a context as packed rows, with their unsaved changes.
final class ModelRows: RowSource {
    private let context: ModelContext
    private let followsLinks: Bool
    /// One row that is used again for each model, where nothing leads from one model to another.
    private var scratch: RowBatch?
    private var known: [PersistentIdentifier: any PersistentModel] = [:]
    private var packed: [ObjectIdentifier: DefaultSnapshot] = [:]
    private var descriptors: [String: _ModelDescriptor] = [:]

    init(_ context: ModelContext, followsLinks: Bool) {
        self.context = context
        self.followsLinks = followsLinks
    }

    /// The values of a model; loaded where they are not.
    ///
    /// - Throws: ``SwiftDataError`` where a value cannot be encoded.
    func row<M: PersistentModel>(of model: M) throws -> DefaultSnapshot {
        if followsLinks, let row = packed[ObjectIdentifier(model)] { return row }
        if model._$flags & (_Flag.fault | _Flag.stale) != 0 { model._$home?.load(model) }
        let descriptor = Swift.type(of: model)._$descriptor
        let batch = try pack(model, descriptor)
        if try readMissing(model, descriptor, batch) { _ = try pack(model, descriptor, into: batch) }
        let row = DefaultSnapshot(batch, row: 0)
        if followsLinks { remember(model, row, descriptor) }
        return row
    }

    private func pack<M: PersistentModel>(_ model: M, _ descriptor: _ModelDescriptor) throws -> RowBatch {
        if !followsLinks, let scratch, scratch.entityName == descriptor.entityName {
            return try pack(model, descriptor, into: scratch)
        }
        let space =
            model._$home?.space ?? context.home(of: descriptor)?.space
            ?? .shared(entityName: descriptor.entityName, storeIdentifier: nil)
        let batch = RowBatch(space: space, width: descriptor.slotCount, capacity: 1)
        batch.keepsEntities = context.container.hasHierarchies
        if !followsLinks { scratch = batch }
        return try pack(model, descriptor, into: batch)
    }

    private func pack<M: PersistentModel>(
        _ model: M, _ descriptor: _ModelDescriptor, into batch: RowBatch
    ) throws -> RowBatch {
        batch.removeAll()
        batch.appendRow(identifier: model.persistentModelID)
        var writer = _RowWriter(batch, row: 0, descriptor: descriptor)
        try model._$store(&writer)
        return batch
    }

    /// Reads the attributes and links that a model was fetched without; whether there were any.
    ///
    /// - Throws: why a value cannot be read: a filter must not take the default for it.
    private func readMissing<M: PersistentModel>(
        _ model: M, _ descriptor: _ModelDescriptor, _ batch: RowBatch
    ) throws -> Bool {
        var found = false
        let before = context.loadError
        for slot in 0..<batch.width where batch.cell(row: 0, slot: slot).kind == .absent {
            if descriptor.relationships[slot]?.isToMany == true { continue }
            if descriptor.special.ephemeral.contains(slot) { continue }
            context.loadError = nil
            _ = model[keyPath: descriptor.properties[slot].keyPath as AnyKeyPath]
            if let error = context.loadError {
                // The next fetch has to find out again.
                model._$forget(slot)
                throw error
            }
            found = true
        }
        context.loadError = before
        return found
    }

    private func remember<M: PersistentModel>(_ model: M, _ row: DefaultSnapshot, _ descriptor: _ModelDescriptor) {
        packed[ObjectIdentifier(model)] = row
        known[row.persistentIdentifier] = model
        for case let link? in descriptor.relationships { descriptors[link.destination.entityName] = link.destination }
        // A model that was never inserted is found through those that lead to it, and nowhere else.
        var visitor = _RelatedVisitor()
        model._$visit(&visitor)
        for related in visitor.models { known[related.persistentModelID] = related }
    }

    // MARK: Links

    func row(_ key: Int64, of entityName: String) throws -> DefaultSnapshot? {
        guard let space = descriptors[entityName].flatMap({ context.home(of: $0)?.space }) else { return nil }
        return try row(RowBatch.identifier(key: key, in: space))
    }

    func row(_ identifier: PersistentIdentifier) throws -> DefaultSnapshot? {
        guard let model = try known[identifier] ?? model(identifier) else { return nil }
        return try row(of: model)
    }

    private func home(of entityName: String) -> _ModelHome? {
        if let descriptor = descriptors[entityName] { return context.home(of: descriptor) }
        // A link of a hierarchy may lead to a class that no relationship names.
        return context.container.modelType(named: entityName).flatMap { context.home(of: $0._$descriptor) }
    }

    func isRow(_ row: DefaultSnapshot, of entityName: String) -> Bool {
        let own = row.persistentIdentifier.entityName
        if own == entityName { return true }
        let lineage = context.container.schema.entitiesByName[own]?.lineage ?? []
        return lineage.contains { $0.name == entityName }
    }

    private func model(_ identifier: PersistentIdentifier) throws -> (any PersistentModel)? {
        guard let home = home(of: identifier.entityName) else { return nil }
        func model<M: PersistentModel>(_ type: M.Type) throws -> (any PersistentModel)? {
            identifier._isTemporary ? home.find(identifier) : try home.model(identifier, as: M.self)
        }
        return try model(home.descriptor.type)
    }

    func members(of owner: DefaultSnapshot, slot: Int) throws -> [DefaultSnapshot] {
        guard let model = known[owner.persistentIdentifier] else { return [] }
        return try members(of: model, slot)
    }

    private func members<M: PersistentModel>(of model: M, _ slot: Int) throws -> [DefaultSnapshot] {
        let property = Swift.type(of: model)._$descriptor.properties[slot]
        _ = model[keyPath: property.keyPath as AnyKeyPath]  // loads the relationship
        var visitor = _RelatedVisitor(slot: slot)
        model._$visit(&visitor)
        return try visitor.models.map { try row(of: $0) }
    }

    func destination(ofSlot slot: Int, in entityName: String) -> String? {
        guard let descriptor = descriptors[entityName], let link = descriptor.relationships[safe: slot] ?? nil,
            !link.isToMany
        else { return nil }
        return link.destination.entityName
    }
}
