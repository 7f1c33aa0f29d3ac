import CofferCore
import Foundation

/// The history that a store hands out by itself: what is told of saves, tokens, and what is forgotten.
enum HistoryProvidingCases {
    /// A store that is open, and its history.
    private struct Open {
        var requests: SeamRequests
        let history: SeamHistory

        /// Makes one save for each name, with a new letter, by an author of that name.
        @discardableResult
        mutating func insert(_ names: String...) throws -> [PersistentIdentifier] {
            try names.compactMap { name in
                requests.state.author = name
                let snapshot = requests.snapshot(Letter(code: name.uppercased(), title: name))
                return try requests.save(inserted: [snapshot]).remapped[snapshot.persistentIdentifier]
            }
        }

        func letter(_ identifier: PersistentIdentifier) throws -> [any DataStoreSnapshot] {
            try requests.fetch(FetchDescriptor<Letter>()).filter { $0.persistentIdentifier == identifier }
        }
    }

    private static func opened(_ trial: ConformanceTrial) throws -> Open {
        let requests = try trial.requests()
        return Open(requests: requests, history: try trial.unwrap(SeamHistory(requests.store), "the history"))
    }

    static func add(_ cases: inout CaseList) {
        func add(
            _ id: String, _ claim: String, _ needs: [ConformanceNeed],
            _ body: @escaping @Sendable (ConformanceTrial) throws -> Void
        ) {
            cases.add(id, claim, needs: [.historyProviding] + needs) { trial in
                trial.use(Letter.self)
                try body(trial)
            }
        }
        telling(add)
        tokens(add)
        forgetting(add)
    }

    private typealias Add = (
        String, String, [ConformanceNeed], @escaping @Sendable (ConformanceTrial) throws -> Void
    ) -> Void

    // MARK: What is told

    private static func telling(_ add: Add) {
        add("authors", "Each save is a transaction, with its author, oldest first", []) { trial in
            var open = try opened(trial)
            try open.insert("ann", "ben")
            open.requests.state.author = nil
            _ = try open.requests.save(inserted: [open.requests.snapshot(Letter(code: "X", title: "x"))])
            let all = try open.history.fetch()
            try trial.equal(all.map(\.author), ["ann", "ben", nil], "the authors")
            try trial.expect(
                all.allSatisfy { $0.storeIdentifier == open.requests.store.identifier }, "all name the store")
            let numbers = all.map(\.transactionIdentifier)
            try trial.expect(
                numbers == numbers.sorted() && Set(numbers).count == 3, "the identifiers ascend", came: "\(numbers)")
            let dates = all.map(\.timestamp)
            try trial.expect(
                dates == dates.sorted() && dates.allSatisfy { abs($0.timeIntervalSinceNow) < 3600 }, "the times ascend")
        }
        add("kinds", "A change is told as what it was, under the row's identifier and class", []) { trial in
            var open = try opened(trial)
            let row = try open.insert("ann")[0]
            let changed = open.requests.copy(open.requests.snapshot(Letter(code: "ANN", title: "changed")), row)
            _ = try open.requests.save(updated: [changed])
            _ = try open.requests.save(deleted: try open.letter(row))
            let changes = try open.history.fetch().map(\.changes)
            try trial.equal(changes.map(\.count), [1, 1, 1], "the changes of each save")
            let kinds = changes.joined().map { change in
                switch change {
                case .insert(is DefaultHistoryInsert<Letter>): "insert"
                case .update(is DefaultHistoryUpdate<Letter>): "update"
                case .delete(is DefaultHistoryDelete<Letter>): "delete"
                default: "something else"
                }
            }
            try trial.equal(kinds, ["insert", "update", "delete"], "the kinds of changes")
            try trial.equal(
                changes.joined().map(\.changedPersistentIdentifier), [row, row, row], "the identifiers of the changes")
        }
        add("attributes", "An update names the properties that have new values", []) { trial in
            var open = try opened(trial)
            let row = try open.insert("ann")[0]
            let changed = open.requests.copy(open.requests.snapshot(Letter(code: "ANN", title: "changed")), row)
            _ = try open.requests.save(updated: [changed])
            guard
                case .update(let update as DefaultHistoryUpdate<Letter>)? = try open.history.fetch().last?.changes.first
            else { return try trial.expect(false, "the last change is an update of a letter") }
            let paths = update.updatedAttributes.map { $0 as PartialKeyPath<Letter> }
            try trial.expect(paths.contains(\Letter.title), "the title is among them", came: "\(paths.count) others")
        }
        add("tombstone", "A deletion keeps the values that shall outlive the row, and no others", []) { trial in
            var open = try opened(trial)
            let row = try open.insert("ann")[0]
            _ = try open.requests.save(deleted: try open.letter(row))
            guard
                case .delete(let delete as DefaultHistoryDelete<Letter>)? = try open.history.fetch().last?.changes.first
            else { return try trial.expect(false, "the last change is a deletion of a letter") }
            try trial.equal(delete.tombstone[\.code] as? String, "ANN", "the code that was preserved")
            try trial.equal(delete.tombstone.keyPaths.count, 1, "the number of preserved values")
        }
        add("several", "A save of several rows is one transaction that tells of each row once", []) { trial in
            let open = try opened(trial)
            let snapshots = (0..<5).map { open.requests.snapshot(Letter(code: "\($0)", title: "letter")) }
            let rows = try open.requests.save(inserted: snapshots).remapped.values
            let all = try open.history.fetch()
            try trial.equal(all.count, 1, "the number of transactions")
            let told = all.flatMap(\.changes).map(\.changedPersistentIdentifier)
            try trial.equal(told.sorted(), rows.sorted(), "the rows that it tells of")
        }
        add("nothing", "A save without changes is no transaction", []) { trial in
            var open = try opened(trial)
            try open.insert("ann")
            _ = try open.requests.save()
            try trial.equal(try open.history.fetch().map(\.author), ["ann"], "the authors")
        }
        add("told-again", "A store that is opened again tells the same", [.reopening]) { trial in
            func told(_ history: SeamHistory) throws -> [String] {
                try history.fetch().map { transaction in
                    let changes = transaction.changes.map { "\($0.changedPersistentIdentifier)" }
                    return "\(transaction.transactionIdentifier) \(transaction.author ?? "-") \(transaction.timestamp) "
                        + changes.joined(separator: " ")
                }
            }
            func write() throws -> [String] {
                var open = try opened(trial)
                try open.insert("ann", "ben")
                return try told(open.history)
            }
            let before = try write()
            try trial.equal(try told(opened(trial).history), before, "the transactions")
        }
    }

    // MARK: Tokens

    private static func tokens(_ add: Add) {
        add("after", "A token leads to what came after it, also when it was encoded", []) { trial in
            var open = try opened(trial)
            try open.insert("ann", "ben", "cid")
            let all = try open.history.fetch()
            for (place, transaction) in all.enumerated() {
                let coded = try JSONDecoder().decode(
                    DefaultHistoryToken.self, from: JSONEncoder().encode(transaction.token))
                try trial.equal(
                    try open.history.after(coded).map(\.author), all[(place + 1)...].map(\.author),
                    "the authors after transaction \(place + 1)")
            }
        }
        add("page", "Order and limit are those of the descriptor", []) { trial in
            var open = try opened(trial)
            try open.insert("ann", "ben", "cid", "dot")
            var descriptor = SeamHistory.Descriptor(
                sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
            descriptor.fetchLimit = 2
            try trial.equal(try open.history.fetch(descriptor).map(\.author), ["dot", "cid"], "the latest two")
            descriptor.sortBy = []
            try trial.equal(try open.history.fetch(descriptor).map(\.author), ["ann", "ben"], "the first two")
        }
        add("predicate", "A predicate chooses by what is told", []) { trial in
            var open = try opened(trial)
            try open.insert("ann", "ben", "ann")
            let found = try open.history.fetch(.init(predicate: #Predicate { $0.author == "ann" }))
            let all = try open.history.fetch()
            try trial.equal(found.map(\.token), [all[0].token, all[2].token], "the transactions of one author")
        }
    }

    // MARK: Forgetting

    private static func forgetting(_ add: Add) {
        add("deleted", "What is deleted from the history is gone, the rest and all rows stay", []) { trial in
            var open = try opened(trial)
            try open.insert("ann", "ben", "cid")
            let second = try open.history.fetch()[1].token
            try open.history.delete(.init(predicate: #Predicate { $0.token <= second }))
            try trial.equal(try open.history.fetch().map(\.author), ["cid"], "the authors that are left")
            try trial.equal(try open.requests.fetchCount(FetchDescriptor<Letter>()), 3, "the number of rows")
        }
        add("expired", "A token before what was deleted is refused by name, a later one is not", []) { trial in
            var open = try opened(trial)
            try open.insert("ann", "ben", "cid")
            let all = try open.history.fetch()
            let second = all[1].token
            try open.history.delete(.init(predicate: #Predicate { $0.token <= second }))
            try trial.fails(.historyTokenExpired, when: "asking for what came after the first transaction") {
                _ = try open.history.after(all[0].token)
            }
            try trial.equal(try open.history.after(second).map(\.author), ["cid"], "what came after the second")
            try trial.equal(try open.history.after(all[2].token).count, 0, "the number of those after the last")
        }
        add("expired-later", "It is refused after the store was opened again, too", [.reopening]) { trial in
            func forget() throws -> DefaultHistoryToken {
                var open = try opened(trial)
                try open.insert("ann", "ben")
                let first = try open.history.fetch()[0].token
                try open.history.delete(.init())
                return first
            }
            let first = try forget()
            let open = try opened(trial)
            try trial.fails(.historyTokenExpired, when: "asking for what came after the first transaction") {
                _ = try open.history.after(first)
            }
        }
        add("not-reused", "Identifiers of deleted transactions are not given out again", []) { trial in
            var open = try opened(trial)
            try open.insert("ann", "ben")
            let last = try open.history.fetch()[1]
            try open.history.delete(.init())
            try trial.equal(try open.history.fetch().count, 0, "the number of transactions that are left")
            try open.insert("cid")
            let next = try open.history.fetch()
            try trial.equal(next.map(\.author), ["cid"], "the authors")
            try trial.expect(
                next[0].transactionIdentifier > last.transactionIdentifier, "the identifier is a later one")
            try trial.equal(try open.history.after(last.token).map(\.author), ["cid"], "what came after the last")
        }
        add("erased", "Erasing ends the history along with the rows", [.erasing]) { trial in
            var open = try opened(trial)
            try open.insert("ann", "ben")
            try open.requests.store.erase()
            try trial.equal(try open.history.fetch().count, 0, "the number of transactions")
            try open.insert("cid")
            try trial.equal(try open.history.fetch().map(\.author), ["cid"], "the authors afterwards")
        }
    }
}

@Model final class Letter {
    @Attribute(.preserveValueOnDeletion) var code: String
    var title: String
    var pages: Int?

    init(code: String, title: String) {
        self.code = code
        self.title = title
    }
}
