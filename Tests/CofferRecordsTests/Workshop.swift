import CofferCore
import Foundation
import Testing

@testable import CofferRecords

@Model final class Trip {
    #Index<Trip>([\.name], [\.days, \.name])
    var name: String
    var days: Int?

    init(name: String, days: Int? = nil) {
        self.name = name
        self.days = days
    }
}

/// A store over an engine by itself, with rows that go in and come out by the names of properties.
final class Workshop: Sendable {
    typealias Row = [String: StoredValue]

    /// A generator that can be seeded.
    struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 31)
        }
    }

    let store: RecordStoreCore
    private let folder: URL

    init(_ engine: TestEngine, _ type: any PersistentModel.Type) throws {
        folder = try TestEngine.makeFolder()
        store = try RecordStoreCore(name: "test", schema: Schema([type]), engine: engine.open(folder))
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(at: folder)
    }

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

    func save(insert: [RowBatch] = [], update: [RowBatch] = [], delete: [(String, [Int64])] = []) throws {
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = insert
        changes.updated = update
        changes.deleted = delete.map { (entityName: $0.0, keys: $0.1) }
        _ = try store.commit(changes)
    }

    /// The rows of a plan, in order.
    func fetch(_ plan: FetchPlan) throws -> [(key: Int64, values: Row)] {
        let names = names(plan.entityName)
        let batch = RowBatch(entityName: plan.entityName, width: names.count, storeIdentifier: store.identifier)
        try store.fetchRows(plan, into: batch)
        #expect(try store.fetchKeys(plan) == (0..<batch.count).map { batch.key(ofRow: $0) })
        #expect(try store.countRows(plan) == batch.count)
        return (0..<batch.count).map { row in
            var values: Row = [:]
            for (slot, name) in names.enumerated() {
                values[name] = batch.value(of: batch.cell(row: row, slot: slot))
            }
            return (batch.key(ofRow: row), values)
        }
    }

    /// All rows of an entity by key.
    func rows(_ entity: String) throws -> [Int64: Row] {
        Dictionary(uniqueKeysWithValues: try fetch(FetchPlan(entityName: entity)).map { ($0.key, $0.values) })
    }
}
