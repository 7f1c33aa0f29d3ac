import Coffer
import Foundation
import Testing

@Suite("Values that a migration carries over")
struct ValueMappingTests {
    static func make(_ store: TestStore) throws -> MigrationSite {
        let site = try MigrationSite(store)
        try site.open(ValuesV1.Item.self) { context in
            context.insert(ValuesV1.Item(1, note: "first"))
            context.insert(ValuesV1.Item(2))
            context.insert(ValuesV1.Item(3, note: "third"))
            try context.save()
        }
        return site
    }

    @Test("are of wider types, required with a default, optional, in files or not", arguments: TestStore.migrating)
    func values(_ store: TestStore) throws {
        let site = try Self.make(store)
        for _ in 0..<2 {
            try site.open(ValuesV2.Item.self) { context in
                let items = try context.all(ValuesV2.Item.self, by: SortDescriptor(\.number))
                #expect(items.map(\.number) == [1, 2, 3])
                #expect(items.map(\.large) == [1000, 2000, 3000])
                #expect(items.map(\.note) == ["first", "none", "third"])
                #expect(items.map(\.must) == ["must 1", "must 2", "must 3"])
                #expect(items.map(\.kind) == ["plain", "fancy", "fancy"])
                #expect(items.map(\.link) == (1...3).map { "https://example.org/\($0)" })
                #expect(items.map(\.data) == (1...3).map { Data(repeating: $0, count: 40_000) })
                #expect(items.map(\.inside) == (1...3).map { Data(repeating: $0, count: 30_000) })
                #expect(items.map(\.single) == [0.25, 0.5, 0.75])
                #expect(Set(items.map(\.mark)).count == 3)
                #expect(items.allSatisfy { $0.added == nil })
            }
        }
    }

    @Test("are counted where they are lost or filled in", arguments: TestStore.migrating)
    func figures(_ store: TestStore) throws {
        let site = try Self.make(store)
        let schema = Schema([ValuesV2.Item.self])
        let preview = try site.preview(schema)
        let before = try site.files()
        #expect(try site.preview(schema) == preview)
        #expect(try site.files() == before)
        let real = try #require(try site.reports(schema).first)
        #expect(real.backup != nil)
        let item = try #require(real.steps.first?.entities.first)
        #expect(real.steps.count == 1 && item.name == "Item" && item.rows == 3)
        #expect(item.lostValues == ["junk": 2])
        #expect(item.filledValues == ["note": 1, "mark": 3])
        #expect(real.losesData && real.way == .copy)
        #expect("\(preview)".contains("Item.junk: loses 2 values"))
        #expect(real.steps == preview.steps)
        #expect(try site.preview(schema).way == .equal)
    }

    @Test("that have no place in the new type keep the store as it is", arguments: TestStore.migrating)
    func refused(_ store: TestStore) throws {
        let site = try Self.make(store)
        let before = try site.files()
        func expect(
            _ type: any PersistentModel.Type, _ code: SwiftDataError.Code, _ property: String, _ text: String,
            at location: SourceLocation = #_sourceLocation
        ) throws {
            let error = try #require(
                #expect(throws: SwiftDataError.self, sourceLocation: location) {
                    try site.open(Schema([type])) { _ in }
                })
            #expect(
                error.code == code && error.entity == "Item" && error.property == property, sourceLocation: location)
            #expect("\(error)".contains(text), "\(error)", sourceLocation: location)
            #expect(try site.files() == before, sourceLocation: location)
        }
        try expect(ValuesRefused.Narrow.Item.self, .migrationFailure, "large", "3 values do not fit")
        try expect(ValuesRefused.Text.Item.self, .unknownSchema, "number", "Int16")
        try expect(ValuesRefused.Required.Item.self, .unknownSchema, "note", "must have a value")
        try expect(ValuesRefused.Lost.Item.self, .unknownSchema, "mood", "neither a default value nor an optional type")
    }
}
