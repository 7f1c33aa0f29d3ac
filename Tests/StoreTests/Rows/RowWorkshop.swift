import Coffer
import Foundation
import Testing

/// A store by itself, without contexts, with rows that go in and come out by the names of properties.
///
/// Tests that use it lie in extensions of ``RowTests``, whose models they find under short names.
///
/// Stores may be used from any thread, though their protocol does not say so.
final class RowWorkshop: @unchecked Sendable {
    let store: any RowStore
    private let folder: Folder
    private let kind: TestStore

    convenience init(_ kind: TestStore, _ types: any PersistentModel.Type...) throws {
        try self.init(kind, schema: Schema(types))
    }

    convenience init(_ kind: TestStore, schema: Schema) throws { try self.init(kind, Folder(), schema) }

    private init(_ kind: TestStore, _ folder: Folder, _ schema: Schema) throws {
        self.kind = kind
        self.folder = folder
        store = try Self.open(kind, folder.url, schema)
    }

    /// The same place, opened once more for another schema.
    func reopened(as schema: Schema) throws -> RowWorkshop { try RowWorkshop(kind, folder, schema) }

    /// A folder that is removed once nobody uses it.
    final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-rows-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private struct NoRows: Error {}

    private static func open(_ kind: TestStore, _ folder: URL, _ schema: Schema) throws -> any RowStore {
        func open<C: DataStoreConfiguration>(_ configuration: C) throws -> any DataStore {
            var configuration = configuration
            configuration.schema = schema
            return try C.Store(configuration, migrationPlan: nil)
        }
        // What is recorded elsewhere is of no interest here.
        guard let configuration = kind.configuration(folder, Record()) as? RecordingConfiguration,
            let store = try open(configuration.base) as? any RowStore
        else { throw NoRows() }
        return store
    }

    /// The store itself, and where it has files another that is open at the same place.
    func openings() throws -> [any RowStore] {
        kind.withoutPlace == nil ? [store, try Self.open(kind, folder.url, store.schema)] : [store]
    }

    typealias Row = [String: StoredValue]

    private func names(_ entity: String) -> [String] {
        store.schema.entitiesByName[entity]?.properties.map(\.name) ?? []
    }

    /// The slot of a property.
    func slot(_ entity: String, _ property: String) -> Int { names(entity).firstIndex(of: property) ?? -1 }

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

    // MARK: Reading

    /// The rows of a plan, in order.
    func fetch(_ plan: FetchPlan) throws -> [(key: Int64, owner: Int64?, values: Row)] {
        let batch = RowBatch(
            entityName: plan.entityName, width: names(plan.entityName).count, storeIdentifier: store.identifier)
        try store.fetchRows(plan, into: batch)
        #expect(try store.fetchKeys(plan) == (0..<batch.count).map { batch.key(ofRow: $0) })
        #expect(try store.countRows(plan) == batch.count)
        return rows(of: batch)
    }

    /// The rows of a batch; cells that are absent are left out.
    private func rows(of batch: RowBatch) -> [(key: Int64, owner: Int64?, values: Row)] {
        let names = names(batch.entityName)
        let entity = store.schema.entitiesByName[batch.entityName]
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
        let destination = try #require(
            store.schema.entitiesByName[owner]?.relationshipsByName[property]?.destination)
        let plan = FetchPlan(
            entityName: destination, scope: .related(ownerEntity: owner, slot: slot(owner, property), owners: owners))
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

    // MARK: Links

    /// A link to a row, new or stored.
    func link(_ key: Int64, _ entity: String) -> StoredValue { .reference(identifier(key, entity)) }

    func list(_ keys: [Int64], _ entity: String) -> StoredValue { .references(keys.map { identifier($0, entity) }) }

    private func identifier(_ key: Int64, _ entity: String) -> PersistentIdentifier {
        RowBatch.identifier(key: key, in: .shared(entityName: entity, storeIdentifier: store.identifier))
    }
}

/// Expects an error of a code, and answers it.
@discardableResult
func expect(
    _ code: SwiftDataError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> SwiftDataError? {
    let error = #expect(throws: SwiftDataError.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
    return error
}
