import CofferCore

/// A store of rows that is used without a context: rows go in and come out by the names of properties.
final class SeamRows {
    typealias Row = [String: StoredValue]

    /// A row that came out.
    struct Found: Equatable {
        let key: Int64
        /// Whose it is, where related rows were asked for.
        var owner: Int64?
        /// The cells that are not absent.
        var values: Row
    }

    let store: any RowStore
    private let trial: ConformanceTrial
    private let schema: Schema

    init(_ store: any RowStore, trial: ConformanceTrial) {
        self.store = store
        self.trial = trial
        schema = trial.schema
    }

    // MARK: Names and slots

    func names(_ entity: String) -> [String] { schema.entitiesByName[entity]?.properties.map(\.name) ?? [] }

    func slot(_ entity: String, _ property: String) -> Int { names(entity).firstIndex(of: property) ?? -1 }

    func slots(_ entity: String, _ properties: [String]) -> [Int] {
        properties.map { slot(entity, $0) }.sorted()
    }

    private func space(_ entity: String) -> _IdentifierSpace {
        .shared(entityName: entity, storeIdentifier: store.identifier)
    }

    /// A link to a row, new or stored.
    func link(_ key: Int64, _ entity: String) -> StoredValue {
        .reference(RowBatch.identifier(key: key, in: space(entity)))
    }

    func list(_ keys: [Int64], _ entity: String) -> StoredValue {
        .references(keys.map { RowBatch.identifier(key: $0, in: space(entity)) })
    }

    // MARK: Writing

    /// A batch of rows by key.
    func batch(_ entity: String, _ rows: [(Int64, Row)]) -> RowBatch {
        let names = names(entity)
        let batch = RowBatch(entityName: entity, width: names.count, storeIdentifier: store.identifier)
        for (key, values) in rows {
            let row = batch.appendRow(key: key)
            for (slot, name) in names.enumerated() {
                if let value = values[name] { batch.set(value, row: row, slot: slot) }
            }
        }
        return batch
    }

    /// Commits changes and answers the keys of the new rows, by batch.
    @discardableResult
    func commit(
        insert: [RowBatch] = [], update: [RowBatch] = [], delete: [(String, [Int64])] = []
    ) throws -> [[Int64]] {
        var changes = RowChanges(editingState: EditingState(author: "conformance"))
        changes.inserted = insert
        changes.updated = update
        changes.deleted = delete.map { (entityName: $0.0, keys: $0.1) }
        return try store.commit(changes).keys
    }

    /// Inserts rows of one entity and answers their keys.
    @discardableResult
    func insert(_ entity: String, _ rows: [Row]) throws -> [Int64] {
        let batch = batch(entity, rows.enumerated().map { (Int64(-1 - $0), $1) })
        let keys = try commit(insert: [batch])
        try trial.equal(keys.map(\.count), [rows.count], "the number of keys that a commit gives")
        return keys[0]
    }

    /// Inserts ships by name, with their place in the list as tonnage.
    func insertShips(_ names: [String]) throws -> [Int64] {
        try insert("Ship", names.enumerated().map { Self.ship($1, tonnage: Int64($0)) })
    }

    static func ship(_ name: String, tonnage: Int64 = 1, nickname: StoredValue = .null) -> Row {
        ["name": .text(name), "tonnage": .integer(tonnage), "nickname": nickname, "launched": .real(0)]
    }

    // MARK: Reading

    func emptyBatch(_ entity: String) -> RowBatch {
        RowBatch(entityName: entity, width: names(entity).count, storeIdentifier: store.identifier)
    }

    /// The rows of a plan, in order. Keys and count have to agree with them.
    func fetch(_ plan: FetchPlan, file: String = #fileID, line: Int = #line) throws -> [Found] {
        let batch = emptyBatch(plan.entityName)
        try store.fetchRows(plan, into: batch)
        let found = rows(of: batch)
        let isOrdered: Bool
        switch plan.scope {
        case .all: isOrdered = true
        case .keys, .related: isOrdered = !plan.sort.isEmpty
        }
        let keys = try store.fetchKeys(plan)
        let came = found.map(\.key)
        try trial.equal(
            isOrdered ? keys : keys.sorted(), isOrdered ? came : came.sorted(), "the keys of \(plan)", file: file,
            line: line)
        try trial.equal(
            try store.countRows(plan), found.count, "the count of \(plan)", file: file, line: line)
        return found
    }

    func rows(of batch: RowBatch) -> [Found] {
        let names = names(batch.entityName)
        let entity = schema.entitiesByName[batch.entityName]
        return (0..<batch.count).map { row in
            var values: Row = [:]
            for (slot, name) in names.enumerated() {
                let cell = batch.cell(row: row, slot: slot)
                if cell.kind == .absent { continue }
                let destination = entity?.relationshipsByName[name]?.destination
                values[name] = batch.value(of: cell, destination: destination.map(space))
            }
            return Found(
                key: batch.key(ofRow: row), owner: row < batch.owners.count ? batch.owners[row] : nil, values: values)
        }
    }

    /// All rows of an entity by key.
    func all(_ entity: String) throws -> [Int64: Row] {
        Dictionary(
            try fetch(FetchPlan(entityName: entity)).map { ($0.key, $0.values) }, uniquingKeysWith: { _, last in last })
    }

    /// The values of one property by key.
    func values(_ entity: String, _ property: String) throws -> [Int64: StoredValue] {
        try all(entity).compactMapValues { $0[property] }
    }

    /// The plan for what a to-many relationship holds.
    func relatedPlan(_ owner: String, _ property: String, _ owners: [Int64]) -> FetchPlan {
        let destination = schema.entitiesByName[owner]?.relationshipsByName[property]?.destination ?? ""
        return FetchPlan(
            entityName: destination,
            scope: .related(ownerEntity: owner, slot: slot(owner, property), owners: owners))
    }

    /// The keys that a to-many relationship holds, by owner; owners without any are left out.
    func related(_ owner: String, _ property: String, _ owners: [Int64]) throws -> [Int64: [Int64]] {
        var lists: [Int64: [Int64]] = [:]
        for row in try fetch(relatedPlan(owner, property, owners)) {
            lists[row.owner ?? 0, default: []].append(row.key)
        }
        return lists
    }

    /// Everything that the store holds, a line a row, for comparing.
    func dump() throws -> [String] {
        var lines: [String] = []
        for entity in schema.entities.sorted(by: { $0.name < $1.name }) {
            let rows = try fetch(FetchPlan(entityName: entity.name)).sorted { $0.key < $1.key }
            for row in rows {
                let values = row.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                lines.append("\(entity.name) \(row.key) " + values.joined(separator: " "))
            }
            for relationship in entity.relationships.sorted(by: { $0.name < $1.name })
            where !relationship.isToOneRelationship {
                let lists = try related(entity.name, relationship.name, rows.map(\.key))
                lines += lists.sorted { $0.key < $1.key }.map { "\(entity.name).\(relationship.name) \($0) \($1)" }
            }
        }
        return lines
    }

    // MARK: Filters

    /// A property of the tested row, as a filter has it.
    func property(_ entity: String, _ name: String) -> FilterExpression {
        let found = schema.entitiesByName[entity]?.properties.first { $0.name == name }
        let type: FilterType
        var destination: String?
        switch found {
        case let attribute as Schema.Attribute:
            type = FilterType(.scalar(attribute._storage), isOptional: attribute.isOptional)
        case let relationship as Schema.Relationship:
            destination = relationship.destination
            type = FilterType(.link(entity: relationship.destination), isOptional: relationship.isOptional)
        default: type = FilterType(.opaque)
        }
        let step = FilterStep(slot: slot(entity, name), name: name, destination: destination)
        return .property(FilterPath(variable: .row(of: entity), steps: [step], type: type))
    }

    /// A comparison of a property with an integer.
    func compare(_ entity: String, _ name: String, _ comparison: FilterComparison, _ number: Int64) -> FilterExpression
    {
        .compare(comparison, property(entity, name), .constant(.integer(number), .integer))
    }
}
