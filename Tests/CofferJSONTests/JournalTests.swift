import CofferCore
import Foundation
import Testing

@testable import CofferJSON

/// Saves of a large archive go into a journal beside it, and nothing that a save returned for is lost.
@Suite struct JournalTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    /// An archive that is large enough for a journal, with one trip.
    private func makeLarge(_ use: Workshop.Use = .dying, size: Int = 70_000) throws -> JSONArchiveStore {
        let store = try shop.open(use)
        let text = String(repeating: "x", count: size)
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(text)])])])
        return store
    }

    private func insert(_ name: String, _ store: JSONArchiveStore) throws {
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(name)])])])
    }

    private func names(_ store: JSONArchiveStore) throws -> [String] {
        try shop.rows(store, "Trip").sorted { $0.key < $1.key }.dropFirst().compactMap {
            if case .text(let text)? = $0.value["name"] { text } else { nil }
        }
    }

    private func journal() throws -> [UInt8] { try Array(Data(contentsOf: shop.journalURL)) }

    /// The journal's lines, with their ends.
    private func lines() throws -> [[UInt8]] {
        try journal().split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
    }

    @Test func aSmallSaveAppendsALine() throws {
        let store = try makeLarge()
        let document = try shop.text()
        try insert("a", store)
        try insert("b", store)
        #expect(try shop.text() == document)
        let lines = try lines().map { String(decoding: $0.dropFirst(9).dropLast(), as: UTF8.self) }
        let rows = lines.map { $0.components(separatedBy: #", "history": "#)[0] }
        #expect(
            lines.dropFirst().allSatisfy {
                $0.hasSuffix(#"[{"insert": "Trip", "keys": "\#($0.contains(#""a""#) ? 2 : 3)"}]}]}"#)
            })
        #expect(
            rows == [
                #"{"coffer journal": 2, "identifier": "\#(store.identifier)", "generation": 2}"#,
                #"{"save": 1, "rows": {"Trip": [{"$id": 2, "name": "a"}]}, "next keys": {"Trip": 3}"#,
                #"{"save": 2, "rows": {"Trip": [{"$id": 3, "name": "b"}]}, "next keys": {"Trip": 4}"#,
            ])
        #expect(try names(try shop.open()) == ["a", "b"])
    }

    @Test func aSaveCostsWhatItChanges() throws {
        var sizes: [Int] = []
        for size in [70_000, 700_000] {
            let shop = try Workshop(Trip.self)
            let store = try shop.open(.dying)
            let rows = (1...size / 70).map {
                (Int64(-$0), ["name": StoredValue.text(String(repeating: "x", count: 70))])
            }
            try shop.save(store, insert: [shop.batch("Trip", rows)])
            let stamp = FileStamp(shop.url.path)
            try shop.save(store, update: [shop.batch("Trip", [(500, ["days": .integer(1)])])])
            #expect(FileStamp(shop.url.path) == stamp)
            sizes.append(try Data(contentsOf: shop.journalURL).count)
        }
        #expect(sizes[0] == sizes[1])
    }

    @Test func deletionsListsAndLinksAreReplayed() throws {
        let store = try makeLarge()
        try shop.save(
            store,
            insert: [
                shop.batch(
                    "Trip",
                    [
                        (-1, ["name": .text("a"), "tags": shop.keys([-11, -12], of: "Tag")]),
                        (-2, ["name": .text("b")]),
                    ]),
                shop.batch("Tag", [(-11, ["label": .text("sun")]), (-12, ["label": .text("city")])]),
                shop.batch(
                    "Stop", (21...24).map { (Int64(-$0), ["title": .text("\($0)"), "trip": shop.key(-1, of: "Trip")]) }),
            ])
        func check(_ store: JSONArchiveStore) throws {
            let again = try shop.open(.dying)
            #expect(try shop.tables(again) == shop.tables(store))
        }
        try check(store)
        try shop.save(store, update: [shop.batch("Trip", [(2, ["stops": shop.keys([3, 1, 2, 4], of: "Stop")])])])
        try check(store)
        try shop.save(store, update: [shop.batch("Stop", [(1, ["trip": shop.key(3, of: "Trip")])])])
        try check(store)
        try shop.save(store, update: [shop.batch("Trip", [(3, ["tags": shop.keys([2, 1], of: "Tag")])])])
        try check(store)
        try shop.save(store, delete: [("Tag", [1])])
        try check(store)
        try shop.save(store, delete: [("Trip", [2])])
        try check(store)
        #expect(try shop.rows(store, "Stop")[2]?["trip"] == nil)
        #expect(try lines().count == 7)
    }

    // MARK: Torn ends

    @Test func aTornLastLineIsCutAtAnyByte() throws {
        let store = try makeLarge()
        try insert("kept", store)
        try insert("torn", store)
        store.close()
        let whole = try journal()
        let last = try #require(try lines().last)
        let sound = whole.count - last.count
        for size in sound..<whole.count {
            let torn = Data(whole[..<size])
            try torn.write(to: shop.journalURL)
            let reader = try shop.open(.dying, allowsSave: false)
            #expect(try names(reader) == ["kept"])
            #expect(try Data(contentsOf: shop.journalURL) == torn)
            let writer = try shop.open(.dying)
            #expect(try names(writer) == ["kept"])
            #expect(try journal().count == sound)
            try insert("new", writer)
            #expect(try names(reader) == ["kept", "new"])
        }
    }

    @Test func aLastLineWithWrongBytesIsCut() throws {
        let store = try makeLarge()
        try insert("kept", store)
        try insert("torn", store)
        store.close()
        let whole = try journal()
        let last = try #require(try lines().last)
        for offset in stride(from: whole.count - last.count, to: whole.count - 1, by: 7) {
            var damaged = whole
            damaged[offset] = damaged[offset] == 0 ? 1 : 0
            try Data(damaged).write(to: shop.journalURL)
            #expect(try names(try shop.open(.dying, allowsSave: false)) == ["kept"])
        }
    }

    @Test func aJournalWithoutASoundFirstLineIsNone() throws {
        let store = try makeLarge()
        try insert("torn", store)
        store.close()
        let header = try #require(try lines().first)
        for size in stride(from: 0, to: header.count, by: 11) {
            try Data(header[..<size]).write(to: shop.journalURL)
            #expect(try names(try shop.open(.dying, allowsSave: false)).isEmpty)
            #expect(shop.hasJournal)
            let writer = try shop.open(.dying)
            #expect(!shop.hasJournal)
            try insert("new", writer)
            #expect(try names(try shop.open(.dying)) == ["new"])
            try FileManager.default.removeItem(at: shop.journalURL)
        }
    }

    @Test func damageBeforeTheEndIsNamedAndLeftAlone() throws {
        let store = try makeLarge()
        for name in ["a", "b", "c"] { try insert(name, store) }
        store.close()
        let lines = try lines()
        var start = 0
        for (number, line) in lines.dropLast().enumerated() {
            for offset in [0, 8, 9, line.count / 2, line.count - 2] {
                var damaged = lines.flatMap { $0 }
                damaged[start + offset] ^= 1
                try Data(damaged).write(to: shop.journalURL)
                let before = try shop.contents()
                for allowsSave in [true, false] {
                    let error = expect(.corruptStore) { try shop.open(.dying, allowsSave: allowsSave) }
                    #expect(error?.detail?.contains("line \(number + 1) of the journal") == true)
                    #expect(error?.file == shop.url.path)
                }
                #expect(try shop.contents() == before)
            }
            start += line.count
        }
    }

    // MARK: Journals and documents that do not belong together

    @Test func aStaleJournalIsIgnoredAndRemoved() throws {
        let store = try makeLarge()
        try insert("a", store)
        let stale = try journal()
        try store.fold()
        #expect(!shop.hasJournal)
        // The process died between the two steps of folding.
        try Data(stale).write(to: shop.journalURL)
        #expect(try names(try shop.open(.dying, allowsSave: false)) == ["a"])
        #expect(try journal() == stale)
        let writer = try shop.open(.dying)
        #expect(!shop.hasJournal)
        try insert("b", writer)
        #expect(try names(try shop.open(.dying)) == ["a", "b"])
    }

    @Test func aJournalOfAnotherArchiveIsNamed() throws {
        let store = try makeLarge()
        try insert("a", store)
        let other = try Workshop(Trip.self)
        try other.open().close()
        let document = try Data(contentsOf: other.url)
        try document.write(to: shop.url)
        let before = try shop.contents()
        expect(.corruptStore) { try shop.open(.dying) }
        expect(.corruptStore) { try shop.open(.dying, allowsSave: false) }
        #expect(try shop.contents() == before)
    }

    @Test func aJournalOfALaterGenerationIsNamed() throws {
        let store = try makeLarge()
        let old = try Data(contentsOf: shop.url)
        try insert("a", store)
        try store.fold()
        try insert("b", store)
        store.close()
        try old.write(to: shop.url)
        let before = try shop.contents()
        let error = expect(.corruptStore) { try shop.open(.dying) }
        #expect(error?.detail?.contains("generation") == true)
        #expect(try shop.contents() == before)
    }

    @Test func aLeftJournalWithoutAnArchiveIsNamed() throws {
        let store = try makeLarge()
        try insert("a", store)
        store.close()
        try FileManager.default.removeItem(at: shop.url)
        let before = try shop.contents()
        expect(.storeNotFound) { try shop.open() }
        #expect(try shop.contents() == before)
    }

    // MARK: Folding

    @Test func closingFoldsTheJournalIn() throws {
        let store = try makeLarge(.shared)
        let other = try shop.open()
        try insert("a", store)
        store.close()
        #expect(shop.hasJournal)
        other.close()
        #expect(try shop.contents().keys.sorted() == ["store.json"])
        #expect(try shop.rowLines().last == #"{"$id": 2, "name": "a"}"#)
    }

    @Test func aConfigurationFoldsWhatAContainerHasOpen() throws {
        let store = try makeLarge(.shared)
        try insert("a", store)
        #expect(shop.hasJournal)
        let configuration = JSONArchiveConfiguration(url: shop.url)
        try configuration.fold()
        #expect(!shop.hasJournal)
        #expect(try shop.rowLines().last == #"{"$id": 2, "name": "a"}"#)
        try insert("b", store)
        store.close()
        // Nobody has it open now, and there is nothing to do.
        let before = try shop.contents()
        try configuration.fold()
        #expect(try shop.contents() == before)
        expect(.storeNotWritable) { try JSONArchiveConfiguration(url: shop.url, allowsSave: false).fold() }
        let nowhere = shop.folder.appendingPathComponent("nowhere.json")
        expect(.storeNotFound) { try JSONArchiveConfiguration(url: nowhere).fold() }
        #expect(!FileManager.default.fileExists(atPath: nowhere.path))
    }

    @Test func readersDoNotFold() throws {
        let store = try makeLarge()
        try insert("a", store)
        store.close()
        let before = try shop.contents()
        let reader = try shop.open(allowsSave: false)
        #expect(try names(reader) == ["a"])
        expect(.storeNotWritable) { try reader.fold() }
        reader.close()
        #expect(try shop.contents() == before)
    }

    @Test func anOvergrownJournalIsFoldedIn() throws {
        let store = try makeLarge()
        let row = [(Int64(1), ["name": StoredValue.text(String(repeating: "y", count: 300_000))])]
        var sizes: [Int] = []
        for _ in 1...5 {
            try shop.save(store, update: [shop.batch("Trip", row)])
            sizes.append((try? journal().count) ?? 0)
        }
        #expect(sizes.map { $0 / 300_000 } == [1, 2, 3, 0, 1])
        #expect(try shop.tables(try shop.open(.dying)) == shop.tables(store))
    }

    @Test func aChangedSchemaRewritesTheDocument() throws {
        let store = try makeLarge()
        try insert("a", store)
        store.close()
        let larger = Schema([Trip.self, Everything.self])
        let changed = try shop.open(.dying, schema: larger)
        #expect(!shop.hasJournal)
        #expect(try names(changed) == ["a"])
        changed.close()
        #expect(try shop.text().contains("\"Everything\": ["))
    }

    @Test func anOpenJournalIsNotLostOnHandEdits() throws {
        let store = try makeLarge()
        try insert("a", store)
        store.close()
        try shop.edit("\"name\": \"xxx", "\"days\": 3, \"name\": \"xxx")
        let again = try shop.open(.dying)
        #expect(try names(again) == ["a"])
        #expect(try shop.rows(again, "Trip")[1]?["days"] == .integer(3))
    }

    @Test func temporaryFilesOfDeadProcessesAreRemoved() throws {
        try shop.open().close()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exit 0"]
        try process.run()
        process.waitUntilExit()
        let dead = ".store.json.coffer-\(process.processIdentifier)-1"
        let living = ".store.json.coffer-\(getppid())-1"
        let others = [
            ".store.json.coffer-notes", "store.json.backup", ".other.json.coffer-\(process.processIdentifier)-1",
        ]
        for name in [dead, living] + others { try Data("x".utf8).write(to: shop.folder.appendingPathComponent(name)) }
        try shop.open(allowsSave: false).close()
        #expect(try shop.contents()[dead] != nil)
        try shop.open().close()
        #expect(try shop.contents().keys.sorted() == ([living, "store.json"] + others).sorted())
    }
}
