import CofferCore
import Testing

@testable import CofferRecords

@Model final class CheckedBook {
    #Index<CheckedBook>([\.title])
    #FullText<CheckedBook>([\.title])
    @Attribute(.unique) var code: Int
    var title: String
    var shelf: CheckedShelf?
    @Relationship(inverse: \CheckedReader.books) var readers: [CheckedReader] = []

    init(_ code: Int, _ title: String) {
        self.code = code
        self.title = title
    }
}

@Model final class CheckedShelf {
    @Relationship(inverse: \CheckedBook.shelf) var books: [CheckedBook] = []

    init() {}
}

@Model final class CheckedReader {
    var books: [CheckedBook] = []

    init() {}
}

/// What is kept twice is compared with the records, and every difference is found.
@Suite struct IndexCheckTests {
    /// A store with two books on a shelf, one of them read.
    private func makeStore() throws -> RecordStoreCore {
        let schema = Schema([CheckedBook.self])
        let core = try RecordStoreCore(name: "checked", schema: schema, engine: MemoryEngine())
        func batch(_ entity: String, _ rows: [(Int64, [String: StoredValue])]) -> RowBatch {
            let names = schema.entitiesByName[entity]?.properties.map(\.name) ?? []
            let batch = RowBatch(entityName: entity, width: names.count, storeIdentifier: core.identifier)
            for (key, values) in rows {
                let row = batch.appendRow(key: key)
                for (slot, name) in names.enumerated() {
                    if let value = values[name] { batch.set(value, row: row, slot: slot) }
                }
            }
            return batch
        }
        func link(_ key: Int64) -> StoredValue {
            .reference(
                PersistentIdentifier(
                    _space: .shared(entityName: "CheckedShelf", storeIdentifier: core.identifier), key: key))
        }
        try core.importRows([batch("CheckedShelf", [(1, [:])]), batch("CheckedReader", [(1, [:])])])
        try core.importRows([
            batch(
                "CheckedBook",
                [
                    (1, ["code": .integer(1), "title": .text("Salt sea"), "shelf": link(1)]),
                    (2, ["code": .integer(2), "title": .text("Dry land"), "shelf": link(1)]),
                ])
        ])
        var changes = RowChanges(editingState: EditingState())
        let slot = schema.entitiesByName["CheckedReader"]?.properties.firstIndex { $0.name == "books" } ?? 0
        let readers = RowBatch(entityName: "CheckedReader", width: 1, storeIdentifier: core.identifier)
        readers.setReferences([1], row: readers.appendRow(key: 1), slot: slot)
        changes.updated = [readers]
        _ = try core.commit(changes)
        return core
    }

    @Test func aStoreThatIsWholeHasNoProblems() throws {
        #expect(try makeStore().checkIndexes().isEmpty)
    }

    /// Removes the first entry of a table, and says what is found then.
    private func problemsWithout(_ isTable: (RecordTable) -> Bool) throws -> [String] {
        let core = try makeStore()
        let found = core.layout.tables.first(where: isTable)
        let table = try #require(found)
        try core.engine.write { writer in
            var first: [UInt8] = []
            try writer.scan(table, .all) { key, _ in
                first = Array(key)
                return false
            }
            try #require(try writer.delete(table, first))
        }
        return try core.checkIndexes().map(\.description)
    }

    @Test func aMissingEntryOfAnIndexIsNamed() throws {
        let problems = try problemsWithout {
            if case .index(_, let properties) = $0.role { properties == ["title"] } else { false }
        }
        #expect(problems == ["CheckedBook 2, title: the index lacks the row"])
    }

    @Test func aMissingLinkIsNamed() throws {
        let problems = try problemsWithout { if case .links = $0.role { true } else { false } }
        #expect(problems == ["CheckedBook 1, shelf: the table of links lacks the row"])
    }

    @Test func aMissingWordIsNamed() throws {
        let problems = try problemsWithout { if case .words = $0.role { true } else { false } }
        #expect(problems == ["CheckedBook 2, full text: the index of words lacks the row"])
    }

    @Test func aPairThatOneSideDoesNotKnowIsNamed() throws {
        let problems = try problemsWithout { if case .pairs = $0.role { true } else { false } }
        #expect(problems.count == 1)
        #expect(problems.first?.contains("a pair is not known to ") == true)
    }

    @Test func aRecordThatIsGoneLeavesEntriesOfNoRow() throws {
        let core = try makeStore()
        let space = try #require(core.layout.space(of: "CheckedBook"))
        _ = try core.engine.write { try $0.delete(space.rows, 2) }
        let problems = try core.checkIndexes().map(\.description)
        #expect(problems.contains("CheckedBook, title: the index has 1 entries of no row"))
        #expect(problems.contains("CheckedBook, shelf: the table of links has 1 entries of no row"))
        #expect(problems.contains("CheckedBook, full text: the index of words has 2 entries of no row"))
    }

    @Test func aRecordThatCannotBeReadIsNamed() throws {
        let core = try makeStore()
        let space = try #require(core.layout.space(of: "CheckedBook"))
        try core.engine.write { writer in
            try withUnsafeBytes(of: Int64(2).bigEndian) { try writer.put(space.rows, Array($0), [1, 2, 3]) }
        }
        #expect(try core.checkIndexes().map(\.description).contains("CheckedBook 2: the record is damaged"))
    }
}
