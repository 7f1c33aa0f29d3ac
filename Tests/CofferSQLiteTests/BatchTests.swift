import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// Deletions and updates by filter: how many statements they take, and what they leave in the file.
@Suite struct BatchTests {
    let shop: Workshop
    let store: SQLiteStore

    init() throws {
        shop = try Workshop(Trip.self)
        store = try shop.open()
    }

    private func fill(_ count: Int, stops: Int = 0) throws {
        let space = _IdentifierSpace.shared(entityName: "Trip", storeIdentifier: nil)
        let trips = (1...count).map { (Int64(-$0), ["name": StoredValue.text("trip \($0 % 2)")]) }
        let rows = (0..<count * stops).map { stop in
            (
                Int64(-100_000 - stop),
                [
                    "title": StoredValue.text("stop"), "order": .integer(Int64(stop)),
                    "trip": .reference(PersistentIdentifier(_space: space, key: Int64(-1 - stop % count))),
                ]
            )
        }
        try shop.save(store, insert: [shop.batch("Trip", trips), shop.batch("Stop", rows)])
    }

    private var even: FetchPlan {
        let path = FilterPath(
            variable: .row(of: "Trip"), steps: [FilterStep(slot: shop.slot("Trip", "name"), name: "name")],
            type: FilterType(.scalar(.text)))
        return FetchPlan(
            entityName: "Trip",
            filter: .compare(.equal, .property(path), .constant(.text("trip 0"), FilterType(.scalar(.text)))))
    }

    private func statements(_ body: () throws -> Void) throws -> Int {
        let before = store.statistics.statements
        try body()
        return store.statistics.statements - before
    }

    private func delete() throws {
        var changes = RowChanges(editingState: EditingState())
        changes.batchDeletes = [RowBatchDelete(even)]
        let result = try store.commit(changes)
        #expect(result.batchDeleted.flatMap(\.keys).allSatisfy { $0 > 0 })
    }

    @Test func aDeletionTakesTheSameStatementsForAnyNumberOfRows() throws {
        try fill(10)
        let few = try statements(delete)
        try fill(2000)
        let many = try statements(delete)
        #expect(many == few, "\(few) statements, and \(many) for two hundred times as many rows")
        #expect(try shop.sql("SELECT DISTINCT name FROM Trip") == ["trip 1"])
        try shop.expectSound()
    }

    @Test func linksToDeletedRowsAreCutOrFollowed() throws {
        try fill(20, stops: 5)
        try delete()
        #expect(try shop.sql("SELECT COUNT(*) FROM Trip") == ["10"])
        try shop.expectSound()
    }

    @Test func anUpdateIsOneStatement() throws {
        try fill(1000)
        let name = RowAssignment(
            slot: shop.slot("Trip", "name"), value: .constant(.text("same"), FilterType(.scalar(.text))))
        let count = try statements {
            var changes = RowChanges(editingState: EditingState())
            changes.batchUpdates = [RowBatchUpdate(even, [name])]
            let result = try store.commit(changes)
            #expect(result.batchUpdated.flatMap(\.keys).count == 500)
        }
        #expect(count <= 4, "\(count) statements, those of the transaction among them")
        #expect(try shop.sql("SELECT COUNT(*) FROM Trip WHERE name = 'same'") == ["500"])
    }
}
