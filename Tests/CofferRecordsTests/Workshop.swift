import CofferCore
import Foundation
import Testing

@testable import CofferLMDB
@testable import CofferRecords

/// An engine to run tests of the record layer on.
enum TestEngine: String, CaseIterable, CustomTestStringConvertible {
    case memory, lmdb

    /// Opens the engine in a folder; what the memory engine has ends with it.
    func open(_ folder: URL) throws -> any RecordEngine {
        switch self {
        case .memory: return MemoryEngine(maximumKeySize: 511)
        case .lmdb:
            let path = folder.path
            let hold = try LMDBRegistry.hold(path) {
                try LMDBEnvironment(path, isReadOnly: false, mapSize: 1 << 16)
            }
            return LMDBEngine(path, hold: hold, isReadOnly: false, timeout: .seconds(5))
        }
    }

    var testDescription: String { rawValue }
}

/// A store over an engine by itself, with rows that go in and come out by the names of properties.
final class Workshop: Sendable {
    let store: RecordStoreCore
    let folder: URL

    convenience init(_ engine: TestEngine, _ types: any PersistentModel.Type...) throws {
        try self.init(engine, schema: Schema(types))
    }

    init(_ engine: TestEngine, schema: Schema) throws {
        folder = try Self.makeFolder()
        store = try RecordStoreCore(name: "test", schema: schema, engine: engine.open(folder))
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "coffer-records-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    typealias Row = [String: StoredValue]

    private func names(_ entity: String) -> [String] {
        store.schema.entitiesByName[entity]?.properties.map(\.name) ?? []
    }

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

    /// Saves and answers the keys of the new rows.
    @discardableResult
    func save(
        insert: [RowBatch] = [], update: [RowBatch] = [], delete: [(String, [Int64])] = []
    ) throws -> [[Int64]] {
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = insert
        changes.updated = update
        changes.deleted = delete.map { (entityName: $0.0, keys: $0.1) }
        return try store.commit(changes).keys
    }

    /// The rows of a plan, in order.
    func fetch(_ plan: FetchPlan) throws -> [(key: Int64, owner: Int64?, values: Row)] {
        let names = names(plan.entityName)
        let batch = RowBatch(entityName: plan.entityName, width: names.count, storeIdentifier: store.identifier)
        try store.fetchRows(plan, into: batch)
        #expect(try store.fetchKeys(plan) == (0..<batch.count).map { batch.key(ofRow: $0) })
        #expect(try store.countRows(plan) == batch.count)
        let entity = store.schema.entitiesByName[plan.entityName]
        return (0..<batch.count).map { row in
            var values: Row = [:]
            for (slot, name) in names.enumerated() {
                let cell = batch.cell(row: row, slot: slot)
                if cell.kind == .absent { continue }
                let destination = entity?.relationshipsByName[name]?.destination
                values[name] = batch.value(
                    of: cell,
                    destination: destination.map { .shared(entityName: $0, storeIdentifier: store.identifier) })
            }
            return (batch.key(ofRow: row), batch.owners.isEmpty ? nil : batch.owners[row], values)
        }
    }

    /// The rows of a plan in blocks: the keys of each block, and its owners.
    func blocks(
        _ plan: FetchPlan, of size: Int, _ body: (RowBatch) throws -> Void = { _ in }
    ) throws -> [[(key: Int64, owner: Int64?)]] {
        let width = names(plan.entityName).count
        let batch = RowBatch(entityName: plan.entityName, width: width, storeIdentifier: store.identifier)
        var blocks: [[(key: Int64, owner: Int64?)]] = []
        try store.fetchBlocks(plan, into: batch, of: size) { block in
            blocks.append(
                (0..<block.count).map { (block.key(ofRow: $0), block.owners.isEmpty ? nil : block.owners[$0]) })
            try body(block)
        }
        #expect(batch.count == 0 && batch.owners.isEmpty)
        return blocks
    }

    /// All rows of an entity by key.
    func rows(_ entity: String) throws -> [Int64: Row] {
        Dictionary(uniqueKeysWithValues: try fetch(FetchPlan(entityName: entity)).map { ($0.key, $0.values) })
    }

    /// The keys that a to-many relationship holds, by owner.
    func related(_ owner: String, _ property: String, _ owners: [Int64]) throws -> [Int64: [Int64]] {
        let slot = try #require(names(owner).firstIndex(of: property))
        let destination = try #require(
            store.schema.entitiesByName[owner]?.relationshipsByName[property]?.destination)
        let plan = FetchPlan(
            entityName: destination, scope: .related(ownerEntity: owner, slot: slot, owners: owners))
        var lists: [Int64: [Int64]] = [:]
        for row in try fetch(plan) { lists[row.owner ?? 0, default: []].append(row.key) }
        return lists
    }

    /// Everything that the store holds, for comparing.
    func dump() throws -> [String] {
        var lines: [String] = []
        for entity in store.schema.entities.sorted(by: { $0.name < $1.name }) {
            let rows = try fetch(FetchPlan(entityName: entity.name))
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

    /// A link to a row, new or stored.
    func link(_ key: Int64, _ entity: String) -> StoredValue {
        .reference(
            RowBatch.identifier(
                key: key, in: .shared(entityName: entity, storeIdentifier: store.identifier)))
    }

    func list(_ keys: [Int64], _ entity: String) -> StoredValue {
        .references(
            keys.map {
                RowBatch.identifier(key: $0, in: .shared(entityName: entity, storeIdentifier: store.identifier))
            })
    }
}

/// Expects an error of a code, and answers it.
@discardableResult
func expect(
    _ code: SwiftDataError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> SwiftDataError? {
    let error = #expect(throws: SwiftDataError.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == code, sourceLocation: sourceLocation)
    return error
}
