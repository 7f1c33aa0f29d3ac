import Foundation

extension ModelContext {
    /// Changes every model that matches a predicate alike; the next save stores it.
    ///
    /// ```swift
    /// try context.update(model: Trip.self, where: #Predicate { $0.end < lastYear }) {
    ///     $0.isOver = true
    ///     $0.guide = nil
    ///     $0.set(\.visits, to: #Expression { $0.visits + 1 })
    /// }
    /// try context.save()
    /// ```
    ///
    /// The same as fetching the models and setting the properties of each, unsaved changes included: fetches of this
    /// context see the new values at once, both sides of a relationship are kept in step, the save checks what it always
    /// checks, ``rollback()`` takes it back, and so does an ``undoManager``. SwiftData has no such
    /// member.
    ///
    /// It costs less. Where attributes alone are set, none of them unique, and the save comes next, the store updates by
    /// the predicate itself: rows that are not in memory are neither read nor made models. Which of them match is settled
    /// then, after what other contexts have saved meanwhile. A fetch in between, or anything else that reads rows, has
    /// the context find the models first. An observer that the class declares (`didSet`) runs for models in memory only,
    /// and once for all others.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - predicate: which models; nil for all.
    ///   - includeSubclasses: whether models of subclasses count as models of the class.
    ///   - assignments: sets the properties of what it is given. It runs once, before any model is touched.
    /// - Throws: ``SwiftDataError`` when the schema lacks the model, the predicate or an expression cannot be evaluated
    ///   (``SwiftDataError/valueOutOfRange`` where it has no value for a row) or a value cannot be encoded, what the
    ///   store throws, or what `assignments` throws. Nothing is changed then.
    /// - Complexity: what the store needs to find the first of the rows, or to try an expression that may have no value on
    ///   all of them, and O(*models in memory*). Where the context has to find the models, O(*matching models*); it then
    ///   keeps an object for each until the save.
    public func update<M: PersistentModel>(
        model type: M.Type, where predicate: Predicate<M>? = nil, includeSubclasses: Bool = true,
        set assignments: (inout PropertyAssignments<M>) throws -> Void
    ) throws {
        try enter(.update)
        defer { leave() }
        var update = PropertyAssignments<M>()
        try outside { try assignments(&update) }
        if let problem = update.problem { throw problem }
        if update.assignments.isEmpty { return }
        catchUp()
        let home = try home(of: type, for: .update)
        let batch = BatchUpdate(update, context: self)
        if try updateByPlan(batch, where: predicate, includeSubclasses: includeSubclasses, in: home) { return }
        let models = try matches(type, where: predicate, includeSubclasses: includeSubclasses, for: .update)
        try batch.apply(to: models)
    }
}
