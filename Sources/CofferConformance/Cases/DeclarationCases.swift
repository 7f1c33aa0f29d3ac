import CofferCore
import Foundation

/// What a store says of itself holds: what it lacks is refused by the standard error, what it has works.
enum DeclarationCases {
    static func add(_ cases: inout CaseList) {
        cases.add("constant", "What a store declares does not change while it is open") { trial in
            let requests = try trial.requests()
            let before = requests.store.capabilities
            let identifier = requests.store.identifier
            _ = try requests.save(inserted: [requests.snapshot(Ship("Argo"))])
            _ = try requests.fetch(FetchDescriptor<Ship>())
            try trial.equal(requests.store.capabilities, before, "the capabilities")
            try trial.equal(requests.store.identifier, identifier, "the identifier")
        }
        cases.add("schema", "A store has the schema that it was opened with") { trial in
            let store = try trial.store()
            try trial.equal(
                store.schema.entities.map(\.name).sorted(), trial.schema.entities.map(\.name).sorted(), "the entities")
        }
        cases.add("configuration", "Configurations of one place are equal, those of two places are not") { trial in
            let other = try ConformancePlace()
            defer { try? trial.subject.remove(other) }
            let first = AnyHashable(try trial.subject.configuration(at: trial.place))
            let again = AnyHashable(try trial.subject.configuration(at: trial.place))
            try trial.equal(first, again, "two configurations of one place")
            if trial.has(.reopening) {
                try trial.expect(first != AnyHashable(try trial.subject.configuration(at: other)), "two places differ")
            }
        }
        cases.add("limit", "A value as large as the store declares is kept, or refused by name", needs: [.rows]) {
            trial in
            let rows = try trial.rows()
            // More than a few megabytes would test the machine.
            let limit = min(rows.store.capabilities.maximumValueSize ?? 1 << 20, 1 << 20)
            let text = String(repeating: "x", count: limit)
            let keys = try rows.insert("Skill", [["label": .text(text)]])
            try trial.expect(
                try rows.values("Skill", "label")[keys[0]] == .text(text), "a value of \(limit) bytes is kept")
        }
        cases.add("too-large", "A value beyond a small limit is refused by name, and nothing is stored", needs: [.rows])
        {
            trial in
            let rows = try trial.rows()
            guard let limit = rows.store.capabilities.maximumValueSize, limit < 1 << 24 else { return }
            try trial.fails(.valueTooLarge, when: "saving \(limit + 1) bytes") {
                try rows.insert("Skill", [["label": .text(String(repeating: "x", count: limit + 1))]])
            }
            try trial.equal(try rows.all("Skill").count, 0, "the number of rows")
        }
        cases.add("no-filter", "A store that does not filter hands the condition back", refuses: .filtering) { trial in
            let requests = try trial.requests()
            try trial.refuses(.preferInMemoryFilter, when: "a request with a condition") {
                _ = try requests.fetch(FetchDescriptor<Ship>(predicate: #Predicate { $0.tonnage > 1 }))
            }
        }
        cases.add("no-sort", "A store that does not sort hands the order back", refuses: .sorting) { trial in
            let requests = try trial.requests()
            try trial.refuses(.preferInMemorySort, when: "a request with an order") {
                _ = try requests.fetch(FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.tonnage)]))
            }
        }
        cases.add("no-erase", "A store that cannot be erased says so, and keeps everything", refuses: .erasing) {
            trial in
            try trial.tell()
            try trial.refuses(.unsupportedFeature, when: "erasing") { try trial.container().erase() }
            try trial.read { try trial.equal(try $0.count(Ship.self), 3, "the number of ships") }
        }
        cases.add(
            "no-batch-delete", "A store that does not delete by predicate says so, and keeps everything",
            needs: [.batching, .reopening], refuses: .batchDelete
        ) { trial in
            try trial.tell()
            trial.close()
            try trial.refuses(.unsupportedFeature, when: "deleting by predicate") {
                // To hand the condition back is the other way to say so.
                do { try deleteShips(try trial.store()) } catch DataStoreError.preferInMemoryFilter {
                    throw DataStoreError.unsupportedFeature
                }
            }
            try trial.read { try trial.equal(try $0.count(Ship.self), 3, "the number of ships") }
        }
        cases.add(
            "batch-delete", "A store that deletes by predicate deletes the rows that match, and no other",
            needs: [.batching, .batchDelete, .reopening]
        ) { trial in
            try trial.tell()
            trial.close()
            try deleteShips(try trial.store())
            try trial.read { context in
                try trial.equal(try context.all(Ship.self).map(\.name).sorted(), ["Argo", "Cutty"], "the ships")
                try trial.equal(try context.count(Sailor.self), 8, "the number of sailors")
            }
        }
    }

    private static func deleteShips(_ store: any DataStore) throws {
        guard let store = store as? any DataStoreBatching else { return }
        try store.delete(
            DataStoreBatchDeleteRequest<Ship>(
                editingState: EditingState(), predicate: #Predicate { $0.name == "Beagle" }, includeSubclasses: true))
    }
}
