import Coffer
import CofferInMemory
import CofferJSON
import CofferLMDB
import Foundation
import Testing

private enum LogV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Entry.self, Extra.self] }

    @Model final class Entry {
        @Attribute(.preserveValueOnDeletion) var text: String
        var mark: Int
        var junk: Int = 0
        @Relationship(inverse: \Entry.replies) var subjects: [Entry] = []
        var replies: [Entry] = []
        init(_ text: String, _ mark: Int) {
            self.text = text
            self.mark = mark
        }
    }

    @Model final class Extra {
        var number: Int
        init(_ number: Int) { self.number = number }
    }
}

private enum LogV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Entry.self] }

    @Model final class Entry {
        @Attribute(.preserveValueOnDeletion, originalName: "text") var title: String
        var mark: Int
        @Relationship(inverse: \Entry.replies) var subjects: [Entry] = []
        var replies: [Entry] = []
        init(_ title: String, _ mark: Int) {
            self.title = title
            self.mark = mark
        }
    }
}

private enum LogPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LogV1.self, LogV2.self] }
    static var stages: [MigrationStage] {
        [
            .custom(fromVersion: LogV1.self, toVersion: LogV2.self, willMigrate: nil) { context in
                context.author = "migration"
                for entry in try context.fetch(FetchDescriptor<LogV2.Entry>()) { entry.mark += 1 }
            }
        ]
    }
}

@Suite("The history of a store that is migrated or converted")
struct HistoryMigrationTests {
    /// Six saves, of which the first is forgotten.
    private func make(_ store: TestStore) throws -> (MigrationSite, [DefaultHistoryTransaction]) {
        let site = try MigrationSite(store)
        var told: [DefaultHistoryTransaction] = []
        try site.open(Schema(versionedSchema: LogV1.self)) { context in
            let (a, b) = (LogV1.Entry("a", 1), LogV1.Entry("b", 2))
            context.insert(a)
            context.insert(LogV1.Extra(1))
            try context.save()
            context.author = "writer"
            context.insert(b)
            b.subjects = [a]
            try context.save()
            a.text = "A"
            a.mark = 7
            try context.save()
            a.junk = 1
            try context.save()
            context.insert(LogV1.Extra(2))
            try context.save()
            context.delete(b)
            try context.save()
            let all = try context.told()
            let first = all[0].token
            try context.deleteHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= first }))
            told = Array(all[1...])
        }
        return (site, told)
    }

    @Test("goes along under its tokens, in the names of the new schema", arguments: TestStore.migrating)
    func migration(_ store: TestStore) throws {
        let (site, old) = try make(store)
        try site.open(Schema(versionedSchema: LogV2.self), plan: LogPlan.self) { context in
            let new = try context.told()
            #expect(Array(new.map(\.token).prefix(5)) == old.map(\.token))
            #expect(new.map(\.author) == [String?](repeating: "writer", count: 5) + ["migration"])
            #expect(Array(new.map(\.timestamp).prefix(5)) == old.map(\.timestamp))
            #expect(new.map(\.changes.count) == [old[0].changes.count, 1, 0, 0, old[4].changes.count, 1])
            guard case .update(let update as DefaultHistoryUpdate<LogV2.Entry>) = new[1].changes.first else {
                Issue.record("\(new[1].changes)")
                return
            }
            #expect(update.updates(\.title) && update.updates(\.mark) && !update.updates(\.replies))
            let deletions = new[4].changes.compactMap { change in
                if case .delete(let delete as DefaultHistoryDelete<LogV2.Entry>) = change { delete } else { nil }
            }
            #expect(deletions.map { $0.tombstone[\.title] as? String } == ["b"])
            let (token, entries) = (old[4].token, try context.all(LogV2.Entry.self))
            #expect(try context.told(#Predicate { $0.token > token }).count == 1)
            #expect(entries.map(\.mark) == [8])

            let before = DefaultHistoryToken(try #require(old[0].token.tokenValue).mapValues { $0 - 2 })
            let error = #expect(throws: SwiftDataError.self) { try context.told(#Predicate { $0.token > before }) }
            #expect(error?.code == .historyTokenExpired)
        }
    }

    @Test("goes along into stores of every other kind", arguments: TestStore.migrating)
    func conversion(_ store: TestStore) throws {
        let (site, old) = try make(store)
        for target in TestStore.migrating {
            let other = try MigrationSite(target)
            try StoreConversion.convert(from: site.configuration, to: other.configuration)
            try other.open(Schema(versionedSchema: LogV1.self)) { context in
                #expect(try context.told() == old)
                context.insert(LogV1.Extra(9))
                try context.save()
                let last = try #require(old.last).token
                #expect(try context.told(#Predicate { $0.token > last }).map(\.changes.count) == [1])
            }
        }
    }

    @Test(
        "goes along when the store is salvaged, and what that writes is no part of it", arguments: TestStore.migrating)
    func salvage(_ store: TestStore) throws {
        let (site, old) = try make(store)
        let other = try MigrationSite(store)
        let (damaged, losses) = try StoreOpening.openDamaged(site.configuration)
        let copy = try StoreOpening.make(
            other.configuration, schema: damaged.schema, identifier: damaged.identifier)
        let report = try StoreSalvage(from: damaged, to: copy.store, known: losses).run()
        try copy.finish()
        #expect(report.losses.isEmpty)
        try other.open(Schema(versionedSchema: LogV1.self)) { context in
            let told = try context.told()
            #expect(told == old)
        }
    }

    @Test("that is empty stays at its place", arguments: TestStore.migrating)
    func empty(_ store: TestStore) throws {
        let (site, old) = try make(store)
        try site.open(Schema(versionedSchema: LogV1.self)) { context in
            try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        }
        try site.open(Schema(versionedSchema: LogV2.self), plan: LogPlan.self) { context in
            let token = old[0].token
            let error = #expect(throws: SwiftDataError.self) { try context.told(#Predicate { $0.token > token }) }
            #expect(error?.code == .historyTokenExpired)
            let told = try context.told()
            #expect(told.map(\.transactionIdentifier) == [7])
        }
    }
}
