import CofferCore

extension ConformanceLedger {
    /// What the store is capable of, as a piece of Markdown for its documentation: what it declares, and what came of the
    /// cases that show whether it holds.
    ///
    /// It says the same for every run of the same store, so that a test can tell whether the documentation is current.
    public var summary: String {
        var lines: [String] = []
        if let capabilities {
            lines += ["| Declared | | Meaning |", "| --- | --- | --- |"]
            for feature in Self.features {
                let mark = capabilities.features.contains(feature.value) ? "yes" : "no"
                lines.append("| \(feature.name) | \(mark) | \(feature.meaning) |")
            }
            let unnamed = Self.features.reduce(capabilities.features) { $0.subtracting($1.value) }
            if !unnamed.isEmpty { lines.append("| features without a name here | \(unnamed.rawValue) | |") }
            let limit = capabilities.maximumValueSize.map { "\(Self.grouped($0)) bytes" } ?? "none"
            lines += ["| maximumValueSize | \(limit) | the largest value |", ""]
        }
        let sums = Outcome.allCases.filter { count($0) > 0 }.map { "\(count($0)) \($0.rawValue)" }
        lines.append("Of \(entries.count) cases of the conformance kit: " + sums.joined(separator: ", ") + ".")
        for outcome in Outcome.allCases where outcome != .passed && count(outcome) > 0 {
            lines.append("")
            for (reason, cases) in reasons(of: outcome) {
                let names = cases.map { "`\($0)`" }.joined(separator: ", ")
                lines.append("- \(outcome.rawValue): \(reason) (\(names))")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The cases of an outcome by what is said about them, both in the kit's order.
    func reasons(of outcome: Outcome) -> [(reason: String, cases: [String])] {
        var found: [(reason: String, cases: [String])] = []
        for entry in entries where entry.outcome == outcome {
            let reason = entry.reason ?? entry.claim
            if let place = found.firstIndex(where: { $0.reason == reason }) {
                found[place].cases.append(entry.caseID)
            } else {
                found.append((reason, [entry.caseID]))
            }
        }
        return found
    }

    private static func grouped(_ number: Int) -> String {
        let digits = String(number)
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
            text.append(digit.element)
        }
    }

    private typealias Feature = (name: String, value: StoreCapabilities.Features, meaning: String)

    private static let features: [Feature] = [
        ("nativeFiltering", .nativeFiltering, "filters run in the store"),
        ("nativeSorting", .nativeSorting, "orders are made in the store"),
        ("aggregates", .aggregates, "works sums, extremes, groups and distinct values out"),
        ("fullText", .fullText, "keeps an index of the words that `#FullText` declares"),
        ("batchDelete", .batchDelete, "deletes by predicate without handing rows out"),
        ("batchUpdate", .batchUpdate, "updates by predicate without handing rows out"),
        ("history", .history, "keeps a history of saves"),
        ("uniqueness", .uniqueness, "enforces unique constraints; a colliding insert becomes an update"),
        ("indexes", .indexes, "has secondary indexes"),
        ("transactions", .transactions, "stores a save of several entities whole or not at all"),
        ("severalProcesses", .severalProcesses, "several processes may have it open at once"),
        ("durable", .durable, "what a save stored outlives a crash of process or machine"),
        ("orderedRelationships", .orderedRelationships, "keeps the order of to-many relationships"),
        ("inheritance", .inheritance, "keeps hierarchies of model classes"),
    ]
}
