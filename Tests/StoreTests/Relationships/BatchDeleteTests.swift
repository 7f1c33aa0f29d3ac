import Coffer
import Foundation
import Testing

@Model final class Depot {
    var region: String
    @Relationship(deleteRule: .cascade, inverse: \Crate.depot) var crates: [Crate] = []
    @Relationship(inverse: \Driver.depot) var drivers: [Driver] = []
    init(_ region: String) { self.region = region }
}

@Model final class Crate {
    var no: Int
    var depot: Depot
    @Relationship(deleteRule: .cascade, inverse: \Ware.crate) var wares: [Ware] = []
    init(_ no: Int, _ depot: Depot) {
        self.no = no
        self.depot = depot
    }
}

@Model final class Ware {
    var sku: String
    var crate: Crate
    init(_ sku: String, _ crate: Crate) {
        self.sku = sku
        self.crate = crate
    }
}

@Model final class Driver {
    var name: String
    var depot: Depot?
    init(_ name: String, _ depot: Depot) {
        self.name = name
        self.depot = depot
    }
}

@Model final class PlainRow {
    var number: Int
    var text: String
    init(_ number: Int) {
        self.number = number
        text = "row \(number)"
    }
}

@Suite("A batch delete")
struct BatchDeleteTests {
    /// Two depots in the north and one in the south; each with two crates of one ware and one driver.
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext) {
        let place = try TestPlace(store, Depot.self)
        let context = place.context()
        for (index, region) in ["north", "north", "south"].enumerated() {
            let depot = Depot(region)
            context.insert(depot)
            for no in 0..<2 { context.insert(Ware("s\(index)\(no)", Crate(index * 10 + no, depot))) }
            context.insert(Driver("d\(index)", depot))
        }
        try context.save()
        return (place, context)
    }

    private func expectNorthGone(_ context: ModelContext) throws {
        #expect(try context.count(Depot.self) == 1)
        #expect(try context.all(Crate.self, by: SortDescriptor(\.no)).map(\.no) == [20, 21])
        #expect(try context.count(Ware.self) == 2)
        #expect(try context.count(Driver.self) == 3)
        #expect(try context.count(Driver.self, where: #Predicate { $0.depot == nil }) == 2)
        #expect(try context.only(Depot.self).crates.count == 2)
    }

    @Test("follows the delete rules at the next save and tells the context", arguments: TestStore.all)
    func rules(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let held = try context.all(Depot.self, where: #Predicate { $0.region == "north" })
        let crates = try context.all(Crate.self)
        let wares = try context.all(Ware.self)
        let drivers = try context.all(Driver.self)
        try context.delete(model: Depot.self, where: #Predicate { $0.region == "north" })
        #expect(context.hasChanges)
        #expect(try place.context().count(Depot.self) == 3)
        #expect(try context.count(Depot.self) == 1)
        try context.save()
        #expect(held.allSatisfy { $0.modelContext == nil && $0.region == "north" })
        #expect(crates.count { $0.modelContext == nil } == 4)
        #expect(wares.count { $0.modelContext == nil } == 4)
        #expect(drivers.count { $0.depot == nil } == 2)
        try expectNorthGone(context)
        for context in try place.newContexts() { try expectNorthGone(context) }
    }

    @Test("needs nothing loaded", arguments: TestStore.all)
    func unloaded(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let fresh = place.context()
        try fresh.delete(model: Depot.self, where: #Predicate { $0.region == "north" })
        #expect(fresh.hasChanges)
        try fresh.save()
        #expect(!fresh.hasChanges)
        for context in try [fresh, context] + place.newContexts() { try expectNorthGone(context) }
    }

    @Test("sees unsaved changes", arguments: TestStore.all)
    func pendingChanges(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        context.insert(Depot("north"))
        let south = try context.only(Depot.self, where: #Predicate { $0.region == "south" })
        let north = try context.all(Depot.self, where: #Predicate { $0.region == "north" })
        #expect(north.count == 3)
        // One moves in, one moves out.
        south.region = "north"
        let moved = try #require(north.first { !$0.crates.isEmpty })
        moved.region = "south"
        try context.delete(model: Depot.self, where: #Predicate { $0.region == "north" })
        #expect(try context.all(Depot.self).map(\.region) == ["south"])
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.all(Depot.self).map(\.region) == ["south"])
            #expect(try context.count(Crate.self) == 2)
        }
    }

    @Test("without a predicate empties the entity", arguments: TestStore.all)
    func everything(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        context.insert(Depot("new"))
        try context.delete(model: Depot.self)
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.count(Depot.self) == 0)
            #expect(try context.count(Crate.self) == 0)
            #expect(try context.count(Ware.self) == 0)
            #expect(try context.count(Driver.self) == 3)
        }
    }

    @Test("is taken back by a rollback", arguments: TestStore.all)
    func rollback(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        try context.delete(model: Depot.self, where: #Predicate { $0.region == "north" })
        context.rollback()
        #expect(!context.hasChanges)
        #expect(try context.count(Depot.self) == 3)
        try context.save()
        #expect(try place.context().count(Depot.self) == 3)
    }

    @Test("of a hundred thousand rows makes no objects of them", arguments: TestStore.all)
    func volume(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let place = try TestPlace(store, PlainRow.self)
        let writer = place.context()
        for number in 0..<100_000 { writer.insert(PlainRow(number)) }
        try writer.save()
        let context = place.context()
        let held = try context.only(PlainRow.self, where: #Predicate { $0.number == 10 })
        let asked = try place.record.during {
            try context.delete(model: PlainRow.self, where: #Predicate { $0.number < 50_000 })
            try context.save()
        }
        #expect(held.modelContext == nil)
        #expect(asked.deleted == 50_000)
        #expect(asked.commits == 1)
        for context in try place.newContexts() {
            #expect(try context.count(PlainRow.self) == 50_000)
            #expect(try context.count(PlainRow.self, where: #Predicate { $0.number < 50_000 }) == 0)
        }
        try store.needs(.filters)
        #expect(asked.rows == 0, "no row is handed out")
    }
}
