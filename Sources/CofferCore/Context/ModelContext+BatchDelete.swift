import Foundation

extension ModelContext {
    /// Marks every model that matches a predicate to be deleted by the next save.
    ///
    /// ```swift
    /// try context.delete(model: Trip.self, where: #Predicate { $0.end < lastYear })
    /// try context.save()
    /// ```
    ///
    /// The same as fetching the models and calling ``delete(_:)`` with each, unsaved changes included: delete rules are
    /// followed by the save, ``hasChanges`` is true until then, ``rollback()`` takes the deletion back, and models in
    /// memory are let go once it is saved.
    ///
    /// It costs less. Where the save comes next, the store deletes by the predicate and follows the rules itself, and no
    /// row is handed out. Which rows match is settled then, after what other contexts have saved meanwhile; models in
    /// memory are chosen now. A fetch in between, or anything else that reads rows, an ``undoManager``, and unsaved
    /// changes of related models have the context find the models first, by their keys.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - predicate: which models; nil for all.
    ///   - includeSubclasses: whether models of subclasses go, too; otherwise only models of exactly the class do.
    /// - Throws: ``SwiftDataError`` when the schema lacks the model or the predicate cannot be evaluated, or what the
    ///   store throws. Nothing is marked then.
    /// - Complexity: what the store needs to find the first of the rows, and O(*models in memory*); where the context has
    ///   to find the models, O(*matching models*).
    public func delete<M: PersistentModel>(
        model type: M.Type, where predicate: Predicate<M>? = nil, includeSubclasses: Bool = true
    ) throws {
        try enter(.delete)
        defer { leave() }
        catchUp()
        let home = try home(of: type, for: .delete)
        if try deleteByPlan(type, where: predicate, includeSubclasses: includeSubclasses, in: home) { return }
        for model in try matches(type, where: predicate, includeSubclasses: includeSubclasses, for: .delete) {
            delete(model)
        }
    }

    /// The models that match a predicate, unsaved changes included; those that are not in memory are not read where the
    /// store can do without.
    func matches<M: PersistentModel>(
        _ type: M.Type, where predicate: Predicate<M>?, includeSubclasses: Bool, for operation: SwiftDataError.Operation
    ) throws -> [any PersistentModel] {
        catchUp()
        let home = try home(of: type, for: operation)
        return try PlannedFetch(
            FetchDescriptor(predicate: predicate), home: home, context: self, includesSubclasses: includeSubclasses
        ).unloadedModels()
    }
}
