import CofferCore
import CofferRecords
import Foundation
import Testing

@testable import CofferJSON

/// What is opened, what is refused, and that a refused file stays as it is.
@Suite struct OpeningTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    /// Expects that opening fails with a code, names the place, and changes nothing.
    @discardableResult
    private func refused(
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

    private func insert(_ store: JSONArchiveStore, _ name: String = "x") throws {
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(name)])])])
    }

    /// A closed store with three rows.
    private func makeStore() throws {
        let store = try shop.open()
        for name in ["a", "b", "c"] { try insert(store, name) }
        store.close()
    }

    @Test func aNewFileIsAStore() throws {
        let store = try shop.open()
        #expect(UUID(uuidString: store.identifier) != nil)
        #expect(try shop.contents().keys.sorted() == ["store.json"])
        let identifier = store.identifier
        store.close()
        #expect(try shop.open().identifier == identifier)
        #expect(ArchiveRegistry.count >= 0)
    }

    @Test func aSchemaThatCannotBeKeptMakesNoFile() throws {
        let schema = Schema([Trip.self])
        let place = Schema.Entity("Place", properties: Schema.Attribute(name: "name", valueType: String.self))
        place._rtreeIndices = [["name"]]
        try refused(.unsupportedFeature, schema: Schema(place))
        #expect(try shop.contents().isEmpty)
        #expect(throws: Never.self) { try shop.open(schema: schema) }
    }

    @Test func otherFilesAreNotTouched() throws {
        for text in [
            "", " \n", "hello", "[]", "null", "{}", "{\"rows\": {}}", "{\"a\": {\"b\": [1, \"]\", 2]}}", "{", "\0\0\0",
        ] {
            try shop.write(text)
            try refused(.corruptStore)
            try refused(.corruptStore, allowsSave: false)
        }
        try Data([0xFF, 0xFE, 0x7B]).write(to: shop.url)
        try refused(.corruptStore)
    }

    @Test func truncatedFilesAreNamed() throws {
        try makeStore()
        let whole = try shop.text()
        let count = whole.utf8.count
        for size in Array(stride(from: 0, to: count - 200, by: 41)) + Array(count - 200..<count) {
            try shop.write(String(decoding: Array(whole.utf8.prefix(size)), as: UTF8.self))
            expect(.corruptStore) { try shop.open(allowsSave: false) }
            #expect(try shop.text().utf8.count == size)
        }
        // What opens only for writing leaves alone too.
        for part in [0.2, 0.6, 0.99] {
            try shop.write(String(decoding: whole.utf8.prefix(Int(Double(whole.utf8.count) * part)), as: UTF8.self))
            try refused(.corruptStore)
        }
    }

    @Test func aFileThatIsCutWhileItIsOpenIsNotWrittenOver() throws {
        try makeStore()
        let store = try shop.open()
        let whole = try shop.text()
        let cut = String(decoding: whole.utf8.prefix(whole.utf8.count * 6 / 10), as: UTF8.self)
        try shop.write(cut)
        expect(.corruptStore) { try shop.rows(store, "Trip") }
        expect(.corruptStore) { try insert(store) }
        store.close()
        #expect(try shop.text() == cut)
        #expect(try shop.contents().count == 1)
    }

    @Test func newerFormatsAreNamed() throws {
        try makeStore()
        try shop.edit("\"coffer archive\": 1", "\"what comes later\": [], \"coffer archive\": 2")
        try refused(.newerStoreFormat)
        try refused(.newerStoreFormat, allowsSave: false)
    }

    @Test func metadataMustBeThere() throws {
        try makeStore()
        let whole = try shop.text()
        for name in ["identifier", "schema", "rows"] {
            try shop.write(whole.replacingOccurrences(of: "\"\(name)\":", with: "\"layout of \(name)\":"))
            try refused(.corruptStore)
        }
    }

    @Test func otherSchemasAreNamed() throws {
        try makeStore()
        try refused(.unknownSchema, schema: Schema([Everything.self]))
        try refused(.unknownSchema, allowsSave: false, schema: Schema([Trip.self, Everything.self]))
    }

    @Test func theLastGenerationIsNotCountedOn() throws {
        try makeStore()
        let text = try String(contentsOf: shop.url, encoding: .utf8)
        let last = text.replacing(#/"generation": \d+/#, with: "\"generation\": \(Int64.max)")
        #expect(last != text)
        try last.write(to: shop.url, atomically: true, encoding: .utf8)
        let store = try shop.open()
        defer { store.close() }
        expect(.corruptStore) { try store.core.erase() }
        #expect(try String(contentsOf: shop.url, encoding: .utf8) == last)
    }

    @Test func aLinkThatLeadsNowhereIsNamed() throws {
        let link = shop.folder.appendingPathComponent("link.json")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: shop.folder.appendingPathComponent("gone.json"))
        let configuration = JSONArchiveConfiguration(schema: Schema([Trip.self]), url: link)
        expect(.storeNotFound) { _ = try JSONArchiveStore(configuration, migrationPlan: nil) }
    }

    @Test func foldersAndMissingPlacesAreNamed() throws {
        try refused(.storeNotFound, allowsSave: false)
        try FileManager.default.createDirectory(at: shop.url, withIntermediateDirectories: false)
        try refused(.corruptStore)
        try refused(.corruptStore, allowsSave: false)
        let missing = shop.folder.appendingPathComponent("missing/store.json")
        let error = expect(.storeNotFound) { try shop.open(url: missing) }
        #expect(error?.file == missing.path)
        let long = shop.folder.appendingPathComponent(String(repeating: "x", count: 243) + ".json")
        expect(.configurationFileNameTooLong) { try shop.open(url: long) }
        let longest = shop.folder.appendingPathComponent(String(repeating: "\u{E4}", count: 121) + ".json")
        #expect(throws: Never.self) { try shop.open(url: longest) }
        expect(.storeNotFound) { try shop.open(url: URL(string: "https://example.com/x.json")!) }
    }

    @Test func rightsAreRespected() throws {
        try makeStore()
        // Root may do anything.
        guard getuid() != 0 else { return }
        chmod(shop.url.path, 0o444)
        try refused(.storeNotWritable)
        chmod(shop.folder.path, 0o555)
        defer { chmod(shop.folder.path, 0o755) }
        #expect(try shop.rows(shop.open(allowsSave: false), "Trip").count == 3)
    }

    @Test func readingOnlyWritesNothing() throws {
        try makeStore()
        let before = try shop.contents()
        let store = try shop.open(allowsSave: false)
        #expect(try shop.rows(store, "Trip").count == 3)
        let error = expect(.storeNotWritable) { try insert(store) }
        #expect(error?.store == "test")
        expect(.storeNotWritable) { try store.erase() }
        store.close()
        #expect(try shop.contents() == before)
    }

    @Test func closedStoresSaySo() throws {
        let store = try shop.open()
        store.close()
        expect(.storeClosed) { try shop.rows(store, "Trip") }
        expect(.storeClosed) { try insert(store) }
        expect(.storeClosed) { try store.fold() }
    }

    @Test func aFailedSaveChangesNothing() throws {
        let store = try shop.open()
        let tag = [(Int64(-1), ["label": StoredValue.text("sun")])]
        try shop.save(store, insert: [shop.batch("Tag", tag)])
        try shop.save(store, insert: [shop.batch("Tag", [(-1, ["label": .text("city")])])])
        let (before, tables) = (try shop.contents(), try shop.tables(store))
        expect(.uniquenessConflict) {
            try shop.save(store, update: [shop.batch("Tag", [(2, ["label": .text("sun")])])])
        }
        #expect(try shop.contents() == before)
        #expect(try shop.tables(store) == tables)
    }

    @Test func anArchiveThatIsGoneIsNotMadeAnew() throws {
        let store = try shop.open()
        try insert(store)
        let before = try shop.rows(store, "Trip")
        let moved = shop.folder.appendingPathComponent("moved")
        try FileManager.default.moveItem(at: shop.url, to: moved)
        expect(.storeNotFound) { try insert(store) }
        #expect(!FileManager.default.fileExists(atPath: shop.url.path))
        #expect(try shop.rows(store, "Trip") == before)
        try FileManager.default.moveItem(at: moved, to: shop.url)
        #expect(try shop.rows(store, "Trip") == before)
        try insert(store)
        #expect(try shop.rows(store, "Trip").count == 2)
    }

    @Test func aTableThatNoDocumentHasIsRefused() throws {
        let store = try shop.open()
        let before = try shop.contents()
        let table = RecordTable(name: "strange", role: .metadata, index: store.core.layout.tables.count)
        let error = expect(.unsupportedFeature) {
            try store.core.engine.write { (writer) throws in
                try writer.makeTable(table)
                try writer.put(table, [1], [2])
            }
        }
        #expect(error?.detail?.contains("strange") == true)
        #expect(try shop.contents() == before)
        #expect(try store.core.engine.read { try $0.openTable(table) } == false)
    }

    @Test func aValueThatCannotBeWrittenChangesNothing() throws {
        let store = try shop.open(.dying)
        try insert(store)
        func insertBadText() throws {
            let batch = shop.batch("Trip", [(-1, [:])])
            ([0xFF, 0xFE] as [UInt8]).withUnsafeBytes { batch.setText($0, row: 0, slot: shop.slot("Trip", "name")) }
            try shop.save(store, insert: [batch])
        }
        for _ in 1...2 {
            let (before, rows) = (try shop.contents(), try shop.rows(store, "Trip"))
            let error = expect(.valueEncoding) { try insertBadText() }
            #expect(error?.operation == .save)
            #expect(try shop.contents() == before)
            #expect(try shop.rows(store, "Trip") == rows)
            // The second time the archive is large, and has a journal.
            try insert(store, String(repeating: "x", count: 70_000))
            try insert(store)
        }
        #expect(try shop.tables(try shop.open(.dying)) == shop.tables(store))
    }

    @Test func aJournalThatCannotBeWrittenIsNamed() throws {
        let store = try shop.open(.dying)
        try insert(store, String(repeating: "x", count: 70_000))
        let document = try shop.text()
        try FileManager.default.createDirectory(at: shop.journalURL, withIntermediateDirectories: false)
        let error = expect(.corruptStore) { try insert(store) }
        #expect(error?.file == shop.url.path && error?.detail == "\(shop.journalURL.path) is no regular file")
        #expect(try shop.text() == document)
        try FileManager.default.removeItem(at: shop.journalURL)
        #expect(try shop.rows(store, "Trip").count == 1)
        try insert(store)
        #expect(try shop.tables(try shop.open(.dying)) == shop.tables(store))
    }
}
