import Coffer
import Foundation
import Testing

/// What a context makes of a store of SwiftData's protocols that deletes by predicate.
@Suite("A store that deletes by predicate")
struct BatchingStoreTests {
    private func open(handsBack: Bool = false) throws -> (container: ModelContainer, record: Record) {
        let record = Record()
        let container = try ModelContainer(
            for: Schema([PlainRow.self, Depot.self]),
            configurations: [SweepingConfiguration(record: record, handsBack: handsBack)])
        let context = ModelContext(container)
        for number in 0..<10 { context.insert(PlainRow(number)) }
        let depot = Depot("north")
        context.insert(depot)
        context.insert(Crate(1, depot))
        try context.save()
        return (container, record)
    }

    @Test("is asked once, at the save, and hands out no row")
    func asked() throws {
        let (container, record) = try open()
        let context = ModelContext(container)
        let asked = try record.during {
            try context.delete(model: PlainRow.self, where: #Predicate { $0.number < 4 })
            #expect(context.hasChanges)
        }
        #expect(asked == Record.Counts())
        let saved = try record.during { try context.save() }
        #expect(saved.batches == 1 && saved.rows == 0 && saved.commits == 0)
        #expect(!context.hasChanges)
        #expect(try context.all(PlainRow.self, by: SortDescriptor(\.number)).map(\.number) == Array(4..<10))
    }

    @Test("leaves no model of a deleted row in any context")
    func models() throws {
        let (container, _) = try open()
        let (mine, other) = (ModelContext(container), ModelContext(container))
        let own = try mine.all(PlainRow.self, by: SortDescriptor(\.number))
        let others = try other.all(PlainRow.self, by: SortDescriptor(\.number))
        try mine.delete(model: PlainRow.self, where: #Predicate { $0.number < 4 })
        #expect(own.map(\.isDeleted) == (0..<10).map { $0 < 4 })
        try mine.save()
        #expect(own.map { $0.modelContext == nil } == (0..<10).map { $0 < 4 })
        #expect(try other.count(PlainRow.self) == 6)
        #expect(others[2].number == 2 && others[2].modelContext == nil)
        #expect(others[7].number == 7 && others[7].modelContext === other)
    }

    @Test("is not asked when the rows are looked at before, or something else waits")
    func looked() throws {
        let (container, record) = try open()
        for look in [true, false] {
            let context = ModelContext(container)
            try context.delete(model: PlainRow.self, where: #Predicate { $0.number < 4 })
            if look {
                #expect(try context.count(PlainRow.self) == 6)
                context.rollback()
                continue
            }
            context.insert(PlainRow(2))
            let asked = try record.during { try context.save() }
            #expect(asked.batches == 0 && asked.deleted == 4 && asked.commits == 1)
            #expect(
                try ModelContext(container).all(PlainRow.self).map(\.number).sorted() == [2, 4, 5, 6, 7, 8, 9])
        }
    }

    @Test("is not asked for rows with relationships, whose rules are the context's")
    func rules() throws {
        let (container, record) = try open()
        let context = ModelContext(container)
        let asked = try record.during {
            try context.delete(model: Depot.self)
            try context.save()
        }
        #expect(asked.batches == 0)
        #expect(try ModelContext(container).count(Crate.self) == 0)
    }

    @Test("may hand the predicate back")
    func handedBack() throws {
        let (container, record) = try open(handsBack: true)
        let context = ModelContext(container)
        let asked = try record.during {
            try context.delete(model: PlainRow.self, where: #Predicate { $0.number < 4 })
            try context.save()
        }
        #expect(asked.batches == 0 && asked.deleted == 4)
        #expect(try ModelContext(container).count(PlainRow.self) == 6)
    }
}

/// The member that Coffer's own stores have from their capabilities.
@Suite("Coffer's stores delete by predicate without a context")
struct OwnBatchingTests {
    @Test("rules included", arguments: [TestStore.memory, .sqlite, .lmdb, .json])
    func delete(_ store: TestStore) throws {
        func run<S: DataStore>(_ store: S) throws {
            let batching = try #require(store as? any DataStoreBatching)
            try batching.delete(
                DataStoreBatchDeleteRequest<Depot>(
                    editingState: EditingState(), predicate: #Predicate { $0.region == "north" },
                    includeSubclasses: true))
        }
        let (place, context) = try BatchDeleteTests.make(store)
        func open<C: DataStoreConfiguration>(_ configuration: C) throws -> any DataStore {
            var configuration = configuration
            configuration.schema = place.container.schema
            return try C.Store(configuration, migrationPlan: nil)
        }
        try store.needsPlace()
        let record = Record()
        let recording = try #require(store.configuration(place.folder, record) as? RecordingConfiguration)
        try run(open(recording.base))
        _ = context
        let fresh = try place.reopen()
        #expect(try fresh.count(Depot.self) == 1)
        #expect(try fresh.count(Crate.self) == 2)
        #expect(try fresh.count(Driver.self, where: #Predicate { $0.depot == nil }) == 2)
    }
}
