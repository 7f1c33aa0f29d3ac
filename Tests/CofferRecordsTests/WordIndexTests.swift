import Foundation
import Testing

@testable import CofferCore
@testable import CofferRecords

/// The index of words of stores of records.
@Suite("Records: words") struct WordIndexTests {
    enum First {
        @Model final class Note {
            #FullText<Note>([\.title, \.text])
            #Unique<Note>([\.code])
            var code: Int
            var title: String
            var text: String?
            init() {
                code = 0
                title = ""
            }
        }
    }

    enum Other {
        @Model final class Note {
            #FullText<Note>([\.title])
            #Unique<Note>([\.code])
            var code: Int
            var title: String
            var text: String?
            init() {
                code = 0
                title = ""
            }
        }
    }

    enum Plain {
        @Model final class Note {
            #Unique<Note>([\.code])
            var code: Int
            var title: String
            var text: String?
            init() {
                code = 0
                title = ""
            }
        }
    }

    static let words = ["sea", "seal", "sun", "Sün", "moon", "東京", String(repeating: "long", count: 40)]

    /// The entries that the rows ask for.
    func expected(_ shop: Workshop) throws -> Set<[UInt8]> {
        let space = try #require(shop.store.layout.space(of: "Note"))
        let index = try #require(space.words)
        var entries: Set<[UInt8]> = []
        for (key, row) in try shop.rows("Note") {
            for number in index.fields {
                guard case .text(let text)? = row[space.fields[number].property] else { continue }
                for word in TextWords.words(of: text) {
                    entries.insert(
                        Array(word.utf8) + [0, 0, UInt8(number)] + withUnsafeBytes(of: key.bigEndian) { Array($0) })
                }
            }
        }
        return entries
    }

    func stored(_ shop: Workshop) throws -> Set<[UInt8]> {
        let index = try #require(shop.store.layout.space(of: "Note")?.words)
        var entries: Set<[UInt8]> = []
        try shop.store.engine.read { reader in
            try reader.scan(index.table, .all) { key, _ in
                entries.insert(Array(key))
                return true
            }
        }
        return entries
    }

    func text(_ random: inout Workshop.Generator) -> StoredValue {
        let count = Int.random(in: 0...5, using: &random)
        return .text((0..<count).map { _ in Self.words.randomElement(using: &random)! }.joined(separator: " "))
    }

    @Test(arguments: TestEngine.allCases)
    func isInStepWithTheRows(_ engine: TestEngine) throws {
        var random = Workshop.Generator(state: 99)
        let shop = try Workshop(engine, First.Note.self)
        for round in 0..<12 {
            let keys = try shop.rows("Note").keys.sorted()
            // Some of the codes are taken, and update the rows that have them.
            let new = (1...10).map { number -> (Int64, Workshop.Row) in
                let code = Int64.random(in: 0...60, using: &random) * 12 + Int64(number)
                return (Int64(-number), ["code": .integer(code), "title": text(&random), "text": .null])
            }
            let moved = keys.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            let changed = moved.map { key -> (Int64, Workshop.Row) in
                (key, Bool.random(using: &random) ? ["text": text(&random)] : ["title": text(&random), "text": .null])
            }
            let dead = keys.filter { !moved.contains($0) && Int.random(in: 0..<8, using: &random) == 0 }
            try shop.save(
                insert: [shop.batch("Note", new)], update: [shop.batch("Note", changed)], delete: [("Note", dead)])
            #expect(try stored(shop) == expected(shop), "round \(round)")
        }
        #expect(try !stored(shop).isEmpty)
        try shop.store.erase()
        #expect(try stored(shop).isEmpty)
    }

    @Test(arguments: TestEngine.allCases)
    func givesWhatAFilterOfAllRowsGives(_ engine: TestEngine) throws {
        var random = Workshop.Generator(state: 5)
        let shop = try Workshop(engine, First.Note.self)
        let plain = try Workshop(engine, Plain.Note.self)
        let rows = (1...200).map { number -> (Int64, Workshop.Row) in
            (
                Int64(-number),
                ["code": .integer(Int64(number)), "title": text(&random), "text": text(&random)]
            )
        }
        for shop in [shop, plain] { try shop.save(insert: [shop.batch("Note", rows)]) }
        let slots = ["code": 0, "title": 1, "text": 2]
        func property(_ name: String) -> FilterExpression {
            .property(
                FilterPath(
                    variable: .row(of: "Note"), steps: [FilterStep(slot: slots[name]!, name: name)],
                    type: FilterType(.scalar(name == "code" ? .integer : .text), isOptional: name == "text")))
        }
        for _ in 0..<300 {
            var query = ""
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                query += ["", "", "-", "\"", "OR "].randomElement(using: &random)!
                query += Self.words.randomElement(using: &random)!
                query += [" ", " ", "* ", "\" "].randomElement(using: &random)!
            }
            let texts = [["title"], ["text"], ["title", "text"]].randomElement(using: &random)!.map(property)
            var filter = FilterExpression.fullText(texts, .constant(.text(query), FilterType(.scalar(.text))))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: filter = .not(filter)
            case 1:
                filter = .all([
                    filter,
                    .compare(.less, property("code"), .constant(.integer(90), FilterType(.scalar(.integer)))),
                ])
            default: break
            }
            var plan = FetchPlan(entityName: "Note", filter: filter)
            if Bool.random(using: &random) { plan.sort = [SortKey(path: [0], isDescending: true)] }
            if Bool.random(using: &random) { plan.limit = 7 }
            #expect(
                try shop.fetch(plan).map(\.key) == plain.fetch(plan).map(\.key), "\(filter) \(query.debugDescription)")
        }
    }

    @Test func countsAndSearchesReadOnlyWhatMatches() throws {
        let engine = CountingEngine(MemoryEngine(maximumKeySize: 511))
        let store = try RecordStoreCore(name: "test", schema: Schema([First.Note.self]), engine: engine)
        let batch = RowBatch(entityName: "Note", width: 3, storeIdentifier: nil)
        for number in 1...100 {
            let row = batch.appendRow(key: Int64(-number))
            batch.set(.integer(Int64(number)), row: row, slot: 0)
            batch.set(.text(number % 10 == 0 ? "rare sea \(number)" : "sea \(number)"), row: row, slot: 1)
            batch.set(.text("text"), row: row, slot: 2)
        }
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = [batch]
        _ = try store.commit(changes)
        func reads(_ predicate: Predicate<First.Note>, _ body: (FetchPlan) throws -> Int) throws -> (Int, Int) {
            let plan = FetchPlan(entityName: "Note", filter: try PredicateLowering.filter(predicate))
            engine.rows = 0
            let found = try body(plan)
            return (found, engine.rows)
        }
        func fetch(_ predicate: Predicate<First.Note>) throws -> (Int, Int) {
            try reads(predicate) { try store.fetchKeys($0).count }
        }
        func count(_ predicate: Predicate<First.Note>) throws -> (Int, Int) {
            try reads(predicate) { try store.countRows($0) }
        }
        #expect(try fetch(#Predicate { $0.matchesFullText("rare") }) == (10, 10))
        #expect(try fetch(#Predicate { $0.matchesFullText("rare sea 3*") }) == (1, 1))
        #expect(try fetch(#Predicate { $0.matchesFullText("\"rare sea\" text") }) == (10, 10))
        #expect(try fetch(#Predicate { $0.matchesFullText("sea -rare 1*") }) == (10, 10))
        let onOptional = #Predicate<First.Note> { $0.text?.matchesFullText("rare") == true }
        let filter = try PredicateLowering.filter(onOptional)
        #expect(try fetch(onOptional) == (0, 0), "\(filter)")
        #expect(try fetch(#Predicate { $0.matchesFullText("rare") && $0.code > 50 }) == (5, 10))
        #expect(try fetch(#Predicate { $0.code == 7 && $0.matchesFullText("sea") }) == (1, 1))
        #expect(try count(#Predicate { $0.matchesFullText("sea") }) == (100, 0))
        #expect(try count(#Predicate { $0.title.matchesFullText("rare OR 7") }) == (11, 0))
        #expect(try count(#Predicate { $0.matchesFullText("\"sea rare\"") }) == (0, 10))
    }

    @Test(arguments: TestEngine.allCases)
    func isMadeAndDroppedWithItsDeclaration(_ engine: TestEngine) throws {
        let folder = try TestEngine.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let memory = engine == .memory ? try engine.open(folder) : nil
        func open(_ type: any PersistentModel.Type) throws -> RecordStoreCore {
            try RecordStoreCore(name: "test", schema: Schema([type]), engine: memory ?? engine.open(folder))
        }
        func close(_ store: RecordStoreCore) { if memory == nil { store.close() } }
        func names(_ store: RecordStoreCore) -> [String] {
            store.layout.tables.map(\.name).filter { $0.contains("~") }
        }
        func entries(_ store: RecordStoreCore) throws -> Int {
            let index = try #require(store.layout.space(of: "Note")?.words)
            return try store.engine.read { try $0.count(index.table) }
        }
        let plain = try open(Plain.Note.self)
        let batch = RowBatch(entityName: "Note", width: 3, storeIdentifier: nil)
        for number in 1...3 {
            let row = batch.appendRow(key: Int64(-number))
            batch.set(.integer(Int64(number)), row: row, slot: 0)
            batch.set(.text("a a b"), row: row, slot: 1)
            batch.set(.text("c"), row: row, slot: 2)
        }
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = [batch]
        _ = try plain.commit(changes)
        #expect(names(plain).isEmpty)
        close(plain)
        let first = try open(First.Note.self)
        #expect(try names(first) == ["Note~title,text"] && entries(first) == 9)
        close(first)
        let other = try open(Other.Note.self)
        #expect(try names(other) == ["Note~title"] && entries(other) == 6)
        close(other)
        let none = try open(Plain.Note.self)
        #expect(names(none).isEmpty)
        let gone = RecordTable(name: "Note~title", role: .metadata, index: none.layout.tables.count)
        // LMDB keeps the name, with nothing in it.
        let isThere = try none.engine.read { try $0.openTable(gone) && $0.count(gone) > 0 }
        #expect(!isThere)
        none.close()
    }

    @Test func wordsLongerThanAKeyAreCut() throws {
        let engine = MemoryEngine(maximumKeySize: 64)
        let store = try RecordStoreCore(name: "test", schema: Schema([First.Note.self]), engine: engine)
        let batch = RowBatch(entityName: "Note", width: 3, storeIdentifier: nil)
        let long = String(repeating: "x", count: 60)
        for (number, end) in ["a", "b", "a c", ""].enumerated() {
            let row = batch.appendRow(key: Int64(-number - 1))
            batch.set(.integer(Int64(number)), row: row, slot: 0)
            batch.set(.text(long + end), row: row, slot: 1)
        }
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = [batch]
        _ = try store.commit(changes)
        for (query, keys) in [
            (long + "a", [1, 3]), (long, [4]), (long + "*", [1, 2, 3, 4]), (long + "b*", [2]), ("c -\(long)b", [3]),
            ("c -\(long)a", []),
        ] as [(String, [Int64])] {
            let predicate = #Predicate<First.Note> { $0.matchesFullText(query) }
            let plan = FetchPlan(entityName: "Note", filter: try PredicateLowering.filter(predicate))
            #expect(try store.fetchKeys(plan) == keys, "\(query)")
            #expect(try store.countRows(plan) == keys.count, "\(query)")
        }
    }
}

/// Counts the records of rows that are read.
final class CountingEngine: RecordEngine, @unchecked Sendable {
    private let base: any RecordEngine
    var rows = 0

    init(_ base: any RecordEngine) { self.base = base }

    var maximumKeySize: Int { base.maximumKeySize }
    var path: String? { nil }
    var isReadOnly: Bool { base.isReadOnly }
    func read<T>(_ body: (any RecordReader) throws -> T) throws -> T {
        try base.read { try body(Reader(base: $0, engine: self)) }
    }
    func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T { try base.write(body) }
    func close() { base.close() }

    private final class Reader: RecordReader {
        let base: any RecordReader
        let engine: CountingEngine

        init(base: any RecordReader, engine: CountingEngine) {
            self.base = base
            self.engine = engine
        }

        private func note(_ table: RecordTable) { if case .rows = table.role { engine.rows += 1 } }

        func openTable(_ table: RecordTable) throws -> Bool { try base.openTable(table) }
        func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
            note(table)
            return try base.get(table, key)
        }
        func scan(
            _ table: RecordTable, _ range: KeyRange, descending: Bool,
            _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
        ) throws {
            try base.scan(table, range, descending: descending) {
                note(table)
                return try body($0, $1)
            }
        }
        func count(_ table: RecordTable) throws -> Int { try base.count(table) }
        func pause<T>(_ body: () throws -> T) throws -> T { try base.pause(body) }
    }
}
