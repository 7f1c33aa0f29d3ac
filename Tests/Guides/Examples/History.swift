import Coffer
import Foundation
import Testing

/// The code of Docs/History.md.
enum HistoryGuide {
    @Model final class Doc {
        @Attribute(.preserveValueOnDeletion) var code: String
        var name: String
        init(code: String, name: String) {
            self.code = code
            self.name = name
        }
    }

    static func news(_ context: ModelContext, since last: DefaultHistoryToken) throws {
        let transactions = try context.fetchHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > last }))
        for change in transactions.flatMap(\.changes) {
            switch change {
            case .insert(let insert as DefaultHistoryInsert<Doc>):
                print("new:", insert.changedPersistentIdentifier.entityName)
            case .update(let update as DefaultHistoryUpdate<Doc>) where update.updates(\.name):
                print("another name:", update.changedPersistentIdentifier.entityName)
            case .delete(let delete as DefaultHistoryDelete<Doc>):
                print("gone:", delete.tombstone[\.code] as? String ?? "")
            default: break
            }
        }
    }

    @Suite struct Examples {
        private let container: ModelContainer
        private let context: ModelContext

        init() throws {
            container = try ModelContainer(for: Doc.self, configurations: InMemoryStoreConfiguration())
            context = ModelContext(container)
        }

        private func latest() throws -> DefaultHistoryToken? {
            var latest = HistoryDescriptor<DefaultHistoryTransaction>(
                sortBy: [SortDescriptor(\.token, order: .reverse)])
            latest.fetchLimit = 1
            let token = try context.fetchHistory(latest).first?.token
            return token
        }

        @Test func changesAreToldAfterAToken() throws {
            let old = Doc(code: "A", name: "Old")
            context.insert(old)
            context.insert(Doc(code: "B", name: "Bye"))
            try context.save()
            let token = try #require(try latest())
            old.name = "New"
            try context.delete(model: Doc.self, where: #Predicate { $0.code == "B" })
            context.insert(Doc(code: "C", name: "Come"))
            try context.save()
            let printed = try printed { try news(context, since: token) }
            #expect(
                Set(printed.split(separator: "\n")) == ["new: Doc", "another name: Doc", "gone: B"])
        }

        @Test func forgetting() throws {
            context.insert(Doc(code: "A", name: "Old"))
            try context.save()
            let done = try #require(try latest())
            try context.deleteHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= done }))
            #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).isEmpty)
        }

        @Test func retention() throws {
            container.historyRetention = HistoryRetention(maximumAge: 30 * 86_400, maximumCount: 100_000)
            container.suppliesHistory = true
            try container.trimHistory()
            #expect(container.historyRetention?.maximumCount == 100_000)
        }
    }
}
