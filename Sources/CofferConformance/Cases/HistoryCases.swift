import CofferCore
import Foundation

/// The history of a store: a transaction for each save.
enum HistoryCases {
    private typealias Transaction = DefaultHistoryTransaction

    static func add(_ cases: inout CaseList) {
        cases.add("token", "A token leads to the saves that came after it", needs: [.rows, .history]) { trial in
            try trial.tell()
            let context = try trial.context()
            let token = try latest(context)
            context.author = "conformance"
            let ship = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
            ship.tonnage += 1
            try context.save()
            try context.delete(model: Voyage.self)
            try context.save()
            let news = try context.fetchHistory(
                HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token > token }))
            try trial.equal(news.map(\.author), ["conformance", "conformance"], "the authors of what came after")
            try trial.equal(news.map(\.changes.count), [1, 1], "the changes of each save")
            guard case .update(let update as DefaultHistoryUpdate<Ship>) = news[0].changes[0] else {
                return try trial.expect(false, "the first save is told as an update of a ship")
            }
            try trial.equal(update.changedPersistentIdentifier, ship.persistentModelID, "the changed row")
            try trial.expect(update.updates(\.tonnage) && update.updatedAttributes.count == 1, "what was set")
            guard case .delete(is DefaultHistoryDelete<Voyage>) = news[1].changes[0] else {
                return try trial.expect(false, "the second save is told as a deletion of a voyage")
            }
        }
        cases.add("failed", "A save that fails leaves no transaction", needs: [.rows, .history, .transactions]) {
            trial in
            try trial.tell()
            let context = try trial.context()
            let token = try latest(context)
            try context.delete(model: Harbour.self)
            _ = try trial.fails(.deleteDenied, when: "deleting harbours with ships") { try context.save() }
            try trial.equal(try latest(try trial.context()), token, "the latest token")
        }
        cases.add(
            "reopened", "A history is there when the place is opened again", needs: [.rows, .history, .reopening]
        ) {
            trial in
            try trial.tell()
            let before = try told(try trial.context())
            try trial.read { context in
                try trial.equal(try told(context), before, "the changes of all transactions")
            }
        }
        cases.add("forgotten", "A token before what was deleted is refused", needs: [.rows, .history]) { trial in
            try trial.tell()
            let context = try trial.context()
            for name in ["A", "B"] {
                context.insert(Skill(name))
                try context.save()
            }
            let all = try context.fetchHistory(HistoryDescriptor<Transaction>())
            let (first, last) = (all[0].token, all[all.count - 1].token)
            try context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token < last }))
            let left = try context.fetchHistory(HistoryDescriptor<Transaction>())
            try trial.equal(left.map(\.token), [last], "the tokens that are left")
            _ = try trial.fails(.historyTokenExpired, when: "asking for what came after a deleted transaction") {
                _ = try context.fetchHistory(
                    HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token > first }))
            }
        }
    }

    private static func latest(_ context: ModelContext) throws -> DefaultHistoryToken {
        var descriptor = HistoryDescriptor<Transaction>(
            sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
        descriptor.fetchLimit = 1
        return try context.fetchHistory(descriptor).first?.token ?? DefaultHistoryToken([:])
    }

    /// Author and changed rows of each transaction.
    private static func told(_ context: ModelContext) throws -> [String] {
        try context.fetchHistory(HistoryDescriptor<Transaction>()).map { transaction in
            let changes = transaction.changes.map { "\($0.changedPersistentIdentifier)" }
            return "\(transaction.token.id) \(transaction.author ?? "-") \(changes.joined(separator: " "))"
        }
    }
}
