import DropInLedger
import Foundation

/// `Docs/Parity.md`, made of the list of members and of what exercises have shown.
@MainActor
struct ParityDocument {
    struct Row {
        let member: String
        /// Nil where nothing was shown.
        let verdict: String?
        let note: String
    }

    static let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Docs/Parity.md")

    private let list: MemberList
    private var exercises: [String: [ParityLedger.Exercise]] = [:]
    /// What keeps the document from being true.
    private(set) var problems: [String] = []

    init(_ list: MemberList, _ all: [ParityLedger.Exercise]) {
        self.list = list
        for exercise in all {
            for member in exercise.members { exercises[member, default: []].append(exercise) }
        }
        let names = list.names
        let known = Set(names)
        if known.count != names.count { problems.append("a member is listed twice") }
        for name in exercises.keys.sorted() where !known.contains(name) {
            problems.append("an exercise names \(name), which is no member of the list")
        }
        if Set(all.map(\.title)).count != all.count { problems.append("two exercises have one title") }
        for row in list.sections.flatMap({ $0.members.map(row) }) where row.verdict == nil {
            problems.append("\(row.member): \(row.note)")
        }
        for exercise in all { problems += SourceCheck.missing(in: exercise) }
    }

    func row(_ name: String) -> Row? {
        list.sections.lazy.flatMap(\.members).first { $0.name == name }.map(row)
    }

    private func row(_ member: MemberList.Member) -> Row {
        let found = exercises[member.name] ?? []
        if let absence = member.absence {
            return Row(member: member.name, verdict: found.isEmpty ? "absent" : nil, note: absence)
        }
        if found.isEmpty { return Row(member: member.name, verdict: nil, note: "no exercise shows it") }
        if let failing = found.first(where: { !$0.failures.isEmpty }) {
            return Row(member: member.name, verdict: nil, note: "the exercise “\(failing.title)” fails")
        }
        if let reason = found.lazy.compactMap(\.difference).first {
            return Row(member: member.name, verdict: "differs", note: reason)
        }
        return Row(member: member.name, verdict: "works", note: found.map(\.title).joined(separator: "; "))
    }

    var text: String {
        let rows = list.sections.flatMap { $0.members.map(row) }
        func count(_ verdict: String) -> Int { rows.filter { $0.verdict == verdict }.count }
        var text = """
            # Parity with SwiftData

            Every public member of SwiftData, and what there is of it here. `make ledgers` writes this page, from exercises
            in `Tests/DropIn` that use each member as a program written for SwiftData does (`import SwiftData`), compiled in
            Swift 5, in Swift 6 and in Swift 6 with the main actor as default isolation, and run on a store in memory and on
            a file in each of them. A member *works* where all of that passed; the note is the name of the exercise. It
            *differs* where it is there and does something else, which is exercised, too; the note says what. Of
            \(rows.count) members \(count("works")) work, \(count("differs")) differ and \(count("absent")) are absent.

            """
        for section in list.sections {
            text += "\n## \(section.title)\n\n| Member | | |\n| --- | --- | --- |\n"
            for row in section.members.map(row) {
                let name = row.member.replacingOccurrences(of: "|", with: "\\|")
                text +=
                    "| \(code(name)) | \(row.verdict ?? "?") | \(row.note.replacingOccurrences(of: "|", with: "\\|")) |\n"
            }
        }
        return text
    }

    /// The part of a member's name that is code, as code.
    private func code(_ name: String) -> String {
        if name.contains("`") { return name }
        for separator in [" of ", " in ", " for "] {
            guard let range = name.range(of: separator), !name[..<range.lowerBound].contains(" ") else { continue }
            return "`\(name[..<range.lowerBound])`" + name[range.lowerBound...]
        }
        return name.contains(" ") ? name : "`\(name)`"
    }
}
