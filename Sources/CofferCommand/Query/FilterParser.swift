import Coffer

/// Reads the filter of `query`, and makes of it what stores filter by.
///
/// The language is small: `or`, `and`, `not` and brackets; comparisons of a property with a value or another property;
/// `is null`, `in (…)`, `contains`, `begins`, `ends`. Nil is equal to nil alone, and compares with nothing.
struct FilterParser {
    private let typing: FilterTyping
    private var tokens: [FilterToken]
    private var position = 0

    private static let deepest = 100

    /// - Throws: ``FilterFault`` with the column of what cannot be understood.
    static func expression(_ text: String, of entity: Schema.Entity, in store: any RowStore) throws(FilterFault)
        -> FilterExpression
    {
        var parser = FilterParser(
            typing: FilterTyping(entity, in: store), tokens: try FilterScanner.tokens(of: text))
        let expression = try parser.readOr(0)
        guard parser.token.kind == .end else {
            throw parser.fault("'and' or 'or' is expected, not \(parser.token.shown)")
        }
        return expression
    }

    private init(typing: FilterTyping, tokens: [FilterToken]) {
        self.typing = typing
        self.tokens = tokens
    }

    private var token: FilterToken { tokens[position] }

    private func fault(_ detail: String) -> FilterFault {
        FilterFault(column: token.column, detail: detail.shownSafely)
    }

    private mutating func take(_ words: String...) -> Bool {
        let isThere: Bool
        switch token.kind {
        case .name(let name): isThere = words.contains(name.lowercased())
        case .sign(let sign): isThere = words.contains(sign)
        default: isThere = false
        }
        if isThere { position += 1 }
        return isThere
    }

    private mutating func expect(_ sign: String) throws(FilterFault) {
        guard take(sign) else { throw fault("'\(sign)' is expected, not \(token.shown)") }
    }

    // MARK: Conditions

    private mutating func readOr(_ depth: Int) throws(FilterFault) -> FilterExpression {
        var parts = [try readAnd(depth)]
        while take("or", "||") { parts.append(try readAnd(depth)) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func readAnd(_ depth: Int) throws(FilterFault) -> FilterExpression {
        var parts = [try readNot(depth)]
        while take("and", "&&") { parts.append(try readNot(depth)) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func readNot(_ depth: Int) throws(FilterFault) -> FilterExpression {
        guard depth < Self.deepest else { throw fault("conditions lie too deep in each other") }
        if take("not", "!") { return .not(try readNot(depth + 1)) }
        if take("(") {
            let inner = try readOr(depth + 1)
            try expect(")")
            return inner
        }
        return try readTest()
    }

    private mutating func readTest() throws(FilterFault) -> FilterExpression {
        let start = token
        let left = try readOperand()
        if take("is") {
            let isNot = take("not")
            guard take("null", "nil") else { throw fault("'null' is expected, not \(token.shown)") }
            let test = try typing.isNull(left)
            return isNot ? .not(test) : test
        }
        let isNot = take("not")
        if take("in") {
            let test = try typing.isIn(left, try readList())
            return isNot ? .not(test) : test
        }
        for (word, kind) in [("contains", FilterTextTest.contains), ("begins", .startsWith), ("ends", .endsWith)]
        where take(word) {
            let test = try typing.textTest(kind, left, try readOperand())
            return isNot ? .not(test) : test
        }
        if take("like") {
            let test = try typing.textTest(.localizedStandardContains, left, try readOperand())
            return isNot ? .not(test) : test
        }
        if isNot { throw fault("'in', 'contains', 'begins', 'ends' or 'like' is expected, not \(token.shown)") }
        for (signs, comparison) in Self.comparisons where signs.contains(where: { take($0) }) {
            return try typing.compare(comparison, left, try readOperand())
        }
        // A Boolean property is a condition by itself.
        return try typing.condition(left, at: start.column, else: "a comparison is expected, not \(token.shown)")
    }

    private static let comparisons: [(signs: [String], comparison: FilterComparison)] = [
        (["==", "="], .equal), (["!=", "<>"], .notEqual), (["<="], .lessOrEqual), ([">="], .greaterOrEqual),
        (["<"], .less), ([">"], .greater),
    ]

    private mutating func readList() throws(FilterFault) -> [FilterOperand] {
        try expect("(")
        var list = [try readOperand()]
        while take(",") { list.append(try readOperand()) }
        try expect(")")
        return list
    }

    // MARK: Operands

    private mutating func readOperand() throws(FilterFault) -> FilterOperand {
        let start = token
        position += 1
        switch start.kind {
        case .number(let digits): return FilterOperand(.number(digits), start.column)
        case .text(let text): return FilterOperand(.text(text), start.column)
        case .name(let name):
            switch name.lowercased() {
            case "true": return FilterOperand(.truth(true), start.column)
            case "false": return FilterOperand(.truth(false), start.column)
            case "null", "nil": return FilterOperand(.null, start.column)
            default: return try readPath(from: name, start.column)
            }
        case .quotedName(let name): return try readPath(from: name, start.column)
        case .sign, .end:
            position -= 1
            throw fault("a property or a value is expected, not \(token.shown)")
        }
    }

    private mutating func readPath(from first: String, _ column: Int) throws(FilterFault) -> FilterOperand {
        var names = [(name: first, column: column)]
        while take(".") {
            switch token.kind {
            case .name(let name), .quotedName(let name): names.append((name, token.column))
            default: throw fault("the name of a property is expected, not \(token.shown)")
            }
            position += 1
        }
        return FilterOperand(.property(try typing.path(names)), column)
    }
}
