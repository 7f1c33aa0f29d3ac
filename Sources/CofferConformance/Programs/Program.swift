/// A list of saves and questions that can be run on any store, printed, and read back from its text.
///
/// Rows are named by numbers that the program gives them. A change of a row that is not there is left out wherever the
/// program runs, so that every part of a program is a program.
struct Program: Hashable, Sendable {
    var steps: [Step] = []

    enum Step: Hashable, Sendable {
        /// One save with all these changes.
        case save([Change])
        /// A save with these changes that fails at its end.
        case fail([Change])
        case query(Query)
        /// Closes the store and opens it again, where its data outlives that.
        case reopen
    }

    enum Change: Hashable, Sendable {
        case newShip(Int, tonnage: Int, nickname: Int)
        case newSailor(Int, age: Int, ship: Int)
        case setShip(Int, tonnage: Int, nickname: Int)
        case setSailor(Int, age: Int, ship: Int)
        case deleteShip(Int)
        case deleteSailor(Int)
    }

    /// The ships with a tonnage in a range, by tonnage and name.
    struct Query: Hashable, Sendable {
        var above: Int
        var isDescending: Bool
        var offset: Int
        /// Negative for none.
        var limit: Int
    }

    /// What ships are called; programs name them by their place.
    static let nicknames: [String?] = [
        nil, "", "a", "Z", "a\0b", "e\u{301}", "\u{E9}x", "😀", String(repeating: "x", count: 300),
    ]
}

// MARK: - Text

extension Program {
    /// A line for each save, with the changes after a colon, and for each question.
    var lines: [String] { steps.map(\.text) }

    /// Reads a program back.
    ///
    /// - Returns: nil where a line is none of a program.
    init?(lines: [String]) {
        for line in lines where !line.allSatisfy(\.isWhitespace) {
            guard let step = Step(text: line) else { return nil }
            steps.append(step)
        }
    }
}

extension Program.Step {
    var text: String {
        switch self {
        case .save(let changes): "save: " + changes.map(\.text).joined(separator: "; ")
        case .fail(let changes): "fail: " + changes.map(\.text).joined(separator: "; ")
        case .query(let query):
            "query: above \(query.above) \(query.isDescending ? "down" : "up") offset \(query.offset) limit \(query.limit)"
        case .reopen: "reopen"
        }
    }

    init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map { $0.trimmed }
        let rest = parts.count > 1 ? parts[1] : ""
        switch parts.first {
        case "reopen": self = .reopen
        case "save", "fail":
            var changes: [Program.Change] = []
            for part in rest.split(separator: ";") {
                guard let change = Program.Change(text: part.trimmed) else { return nil }
                changes.append(change)
            }
            self = parts[0] == "save" ? .save(changes) : .fail(changes)
        case "query":
            let words = rest.split(separator: " ")
            guard words.count == 7, let above = Int(words[1]), let offset = Int(words[4]), let limit = Int(words[6])
            else { return nil }
            self = .query(Program.Query(above: above, isDescending: words[2] == "down", offset: offset, limit: limit))
        default: return nil
        }
    }
}

extension Program.Change {
    var text: String {
        switch self {
        case .newShip(let id, let tonnage, let nickname): "new ship \(id) \(tonnage) \(nickname)"
        case .newSailor(let id, let age, let ship): "new sailor \(id) \(age) \(ship)"
        case .setShip(let id, let tonnage, let nickname): "set ship \(id) \(tonnage) \(nickname)"
        case .setSailor(let id, let age, let ship): "set sailor \(id) \(age) \(ship)"
        case .deleteShip(let id): "delete ship \(id)"
        case .deleteSailor(let id): "delete sailor \(id)"
        }
    }

    init?(text: String) {
        let words = text.split(separator: " ")
        let numbers = words.dropFirst(2).compactMap { Int($0) }
        guard words.count > 2, numbers.count == words.count - 2 else { return nil }
        switch (words[0], words[1], numbers.count) {
        case ("new", "ship", 3): self = .newShip(numbers[0], tonnage: numbers[1], nickname: numbers[2])
        case ("new", "sailor", 3): self = .newSailor(numbers[0], age: numbers[1], ship: numbers[2])
        case ("set", "ship", 3): self = .setShip(numbers[0], tonnage: numbers[1], nickname: numbers[2])
        case ("set", "sailor", 3): self = .setSailor(numbers[0], age: numbers[1], ship: numbers[2])
        case ("delete", "ship", 1): self = .deleteShip(numbers[0])
        case ("delete", "sailor", 1): self = .deleteSailor(numbers[0])
        default: return nil
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
