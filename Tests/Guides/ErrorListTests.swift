import CofferCore
import Foundation
import Testing

/// `Docs/Errors.md` lists every code with what its declaration says. `make ledgers` writes the list.
@Suite struct ErrorListTests {
    private static let beginning = "<!-- The codes are written by `make ledgers`. -->\n"
    private static let end = "\n<!-- The end of the codes. -->"

    private struct Entry {
        let subject: String
        let name: String
        let cause: String
        let remedy: String
    }

    @Test func theGuideListsEveryCode() throws {
        let guide = try GuideDocument("Docs/Errors.md")
        let parts = guide.text.components(separatedBy: Self.beginning)
        try #require(parts.count == 2)
        let rest = try #require(parts[1].range(of: Self.end))
        let text = parts[0] + Self.beginning + (try list()) + parts[1][rest.lowerBound...]
        if ProcessInfo.processInfo.environment["COFFER_LEDGERS"] == "write" {
            try text.write(to: GuideDocument.root.appending(path: guide.path), atomically: true, encoding: .utf8)
        } else {
            #expect(guide.text == text, "run `make ledgers`")
        }
    }

    @Test func everyCodeHasAConstantAndAMeaning() throws {
        let entries = try entries()
        let names = entries.map(\.name)
        #expect(names.count > 50 && Set(names).count == names.count)
        let constants = try GuideDocument("Sources/CofferCore/Errors/SwiftDataError+Constants.swift").text
            .matches(of: #/public static let (\w+) =\s*SwiftDataError\(\.(\w+)\)/#)
        #expect(constants.map { String($0.1) }.sorted() == names.sorted())
        for constant in constants { #expect(constant.1 == constant.2) }
        for name in names {
            #expect(SwiftDataError(.init(rawValue: name)).description.hasPrefix("\(name): "), "\(name) has no summary")
        }
        for entry in entries {
            #expect(!entry.cause.isEmpty && entry.cause.hasSuffix("."), "\(entry.name)")
            #expect(!entry.remedy.isEmpty && entry.remedy.hasSuffix("."), "\(entry.name)")
        }
    }

    private func list() throws -> String {
        var text = ""
        var subject = ""
        for entry in try entries() {
            if entry.subject != subject {
                subject = entry.subject
                text += "\n### \(subject)\n\n| Code | Cause | Remedy |\n| --- | --- | --- |\n"
            }
            text += "| `\(entry.name)` | \(entry.cause) | \(entry.remedy) |\n"
        }
        return text
    }

    /// The codes as they are declared.
    private func entries() throws -> [Entry] {
        let source = try GuideDocument("Sources/CofferCore/Errors/SwiftDataErrorCode.swift").text
        var entries: [Entry] = []
        var subject = ""
        var comment: [String] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("// MARK: - ") { subject = String(line.dropFirst(11)) }
            if line.hasPrefix("///") { comment.append(line.dropFirst(3).trimmingCharacters(in: .whitespaces)) }
            guard line.hasPrefix("public static let ") else {
                if !line.hasPrefix("///") { comment = [] }
                continue
            }
            let parts = comment.joined(separator: " ").components(separatedBy: " Remedy: ")
            let name = line.dropFirst(18).prefix { $0.isLetter || $0.isNumber }
            entries.append(
                Entry(
                    subject: subject, name: String(name), cause: plain(parts[0]),
                    remedy: parts.count == 2 ? plain(parts[1].prefix(1).uppercased() + parts[1].dropFirst()) : ""))
            comment = []
        }
        return entries
    }

    /// Links to symbols as the symbols' names.
    private func plain(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespaces)
            .replacing(#/``(?:[^`]*\/)?([^`\/]+)``/#) { "`\($0.1)`" }
    }
}
