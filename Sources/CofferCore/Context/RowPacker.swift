import Foundation

/// Packs the changed models of one entity into the batches of a save.
struct RowPacker {
    let home: _ModelHome
    let plan: SavePlan
    /// Slots that must have a value: attributes and to-one links.
    private let valueSlots: [Int]
    private let optionalSlots: Set<Int>
    private let linkSlots: [Int]
    /// Slots of to-one links of which a new row says nothing where there is none: it may turn out to be a stored row, and
    /// that one keeps its link then.
    private let openLinks: [Int]
    /// Slots of to-one links that cannot be without a target.
    private let requiredLinks: [Int]

    init(_ home: _ModelHome, plan: SavePlan) {
        self.home = home
        self.plan = plan
        let descriptor = home.descriptor
        let ephemeral = descriptor.special.ephemeral
        valueSlots = descriptor.properties.indices.filter {
            home.relationships[$0]?.isToMany != true && !ephemeral.contains($0)
        }
        optionalSlots = descriptor.optionalSlots
        linkSlots = home.relationships.indices.filter { home.relationships[$0] != nil }
        openLinks =
            home.enforcesUniqueness && home.store.rows != nil
            ? linkSlots.filter { home.relationships[$0].map { !$0.isToMany && $0.isOptional } ?? false } : []
        requiredLinks = linkSlots.filter { home.relationships[$0].map { !$0.isToMany && !$0.isOptional } ?? false }
    }

    /// The rows of new models, in order.
    ///
    /// - Throws: ``SwiftDataError`` that names the property when a required value is missing or cannot be encoded.
    func inserted(_ models: [any PersistentModel]) throws -> RowBatch {
        let batch = makeBatch(models.count)
        try home.descriptor.type._$pack(models, into: batch, of: home.descriptor, onlyChanges: false)
        for row in 0..<batch.count { try complete(row, of: batch) }
        for slot in openLinks {
            for row in 0..<batch.count where batch.cell(row: row, slot: slot).kind == .null {
                batch.set(RowCell(.absent), row: row, slot: slot)
            }
        }
        if !plan.isPlain {
            for row in 0..<batch.count { try checkLinks(row, of: batch) }
        }
        return batch
    }

    /// The rows of changed models: absent cells stay as they are in the store.
    func updated(_ models: [any PersistentModel]) throws -> RowBatch {
        let batch = makeBatch(models.count)
        try home.descriptor.type._$pack(models, into: batch, of: home.descriptor, onlyChanges: true)
        if !requiredLinks.isEmpty { try checkRequired(models, batch) }
        if plan.isPlain { return batch }
        for (row, model) in models.enumerated() {
            for slot in plan.cut[ObjectIdentifier(model)]?.slots ?? [] {
                if home.relationships[slot]?.isToMany != true { batch.set(RowCell(.null), row: row, slot: slot) }
            }
            try checkLinks(row, of: batch)
        }
        return batch
    }

    /// A changed model that was taken out of the other side's list has a required link without a target.
    private func checkRequired(_ models: [any PersistentModel], _ batch: RowBatch) throws {
        for (row, model) in models.enumerated() {
            for slot in requiredLinks where model._$flags & _slotBit(slot) != 0 {
                // From the 55th slot on a bit says that one of several was changed.
                let isSure = slot < 54 || model._$flags & _Flag.partial == 0
                if isSure, batch.cell(row: row, slot: slot).kind == .absent { throw missing(slot) }
            }
        }
    }

    private func makeBatch(_ capacity: Int) -> RowBatch {
        let batch = RowBatch(space: home.space, width: home.descriptor.slotCount, capacity: capacity)
        batch.descriptor = home.descriptor
        batch.keepsEntities = home.store.rows == nil && home.context?.container.hasHierarchies == true
        return batch
    }

    /// A new row says something of every property.
    @inline(__always)
    private func complete(_ row: Int, of batch: RowBatch) throws {
        let cells = batch._cells(ofRow: row)
        for slot in valueSlots {
            // The first two kinds are absent and null.
            if cells[slot].info & 0xFF > 1 { continue }
            if !optionalSlots.contains(slot) { throw missing(slot) }
            batch.set(RowCell(.null), row: row, slot: slot)
        }
    }

    private func missing(_ slot: Int) -> SwiftDataError {
        SwiftDataError(
            .missingRequiredValue, operation: .save, store: home.store.name, entity: home.descriptor.entityName,
            property: home.descriptor.properties[slot].name, detail: "it has no value")
    }

    /// Links to models that this save deletes are not stored.
    func checkLinks(_ row: Int, of batch: RowBatch) throws {
        for slot in linkSlots {
            let cell = batch.cell(row: row, slot: slot)
            switch cell.kind {
            case .reference, .references, .identifier, .identifiers: break
            default: continue
            }
            let destination = home.destination(slot)
            switch batch.value(of: cell, destination: destination?.space) {
            case .references(let targets):
                let kept = targets.filter { !isDoomed($0, destination) }
                if kept.count != targets.count { batch.set(.references(kept), row: row, slot: slot) }
            case .reference(let target) where isDoomed(target, destination):
                guard home.relationships[slot]?.isOptional == true else { throw missing(slot) }
                batch.set(RowCell(.null), row: row, slot: slot)
            default: break
            }
        }
    }

    private func isDoomed(_ identifier: PersistentIdentifier, _ destination: _ModelHome?) -> Bool {
        guard !identifier._isTemporary, let model = destination?.find(identifier) else { return false }
        return plan.isDoomed(model)
    }
}
