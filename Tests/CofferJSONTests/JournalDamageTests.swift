import CofferCore
import Foundation
import Testing

@testable import CofferJSON

/// What lies where a journal should, and journals that somebody has changed.
@Suite struct JournalDamageTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    /// A closed archive with a journal of some saves; its lines with their ends.
    @discardableResult
    private func make(_ names: String...) throws -> [[UInt8]] {
        let store = try shop.open(.dying)
        let text = String(repeating: "x", count: 70_000)
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(text)])])])
        for name in names { try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(name)])])]) }
        store.close()
        if names.isEmpty { return [] }
        let journal = try Array(Data(contentsOf: shop.journalURL))
        return journal.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
    }

    private func line(_ object: String) -> [UInt8] {
        Checksum.digits(object.utf8) + Array(" \(object)\n".utf8)
    }

    /// Expects that a journal is refused and that everything stays as it is.
    private func refused(_ lines: [[UInt8]], _ words: String, _ location: SourceLocation = #_sourceLocation) throws {
        try Data(lines.flatMap { $0 }).write(to: shop.journalURL)
        let before = try shop.contents()
        for allowsSave in [true, false] {
            let error = expect(.corruptStore, location) { try shop.open(.dying, allowsSave: allowsSave) }
            #expect(error?.detail?.contains(words) == true, "\(error?.detail ?? "")", sourceLocation: location)
            #expect(error?.file == shop.url.path && error?.operation == .open, sourceLocation: location)
        }
        #expect(try shop.contents() == before, sourceLocation: location)
    }

    // MARK: Files of others

    @Test func aFileOfSomebodyElseIsLeftAlone() throws {
        try make()
        for text in [
            "my notes\n", "my notes", "deadbeef my notes\n", "{\"coffer journal\": 1}\n", "\n", "00000000 {}\n",
        ] {
            try refused([Array(text.utf8)], "no journal of Coffer's")
        }
        try refused([line("{\"coffer journal\": 0}")], "no journal of Coffer's")
        try refused([line("[]")], "no journal of Coffer's")
    }

    @Test func aFirstSaveThatDidNotReachTheDiskIsNone() throws {
        let lines = try make("torn")
        let whole = lines.flatMap { $0 }
        let zeros = [UInt8](repeating: 0, count: whole.count)
        for journal in [zeros, Array(whole.prefix(20)) + zeros, Array(zeros.prefix(whole.count - 9)) + whole.suffix(9)]
        {
            try Data(journal).write(to: shop.journalURL)
            #expect(try shop.rows(shop.open(.dying, allowsSave: false), "Trip").count == 1)
            #expect(shop.hasJournal)
            #expect(try shop.rows(shop.open(.dying), "Trip").count == 1)
            #expect(!shop.hasJournal)
        }
    }

    @Test func whatIsNoFileIsRefusedAndDoesNotHang() throws {
        try make()
        let path = shop.journalURL.path
        func refused(_ location: SourceLocation = #_sourceLocation) {
            for allowsSave in [true, false] {
                let error = expect(.corruptStore, location) { try shop.open(.dying, allowsSave: allowsSave) }
                #expect(error?.detail == "\(path) is no regular file", sourceLocation: location)
            }
        }
        try #require(mkfifo(path, 0o600) == 0)
        refused()
        unlink(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        refused()
        rmdir(path)
        #if os(Linux)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafeBytes(of: &address) {
            bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        try #require(isBound == 0)
        refused()
        unlink(path)
        #endif
        // A pipe that comes later.
        let store = try shop.open(.dying)
        try #require(mkfifo(path, 0o600) == 0)
        expect(.corruptStore) { try shop.rows(store, "Trip") }
        expect(.corruptStore) { try shop.save(store, update: [shop.batch("Trip", [(1, ["days": .integer(1)])])]) }
        unlink(path)
        #expect(try shop.rows(store, "Trip").count == 1)
    }

    // MARK: Lines

    @Test func linesThatAreMissingDoubledOrSwappedAreNamed() throws {
        let lines = try make("a", "b", "c")
        try refused([lines[0], lines[2], lines[3]], "line 2 of the journal: it is the save 2, and the save 1 has to")
        try refused([lines[0], lines[1], lines[3]], "line 3 of the journal: it is the save 3, and the save 2 has to")
        try refused([lines[0], lines[1], lines[1], lines[2], lines[3]], "line 3 of the journal: it is the save 1")
        try refused([lines[0], lines[1], lines[3], lines[2]], "line 3 of the journal: it is the save 3")
        try refused([lines[0], line(#"{"next keys": {"Trip": 9}}"#)], "line 2 of the journal: it lacks the number")
        try refused([lines[0], lines[0], lines[1]], "line 2 of the journal: it does not fit the archive")
    }

    @Test func aLineThatFollowsWhileTheArchiveIsOpenIsCountedToo() throws {
        let lines = try make("a", "b")
        try Data(lines.prefix(2).flatMap { $0 }).write(to: shop.journalURL)
        let reader = try shop.open(.dying, allowsSave: false)
        #expect(try shop.rows(reader, "Trip").count == 2)
        let handle = try FileHandle(forWritingTo: shop.journalURL)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(lines[1]))
        let error = expect(.corruptStore) { try shop.rows(reader, "Trip") }
        #expect(error?.detail?.hasPrefix("line 3 of the journal") == true)
    }

    @Test func soundLinesWithoutSenseAreNamed() throws {
        let header = try make("a")[0]
        for object in [
            "[]", "7", #"{"save": 1, "rowz": {}}"#, #"{"save": 1, "rows": []}"#, #"{"save": 1, "rows": {"Trip": {}}}"#,
            #"{"save": 1, "rows": {"Tripe": []}}"#, #"{"save": 1, "deleted": {"Trip": 1}}"#,
            #"{"save": 1, "lists": {}}"#,
            #"{"save": 1, "lists": [{"entity": "Trip", "property": "name", "lists": []}]}"#,
            #"{"save": 1, "lists": [{"entity": "Trip", "property": "tags", "lists": [[1]]}]}"#,
            #"{"save": 1, "lists": [{"entity": "Trip", "property": "tags", "lists": [[1, [7]]]}]}"#,
            #"{"save": 1, "next keys": {"Trip": 0}}"#, #"{"save": 1, "rows": {"Trip": [{"$id": 2}]}}"#,
            #"{"save": 1, "rows": {"Trip": [{"$id": 2, "name": 3}]}}"#,
            #"{"save": 1, "rows": {"Stop": [{"$id": 1, "title": "a", "trip": 9}]}}"#,
        ] {
            try refused([header, line(object)], "line 2 of the journal: ")
            // Others may follow it.
            try refused([header, line(object), line(#"{"save": 2}"#)], "line 2 of the journal: ")
        }
    }

    // MARK: Older versions

    /// Journals of the first format had no numbers.
    @Test func journalsWithoutNumbersAreReadAndGoOnWithout() throws {
        let lines = try make("new")
        let header = String(decoding: lines[0].dropFirst(9).dropLast(), as: UTF8.self)
            .replacingOccurrences(of: "\"coffer journal\": 2", with: "\"coffer journal\": 1")
        let old = [
            line(header), line(#"{"rows": {"Trip": [{"$id": 2, "name": "a"}]}, "next keys": {"Trip": 3}}"#),
            line(#"{"rows": {"Trip": [{"$id": 2, "name": "b"}]}}"#),
        ]
        try Data(old.flatMap { $0 }).write(to: shop.journalURL)
        let store = try shop.open(.dying)
        #expect(try shop.rows(store, "Trip")[2]?["name"] == .text("b"))
        #expect(try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("c")])])]) == [[3]])
        let text = String(decoding: try Data(contentsOf: shop.journalURL), as: UTF8.self)
        #expect(text.contains(#" {"rows": {"Trip": [{"$id": 3, "name": "c"}]}, "next keys": {"Trip": 4}, "history": "#))
        #expect(try shop.rows(shop.open(.dying), "Trip").count == 3)
        try refused(old + [line(#"{"save": 3}"#)], "line 4 of the journal")
    }
}
