import CofferCore

/// An aggregate plan as one `SELECT`.
struct SQLAggregate {
    /// How a column of the result is read.
    enum Field {
        /// A value of an expression.
        case value(FilterType)
        case count
        /// A sum of numbers of a type, as such a number is kept; NULL and a blob where it is none.
        case sum(FilterNumber)
        case average(FilterNumber)
        /// The bytes of an ``AggregateSum``.
        case partialSum(AggregateSum.Kind)
    }

    let text: String
    let query: SQLQuery
    /// The bindings behind those of the query.
    let page: [Int64]
    let keys: [Field]
    let values: [Field]

    /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` for what SQL cannot
    ///   do with exactly Swift's meaning.
    static func compile(_ plan: AggregatePlan, _ layout: some SQLLayout, storeIdentifier: String) throws -> SQLAggregate
    {
        let isPaged = plan.rows.limit != nil || plan.rows.offset > 0
        var rows = plan.rows
        if !isPaged { rows.sort = [] }
        let query = try SQLQuery.compile(
            rows, layout, storeIdentifier: storeIdentifier, isOrdered: isPaged, expressions: plan.expressions)
        // The rows of a page have to be cut out before anything is worked out of them.
        let names = query.expressions.indices.map { "e\($0)" }
        let expressions = isPaged ? names.map { "r.\($0)" } : query.expressions
        let source: String
        if isPaged {
            let selected = zip(query.expressions, names).map { "\($0) AS \($1)" }
            source = " FROM (\(query.select(selected))) AS r"
        } else {
            source = " FROM \(query.from)" + (query.condition.map { " WHERE \($0)" } ?? "")
        }
        var columns = Array(expressions.prefix(plan.keys.count))
        var fields: [Field] = []
        var next = plan.keys.count
        for column in plan.columns {
            var value: String?
            var type = FilterType.integer
            if let expression = column.value {
                (value, type) = (expressions[next], expression.type)
                next += 1
            }
            let number = column.number ?? .int
            switch column.function {
            case .count:
                columns.append("COUNT(\(value ?? "*"))")
                fields.append(.count)
            case .min, .max:
                columns.append("\(column.function == .min ? "MIN" : "MAX")(\(value ?? "NULL"))")
                fields.append(.value(type))
            case .sum, .average:
                let result: SQLSumFunction.Result =
                    plan.isPartial ? .partial : column.function == .sum ? .sum : .average
                columns.append("\(SQLSumFunction(number, result).name)(\(value ?? "NULL"))")
                switch result {
                case .partial: fields.append(.partialSum(AggregateSum.Kind(number)))
                case .sum: fields.append(.sum(number))
                case .average: fields.append(.average(number))
                }
            }
        }
        var text: String
        if plan.keys.isEmpty, !isPaged, columns.count > 1,
            plan.columns.allSatisfy({ $0.function == .min || $0.function == .max })
        {
            // Each by itself, since an index then gives it at once.
            text = "SELECT " + columns.map { "(SELECT \($0)\(source))" }.joined(separator: ", ")
        } else {
            let named = columns.enumerated().map { "\($1) AS g\($0)" }
            text = "SELECT \(named.isEmpty ? "1" : named.joined(separator: ", "))\(source)"
        }
        var page: [Int64] = []
        if !plan.keys.isEmpty {
            text += " GROUP BY " + expressions.prefix(plan.keys.count).joined(separator: ", ")
            if !plan.isPartial {
                text += " ORDER BY " + order(plan).joined(separator: ", ")
                if plan.limit != nil || plan.offset > 0 {
                    page = [Int64(plan.limit ?? -1), Int64(plan.offset)]
                    let first = query.bindings.count + 1
                    text += " LIMIT ?\(first) OFFSET ?\(first + 1)"
                }
            }
        }
        return SQLAggregate(
            text: text, query: query, page: page, keys: plan.keys.map { .value($0.type) }, values: fields)
    }

    /// The order of the groups, by the names of the result's columns.
    private static func order(_ plan: AggregatePlan) -> [String] {
        var terms: [String] = []
        var used: Set<Int> = []
        for key in plan.order {
            let index =
                switch key.source {
                case .key(let index): index
                case .column(let index): plan.keys.count + index
                }
            if key.comparison == .standard { used.insert(index) }
            let collation =
                switch key.comparison {
                case .standard: ""
                case .localizedStandard: " COLLATE \(SQLFunctions.localizedStandardCollation)"
                case .localized: " COLLATE \(SQLFunctions.localizedCollation)"
                }
            terms.append("g\(index)\(collation)\(key.isDescending ? " DESC" : "")")
        }
        return terms + plan.keys.indices.filter { !used.contains($0) }.map { "g\($0)" }
    }
}

extension SQLCompiler {
    /// A value as SQL that is NULL where the value is nil or unknown.
    func expression(_ expression: FilterExpression) throws -> String {
        let value = try value(expression)
        return value.guards.isEmpty
            ? value.sql : "CASE WHEN \(value.guards.joined(separator: " AND ")) THEN \(value.sql) END"
    }
}
