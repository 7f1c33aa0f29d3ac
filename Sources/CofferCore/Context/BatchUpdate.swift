import Foundation

/// Sets the properties of many models, and says how a store can do it.
struct BatchUpdate<M: PersistentModel> {
    private let assignments: PropertyAssignments<M>
    private unowned let context: ModelContext
    /// Whether the values alone say all: no links to be followed, and nobody who wants to know the old ones.
    private let needsNoModel: Bool
    /// What is worked out for each model.
    private let expressions: [(slot: Int, expression: FilterExpression, compiled: RowExpression)]

    init(_ assignments: PropertyAssignments<M>, context: ModelContext) {
        self.assignments = assignments
        self.context = context
        let descriptor = M._$descriptor
        var expressions: [(slot: Int, expression: FilterExpression, compiled: RowExpression)] = []
        for assignment in assignments.assignments {
            guard case .expression(let value) = assignment.value, let slot = descriptor.slot(of: assignment.keyPath)
            else { continue }
            expressions.append((slot, value, RowExpression(value)))
        }
        self.expressions = expressions
        needsNoModel =
            context.recorder == nil && expressions.isEmpty
            && assignments.assignments.allSatisfy { assignment in
                guard let slot = descriptor.slot(of: assignment.keyPath), slot < 54 else { return false }
                return descriptor.relationships[slot] == nil && !descriptor.special.ephemeral.contains(slot)
            }
    }

    // MARK: By the context

    func apply(to models: [any PersistentModel]) throws {
        var templates: [ObjectIdentifier: Template] = [:]
        if needsNoModel {
            // All that can fail comes first.
            for model in models {
                guard let home = model._$home, templates[ObjectIdentifier(home)] == nil else { continue }
                templates[ObjectIdentifier(home)] = try template(home)
            }
        }
        let targets = models.compactMap { $0 as? M }
        let values = try expressions.isEmpty ? [] : targets.map { try evaluate($0) }
        for (index, target) in targets.enumerated() {
            if let home = target._$home, !home.isWatched, let template = templates[ObjectIdentifier(home)],
                isUntouched(target)
            {
                try template.fill(target, home)
            } else if expressions.isEmpty {
                assignments.applyConstants(to: target)
            } else {
                set(target, from: values[index])
            }
        }
    }

    /// Sets everything in order: the last assignment of a property holds.
    private func set(_ target: M, from values: M) {
        for assignment in assignments.assignments {
            switch assignment.value {
            case .constant(let apply): apply(target)
            case .expression: assignment.copy(target, values)
            }
        }
    }

    /// A model without a context that has what the expressions give for a model.
    private func evaluate(_ model: M) throws -> M {
        let descriptor = Swift.type(of: model)._$descriptor
        let values = RowBatch(
            space: descriptor.temporarySpace, width: descriptor.slotCount, capacity: 1)
        values.descriptor = descriptor
        values.appendRow(key: model._$key)
        var mask: UInt64 = 0
        for (slot, expression, compiled) in expressions {
            let rows = ModelRows(context, followsLinks: expression.followsLinks)
            let source = try rows.row(of: model)
            guard let value = try compiled.value(source.batch, row: source.row, in: rows) else {
                throw SwiftDataError.noValue(
                    entity: descriptor.entityName, property: descriptor.properties[safe: slot]?.name)
            }
            values.set(value, row: 0, slot: slot)
            mask |= _slotBit(slot)
        }
        guard let home = model._$home else { return model }
        func read<T: PersistentModel>(_ type: T.Type) throws -> M? {
            let blank = T(_$blank: ())
            try blank._$load(_RowReader(values, row: 0, mask: mask, home: home))
            return blank as? M
        }
        return try read(descriptor.type) ?? model
    }

    /// Whether nobody has read the model yet, so that it need not be read now.
    private func isUntouched(_ model: M) -> Bool {
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
            assignments.applyConstants(to: target)
            let values = home.undoBatch()
            // Setting through a key path reads first, and a value that a blank model reads as is no change to its setter.
            let mask = assignments.assignments.reduce(blank._$flags & _Flag.dirtyMask) { mask, assignment in
                guard case .constant = assignment.value, let slot = M._$descriptor.slot(of: assignment.keyPath) else {
                    return mask
                }
                return mask | _slotBit(slot)
            }
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

    // MARK: By the store

    /// The assignments as a store takes them; nil where it cannot do all of them.
    func plan(for home: _ModelHome) throws -> [RowAssignment]? {
        let descriptor = home.descriptor
        guard let entity = context.container.schema.entitiesByName[descriptor.entityName], !entity.isInHierarchy,
            !home.hasHiddenSlots
        else { return nil }
        let unique = Set(entity.uniquenessConstraints.joined())
        let hidden = descriptor.special.ephemeral.union(descriptor.special.external)
        var result: [Int: FilterExpression] = [:]
        var constants: [Int: FilterType] = [:]
        for assignment in assignments.assignments {
            guard let slot = descriptor.slot(of: assignment.keyPath), descriptor.relationships[slot] == nil,
                !hidden.contains(slot), !unique.contains(descriptor.properties[slot].name)
            else { return nil }
            switch assignment.value {
            case .constant:
                constants[slot] = assignment.type
                result[slot] = nil
            case .expression(let value):
                if value.followsLinks || !value.slots.isDisjoint(with: hidden) { return nil }
                constants[slot] = nil
                result[slot] = value
            }
        }
        if !constants.isEmpty {
            let values = try template(home).values
            for (slot, type) in constants {
                result[slot] = .constant(values.value(of: values.cell(row: 0, slot: slot)), type)
            }
        }
        return result.map { RowAssignment(slot: $0, value: $1) }.sorted { $0.slot < $1.slot }
    }
}

extension _ModelHome {
    /// Whether the class has so many properties that the marks of changed ones stand for several.
    fileprivate var hasHiddenSlots: Bool { descriptor.slotCount > 54 }
}
