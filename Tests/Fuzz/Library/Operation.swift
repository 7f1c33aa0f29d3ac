/// One step of a random program; a line of text when it is printed.
///
/// Models are called by number. A step that speaks of one that does not exist (any more) does nothing, so that a program
/// stays a program when steps are taken out of it.
struct Operation: Equatable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// A new model, inserted: class and seed; a part's hub.
        case insert
        /// A new model that is linked to one in the context, from its own side, and so gets there: `Class.relation`.
        case linkNew
        /// A new model that one in the context is linked to.
        case addNew
        /// A new model with new ones in a to-many relationship, linked before one of them is inserted.
        case graph
        case set, setOne, append, insertAt, remove, replace, reverse, swap
        case delete, restore, batchDelete
        case save, rollback, newContext, reopen
        /// Lets go of the program's own references.
        case drop
        /// The results of a query: limit, offset, options.
        case fetch, count, enumerate
        /// Reads a property, or all of a model or a context, and compares.
        case read, check, checkAll, checkFresh
        /// Changes an attribute and does not tell the oracle, so that a test has something to find.
        case mistake
    }

    var kind: Kind
    var context = 0
    var object = 0
    var property = "-"
    var number = 0
    var others: [Int] = []
}

extension Operation: CustomStringConvertible {
    var description: String {
        let others = others.isEmpty ? "" : " " + others.map(String.init).joined(separator: ",")
        return "\(kind.rawValue) \(context) \(object) \(property) \(number)\(others)"
    }

    /// Reads a line; nil where it is no step.
    init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.count >= 5, let kind = Kind(rawValue: String(words[0])), let context = Int(words[1]),
            let object = Int(words[2]), let number = Int(words[4])
        else { return nil }
        self.init(
            kind: kind, context: context, object: object, property: String(words[3]), number: number,
            others: words.count > 5 ? words[5].split(separator: ",").compactMap { Int($0) } : [])
    }
}
