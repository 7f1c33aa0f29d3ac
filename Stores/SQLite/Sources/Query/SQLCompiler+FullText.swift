import CofferCore

extension SQLCompiler {
    /// Whether texts are what a full-text query looks for: by the index of their table where it has them all, otherwise by
    /// a function that reads them.
    func fullText(
        _ texts: [FilterExpression], _ query: FilterExpression, _ mode: Mode
    ) throws -> Condition {
        if case .constant(.text(let text), _) = query {
            let query = FullTextQuery(text)
            if query.isEmpty { return try anything(texts, mode) }
            if let condition = try indexed(texts, query) { return condition }
            let texts = try texts.map { try value($0) }
            return try searched(bind(.object(SQLTextSearch(query))), texts, [], mode)
        }
        let texts = try texts.map { try value($0) }
        let query = try value(query)
        return try searched(query.sql, texts, [query], mode)
    }

    private func searched(
        _ query: String, _ texts: [Value], _ others: [Value], _ mode: Mode
    ) throws -> Condition {
        if texts.contains(where: \.isAmbiguous) { throw DataStoreError.preferInMemoryFilter }
        let sql = "\(SQLFunctions.fullText)(\(([query] + texts.map(\.sql)).joined(separator: ", ")))"
        // Nil is a text without words, and no reason for the whole to be nil.
        return try known(sql, others + texts.map(\.asked), mode, masksUnknown: true)
    }

    /// The condition of a query without words: true where the texts are known.
    private func anything(_ texts: [FilterExpression], _ mode: Mode) throws -> Condition {
        let texts = try texts.map { try value($0) }
        if texts.contains(where: \.isAmbiguous) { throw DataStoreError.preferInMemoryFilter }
        return try known("1", texts.map(\.asked), mode, masksUnknown: true)
    }

    /// The condition as a look-up in the full-text index of the table that the texts are columns of; nil where there is
    /// none, or the query is too large for it.
    private func indexed(_ texts: [FilterExpression], _ query: FullTextQuery) throws -> Condition? {
        var paths: [FilterPath] = []
        for text in texts {
            guard case .property(let path) = text, path.steps.last?.isCast == false else { return nil }
            paths.append(path)
        }
        guard let first = paths.first, let root = frames[first.variable.number],
            paths.allSatisfy({ $0.variable == first.variable && $0.links == first.links })
        else { return nil }
        let frame = try root.frame(along: first.links.map { .init($0) }, layout, newAlias: newAlias)
        guard let index = frame.table.fullText else { return nil }
        var columns: [String] = []
        for path in paths {
            guard let step = path.steps.last, case .column(let name)? = frame.table.places[checked: step.slot],
                let column = index.columns.first(where: { $0.name == name })
            else { return nil }
            columns.append(column.indexed)
        }
        // Without a filter by columns it is all of them that are looked into.
        let isWhole = Set(columns).count == index.columns.count
        guard let match = FTSMatch(query, columns: isWhole ? nil : columns) else { return nil }
        let name = SQLiteName.quoted(index.name)
        let rows = "(SELECT rowid FROM \(name) WHERE \(name) MATCH \(bind(.text(match.text))))"
        var sql = "\(frame.key) \(match.isExcluded ? "NOT IN" : "IN") \(rows)"
        // No row has no words.
        if first.leadsElsewhere || first.steps.count > 1 { sql = "COALESCE(\(sql), \(match.isExcluded ? 1 : 0))" }
        return Condition(sql: sql)
    }
}

/// A query bound as a parameter of ``SQLFunctions/fullText``.
final class SQLTextSearch {
    let query: FullTextQuery

    init(_ query: FullTextQuery) { self.query = query }
}

/// A query in the language of FTS5.
///
/// FTS5 has no way to say merely what is not wanted. So each part is kept as what matches or as what does not, and joined
/// by the rules of sets.
struct FTSMatch {
    /// The expression.
    let text: String
    /// Whether the rows that it finds are those that are not wanted.
    let isExcluded: Bool

    /// More words than that are not handed to FTS5, whose expressions have limits.
    private static let longest = 128

    /// The expression for a query; nil for one that finds everything or is too large.
    ///
    /// - Parameter columns: the columns of the index that are looked into; nil for all.
    init?(_ query: FullTextQuery, columns: [String]?) {
        let count = query.alternatives.joined().reduce(0) { $0 + $1.words.count }
        guard count > 0, count <= Self.longest else { return nil }
        var wanted: [String] = []
        var unwanted: [String] = []
        for terms in query.alternatives {
            let present = terms.filter { !$0.isExcluded }.map(Self.text)
            let absent = Self.joined(terms.filter(\.isExcluded).map(Self.text), " OR ")
            if present.isEmpty {
                unwanted.append(absent)
            } else {
                let all = Self.joined(present, " AND ")
                wanted.append(absent.isEmpty ? all : "(\(all) NOT \(absent))")
            }
        }
        var text = Self.joined(wanted, " OR ")
        if !unwanted.isEmpty {
            let none = Self.joined(unwanted, " AND ")
            text = text.isEmpty ? none : "(\(none) NOT \(text))"
        }
        if let columns { text = "{\(columns.map(SQLiteName.quoted).joined(separator: " "))} : (\(text))" }
        self.text = text
        isExcluded = !unwanted.isEmpty
    }

    private static func joined(_ parts: [String], _ connective: String) -> String {
        parts.count > 1 ? "(\(parts.joined(separator: connective)))" : parts.first ?? ""
    }

    /// A term; words have neither quotation marks nor anything else that FTS5 would take for more than a letter.
    private static func text(_ term: FullTextQuery.Term) -> String {
        "\"\(term.words.joined(separator: " "))\"" + (term.isPrefix ? " *" : "")
    }
}
