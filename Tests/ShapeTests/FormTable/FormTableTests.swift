import Coffer
import CofferFuzz
import CofferShapes
import Foundation
import Testing

/// The table of forms in `Docs/Queries.md`: made here, from what each store explains, and checked against the document.
/// `make form-table` writes it there.
@Suite("The table of forms in the documentation")
struct FormTableTests {
    static let begin = "<!-- The table of forms is made by `make form-table`. -->\n"
    static let end = "<!-- The end of the table of forms. -->"

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static var document: URL {
        folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Docs/Queries.md")
    }

    /// What each store makes of each form, by group.
    private func verdicts(of store: FuzzStore) throws -> [[QueryForm.Verdict]] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-forms-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try ModelContainer(
            for: Schema([Ship.self, Captain.self, Stop.self, Craft.self, Ferry.self]),
            configurations: [store.configuration(folder)])
        let context = ModelContext(container)
        let captain = Captain()
        let ship = Ship()
        ship.captain = captain
        ship.stops = [Stop()]
        context.insert(ship)
        // Nothing stands in for nothing, in every form: what is empty, nil and zero must not stop anybody.
        context.insert(Ship())
        context.insert(Ferry())
        context.insert(Craft())
        try context.save()
        let list = FormList(captain: captain, id: ship.persistentModelID)
        return try list.groups.map { try $0.forms.map { try $0.verdict(context) } }
    }

    private func table() throws -> String {
        let stores: [(name: String, store: FuzzStore)] = [
            ("SQLite", .sqlite), ("LMDB", .lmdb), ("JSON", .json), ("in memory", .memory),
            ("of SwiftData's protocols", .plain),
        ]
        let verdicts = try stores.map { try self.verdicts(of: $0.store) }
        let source = try String(contentsOf: Self.folder.appendingPathComponent("FormList.swift"), encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let captain = Captain()
        let list = FormList(captain: captain, id: captain.persistentModelID)
        var text = "| Form | Spelt | " + stores.map(\.name).joined(separator: " | ") + " |\n"
        text += "| --- | --- |" + String(repeating: " --- |", count: stores.count) + "\n"
        for (group, part) in list.groups.enumerated() {
            text += "| **\(part.name)** | |" + String(repeating: " |", count: stores.count) + "\n"
            for (index, form) in part.forms.enumerated() {
                let spelling = form.spelling(in: lines)
                #expect(!spelling.isEmpty, "\(form.words)")
                let code = spelling.replacingOccurrences(of: "|", with: "\\|")
                let cells = verdicts.map { $0[group][index].rawValue }
                text += "| \(form.words) | `\(code)` | \(cells.joined(separator: " | ")) |\n"
            }
        }
        return text
    }

    @Test("is up to date")
    func upToDate() throws {
        let document = try String(contentsOf: Self.document, encoding: .utf8)
        let begin = try #require(document.range(of: Self.begin))
        let end = try #require(document.range(of: Self.end))
        let table = try self.table()
        if ProcessInfo.processInfo.environment["COFFER_WRITE_TABLE"] != nil {
            let new = document[..<begin.upperBound] + "\n" + table + "\n" + document[end.lowerBound...]
            try String(new).write(to: Self.document, atomically: true, encoding: .utf8)
            return
        }
        let written = document[begin.upperBound..<end.lowerBound].split(separator: "\n").map(String.init)
        let made = table.split(separator: "\n").map(String.init)
        #expect(written == made, "run `make form-table`")
    }
}
