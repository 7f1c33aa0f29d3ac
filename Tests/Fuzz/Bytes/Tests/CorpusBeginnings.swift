import Coffer
import Foundation
import Testing

@testable import CofferCommand
@testable import CofferCore
@testable import CofferJSON
@testable import CofferRecords

/// Writes what every corpus begins with, made by Coffer itself:
/// `COFFER_FUZZ_CORPUS=write swift test --filter CorpusBeginnings`. Findings of libFuzzer are added by hand.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["COFFER_FUZZ_CORPUS"] == "write"))
struct CorpusBeginnings {
    private func write(_ target: String, _ name: String, _ bytes: some Sequence<UInt8>) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Fixtures/fuzz/\(target)").standardizedFileURL
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    private func write(_ target: String, _ name: String, mode: UInt8, _ text: String) throws {
        try write(target, name, [mode] + Array(text.utf8))
    }

    @Test func archives() throws {
        let folder = FuzzFolder()
        let url = URL(fileURLWithPath: folder.path + "/sample.json")
        try FuzzWorld.fill(JSONArchiveConfiguration("fuzz", url: url))
        let text = try String(contentsOf: url, encoding: .utf8)
        try write("archives", "small", text.utf8)
        let store = try JSONArchiveStore(
            JSONArchiveConfiguration("fuzz", schema: FuzzWorld.schema, url: url), migrationPlan: nil)
        let layout = store.core.layout
        // A journal that follows it, without header and checksums.
        let lines = [
            #"{"save": 1, "rows": {"FuzzBush": [{"$id": 2, "title": "b"}]}, "next keys": {"FuzzBush": 3}}"#,
            #"{"save": 2, "deleted": {"FuzzBerry": [3]}}"#,
            #"{"save": 3, "rows": {"FuzzBerry": [{"$id": 4, "name": "n", "code": 40, "size": 1.5, "isRipe": true, "huge": 1, "bush": 2}]}}"#,
            #"{"save": 4, "lists": [{"entity": "FuzzBerry", "property": "friends", "lists": [[1, [2, 4]]]}]}"#,
            #"{"save": 5, "history": [{"transaction": 9, "time": "2026-01-31T09:05:00.000250Z", "bundle": "b", "process": "1", "changes": []}, {"gone": 1}]}"#,
        ]
        try write("journals", "objects-that-fit", mode: 1, lines.joined(separator: "\n"))
        for (index, line) in lines.prefix(1).enumerated() { try write("journals", "object\(index)", mode: 1, line) }
        let identifier = try #require(text.split(separator: "\"identifier\": \"").last?.prefix(36))
        var whole = try JournalHeader(identifier: String(identifier), generation: 3).line()
        whole += Checksum.digits(lines[0].utf8) + [UInt8(ascii: " ")] + Array(lines[0].utf8) + [UInt8(ascii: "\n")]
        try write("journals", "whole", [0] + whole)
        try write("journals", "torn", [0] + whole.prefix(50))
        try store.core.engine.read { reader in
            for (mode, name) in [(UInt8(0), "FuzzBerry"), (1, "FuzzBush")] {
                var count = 0
                let rows = try #require(layout.space(of: name)).rows
                try reader.scan(rows, .all) { _, value in
                    try write("records", "\(name)\(count)", [mode] + Array(value))
                    count += 1
                    return count < 2
                }
            }
            var count = 0
            try reader.scan(RecordSchema.history, .all) { _, value in
                try write("tokens", "transaction\(count)", [3] + Array(value))
                count += 1
                return count < 3
            }
        }
        store.close()
        var dump = ""
        let opened = try JSONArchiveStore.openStored(JSONArchiveConfiguration("fuzz", url: url))
        try DumpWriter(store: opened) { dump += $0 }.run { _, _ in }
        try write("dumps", "small", dump.utf8)
    }

    @Test func schemas() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try write("schemas", "two-entities", try encoder.encode(FuzzWorld.schema))
        try write("schemas", "hierarchy", try encoder.encode(Schema([FuzzVehicle.self, FuzzCart.self])))
        try write("schemas", "empty", try encoder.encode(Schema()))
    }

    @Test func tokens() throws {
        let encoder = JSONEncoder()
        let known = try PersistentIdentifier.identifier(for: "s", entityName: "E", primaryKey: 7)
        try write("identifiers", "number", try encoder.encode(known))
        let text = try PersistentIdentifier.identifier(for: "s", entityName: "E", primaryKey: "seven")
        try write("identifiers", "text", try encoder.encode(text))
        try write(
            "identifiers", "temporary",
            #"{"implementation":{"entityName":"E","primaryKey":-3,"isTemporary":true}}"#.utf8)
        try write("tokens", "history", [0] + Array(try encoder.encode(DefaultHistoryToken(["a": 1, "b": 22]))))
        let values: [StoredValue] = [.integer(-1), .unsigned(.max), .real(.nan), .text("t"), .blob([1, 2]), .null]
        let page = PageToken(identifier: text, fetch: 99, values: values)
        try write("tokens", "page", mode: 1, page.description)
        let bytes = try #require(
            Data(
                base64Encoded: page.description.replacingOccurrences(of: "-", with: "+")
                    .replacingOccurrences(of: "_", with: "/")
                    .padding(toLength: (page.description.count + 3) / 4 * 4, withPad: "=", startingAt: 0)))
        try write("tokens", "page-bytes", [2] + Array(bytes.dropFirst(8)))
        let changes =
            #"[{"delete": "FuzzBerry", "keys": "5,7-9", "preserved": {"5": {"name": "x", "size": {"real": "0.1"}, "huge": {"unsigned": "18446744073709551615"}, "seeds": {"base64": "AQI="}}}}, {"update": "FuzzBush", "properties": ["title"], "keys": "1"}]"#
        try write("tokens", "changes", mode: 4, changes)
        try write("tokens", "keys", mode: 5, "1-100000,100003")
        try write("tokens", "time", mode: 6, "2026-01-31T09:05:00.000250Z")
    }

    @Test func keys() throws {
        let word: [UInt8] = [0x3F, 0xF0, 0, 0, 0, 0, 0, 1]
        try write("keys", "numbers", [1, 1] + word + [3] + word + [2] + word + [6] + word)
        try write("keys", "texts", [0, 4, 0x23, 97, 0, 98, 4, 0x04, 97, 0, 98, 99])
        try write("keys", "three", [2, 0, 5, 3, 1, 0, 2, 3] + word + [0, 5, 2, 1, 0, 3] + word)
    }

    @Test func command() throws {
        let filters: [(UInt8, String)] = [
            (0, "name == 'a' and size >= 1.5e3 or not (isRipe and code in (1, 2, 3))"),
            (0, "bush.title begins 'x' and when > '2024-05-31T18:30:00Z' and tag != null"),
            (0, "price < 12.50 and huge == 18446744073709551615 and note is not null"),
            (0, "`name` like \"o''p\" and $id = 3 and seeds = 'AQI=' and bush = 1"), (1, "title contains 'b'"),
        ]
        for (index, filter) in filters.enumerated() {
            try write("filters", "filter\(index)", mode: filter.0, filter.1)
        }
        try write(
            "debian", "two-packages",
            """
            Package: a
            Status: install ok installed
            Priority: optional
            Section: libs
            Installed-Size: 12
            Maintainer: A B <a@b.example>
            Architecture: amd64
            Version: 1:2.3-4~5
            Pre-Depends: x (>= 2.34), y:any | z [amd64 !i386] <!nocheck>
            Provides: v (= 1.0), w
            Description: short
             long
             .
             longer

            Package: b
            Status: deinstall ok config-files
            Architecture: all
            Version: 2

            """.utf8)
    }

    @Test func files() throws {
        try write("lmdb", "sound", [])
        for (index, place) in [16, 10, 0x20, 0x2000, 0x200A, 0x300C, 0x4010, 0x5008].enumerated() {
            try write(
                "lmdb", "byte\(index)", [UInt8(place >> 16), UInt8(place >> 8 & 255), UInt8(place & 255), 1, 0x41, 0])
        }
        try write("lmdb", "cut-off", [0, 0x10, 0, 255, 0])
    }
}

@Model class FuzzVehicle {
    var wheels: Int
    init(_ wheels: Int) { self.wheels = wheels }
}

@Model final class FuzzCart: FuzzVehicle {
    var load: Double
    init(load: Double) {
        self.load = load
        super.init(2)
    }
}
