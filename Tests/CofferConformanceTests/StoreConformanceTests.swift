import CofferConformance
import Foundation
import Testing

/// The README of one of Coffer's own stores. `make ledgers` writes into it what these tests find.
private func readme(_ folder: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Stores/\(folder)/README.md").standardizedFileURL
}

/// Swift Testing's side of the kit, as an author of a store has it.
@Suite("Conformance of the store in memory", .serialized)
struct MemoryConformanceTests {
    static let run = ConformanceRun(MemorySubject())

    @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
    @Test func ledger() throws { try ConformanceDocument(readme("InMemory")).check(Self.run.finish(), of: Self.run) }
}

@Suite("Conformance of the SQLite store", .serialized)
struct SQLiteConformanceTests {
    static let run = ConformanceRun(SQLiteSubject())

    @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
    @Test func ledger() throws { try ConformanceDocument(readme("SQLite")).check(Self.run.finish(), of: Self.run) }
}

@Suite("Conformance of the LMDB store", .serialized)
struct LMDBConformanceTests {
    static let run = ConformanceRun(LMDBSubject())

    @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
    @Test func ledger() throws { try ConformanceDocument(readme("LMDB")).check(Self.run.finish(), of: Self.run) }
}

@Suite("Conformance of the JSON archive", .serialized)
struct JSONConformanceTests {
    static let run = ConformanceRun(JSONSubject())

    @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
    @Test func ledger() throws { try ConformanceDocument(readme("JSON")).check(Self.run.finish(), of: Self.run) }
}

@Suite("Conformance of a store that knows only SwiftData's protocols", .serialized)
struct PlainConformanceTests {
    static let run = ConformanceRun(PlainSubject())

    @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
    @Test func ledger() throws { try Self.run.finish() }
}

@Suite("Conformance of a store with text keys and snapshots of its own", .serialized)
struct TextKeyConformanceTests {
    static let run = ConformanceRun(TextKeySubject())

    @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
    @Test func ledger() throws { try Self.run.finish() }
}
