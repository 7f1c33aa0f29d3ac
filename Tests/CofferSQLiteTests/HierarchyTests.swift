import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

enum Zoo {
    @Model class Animal {
        #Unique<Animal>([\.name])
        var name: String
        var keeper: Keeper?
        init(_ name: String) { self.name = name }
    }
    @Model class Bird: Animal {
        #Unique<Bird>([\.keeper])
        var wings: Int
        var ring: String?
        init(_ name: String, wings: Int) {
            self.wings = wings
            super.init(name)
        }
    }
    @Model final class Penguin: Bird {
        var depth: Double = 0
        init(_ name: String) { super.init(name, wings: 2) }
    }
    @Model final class Keeper {
        @Relationship(inverse: \Animal.keeper) var animals: [Animal] = []
        var loved: Bird?
        init() {}
    }
}

struct HierarchyTests {
    private func make() throws -> (shop: Workshop, context: ModelContext) {
        let shop = try Workshop(Zoo.Penguin.self, Zoo.Keeper.self)
        let container = try ModelContainer(
            for: shop.schema, configurations: [SQLiteStoreConfiguration("test", url: shop.url, durability: .normal)])
        let context = ModelContext(container)
        let keeper = Zoo.Keeper()
        context.insert(keeper)
        keeper.animals = [Zoo.Animal("ant"), Zoo.Penguin("pingu"), Zoo.Animal("bee")]
        keeper.loved = keeper.animals[1] as? Zoo.Bird
        context.insert(Zoo.Bird("tit", wings: 2))
        try context.save()
        return (shop, context)
    }

    @Test func theShellSeesOneTable() throws {
        let (shop, _) = try make()
        #expect(
            try shop.sql("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
                == ["Animal", "Keeper", "_coffer", "_coffer_history"])
        #expect(
            try shop.sql("SELECT _entity, name, Bird_wings, Penguin_depth IS NULL FROM Animal ORDER BY name") == [
                "Animal|ant|NULL|1", "Animal|bee|NULL|1", "Penguin|pingu|2|0", "Bird|tit|2|1",
            ])
        #expect(
            try shop.sql("SELECT sql FROM sqlite_master WHERE name = 'Animal_Bird_keeper_unique'") == [
                "CREATE UNIQUE INDEX \"Animal_Bird_keeper_unique\" ON \"Animal\" (\"keeper\") "
                    + "WHERE _entity IN ('Bird', 'Penguin')"
            ])
        #expect(
            try shop.sql("SELECT a.name FROM Keeper k JOIN Animal a ON a._pk = k.loved") == ["pingu"])
        #expect(try shop.sql("SELECT value FROM _coffer WHERE name LIKE 'next key of %'").count == 2)
        try shop.expectSound()
    }

    @Test func deletedRowsOfAnyClassLeaveNoLinks() throws {
        let (shop, context) = try make()
        try context.delete(model: Zoo.Bird.self)
        try context.save()
        #expect(try shop.sql("SELECT _entity FROM Animal") == ["Animal", "Animal"])
        #expect(try shop.sql("SELECT loved FROM Keeper") == ["NULL"])
        try shop.expectSound()
    }

    @Test func aSubclassIsFoundByItsIndex() throws {
        let (shop, _) = try make()
        let plan = FetchPlan(entityName: "Bird", subentityNames: ["Penguin"])
        let store = try shop.open()
        let query = try SQLQuery.compile(plan, store.layout, storeIdentifier: store.identifier)
        let steps = try shop.sql("EXPLAIN QUERY PLAN " + query.select([query.key]))
        #expect(steps.contains { $0.contains("Animal_entity_index") }, "\(steps)")
        #expect(try store.fetchKeys(plan).count == 2)
        #expect(try store.fetchKeys(FetchPlan(entityName: "Bird")).count == 1, "exactly that entity")
        #expect(try store.countRows(FetchPlan(entityName: "Animal", subentityNames: ["Bird", "Penguin"])) == 4)
    }

    @Test func aRowOfAClassThatNobodyKnowsIsNamed() throws {
        let (shop, context) = try make()
        _ = try shop.sql("UPDATE Animal SET _entity = 'Unicorn' WHERE name = 'bee'")
        let error = expect(.corruptStore) { try context.fetch(FetchDescriptor<Zoo.Animal>()) }
        #expect(error?.description.contains("Unicorn") == true)
        #expect(try context.fetchCount(FetchDescriptor<Zoo.Bird>()) == 2)
    }

    @Test func tablesOfOneClassAreWhatTheyWere() throws {
        let layout = try SQLiteSchema(try make().shop.schema)
        #expect(
            layout.creation.first { $0.hasPrefix("CREATE TABLE \"Keeper\"") }
                == "CREATE TABLE \"Keeper\" (\n    \"_pk\" INTEGER PRIMARY KEY,\n    \"loved\" INTEGER REFERENCES "
                + "\"Animal\"(\"_pk\") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED\n)")
    }

    @Test func aNewRequiredPropertyOfASubclassIsFilledInForItsRowsOnly() throws {
        func schema(_ extra: Schema.Attribute?) -> Schema {
            let base = Schema.Entity("Base", properties: Schema.Attribute(name: "x", valueType: Int.self))
            let own = [Schema.Attribute(name: "y", valueType: Int.self), extra].compactMap { $0 }
            let sub =
                own.count == 1
                ? Schema.Entity("Sub", properties: own[0]) : Schema.Entity("Sub", properties: own[0], own[1])
            sub.superentity = base
            return Schema(base, sub)
        }
        let added = schema(Schema.Attribute(name: "z", valueType: Int.self, defaultValue: 7))
        let difference = SchemaDifference(
            from: try SQLiteSchema(schema(nil)), to: try SQLiteSchema(added), of: added)
        #expect(difference.obstacles.isEmpty)
        #expect(
            difference.statements == [
                "ALTER TABLE \"Base\" ADD COLUMN \"Sub_z\" INTEGER",
                "UPDATE \"Base\" SET \"Sub_z\" = 7 WHERE _entity = 'Sub'",
            ])
    }
}
