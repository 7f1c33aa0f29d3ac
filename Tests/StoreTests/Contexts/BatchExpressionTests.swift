import Coffer
import Foundation
import Testing

@Model final class Reading {
    #Unique<Reading>([\.serial])
    var serial: Int
    var count: Int
    var small: Int8 = 0
    var ratio: Double = 1
    var price: Decimal = 1
    var name: String
    var nickname: String?
    var limit: Int?
    var isDone = false
    @Attribute(.externalStorage) var blob: Data?
    var meter: Meter?
    init(_ serial: Int) {
        self.serial = serial
        count = serial
        name = "r\(serial)"
    }
}

@Model final class Meter {
    var factor: Int
    @Relationship(inverse: \Reading.meter) var readings: [Reading] = []
    init(_ factor: Int) { self.factor = factor }
}

@Suite("A batch update by expression")
struct BatchExpressionTests {
    /// Readings 0 … 5, the odd ones with a nickname and a limit.
    static func make(_ store: TestStore) throws -> TestPlace {
        let place = try TestPlace(store, Meter.self)
        let context = place.context()
        for serial in 0..<6 {
            let reading = Reading(serial)
            if serial % 2 == 1 {
                reading.nickname = "n\(serial)"
                reading.limit = serial * 10
            }
            context.insert(reading)
        }
        try context.save()
        return place
    }

    private func values<V>(_ context: ModelContext, _ path: (Reading) -> V) throws -> [V] {
        try context.all(Reading.self, by: SortDescriptor(\.serial)).map(path)
    }

    @Test("gives each row its own value, and is the store's work", arguments: TestStore.all)
    func own(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let asked = try place.record.during {
            try context.update(model: Reading.self, where: #Predicate { $0.serial > 1 }) {
                $0.set(\.count, to: #Expression { $0.count * 10 + $0.serial })
                $0.set(\.name, to: #Expression { $0.nickname ?? $0.name })
                $0.set(\.isDone, to: #Expression { $0.count > 3 })
                $0.set(\.limit, to: #Expression { $0.limit })
                $0.nickname = "same"
            }
            try context.save()
        }
        for context in try [context] + place.newContexts() {
            #expect(try values(context, \.count) == [0, 1, 22, 33, 44, 55])
            #expect(try values(context, \.name) == ["r0", "r1", "r2", "n3", "r4", "n5"])
            #expect(try values(context, \.isDone) == [false, false, false, false, true, true])
            #expect(try values(context, \.limit) == [nil, 10, nil, 30, nil, 50])
            #expect(try values(context, \.nickname) == [nil, "n1"] + Array(repeating: "same", count: 4))
        }
        try store.needs(.requestsOfItsOwn)
        #expect(asked.batches == 1 && asked.rows == 0 && asked.updated == 4 && asked.commits == 1)
    }

    @Test("is seen at once, by models in memory and by fetches", arguments: TestStore.all)
    func seen(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let held = try context.only(Reading.self, where: #Predicate { $0.serial == 2 })
        let pending = Reading(6)
        context.insert(pending)
        try context.update(model: Reading.self) { $0.set(\.count, to: #Expression { $0.count + 100 }) }
        #expect(held.count == 102 && held.hasChanges && pending.count == 106)
        #expect(try values(context, \.count) == [100, 101, 102, 103, 104, 105, 106])
        #expect(try place.context().count(Reading.self, where: #Predicate { $0.count > 99 }) == 0)
        try context.save()
        for context in try place.newContexts() {
            #expect(try values(context, \.count) == [100, 101, 102, 103, 104, 105, 106])
        }
    }

    @Test("is taken back by a rollback, before and after a look", arguments: TestStore.all)
    func rollback(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        for looks in [false, true] {
            try context.update(model: Reading.self) { $0.set(\.count, to: #Expression { $0.count + 1 }) }
            #expect(context.hasChanges)
            if looks { #expect(try values(context, \.count) == [1, 2, 3, 4, 5, 6]) }
            context.rollback()
            #expect(!context.hasChanges)
            #expect(try values(context, \.count) == [0, 1, 2, 3, 4, 5])
            try context.save()
        }
        #expect(try values(place.context(), \.count) == [0, 1, 2, 3, 4, 5])
    }

    @Test("twice adds up", arguments: TestStore.all)
    func twice(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        for _ in 0..<2 {
            try context.update(model: Reading.self, where: #Predicate { $0.count < 3 }) {
                $0.set(\.count, to: #Expression { $0.count + 2 })
            }
        }
        try context.save()
        #expect(try values(place.context(), \.count) == [4, 3, 4, 3, 4, 5])
    }

    @Test("of numbers, by Swift's rules", arguments: TestStore.all)
    func numbers(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        try context.update(model: Reading.self) {
            $0.set(\.ratio, to: #Expression { $0.ratio / 3 })
            $0.set(\.price, to: #Expression { $0.price * 1.1 })
            $0.set(\.small, to: #Expression { $0.small - 1 })
            $0.set(\.count, to: #Expression { -$0.count / 2 })
        }
        try context.save()
        for context in try place.newContexts() {
            #expect(try values(context, \.ratio) == Array(repeating: 1.0 / 3, count: 6))
            #expect(try values(context, \.price) == Array(repeating: Decimal(1) * 1.1, count: 6))
            #expect(try values(context, \.small) == Array(repeating: -1, count: 6))
            #expect(try values(context, \.count) == [0, 0, -1, -1, -2, -2])
        }
    }

    @Test("that has no value for one row throws and changes nothing", arguments: TestStore.all)
    func unknown(_ store: TestStore) throws {
        let place = try Self.make(store)
        let maker = place.context()
        try maker.only(Reading.self, where: #Predicate { $0.serial == 3 }).count = .max
        try maker.save()
        let updates: [(inout PropertyAssignments<Reading>) -> Void] = [
            { $0.set(\.count, to: #Expression { $0.count + 1 }) },
            { $0.set(\.count, to: #Expression { 100 / $0.serial }) },
            { $0.set(\.count, to: #Expression { $0.limit! }) },
        ]
        for update in updates {
            // By the store, by the context since models are in memory, and by the context since there is an undo manager.
            for way in 0..<3 {
                let context = place.context()
                let held = way == 1 ? try context.all(Reading.self) : []
                if way == 2 { context.undoManager = UndoManager() }
                let error = #expect(throws: SwiftDataError.self) {
                    try context.update(model: Reading.self) {
                        $0.name = "changed"
                        update(&$0)
                    }
                }
                #expect(error?.code == .valueOutOfRange && error?.entity == "Reading" && error?.property == "count")
                #expect(!context.hasChanges && held.allSatisfy { $0.name != "changed" })
            }
        }
        #expect(try place.context().count(Reading.self, where: #Predicate { $0.name == "changed" }) == 0)
        // Rows that the predicate leaves out do not count, nor does the stored value of a changed model.
        let context = place.context()
        try context.only(Reading.self, where: #Predicate { $0.serial == 3 }).count = 7
        try context.update(model: Reading.self) { $0.set(\.count, to: #Expression { $0.count + 1 }) }
        try context.save()
        #expect(try values(place.context(), \.count) == [1, 2, 3, 8, 5, 6])
    }

    @Test("that another context spoils before the save fails there by name", arguments: TestStore.all)
    func spoiled(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let place = try Self.make(store)
        let context = place.context()
        try context.update(model: Reading.self) { $0.set(\.count, to: #Expression { $0.count + 1 }) }
        let other = place.context()
        let reading = try other.only(Reading.self, where: #Predicate { $0.serial == 3 })
        reading.count = .max
        try other.save()
        #expect(throws: SwiftDataError.valueOutOfRange) { try context.save() }
        #expect(context.hasChanges)
        #expect(try values(place.context(), \.count) == [0, 1, 2, .max, 4, 5])
        reading.count = 9
        try other.save()
        try context.save()
        #expect(try values(place.context(), \.count) == [1, 2, 3, 10, 5, 6])
        #expect(reading.count == 9)
        _ = try other.count(Reading.self)
        #expect(reading.count == 10, "the other context hears of it")
    }

    @Test("of a unique property may shift all rows by one", arguments: TestStore.all)
    func unique(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        try context.update(model: Reading.self) { $0.set(\.serial, to: #Expression { $0.serial + 1 }) }
        try context.save()
        for context in try place.newContexts() {
            #expect(try values(context, \.serial) == [1, 2, 3, 4, 5, 6])
            #expect(try values(context, \.count) == [0, 1, 2, 3, 4, 5])
        }
    }

    @Test("may follow links, and set what lies in files", arguments: TestStore.all)
    func byContext(_ store: TestStore) throws {
        let place = try Self.make(store)
        let maker = place.context()
        let meter = Meter(3)
        maker.insert(meter)
        for reading in try maker.all(Reading.self) { reading.meter = meter }
        try maker.save()
        let context = place.context()
        try context.update(model: Reading.self, where: #Predicate { $0.serial < 3 }) {
            $0.set(\.count, to: #Expression { $0.count * ($0.meter?.factor ?? 1) })
            $0.blob = Data([1, 2])
        }
        try context.save()
        for context in try place.newContexts() {
            #expect(try values(context, \.count) == [0, 3, 6, 3, 4, 5])
            #expect(try values(context, \.blob).map { $0?.count } == [2, 2, 2, nil, nil, nil])
        }
    }

    @Test("sets attributes and nothing else", arguments: TestStore.all)
    func relationships(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try context.update(model: Reading.self) { $0.set(\.meter, to: #Expression { $0.meter }) }
        }
        #expect(!context.hasChanges)
    }

    @Test("is taken back by an undo", arguments: TestStore.all)
    func undo(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let manager = UndoManager()
        context.undoManager = manager
        try context.update(model: Reading.self) { $0.set(\.count, to: #Expression { $0.count + 1 }) }
        try context.save()
        manager.undo()
        try context.save()
        #expect(try values(place.context(), \.count) == [0, 1, 2, 3, 4, 5])
    }
}
