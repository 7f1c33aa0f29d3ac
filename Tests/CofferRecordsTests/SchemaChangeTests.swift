import CofferCore
import Foundation
import Testing

@testable import CofferRecords

/// Opening a store that was made with fewer classes: fields keep the numbers that they were given.
@Suite("Records: other schemas") struct SchemaChangeTests {
    /// An engine that is opened again and again: closing does not end it.
    final class Lasting: RecordEngine {
        let base: any RecordEngine
        var isReadOnly: Bool { base.isReadOnly }
        var maximumKeySize: Int { base.maximumKeySize }
        var path: String? { base.path }
        init(_ base: any RecordEngine) { self.base = base }
        func read<T>(_ body: (any RecordReader) throws -> T) throws -> T { try base.read(body) }
        func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T { try base.write(body) }
        func close() {}
    }

    enum Few {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model final class PersonalTrip: Trip {
            var reason: String?
            override init(name: String) { super.init(name: name) }
        }
    }

    enum More {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        /// Its name comes before that of the other, and it has a property of the same name.
        @Model final class BusinessTrip: Trip {
            var reason: Int
            init(name: String, reason: Int) {
                self.reason = reason
                super.init(name: name)
            }
        }
        @Model final class PersonalTrip: Trip {
            var reason: String?
            var days: Int = 3
            override init(name: String) { super.init(name: name) }
        }
    }

    /// Names and entities of all trips, and their values of one slot.
    func trips(_ store: RecordStoreCore, _ subentities: [String], slot: Int) throws -> [String] {
        let plan = FetchPlan(entityName: "Trip", subentityNames: subentities)
        func space(_ name: String) -> _IdentifierSpace {
            .shared(entityName: name, storeIdentifier: store.identifier)
        }
        let batch = RowBatch(space: space("Trip"), width: 3, subspaces: subentities.map(space))
        try store.fetchRows(plan, into: batch)
        return (0..<batch.count).map {
            "\(batch.entityName(ofRow: $0)) \(batch.value(of: batch.cell(row: $0, slot: slot)))"
        }
    }

    @Test(arguments: TestEngine.allCases) func entitiesMayHaveTheNamesOfTheStoresOwnTables(_ kind: TestEngine) throws {
        let folder = try TestEngine.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = Lasting(try kind.open(folder))
        defer { engine.base.close() }
        let names = ["_coffer", "__coffer", "_coffer_history", "coffer"]
        let entities = names.map {
            Schema.Entity($0, properties: Schema.Attribute(name: "x", valueType: Int.self))
        }
        let schema = Schema(entities[0], entities[1], entities[2], entities[3])
        let store = try RecordStoreCore(name: "test", schema: schema, engine: engine)
        #expect(Set(store.layout.tables.map(\.name)).count == store.layout.tables.count)
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = names.enumerated().map { number, name in
            let batch = RowBatch(entityName: name, width: 1, storeIdentifier: nil)
            batch.set(.integer(Int64(number)), row: batch.appendRow(key: Int64(-1 - number)), slot: 0)
            return batch
        }
        _ = try store.commit(changes)
        let again = try RecordStoreCore(name: "test", schema: schema, engine: engine)
        #expect(again.identifier == store.identifier)
        for (number, name) in names.enumerated() {
            let batch = RowBatch(entityName: name, width: 1, storeIdentifier: nil)
            try again.fetchRows(FetchPlan(entityName: name), into: batch)
            #expect(batch.count == 1 && batch.cell(row: 0, slot: 0).integer == Int64(number))
        }
    }

    @Test(arguments: TestEngine.allCases) func rowsKeepTheirClassWhenOthersCome(_ kind: TestEngine) throws {
        let folder = try TestEngine.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = Lasting(try kind.open(folder))
        defer { engine.base.close() }
        let few = Schema([Few.Trip.self, Few.PersonalTrip.self])
        let more = Schema([More.Trip.self, More.BusinessTrip.self, More.PersonalTrip.self])
        let before = try RecordStoreCore(name: "test", schema: few, engine: engine)
        let plain = RowBatch(entityName: "Trip", width: 1, storeIdentifier: nil)
        plain.set(.text("a"), row: plain.appendRow(key: -1), slot: 0)
        let personal = RowBatch(entityName: "PersonalTrip", width: 2, storeIdentifier: nil)
        personal.set(.text("b"), row: personal.appendRow(key: -2), slot: 0)
        personal.set(.text("rest"), row: 0, slot: 1)
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = [plain, personal]
        _ = try before.commit(changes)
        #expect(try trips(before, ["PersonalTrip"], slot: 0) == ["Trip text(\"a\")", "PersonalTrip text(\"b\")"])

        let after = try RecordStoreCore(name: "test", schema: more, engine: engine)
        let business = RowBatch(entityName: "BusinessTrip", width: 2, storeIdentifier: nil)
        business.set(.text("c"), row: business.appendRow(key: -1), slot: 0)
        business.set(.integer(7), row: 0, slot: 1)
        changes.inserted = [business]
        _ = try after.commit(changes)
        let names = ["BusinessTrip", "PersonalTrip"]
        #expect(
            try trips(after, names, slot: 1)
                == ["Trip null", "PersonalTrip text(\"rest\")", "BusinessTrip integer(7)"])
        #expect(try trips(after, names, slot: 2) == ["Trip null", "PersonalTrip integer(3)", "BusinessTrip null"])
        #expect(try after.countRows(FetchPlan(entityName: "PersonalTrip")) == 1)
        #expect(
            expect(.unknownSchema) { _ = try RecordStoreCore(name: "test", schema: few, engine: engine) }?.entity
                == "BusinessTrip")
    }
}
