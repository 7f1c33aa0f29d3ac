import Foundation

extension ModelContext {
    /// Gives every model that matches a predicate the same values; the next save stores them.
    ///
    /// ```swift
    /// try context.update(model: Trip.self, where: #Predicate { $0.end < lastYear }) {
    ///     $0.isOver = true
    ///     $0.guide = nil
    /// }
    /// try context.save()
    /// ```
    ///
    /// The same as fetching the models and setting the properties of each, unsaved changes included: fetches of this
    /// context see the new values at once, both sides of a relationship are kept in step, the save checks what it always
    /// checks, ``rollback()`` takes it back, and so does an ``undoManager``. It costs less: models that are not in
    /// memory are not read where attributes alone are set. An observer that the class declares (`didSet`) runs once for
    /// all of these. SwiftData has no such member.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - predicate: which models; nil for all.
    ///   - includeSubclasses: whether models of subclasses count as models of the class.
    ///   - assignments: sets the properties of what it is given. It runs once, before any model is touched.
    /// - Throws: ``SwiftDataError`` when the schema lacks the model, the predicate cannot be evaluated or a value cannot
    ///   be encoded, what the store throws, or what `assignments` throws. Nothing is changed then.
    /// - Complexity: O(*matching models*), and what the store needs to find the rows. Until the save, the context keeps
    ///   an object for each of them; one that was not in memory holds the new values only.
    public func update<M: PersistentModel>(
        model type: M.Type, where predicate: Predicate<M>? = nil, includeSubclasses: Bool = true,
        set assignments: (inout PropertyAssignments<M>) throws -> Void
    ) throws {
        try enter(.update)
        defer { leave() }
        var update = PropertyAssignments<M>()
        try outside { try assignments(&update) }
        if update.assignments.isEmpty { return }
        let models = try matches(type, where: predicate, includeSubclasses: includeSubclasses, for: .update)
        try BatchUpdate(update, context: self).apply(to: models)
    }
}

/// Sets the properties of many models.
private struct BatchUpdate<M: PersistentModel> {
    private let assignments: PropertyAssignments<M>
    private let context: ModelContext
    /// Whether the values alone say all: no links to be followed, and nobody who wants to know the old ones.
    private let needsNoModel: Bool

    init(_ assignments: PropertyAssignments<M>, context: ModelContext) {
        self.assignments = assignments
        self.context = context
        let descriptor = M._$descriptor
        needsNoModel =
            context.recorder == nil
            && assignments.assignments.allSatisfy { assignment in
                guard let slot = descriptor.slot(of: assignment.keyPath), slot < 54 else { return false }
                return descriptor.relationships[slot] == nil && !descriptor.special.ephemeral.contains(slot)
            }
    }

    func apply(to models: [any PersistentModel]) throws {
        var templates: [ObjectIdentifier: Template] = [:]
        if needsNoModel {
            // All that can fail comes first.
            for model in models {
                guard let home = model._$home, templates[ObjectIdentifier(home)] == nil else { continue }
                templates[ObjectIdentifier(home)] = try template(home)
            }
        }
        for model in models {
            guard let target = model as? M else { continue }
            if let home = model._$home, !home.isWatched, let template = templates[ObjectIdentifier(home)],
                isUntouched(model)
            {
                try template.fill(target, home)
            } else {
                assignments.apply(to: target)
            }
        }
    }

    /// Whether nobody has read the model yet, so that it need not be read now.
    private func isUntouched(_ model: any PersistentModel) -> Bool {
        model._$flags & (_Flag.fault | _Flag.observed | _Flag.inserted | _Flag.deleted | _Flag.detached) == _Flag.fault
    }

    /// The new values as a row of a home's class.
    private struct Template {
        let values: RowBatch
        let mask: UInt64

        func fill<T: PersistentModel>(_ model: T, _ home: _ModelHome) throws {
            try model._$load(_RowReader(values, row: 0, mask: mask, home: home))
            model._$flags |= mask
            if model._$flags & _Flag.listed == 0 {
                model._$flags |= _Flag.listed
                home.context?.noteChanged(model)
            }
        }
    }

    private func template(_ home: _ModelHome) throws -> Template {
        func make<T: PersistentModel>(_ type: T.Type) throws -> Template? {
            // A model without a context: its setters fill the storage and note the slots.
            let blank = T(_$blank: ())
            guard let target = blank as? M else { return nil }
            assignments.apply(to: target)
            let values = home.undoBatch()
            let mask = blank._$flags & _Flag.dirtyMask
            var writer = _RowWriter(values, row: 0, mask: mask, descriptor: home.descriptor)
            try blank._$store(&writer)
            // What cannot be read back is found now, and not when half of the models are done.
            try T(_$blank: ())._$load(_RowReader(values, row: 0, mask: mask, home: home))
            return Template(values: values, mask: mask)
        }
        if let template = try make(home.descriptor.type) { return template }
        throw SwiftDataError(
            .unknownModelType, operation: .update, entity: home.descriptor.entityName,
            detail: "it is no subclass of \(M._$descriptor.entityName)")
    }
}
