import CofferCore
import Foundation
import Testing

@testable import CofferJSON

/// Several stores on one archive: in one process, where they share it, and in several, where each has a copy.
@Suite struct SharingTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    private func insert(_ store: JSONArchiveStore, _ name: String = "x") throws {
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(name)])])])
    }

    private func makeLarge(_ store: JSONArchiveStore) throws {
        try insert(store, String(repeating: "x", count: 70_000))
    }

    @Test(arguments: [true, false]) func oneSeesWhatTheOtherSaves(isLarge: Bool) throws {
        for use in [Workshop.Use.shared, .alone] {
            let shop = try Workshop(Trip.self)
            let stores = [try shop.open(use), try shop.open(use), try shop.open(use, allowsSave: false)]
            func insert(_ store: JSONArchiveStore, _ size: Int) throws {
                let text = String(repeating: "x", count: size)
                try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(text)])])])
            }
            try insert(stores[0], isLarge ? 70_000 : 1)
            for round in 1...4 {
                try insert(stores[round % 2], 1)
                for store in stores {
                    #expect(try shop.rows(store, "Trip").count == round + 1)
                    #expect(try shop.tables(store) == shop.tables(stores[0]))
                }
                if round == 2 { try stores[1].fold() }
            }
            #expect(shop.hasJournal == isLarge)
        }
    }

    @Test func keysAreGivenOutOnce() throws {
        let stores = [try shop.open(.alone), try shop.open(.alone), try shop.open(.alone)]
        try makeLarge(stores[0])
        var keys: [Int64] = []
        for round in 0..<9 {
            keys += try shop.save(
                stores[round % 3], insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])]
            )[0]
        }
        #expect(keys == Array(2...10))
    }

    @Test func aJournalThatGrowsIsReadFromWhereItWasLeft() throws {
        let writer = try shop.open(.alone)
        try makeLarge(writer)
        let reader = try shop.open(.alone, allowsSave: false)
        let archive = Archive(ArchivePlace(shop.url))
        let memory = try archive.current().memory
        for round in 1...3 {
            try insert(writer)
            #expect(try shop.rows(reader, "Trip").count == round + 1)
            // The document has not been read again.
            #expect(try archive.current().memory === memory)
        }
        try writer.fold()
        #expect(try archive.current().memory !== memory)
    }

    @Test func aStateStaysAsItIsWhileItIsRead() throws {
        let store = try shop.open()
        try insert(store)
        let table = try #require(store.core.layout.space(of: "Trip")?.rows)
        try store.core.engine.read { (reader) throws in
            try insert(store)
            #expect(try reader.count(table) == 1)
        }
        #expect(try shop.rows(store, "Trip").count == 2)
    }

    @Test func aSecondWriterWaitsAndThenSaysSo() throws {
        let (one, other) = (try shop.open(.alone), try shop.open(.alone))
        try insert(one)
        try one.core.engine.write { (_) throws in
            let error = expect(.storeBusy) { try insert(other) }
            #expect(error?.operation == .save)
            #expect(error?.file == shop.url.path)
            // Readers are not held up.
            #expect(try shop.rows(other, "Trip").count == 1)
        }
        try insert(other)
        #expect(try shop.rows(one, "Trip").count == 2)
    }

    @Test(arguments: [true, false]) func anOlderCopyInItsPlaceIsNoLaterState(isLarge: Bool) throws {
        for use in [Workshop.Use.shared, .alone] {
            let shop = try Workshop(Trip.self)
            let store = try shop.open(use)
            func insert(_ store: JSONArchiveStore, _ size: Int = 1) throws {
                let text = String(repeating: "x", count: size)
                try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(text)])])])
            }
            try insert(store, isLarge ? 70_000 : 1)
            try insert(store)
            let old = try shop.contents()
            try insert(store)
            #expect(shop.hasJournal == isLarge)
            for (name, data) in old {
                try data.write(to: shop.folder.appendingPathComponent(name), options: .atomic)
            }
            // The key of the last row is given out again: whoever has that row would take the new one for it.
            expect(.storeReplaced) { try shop.rows(store, "Trip") }
            expect(.storeReplaced) { try insert(store) }
            let other = try shop.open(use)
            for _ in 0..<3 { try insert(other) }
            expect(.storeReplaced) { try shop.rows(store, "Trip") }
            #expect(try shop.rows(other, "Trip").count == 5)
        }
    }

    @Test(arguments: [true, false]) func aCopyThatWentItsOwnWayIsNoLaterState(isLarge: Bool) throws {
        let store = try shop.open(.alone)
        try isLarge ? makeLarge(store) : insert(store)
        let old = try shop.contents()
        try insert(store)
        #expect(shop.hasJournal == isLarge)
        for (name, data) in old {
            try data.write(to: shop.folder.appendingPathComponent(name), options: .atomic)
        }
        if isLarge { try? FileManager.default.removeItem(at: shop.journalURL) }
        // Somebody is ahead again before the store looks.
        let other = try shop.open(.alone)
        for _ in 0..<3 { try insert(other) }
        if isLarge { try other.fold() }
        expect(.storeReplaced) { try shop.rows(store, "Trip") }
        expect(.storeReplaced) { try insert(store) }
        #expect(try shop.rows(other, "Trip").count == 4)
    }

    @Test func threadsOfOneProcessTakeTurns() async throws {
        let shop = shop
        var configuration = JSONArchiveConfiguration("test", schema: shop.schema, url: shop.url)
        configuration.busyTimeout = .seconds(60)
        let stores = [
            try JSONArchiveStore(configuration, migrationPlan: nil),
            try JSONArchiveStore(configuration, migrationPlan: nil),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    for _ in 0..<10 {
                        try shop.save(stores[number % 2], insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])])
                    }
                }
                group.addTask {
                    var last = 0
                    for _ in 0..<30 {
                        let count = try shop.rows(stores[number % 2], "Trip").count
                        #expect(count >= last)
                        last = count
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try shop.rows(stores[0], "Trip").keys.sorted() == Array(1...40))
    }

    @Test func copiesTakeTurnsToo() async throws {
        let shop = shop
        try makeLarge(try shop.open())
        var configuration = JSONArchiveConfiguration("test", schema: shop.schema, url: shop.url)
        configuration.busyTimeout = .seconds(60)
        let settled = configuration
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let store = try JSONArchiveStore(settled) { place in ArchiveHold(Archive(place), allowSave: {}) {} }
                    for round in 0..<8 {
                        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])])
                        if round % 3 == 2 { try store.fold() }
                    }
                }
            }
            group.addTask {
                let store = try JSONArchiveStore(settled) { place in ArchiveHold(Archive(place), allowSave: {}) {} }
                var last = 0
                for _ in 0..<40 {
                    let count = try shop.rows(store, "Trip").count
                    #expect(count >= last)
                    last = count
                }
            }
            try await group.waitForAll()
        }
        #expect(try shop.rows(try shop.open(), "Trip").keys.sorted() == Array(1...25))
        #expect(try shop.contents().keys.filter { $0.hasPrefix(".") }.isEmpty)
    }

    @Test func theFasterOneMakesTheArchive() async throws {
        let shop = shop
        let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 { group.addTask { try shop.open(.alone).identifier } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(identifiers.count == 1)
        #expect(try shop.contents().keys.sorted() == ["store.json"])
    }

    @Test func anotherArchiveInItsPlaceIsRefused() throws {
        let store = try shop.open()
        try insert(store)
        let mine = try Data(contentsOf: shop.url)
        let other = try Workshop(Trip.self)
        try other.open().close()
        try Data(contentsOf: other.url).write(to: shop.url)
        let before = try shop.contents()
        expect(.storeFailure) { try shop.rows(store, "Trip") }
        expect(.storeFailure) { try insert(store) }
        #expect(try shop.contents() == before)
        try mine.write(to: shop.url)
        #expect(try shop.rows(store, "Trip").count == 1)
    }

    @Test func anArchiveThatGetsFieldsFromSomebodyElseIsRefused() throws {
        let name = Schema.Attribute(name: "name", valueType: String.self)
        let note = Schema.Attribute(name: "note", valueType: String?.self)
        let small = Schema(Schema.Entity("Thing", properties: name))
        let larger = Schema(Schema.Entity("Thing", properties: name, note))
        let old = try shop.open(.alone, schema: small)
        #expect(try old.countRows(FetchPlan(entityName: "Thing")) == 0)
        let new = try shop.open(.alone, schema: larger)
        let error = expect(.unknownSchema) { try old.countRows(FetchPlan(entityName: "Thing")) }
        #expect(error?.entity == "Thing")
        #expect(try new.countRows(FetchPlan(entityName: "Thing")) == 0)
    }

    @Test func anArchiveThatGetsEntitiesFromSomebodyElseIsUsedOn() throws {
        let old = try shop.open(.alone)
        try insert(old)
        let new = try shop.open(.alone, schema: Schema([Trip.self, Everything.self]))
        #expect(try new.countRows(FetchPlan(entityName: "Everything")) == 0)
        #expect(try shop.rows(old, "Trip").count == 1)
        try insert(old)
        #expect(try shop.rows(new, "Trip").count == 2)
    }
}
