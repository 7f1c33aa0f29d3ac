import Coffer

/// Puts the rows of a dump into an empty store: values and links first, lists when all rows are there.
struct DumpFilling {
    /// What is wrong with a line.
    struct Fault: Error {
        let line: Int
        let detail: String
    }

    /// A list that waits for its rows.
    private struct List {
        let line: Int
        let owner: Int64
        let keys: [Int64]
    }

    private struct Place: Hashable {
        let entity: String
        let slot: Int
    }

    private let store: any ImportingRowStore
    private let columns: [String: [String: StoreColumn]]
    private var batch: RowBatch?
    /// The keys of all rows by the topmost entity.
    private var keys: [String: Set<Int64>] = [:]
    private var lists: [Place: [List]] = [:]
    /// The rows that lead to another, by the link's property and that row.
    private var links: [Place: [Int64: Set<Int64>]] = [:]

    private static let blockSize = 1024

    init(_ store: any ImportingRowStore) {
        self.store = store
        columns = store.schema.entitiesByName.mapValues { entity in
            Dictionary(StoreColumn.all(of: entity).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    // MARK: Rows

    mutating func add(_ value: JSONValue, line: Int) throws {
        func fault(_ detail: String) -> Fault { Fault(line: line, detail: detail) }
        guard let name = value["entity"]?.text, let key = value["id"]?.integer,
            case .object(let values)? = value["values"]
        else { throw fault("a row has the members entity, id and values") }
        guard let entity = store.schema.entitiesByName[name], let columns = columns[name] else {
            throw fault("the schema has no entity '\(name)'")
        }
        guard key > 0, key < .max else { throw fault("a row's id is a number above zero") }
        guard keys[entity.rootEntity.name, default: []].insert(key).inserted else {
            throw fault("\(name) \(key) comes twice")
        }
        let batch = try batch(for: entity, key)
        let row = batch.appendRow(key: key)
        for column in columns.values { if !column.isList { batch.set(.null, row: row, slot: column.slot) } }
        for (property, value) in values {
            guard let column = columns[property] else { throw fault("\(name) has no property '\(property)'") }
            if column.isList {
                guard let keys = DumpFormat.keys(value) else { throw fault("\(name).\(property) is a list of ids") }
                lists[Place(entity: name, slot: column.slot), default: []].append(
                    List(line: line, owner: key, keys: keys))
            } else if !DumpFormat.read(value, column, into: batch, row: row) {
                throw fault("\(name).\(property): the value is none of the property's type")
            } else if case .link = column.kind, let target = value.integer {
                // The declaring entity's slot is that of every entity below it.
                links[Place(entity: entity.rootEntity.name, slot: column.slot), default: [:]][target, default: []]
                    .insert(key)
            }
        }
    }

    /// The batch that a row goes into; one that is full, or of another entity, is stored first.
    private mutating func batch(for entity: Schema.Entity, _ key: Int64) throws -> RowBatch {
        if let batch, batch.entityName == entity.name, batch.count < Self.blockSize,
            batch.count == 0 || batch.key(ofRow: batch.count - 1) < key
        {
            return batch
        }
        try flush()
        let new = StoreRows(store, entity, includesSubentities: false).batch()
        batch = new
        return new
    }

    private mutating func flush() throws {
        if let batch, batch.count > 0 { try store.importRows([batch]) }
        batch = nil
    }

    // MARK: The end

    /// Stores what is left, and the lists.
    mutating func finish(nextKeys: [String: Int64]) throws {
        try flush()
        var written: Set<[String]> = []
        for entity in store.schema.entities.sorted(by: { $0.name < $1.name }) {
            for (slot, property) in entity.properties.enumerated() {
                guard let list = property as? Schema.Relationship, !list.isToOneRelationship,
                    let found = lists[Place(entity: entity.name, slot: slot)]
                else { continue }
                try write(found, of: entity, slot, list, &written)
            }
        }
        var next: [String: Int64] = [:]
        for (root, keys) in keys { next[root] = (keys.max() ?? 0) + 1 }
        for (root, key) in nextKeys where store.schema.entitiesByName[root] != nil {
            next[root] = max(next[root] ?? 1, key)
        }
        try store.reserveKeys(next)
    }

    private func write(
        _ lists: [List], of entity: Schema.Entity, _ slot: Int, _ property: Schema.Relationship,
        _ written: inout Set<[String]>
    ) throws {
        let destination = store.schema.entitiesByName[property.destination]
        let inverse = property.inverseName.flatMap { destination?.relationshipsByName[$0] }
        // Links back make the list by themselves, but for its order; so does the other side's list.
        let isMadeByLinks = inverse?.isToOneRelationship == true
        let isMade = isMadeByLinks || inverse != nil && written.contains([property.destination, inverse?.name ?? ""])
        written.insert([entity.name, property.name])
        let batch = StoreRows(store, entity, includesSubentities: false).batch()
        let rows = keys[destination?.rootEntity.name ?? ""] ?? []
        for list in lists {
            if let missing = list.keys.first(where: { !rows.contains($0) }) {
                throw Fault(
                    line: list.line,
                    detail: "\(entity.name).\(property.name): there is no \(property.destination) \(missing)")
            }
            if isMadeByLinks, let destination, let inverse {
                let inverseSlot = destination.properties.firstIndex { $0.name == inverse.name } ?? -1
                let members = links[Place(entity: destination.rootEntity.name, slot: inverseSlot)]?[list.owner] ?? []
                guard members == Set(list.keys) else {
                    throw Fault(
                        line: list.line,
                        detail: "the list and the \(inverse.name) of the rows in it say different things")
                }
            }
            if isMade, zip(list.keys, list.keys.dropFirst()).allSatisfy({ $0 < $1 }) { continue }
            batch.setReferences(list.keys, row: batch.appendRow(key: list.owner), slot: slot)
        }
        guard batch.count > 0 else { return }
        var changes = RowChanges(editingState: EditingState())
        changes.isRecorded = false
        changes.updated = [batch]
        _ = try store.commit(changes)
    }
}
