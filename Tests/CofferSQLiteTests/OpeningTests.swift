import CSQLite
import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// What is opened, what is refused, and that a refused file stays as it is.
@Suite struct OpeningTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    /// Expects that opening fails with a code, names the place, and changes nothing.
    @discardableResult
    func refused(
        _ code: SwiftDataError.Code, allowsSave: Bool = true, schema: Schema? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> SwiftDataError? {
        let before = try shop.contents()
        let error = expect(code, location) { try shop.open(allowsSave: allowsSave, schema: schema) }
        #expect(error?.operation == .open, sourceLocation: location)
        #expect(error?.store == "test", sourceLocation: location)
        #expect(error?.file == shop.url.path, sourceLocation: location)
        #expect(error?.detail != nil, sourceLocation: location)
        #expect(try shop.contents() == before, sourceLocation: location)
        return error
    }

    /// A closed store with one row.
    func makeStore() throws {
        let store = try shop.open()
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("Rome")])])])
        store.close()
        #expect(try shop.contents().keys.sorted() == ["store.sqlite"])
    }

    func patch(_ offset: Int, _ bytes: [UInt8]) throws {
        var data = try Data(contentsOf: shop.url)
        data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        try data.write(to: shop.url)
    }

    @Test func aNewFileIsAStore() throws {
        let store = try shop.open()
        #expect(UUID(uuidString: store.identifier) != nil)
        #expect(try shop.sql("PRAGMA application_id") == ["\(SQLiteFile.applicationID)"])
        #expect(try shop.sql("PRAGMA user_version") == ["1"])
        #expect(try shop.sql("PRAGMA journal_mode") == ["wal"])
        #expect(
            try shop.sql("SELECT name FROM _coffer ORDER BY name")
                == ["fingerprint", "format", "identifier"]
                + shop.schema.entities.map { "next key of \($0.name)" }.sorted() + ["schema"])
        let identifier = store.identifier
        store.close()
        #expect(try shop.contents().keys.sorted() == ["store.sqlite"])
        #expect(try shop.open().identifier == identifier)
        try shop.expectSound()
    }

    @Test func anEmptyFileIsANewStore() throws {
        try Data().write(to: shop.url)
        #expect(throws: Never.self) { try shop.open() }
        #expect(try shop.sql("SELECT count(*) FROM Trip") == ["0"])
    }

    @Test func otherFilesAreNotTouched() throws {
        for data in [Data("hello".utf8), Data(repeating: 0, count: 4096), Data("SQLite format 3\0".utf8)] {
            try data.write(to: shop.url)
            try refused(.corruptStore)
            try refused(.corruptStore, allowsSave: false)
        }
        try FileManager.default.removeItem(at: shop.url)
        _ = try shop.sql("CREATE TABLE mine (x)")
        try refused(.corruptStore)
        try refused(.corruptStore, allowsSave: false)
    }

    @Test func foldersAndMissingPlacesAreNamed() throws {
        try refused(.storeNotFound, allowsSave: false)
        try FileManager.default.createDirectory(at: shop.url, withIntermediateDirectories: false)
        try refused(.corruptStore)
        try refused(.corruptStore, allowsSave: false)
        for path in ["missing/store.sqlite", "store.sqlite/../none/x.sqlite"] {
            let url = shop.folder.appendingPathComponent(path)
            let configuration = SQLiteStoreConfiguration("test", schema: shop.schema, url: url)
            let error = expect(.storeNotFound) { try SQLiteStore(configuration, migrationPlan: nil) }
            #expect(error?.file == url.standardizedFileURL.path)
        }
        let web = SQLiteStoreConfiguration(schema: shop.schema, url: URL(string: "https://example.com/x.sqlite")!)
        expect(.storeNotFound) { try SQLiteStore(web, migrationPlan: nil) }
        let file = shop.folder.appendingPathComponent("file")
        try Data([1]).write(to: file)
        let below = SQLiteStoreConfiguration(schema: shop.schema, url: file.appendingPathComponent("x.sqlite"))
        expect(.storeNotFound) { try SQLiteStore(below, migrationPlan: nil) }
    }

    #if os(Linux)
    @Test func placesThatMayNotBeWrittenAreNamed() throws {
        // A file system that nobody may write to, not even root.
        let url = URL(fileURLWithPath: "/proc/coffer.sqlite")
        let error = #expect(throws: SwiftDataError.self) {
            try SQLiteStore(SQLiteStoreConfiguration(schema: shop.schema, url: url), migrationPlan: nil)
        }
        #expect(error?.code == .storeNotWritable || error?.code == .ioFailure)
        #expect(error?.file == url.path)
    }
    #endif

    @Test func rightsAreRespected() throws {
        try makeStore()
        // Root may do anything.
        guard getuid() != 0 else { return }
        chmod(shop.url.path, 0o444)
        try refused(.storeNotWritable)
        chmod(shop.folder.path, 0o555)
        defer { chmod(shop.folder.path, 0o755) }
        #expect(try shop.rows(shop.open(allowsSave: false), "Trip").count == 1)
        chmod(shop.url.path, 0o644)
        try refused(.storeNotWritable)
    }

    @Test func truncatedFilesAreNamed() throws {
        try makeStore()
        let whole = try Data(contentsOf: shop.url)
        for size in [1, 50, 99, 100, 1000, 4096, 5000, 8192, whole.count - 4096, whole.count - 1] {
            try whole.prefix(size).write(to: shop.url)
            try refused(.corruptStore)
            try refused(.corruptStore, allowsSave: false)
        }
        try whole.write(to: shop.url)
        #expect(try shop.rows(shop.open(), "Trip").count == 1)
    }

    @Test func newerFormatsAreNamed() throws {
        try makeStore()
        try patch(60, [0, 0, 0, 2])
        try refused(.newerStoreFormat)
        try refused(.newerStoreFormat, allowsSave: false)
    }

    @Test func damagedPagesAreNamed() throws {
        try makeStore()
        let whole = try Data(contentsOf: shop.url)
        // The table of tables.
        try patch(100, Array(repeating: 0xFF, count: 3996))
        try refused(.corruptStore)
        try refused(.corruptStore, allowsSave: false)
        // Everything but the header page: the metadata is among it.
        try whole.write(to: shop.url)
        try patch(4096, Array(repeating: 0xAB, count: whole.count - 4096))
        try refused(.corruptStore)
        try refused(.corruptStore, allowsSave: false)
    }

    @Test func damageOfRowsIsNamedWhenTheyAreRead() throws {
        let store = try shop.open()
        let rows = (1...2000).map { (Int64(-$0), ["name": StoredValue.text(String(repeating: "x", count: 100))]) }
        try shop.save(store, insert: [shop.batch("Trip", rows)])
        store.close()
        let size = try Data(contentsOf: shop.url).count
        try patch(size - 20 * 4096, Array(repeating: 0xAB, count: 10 * 4096))
        for allowsSave in [true, false] {
            let damaged = try shop.open(allowsSave: allowsSave)
            let error = expect(.corruptStore) { try shop.rows(damaged, "Trip") }
            #expect(error?.operation == .fetch)
            #expect(error?.entity == "Trip")
            damaged.close()
        }
    }

    @Test func metadataMustBeThere() throws {
        try makeStore()
        _ = try shop.sql("DELETE FROM _coffer WHERE name = 'identifier'")
        try refused(.corruptStore)
        _ = try shop.sql("DROP TABLE _coffer")
        try refused(.corruptStore)
    }

    @Test func readingOnlyWritesNothing() throws {
        try makeStore()
        let before = try shop.contents()
        let store = try shop.open(allowsSave: false)
        #expect(try shop.rows(store, "Trip").count == 1)
        #expect(try shop.contents() == before)
        for change in [
            { try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])]) },
            { try store.erase() } as () throws -> Any,
        ] {
            let error = expect(.storeNotWritable) { try change() }
            #expect(error?.store == "test")
        }
        store.close()
        #expect(try shop.contents() == before)
    }

    @Test func readingOnlySeesWhatOthersWrite() throws {
        try makeStore()
        let reader = try shop.open(allowsSave: false)
        #expect(try shop.rows(reader, "Trip").count == 1)
        let writer = try shop.open()
        for count in 2...5 {
            try shop.save(writer, insert: [shop.batch("Trip", [(-1, ["name": .text("\(count)")])])])
            #expect(try shop.rows(reader, "Trip").count == count)
        }
        writer.close()
        #expect(try shop.rows(reader, "Trip").count == 5)
        let again = try shop.open()
        try shop.save(again, delete: [("Trip", [1])])
        again.close()
        #expect(try shop.rows(reader, "Trip").count == 4)
    }

    @Test func closedStoresSaySo() throws {
        let store = try shop.open()
        store.close()
        expect(.storeClosed) { try shop.rows(store, "Trip") }
        expect(.storeClosed) { try shop.save(store, delete: [("Trip", [1])]) }
    }

    @Test func erasingKeepsNothingButTheCounters() throws {
        let store = try shop.open()
        let first = try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])])[0][0]
        try store.erase()
        #expect(try shop.rows(store, "Trip").isEmpty)
        let second = try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])])[0][0]
        #expect(second > first)
        store.close()
        let third = try shop.save(try shop.open(), insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])])[0][0]
        #expect(third > second)
        try shop.expectSound()
    }
}
