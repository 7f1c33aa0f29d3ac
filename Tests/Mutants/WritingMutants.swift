import CofferCore
import CofferInMemory
import Foundation

extension Mutant {
    /// Faults in what a save stores.
    static var saving: [Mutant] {
        [
            Mutant("the last new row of a save is lost", "identity.distinct", "save.large", "commit.keys") {
                $0.commit = { changes, base in
                    var fewer = changes
                    fewer.inserted = changes.inserted.map { batch in
                        batch.count > 1 ? batch.keeping { $0 < batch.count - 1 } : batch
                    }
                    var result = try base.commit(fewer)
                    for (index, batch) in changes.inserted.enumerated() where batch.count > 1 {
                        result.keys[index].append((result.keys[index].last ?? 0) + 1_000_000)
                    }
                    return result
                }
            },
            Mutant("new rows get each other's keys", "identity.distinct", "commit.keys") {
                $0.result = { result in result.keys = result.keys.map { $0.reversed() } }
            },
            Mutant("all new rows get one key", "identity.distinct", "commit.keys", "requests.remapped") {
                $0.result = { result in
                    result.keys = result.keys.map { keys in keys.map { _ in keys[0] } }
                }
            },
            Mutant("the last new row gets no key", "commit.keys", "requests.remapped", "identity.") {
                $0.result = { result in result.keys = result.keys.map { Array($0.dropLast()) } }
            },
            Mutant("a new row is stored twice", "save.", "identity.") {
                $0.commit = { changes, base in
                    var again = changes.emptied
                    again.inserted = changes.inserted
                    _ = try base.commit(again)
                    return try base.commit(changes)
                }
            },
            Mutant("updates are lost", "save.update", "requests.updated") {
                $0.changes = { changes, _ in changes.updated = [] }
            },
            Mutant("only the first updated row is stored", "entities.one-save", "save.mixed") {
                $0.changes = { changes, _ in
                    changes.updated = changes.updated.map { $0.keeping { $0 == 0 } }
                }
            },
            Mutant("only the first batch of updates is stored", "entities.one-save", "commit.several-batches") {
                $0.changes = { changes, _ in changes.updated = Array(changes.updated.prefix(1)) }
            },
            Mutant("an update clears what it does not have", "commit.absent", "save.update") {
                $0.changes = { changes, base in
                    changes.updated = changes.updated.map { batch in
                        let optional = Set(
                            (base.schema.entitiesByName[batch.entityName]?.properties ?? []).enumerated().filter {
                                ($0.element as? Schema.Attribute)?.isOptional == true
                            }.map(\.offset))
                        return batch.rewritten { _, slot, cell in
                            cell.kind == .absent && optional.contains(slot) ? .null : nil
                        }
                    }
                }
            },
            Mutant("a value never becomes nil", "save.to-nil", "commit.absent") {
                $0.changes = { changes, base in
                    changes.updated = changes.updated.map { batch in
                        let copy = batch.rewritten()
                        for row in 0..<copy.count {
                            for slot in 0..<copy.width where copy.cell(row: row, slot: slot).kind == .null {
                                copy.set(RowCell(.absent), row: row, slot: slot)
                            }
                        }
                        return copy
                    }
                }
            },
            Mutant("deletions are lost", "delete.", "requests.deleted") {
                $0.changes = { changes, _ in changes.deleted = [] }
            },
            Mutant("only the first deleted row is deleted", "delete.many", "delete.everything") {
                $0.changes = { changes, _ in
                    changes.deleted = changes.deleted.map { ($0.entityName, Array($0.keys.prefix(1))) }
                }
            },
            Mutant("a deletion goes through all entities", "entities.same-values", "delete.") {
                $0.changes = { changes, base in
                    let keys = changes.deleted.flatMap(\.keys)
                    if keys.isEmpty { return }
                    changes.deleted = base.schema.entities.map { ($0.name, keys) }
                }
            },
            Mutant("a deletion of a missing row is an error", "commit.delete-missing", "delete.twice") {
                $0.changes = { changes, base in
                    for (entity, keys) in changes.deleted {
                        let found = try base.countRows(FetchPlan(entityName: entity, scope: .keys(keys)))
                        if found < keys.count { throw SwiftDataError(.modelNotFound, entity: entity) }
                    }
                }
            },
            Mutant("a deleted row takes what is linked to it along", "delete.nullify", "commit.delete") {
                $0.commit = { changes, base in
                    var more = changes
                    for (entity, keys) in changes.deleted where entity == "Ship" {
                        guard
                            let slot = base.schema.entitiesByName["Ship"]?.properties.firstIndex(where: {
                                $0.name == "crew"
                            })
                        else { continue }
                        let plan = FetchPlan(
                            entityName: "Sailor", scope: .related(ownerEntity: "Ship", slot: slot, owners: keys))
                        let crew = try base.fetchKeys(plan)
                        more.deleted.append(("Sailor", crew))
                        more.updated = more.updated.map { batch in
                            batch.entityName == "Sailor"
                                ? batch.keeping { !crew.contains(batch.key(ofRow: $0)) } : batch
                        }
                    }
                    return try base.commit(more)
                }
            },
            Mutant("links between new rows are forgotten", "identity.links-follow", "commit.links") {
                $0.incoming { cell, _ in cell.kind == .reference && cell.integer < 0 ? .null : nil }
            },
            Mutant("links to stored rows are forgotten", "contexts.links", "reopen.links-across", "links.one-way") {
                $0.incoming { cell, _ in cell.kind == .reference && cell.integer > 0 ? .null : nil }
            },
            Mutant("a link of a row to itself is forgotten", "identity.self-link", "commit.circle") {
                $0.changes = { changes, _ in
                    changes.inserted = changes.inserted.map { batch in
                        batch.rewritten { row, _, cell in
                            cell.kind == .reference && cell.integer == batch.key(ofRow: row)
                                && batch.entityName == "Sailor"
                                ? .null : nil
                        }
                    }
                }
            },
            Mutant("lists are stored in the order of their keys", "order.", "plan.related-lists") {
                $0.incoming { cell, batch in
                    RowChanges.references(batch, cell).map { .references($0.sorted { $0._key > $1._key }.reversed()) }
                }
            },
            Mutant("an emptied list is not stored", "links.empty-list", "commit.lists") {
                $0.changes = { changes, _ in
                    changes.updated = changes.updated.map { batch in
                        let copy = batch.rewritten()
                        for row in 0..<copy.count {
                            for slot in 0..<copy.width
                            where copy.cell(row: row, slot: slot).kind == .references
                                && copy.cell(row: row, slot: slot).length == 0
                            {
                                copy.set(RowCell(.absent), row: row, slot: slot)
                            }
                        }
                        return copy
                    }
                }
            },
            Mutant("a list is stored without its last row", "links.", "order.", "commit.lists") {
                $0.incoming { cell, batch in
                    RowChanges.references(batch, cell).map { .references(Array($0.dropLast())) }
                }
            },
        ]
    }

    /// Faults in what holds a save together.
    static var atomicity: [Mutant] {
        [
            Mutant("a save is torn: updates are kept", "commit.torn") {
                $0.inPieces { changes in
                    var first = changes.emptied
                    first.updated = changes.updated
                    var rest = changes
                    rest.updated = []
                    return [first, rest]
                }
            },
            Mutant("a save is torn: deletions are kept", "commit.torn") {
                $0.inPieces { changes in
                    var first = changes.emptied
                    first.deleted = changes.deleted
                    var rest = changes
                    rest.deleted = []
                    return [first, rest]
                }
            },
            Mutant("a save is seen in parts", "concurrency.readers", "commit.torn") {
                $0.commit = { changes, base in
                    for batch in changes.updated {
                        for row in 0..<batch.count {
                            var piece = changes.emptied
                            piece.updated = [batch.keeping { $0 == row }]
                            _ = try base.commit(piece)
                        }
                    }
                    var rest = changes
                    rest.updated = []
                    return try base.commit(rest)
                }
            },
            Mutant("an error is swallowed", "unique.conflict", "commit.broken-link", "commit.required") {
                $0.commit = { changes, base in
                    do {
                        return try base.commit(changes)
                    } catch {
                        return RowChangesResult(
                            keys: changes.inserted.map { batch in (0..<batch.count).map { Int64($0 + 1) } })
                    }
                }
            },
            Mutant("errors do not say where", "unique.conflict", "commit.required") {
                $0.error = { error in (error as? SwiftDataError).map { SwiftDataError($0.code) } ?? error }
            },
            Mutant("errors do not say what", "unique.conflict", "commit.required", "commit.missing-row") {
                $0.error = { error in
                    (error as? SwiftDataError).map {
                        SwiftDataError(.storeFailure, entity: $0.entity, property: $0.property)
                    } ?? error
                }
            },
            Mutant("errors show the user's values", "errors.no-values") {
                $0.error = { error in
                    guard var error = error as? SwiftDataError else { return error }
                    error.detail = "the value s3cret-one is taken"
                    return error
                }
            },
            Mutant("a missing value is replaced by an empty one", "commit.required") {
                $0.changes = { changes, _ in
                    changes.inserted = changes.inserted.map { batch in
                        batch.rewritten { _, slot, cell in
                            batch.entityName == "Ship" && slot == 0 && (cell.kind == .absent || cell.kind == .null)
                                ? .text("") : nil
                        }
                    }
                }
            },
            Mutant("a link to nowhere becomes nil", "commit.broken-link") {
                $0.commit = { changes, base in
                    do {
                        return try base.commit(changes)
                    } catch SwiftDataError.invalidRelationship {
                        var copy = changes
                        copy.inserted = changes.inserted.map {
                            $0.rewritten { _, _, cell in cell.kind == .reference ? .null : nil }
                        }
                        return try base.commit(copy)
                    }
                }
            },
            Mutant("an update of a missing row is passed over", "commit.missing-row") {
                $0.commit = { changes, base in
                    do {
                        return try base.commit(changes)
                    } catch SwiftDataError.modelNotFound {
                        var copy = changes
                        copy.updated = []
                        return try base.commit(copy)
                    }
                }
            },
            Mutant("unique values are not looked after", "unique.") {
                $0.schema = { schema in
                    // Decoded anew, so that the schema of the program stays as it is.
                    let copy = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
                    for entity in copy.entities {
                        entity.uniquenessConstraints = []
                        for case let attribute as Schema.Attribute in entity.storedProperties { attribute.options = [] }
                    }
                    return copy
                }
            },
            Mutant("a taken value keeps the old row's values", "unique.upsert", "unique.one-save") {
                $0.commit = { changes, base in
                    guard let batch = changes.inserted.first(where: { $0.entityName == "Flag" }), batch.count == 1
                    else { return try base.commit(changes) }
                    let known = RowBatch(space: batch.space, width: batch.width)
                    try base.fetchRows(FetchPlan(entityName: "Flag"), into: known)
                    let code = batch.value(of: batch.cell(row: 0, slot: 0))
                    for row in 0..<known.count where known.value(of: known.cell(row: row, slot: 0)) == code {
                        return RowChangesResult(keys: [[known.key(ofRow: row)]])
                    }
                    return try base.commit(changes)
                }
            },
            Mutant("a collision of changed rows deletes one of them", "unique.conflict") {
                $0.commit = { changes, base in
                    do {
                        return try base.commit(changes)
                    } catch SwiftDataError.uniquenessConflict {
                        var copy = changes
                        for batch in changes.updated {
                            copy.deleted.append((batch.entityName, (0..<batch.count).map { batch.key(ofRow: $0) }))
                        }
                        copy.updated = []
                        return try base.commit(copy)
                    }
                }
            },
        ]
    }

    /// Faults in what the store says of itself, in erasing and in opening.
    static var standing: [Mutant] {
        [
            Mutant("erasing does nothing", "erase.") { $0.erase = { _ in } },
            Mutant("erasing forgets an entity", "erase.empties") {
                $0.erase = { base in
                    for entity in base.schema.entities where entity.name != "Skill" {
                        var changes = RowChanges(editingState: EditingState())
                        changes.deleted = [(entity.name, try base.fetchKeys(FetchPlan(entityName: entity.name)))]
                        _ = try base.commit(changes)
                    }
                }
            },
            Mutant("keys start again after erasing", "erase.identifiers") { $0.erasesByReplacing = true },
            Mutant("nothing is kept", "reopen.", "identity.") { $0.keepsRows = false },
            Mutant("an opening forgets a table", "reopen.everything") {
                $0.reopened = { base in
                    guard base.schema.entitiesByName["Voyage"] != nil else { return }
                    var changes = RowChanges(editingState: EditingState())
                    changes.deleted = [("Voyage", try base.fetchKeys(FetchPlan(entityName: "Voyage")))]
                    _ = try base.commit(changes)
                }
            },
            Mutant("each opening has another identifier", "identity.store", "identity.permanent") {
                $0.identifier = { _ in UUID().uuidString }
            },
            Mutant("all places have one identifier", "identity.places") { $0.identifier = { _ in "store" } },
            Mutant("filters are not declared", "declared.no-filter") {
                $0.features = [.nativeSorting, .uniqueness, .transactions, .orderedRelationships]
            },
            Mutant("orders are not declared", "declared.no-sort") {
                $0.features = [.nativeFiltering, .uniqueness, .transactions, .orderedRelationships]
            },
            Mutant("a save remaps too little", "requests.remapped", "requests.") {
                $0.remapped = { map in if let key = map.keys.first, map.count > 1 { map[key] = nil } }
            },
            Mutant("a save names another store", "requests.only-remapped") { $0.resultStore = { $0 + "?" } },
        ]
    }

    static var all: [Mutant] {
        asking + finding + values + saving + atomicity + standing + opening + migrating + remembering + archiving
    }
}
