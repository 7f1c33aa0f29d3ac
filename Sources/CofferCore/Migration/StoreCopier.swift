import Foundation

/// Copies the rows of a store into an empty one of another schema, under their own keys.
///
/// Rows pass through a little memory. First come the rows with their values and links, entity by entity, then the lists,
/// when all rows are there.
final class StoreCopier {
    let source: any ImportingRowStore
    let target: any ImportingRowStore
    let mapping: MigrationMapping
    /// What was copied and lost until now, by entity.
    private(set) var figures: [String: MigrationReport.Entity] = [:]
    /// Whether rows of entities that are gone may be left behind.
    var losesRows = true
    /// Is told of each block: the entity and how many of its rows are copied.
    var progress: ((_ entityName: String, _ rows: Int) throws -> Void)?

    /// Keys of rows that are not copied, by the name of the old topmost entity; only where others of the run are.
    private var goneKeys: [String: Set<Int64>] = [:]
    /// Links that stood in lists, by the property that has them now.
    private var inverses: [InverseKey: [Int64: Int64]] = [:]
    /// The highest key, by the name of the new topmost entity.
    private var highestKeys: [String: Int64] = [:]

    private struct InverseKey: Hashable {
        let entity: String
        let slot: Int
    }

    private static let blockSize = 1024
    /// Of rows with large values fewer make a block.
    private static let largeBlockSize = 32

    init(from source: any ImportingRowStore, to target: any ImportingRowStore, _ mapping: MigrationMapping) {
        self.source = source
        self.target = target
        self.mapping = mapping
    }

    /// Copies everything and checks that all rows are there.
    ///
    /// - Throws: `SwiftDataError` that names entity and property where a row cannot be copied.
    func run() throws {
        for entity in mapping.gone { try countGone(entity) }
        for map in mapping.entities { try readInverses(map) }
        for map in mapping.entities {
            try copyRows(map)
            try MigrationPoint.copied(map.target.name).reach()
        }
        try copyLists()
        try MigrationPoint.linked.reach()
        try reserveKeys()
        try copyHistory()
        try check()
    }

    // MARK: Reading

    /// Reads some slots of all rows of exactly one entity, block by block.
    private func read(_ entity: Schema.Entity, _ slots: [Int], _ body: (RowBatch) throws -> Void) throws {
        let properties = entity.properties
        let isLarge = slots.contains { (properties[$0] as? Schema.Attribute)?._isExternal == true }
        let batch = Self.batch(entity, source)
        try source.fetchBlocks(
            FetchPlan(entityName: entity.name, slots: slots), into: batch,
            of: isLarge ? Self.largeBlockSize : Self.blockSize, body)
    }

    static func batch(_ entity: Schema.Entity, _ store: any RowStore) -> RowBatch {
        RowBatch(
            space: .shared(entityName: entity.name, storeIdentifier: store.identifier), width: entity.properties.count)
    }

    private func countGone(_ entity: Schema.Entity) throws {
        let root = entity.rootEntity.name
        let plan = FetchPlan(entityName: entity.name)
        let count: Int
        if mapping.entities.contains(where: { $0.source.rootEntity.name == root }) {
            let keys = try source.fetchKeys(plan)
            goneKeys[root, default: []].formUnion(keys)
            count = keys.count
        } else {
            count = try source.countRows(plan)
        }
        figures[entity.name, default: .init(entity.name)].lostRows = count
        if count > 0, !losesRows { throw MigrationMapping.lostRows(count, of: entity) }
    }

    /// Reads the lists that are links of other rows now.
    private func readInverses(_ map: MigrationMapping.EntityMap) throws {
        for property in map.properties {
            let place: (entity: String, slot: Int)
            switch property.origin {
            case .inverse(let name, let slot): place = (name, slot)
            default:
                guard let pair = property.pair else { continue }
                place = pair
            }
            guard let owner = mapping.source.entitiesByName[place.entity] else { continue }
            let (name, slot) = place
            var links: [Int64: Int64] = [:]
            for entity in owner.subtree where mapping.entities.contains(where: { $0.source.name == entity.name }) {
                try read(entity, [slot]) { batch in
                    for row in 0..<batch.count {
                        for key in Self.keys(batch.cell(row: row, slot: slot), batch) {
                            guard links.updateValue(batch.key(ofRow: row), forKey: key) == nil else {
                                throw failure(
                                    map, property, "several \(name) lead to one row, which can lead back to one only")
                            }
                        }
                    }
                }
            }
            inverses[InverseKey(entity: map.target.name, slot: property.slot)] = links
        }
    }

    /// The keys of a link or a list.
    private static func keys(_ cell: RowCell, _ batch: RowBatch) -> [Int64] {
        switch cell.kind {
        case .reference: [cell.integer]
        case .references: batch.keys(of: cell)
        default: []
        }
    }

    // MARK: Rows

    private func copyRows(_ map: MigrationMapping.EntityMap) throws {
        let name = map.target.name
        figures[name, default: .init(name)].rows = 0
        var slots = Set(map.lost.map(\.slot))
        for property in map.properties {
            switch property.origin {
            case .attribute(let slot, _), .link(let slot), .linkOfList(let slot): slots.insert(slot)
            case .nothing, .new, .list, .listOfLink, .inverse: break
            }
        }
        let root = map.target.rootEntity.name
        do {
            try read(map.source, slots.sorted()) { rows in
                let batch = Self.batch(map.target, target)
                batch.reserve(rows.count)
                for row in 0..<rows.count { batch.appendRow(key: rows.key(ofRow: row)) }
                for property in map.properties { try fill(property, map, from: rows, into: batch) }
                for (slot, property) in map.lost { count(slot, property, in: rows, of: name) }
                if rows.count > 0 { highestKeys[root] = max(highestKeys[root] ?? 0, rows._keys.max() ?? 0) }
                try target.importRows([batch])
                let count = (figures[name]?.rows ?? 0) + rows.count
                figures[name]?.rows = count
                try progress?(name, count)
            }
        } catch let misfit as Misfit {
            throw try misfits(misfit, of: map)
        }
    }

    /// A value that has no place in the new type. It never leaves the thread that copies.
    private struct Misfit: Error, @unchecked Sendable {
        let property: MigrationMapping.PropertyMap
        let slot: Int
        let conversion: CellConversion
    }

    /// Says how many values of a property do not fit.
    private func misfits(_ misfit: Misfit, of map: MigrationMapping.EntityMap) throws -> SwiftDataError {
        var count = 0
        var first: Int64?
        var member: String?
        try read(map.source, [misfit.slot]) { rows in
            let scratch = Self.batch(map.target, target)
            for row in 0..<rows.count {
                let new = scratch.appendRow(key: rows.key(ofRow: row))
                let cell = rows.cell(row: row, slot: misfit.slot)
                if cell.kind == .null || cell.kind == .absent { continue }
                if misfit.conversion.convert(cell, rows, scratch, new, misfit.property.slot) { continue }
                count += 1
                if first == nil {
                    first = rows.key(ofRow: row)
                    member = misfit.conversion.misfitMember?(cell, rows)
                }
            }
        }
        let type = (misfit.property.property as? Schema.Attribute)?.valueTypeName ?? ""
        return failure(
            map, misfit.property,
            "\(count == 1 ? "a value does" : "\(count) values do") not fit the property's new type \(type)"
                + (first.map { ", the \(count == 1 ? "one" : "first") of the row \($0)" } ?? "")
                + (member.map { " for its member \($0)" } ?? "")
                + "; that takes a stage of a migration plan")
    }

    private func count(_ slot: Int, _ property: any SchemaProperty, in rows: RowBatch, of name: String) {
        var count = 0
        for row in 0..<rows.count {
            let cell = rows.cell(row: row, slot: slot)
            switch cell.kind {
            case .absent, .null: break
            case .references: count += cell.length / 8
            default: count += 1
            }
        }
        if count > 0 { figures[name]?.lostValues[property.name, default: 0] += count }
    }

    private func fill(
        _ property: MigrationMapping.PropertyMap, _ map: MigrationMapping.EntityMap, from rows: RowBatch,
        into batch: RowBatch
    ) throws {
        let slot = property.slot
        switch property.origin {
        case .nothing, .list, .listOfLink: return
        case .new:
            for row in 0..<rows.count { try fillMissing(property, map, batch, row) }
        case .attribute(let old, let conversion):
            for row in 0..<rows.count {
                let cell = rows.cell(row: row, slot: old)
                if cell.kind == .null || cell.kind == .absent {
                    try fillMissing(property, map, batch, row)
                } else if !conversion.convert(cell, rows, batch, row, slot) {
                    guard mapping.isLenient else { throw Misfit(property: property, slot: old, conversion: conversion) }
                    figures[map.target.name]?.lostValues[property.property.name, default: 0] += 1
                    try fillMissing(property, map, batch, row)
                } else if let lostMembers = conversion.lostMembers {
                    for member in lostMembers(cell, rows, batch.cell(row: row, slot: slot), batch) {
                        figures[map.target.name]?.lostValues["\(property.property.name).\(member)", default: 0] += 1
                    }
                }
            }
        case .link(let old), .linkOfList(let old):
            let gone = goneTargets(of: property)
            let pairs = property.pair == nil ? nil : inverses[InverseKey(entity: map.target.name, slot: slot)]
            for row in 0..<rows.count {
                let keys = Self.keys(rows.cell(row: row, slot: old), rows).filter { gone?.contains($0) != true }
                guard keys.count < 2 else {
                    throw failure(map, property, "a row has \(keys.count) related rows, and can have one only")
                }
                let other = pairs?[rows.key(ofRow: row)]
                if let own = keys.first, let other, own != other {
                    throw failure(map, property, "a row leads to one row, and another one to it")
                }
                try setLink(keys.first ?? other, property, map, batch, row)
            }
        case .inverse:
            let links = inverses[InverseKey(entity: map.target.name, slot: slot)] ?? [:]
            for row in 0..<rows.count { try setLink(links[rows.key(ofRow: row)], property, map, batch, row) }
        }
    }

    private func setLink(
        _ key: Int64?, _ property: MigrationMapping.PropertyMap, _ map: MigrationMapping.EntityMap, _ batch: RowBatch,
        _ row: Int
    ) throws {
        guard let key else { return try fillMissing(property, map, batch, row) }
        batch.set(RowCell(.reference, bits: UInt64(bitPattern: key)), row: row, slot: property.slot)
    }

    /// Rows that a link may lead to and that are not copied.
    private func goneTargets(of property: MigrationMapping.PropertyMap) -> Set<Int64>? {
        guard let relationship = property.property as? Schema.Relationship,
            let root = mapping.oldRoot(of: relationship.destination)
        else { return nil }
        return goneKeys[root]
    }

    /// A value where there is none: the default, or nothing.
    private func fillMissing(
        _ property: MigrationMapping.PropertyMap, _ map: MigrationMapping.EntityMap, _ batch: RowBatch, _ row: Int
    ) throws {
        let isNew: Bool
        if case .new = property.origin { isNew = true } else { isNew = false }
        let attribute = property.property as? Schema.Attribute
        if isNew || !property.property.isOptional, let value = attribute?._freshStoredDefault, !value.isNull {
            batch.set(value, row: row, slot: property.slot)
            figures[map.target.name]?.filledValues[property.property.name, default: 0] += 1
        } else if property.property.isOptional {
            batch.set(RowCell(.null), row: row, slot: property.slot)
        } else if mapping.isLenient, let value = attribute?._storedPlaceholder {
            batch.set(value, row: row, slot: property.slot)
        } else {
            let isLink = attribute == nil
            throw MigrationMapping.problem(
                map.target.name, property.property.name,
                isLink
                    ? "the relationship must lead to a row, and rows have none for it"
                    : isNew
                        ? "the property is new and has neither a default value nor an optional type"
                        : "the property must have a value now; rows have none, and there is no default value")
        }
    }

    // MARK: Lists

    private func copyLists() throws {
        var written: Set<[String]> = []
        for map in mapping.entities {
            for property in map.properties {
                guard let relationship = property.property as? Schema.Relationship else { continue }
                let old: Int
                switch property.origin {
                case .list(let slot), .listOfLink(let slot): old = slot
                default: continue
                }
                let inverse = relationship.inverseName.flatMap {
                    mapping.target.entitiesByName[relationship.destination]?._relationship(named: $0)
                }
                // Links back make the list by themselves, but for its order; so does the other side's list.
                var isMade = inverse?.isToOneRelationship == true
                if let inverse, !isMade {
                    let side = [relationship.destination, inverse.name]
                    isMade = written.contains(side)
                    written.insert([declarer(of: relationship, map.target), relationship.name])
                }
                if isMade, case .listOfLink = property.origin { continue }
                try copyLists(of: map, property, from: old, onlyOrder: isMade)
            }
        }
    }

    /// The name of the entity whose class declares a relationship.
    private func declarer(of relationship: Schema.Relationship, _ entity: Schema.Entity) -> String {
        entity.lineage.first { $0.storedProperties.contains { $0.name == relationship.name } }?.name ?? entity.name
    }

    private func copyLists(
        of map: MigrationMapping.EntityMap, _ property: MigrationMapping.PropertyMap, from old: Int, onlyOrder: Bool
    ) throws {
        let gone = goneTargets(of: property)
        try read(map.source, [old]) { rows in
            let batch = Self.batch(map.target, target)
            for row in 0..<rows.count {
                var keys = Self.keys(rows.cell(row: row, slot: old), rows)
                if let gone { keys.removeAll { gone.contains($0) } }
                if keys.isEmpty || onlyOrder && zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { continue }
                let new = batch.appendRow(key: rows.key(ofRow: row))
                batch.setReferences(keys, row: new, slot: property.slot)
            }
            guard batch.count > 0 else { return }
            var changes = RowChanges(editingState: EditingState())
            changes.updated = [batch]
            changes.isRecorded = false
            _ = try target.commit(changes)
        }
    }

    // MARK: The end

    /// Keys are not given out twice, not in the new store either.
    private func reserveKeys() throws {
        let old = try source.nextKeys()
        var next: [String: Int64] = [:]
        for map in mapping.entities {
            let root = map.target.rootEntity.name
            next[root] = max(
                next[root] ?? 1, old[map.source.rootEntity.name] ?? 1, (highestKeys[root] ?? 0) &+ 1)
        }
        try target.reserveKeys(next)
    }

    /// Copies the transactions under their numbers, so that tokens lead on, in the terms of the new schema.
    private func copyHistory() throws {
        guard source.capabilities.features.contains(.history), target.capabilities.features.contains(.history) else {
            return
        }
        let names = HistoryNames(mapping)
        var blocks = HistoryBlocks(of: source, blockSize: Self.blockSize)
        var copied = HistoryBlocks(of: target, blockSize: Self.blockSize)
        while let block = try blocks.next() {
            let transactions = block.transactions.map { names.translate($0) }
            try target.importHistory(transactions, start: block.start)
            guard try copied.next()?.transactions == transactions else {
                throw SwiftDataError(
                    .migrationFailure,
                    detail: "the history up to transaction \(blocks.after) was copied, and is not there")
            }
        }
    }

    private func check() throws {
        for map in mapping.entities {
            let found = try target.countRows(FetchPlan(entityName: map.target.name))
            let expected = figures[map.target.name]?.rows ?? 0
            guard found == expected else {
                throw SwiftDataError(
                    .migrationFailure, entity: map.target.name,
                    detail: "\(expected) rows were copied, and \(found) are there")
            }
        }
    }

    private func failure(
        _ map: MigrationMapping.EntityMap, _ property: MigrationMapping.PropertyMap, _ detail: String
    ) -> SwiftDataError {
        SwiftDataError(
            .migrationFailure, entity: map.target.name, property: property.property.name, detail: detail)
    }
}
