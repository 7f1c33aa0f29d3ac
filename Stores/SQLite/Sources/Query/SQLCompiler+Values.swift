import CofferCore

extension SQLCompiler {
    /// A value as an SQL expression that can stand as an operand.
    func value(_ expression: FilterExpression) throws -> Value {
        try enter()
        defer { leave() }
        switch expression {
        case .constant(let constant, let type):
            return self.constant(constant, type)
        case .property(let path):
            return Value(sql: try column(path), type: path.type)
        case .element(let variable, let type):
            guard let sql = elements[variable.number] else { throw DataStoreError.preferInMemoryFilter }
            return Value(sql: sql, type: type)
        case .member(let base, let member):
            let base = try value(base)
            if base.isAmbiguous { throw DataStoreError.preferInMemoryFilter }
            let object = bind(.object(member))
            return Value(
                sql: "\(SQLFunctions.member)(\(object), \(base.sql))", type: expression.type, guards: base.guards,
                mayBeUnknown: base.mayBeUnknown)
        case .arithmetic(let symbol, let left, let right, let number):
            return try arithmetic(symbol, left, right, number)
        case .negative(let operand, let number):
            let operand = try value(operand)
            return Value(
                sql: "\(SQLFunctions.arithmetic)('\(number.rawValue)', '-', \(operand.sql))", type: expression.type,
                guards: operand.guards, mayBeUnknown: true)
        case .coalesce(let left, let right):
            return try coalesce(left, right, expression.type)
        case .conditional(let test, let first, let second):
            return try conditional(test, first, second, expression.type)
        case .ifPresent(let optional, let body):
            let optional = try value(optional)
            if optional.isAmbiguous { throw DataStoreError.preferInMemoryFilter }
            let body = try value(body)
            return Value(
                sql: "CASE WHEN \(optional.sql) IS NOT NULL THEN \(guarded(body)) END", type: expression.type,
                guards: optional.guards, mayBeUnknown: body.mayBeUnknown || !body.guards.isEmpty)
        case .require(let optional, let body):
            return try require(optional, body, expression.type)
        case .count(let sequence):
            return Value(sql: "(\(try select("COUNT(*)", sequence)))", type: .integer)
        case .pick(let sequence, let pick, let body):
            return try self.pick(sequence, pick, body, expression.type)
        case .extremum(let sequence, let extreme, let value, let coding):
            return try extremum(sequence, extreme, value, coding)
        case .call(let function, let arguments):
            return try call(function, arguments)
        case .length(let text):
            let text = try value(text)
            return Value(
                sql: "\(SQLFunctions.length)(\(text.sql))", type: .integer.optional(text.type.isOptional),
                guards: text.guards, mayBeUnknown: text.mayBeUnknown)
        case .textOrder(let order, let left, let right):
            let (left, right) = (try value(left), try value(right))
            return Value(
                sql: "\(SQLFunctions.order)('\(order.rawValue)', \(left.sql), \(right.sql))", type: .integer,
                guards: left.guards + right.guards, mayBeUnknown: true)
        case .compare, .compareCoded, .all, .any, .not, .exists, .every, .includes, .text:
            let condition = try condition(expression, .exact)
            return Value(sql: "(\(condition.sql))", type: .boolean, mayBeUnknown: condition.mayBeUnknown)
        }
    }

    private func constant(_ constant: StoredValue, _ type: FilterType) -> Value {
        if constant.isNull { return Value(sql: "NULL", type: type.optional(), constant: constant) }
        if type.storage == .boolean {
            return Value(sql: constant == .integer(1) ? "1" : "0", type: type.optional(false), constant: constant)
        }
        return Value(sql: bind(constant), type: type.optional(false), constant: constant)
    }

    /// The column at the end of a path: of the row itself, or of a joined one.
    private func column(_ path: FilterPath) throws -> String {
        guard let root = frames[path.variable.number] else { throw DataStoreError.preferInMemoryFilter }
        guard let last = path.steps.last else { return root.key }
        if last.isCast {
            return try root.frame(along: path.steps.map { .init($0) }, layout, newAlias: newAlias).key
        }
        let frame = try root.frame(along: path.links.map { .init($0) }, layout, newAlias: newAlias)
        switch frame.table.places[checked: last.slot] {
        case .column(let name)?, .link(let name, _)?: return frame.column(name)
        case .children?, .members?, .external?, SQLTable.Place.none?, nil: throw DataStoreError.preferInMemoryFilter
        }
    }

    /// A value of which is asked only whether there is one.
    func presence(of expression: FilterExpression) throws -> Value {
        if case .property(let path) = expression, let last = path.steps.last, !last.isCast,
            let root = frames[path.variable.number]
        {
            let frame = try root.frame(along: path.links.map { .init($0) }, layout, newAlias: newAlias)
            if case .external(let name)? = frame.table.places[checked: last.slot] {
                return Value(sql: frame.column(name), type: path.type)
            }
        }
        return try value(expression)
    }

    /// The value by itself, NULL where its guards do not hold.
    private func guarded(_ value: Value) -> String {
        value.guards.isEmpty ? value.sql : "CASE WHEN \(value.guards.joined(separator: " AND ")) THEN \(value.sql) END"
    }

    // MARK: Operators

    private func arithmetic(
        _ symbol: FilterOperator, _ left: FilterExpression, _ right: FilterExpression, _ number: FilterNumber
    ) throws -> Value {
        let (left, right) = (try value(left), try value(right))
        var result = Value(
            sql: "", type: FilterType(.scalar(number.storage)), guards: left.guards + right.guards, mayBeUnknown: true)
        if number == .int || number == .int64, symbol == .divide || symbol == .remainder,
            case .integer(let divisor)? = right.constant, divisor != 0, divisor != -1
        {
            // Nothing can overflow, and SQLite divides towards zero as Swift does.
            result.sql = "(\(left.sql) \(symbol.rawValue) \(right.sql))"
            result.mayBeUnknown = left.mayBeUnknown || left.type.isOptional
            return result
        }
        result.sql =
            "\(SQLFunctions.arithmetic)('\(number.rawValue)', '\(symbol.rawValue)', \(left.sql), \(right.sql))"
        return result
    }

    private func coalesce(_ left: FilterExpression, _ right: FilterExpression, _ type: FilterType) throws -> Value {
        let left = try value(left)
        // Without nil there is nothing to replace, and what is unknown stays so.
        if !left.type.isOptional { return left }
        let right = try value(right)
        if left.isAmbiguous || right.isAmbiguous { throw DataStoreError.preferInMemoryFilter }
        return Value(
            sql: "COALESCE(\(left.sql), \(guarded(right)))", type: type, guards: left.guards,
            mayBeUnknown: right.mayBeUnknown || !right.guards.isEmpty)
    }

    private func conditional(
        _ test: FilterExpression, _ first: FilterExpression, _ second: FilterExpression, _ type: FilterType
    ) throws -> Value {
        let test = try condition(test, .exact)
        let (first, second) = (try value(first), try value(second))
        let branches = [first, second]
        let mayBeUnknown = test.mayBeUnknown || branches.contains { $0.mayBeUnknown || !$0.guards.isEmpty }
        let sql =
            test.mayBeUnknown
            ? "CASE (\(test.sql)) WHEN 1 THEN \(guarded(first)) WHEN 0 THEN \(guarded(second)) END"
            : "CASE WHEN \(test.sql) THEN \(guarded(first)) ELSE \(guarded(second)) END"
        return Value(sql: sql, type: type, mayBeUnknown: mayBeUnknown)
    }

    private func require(_ optional: FilterExpression, _ body: FilterExpression, _ type: FilterType) throws -> Value {
        let isOwn = optional == body
        let optional = try value(optional)
        if optional.isAmbiguous { throw DataStoreError.preferInMemoryFilter }
        if isOwn {
            return Value(sql: optional.sql, type: type, guards: optional.guards, mayBeUnknown: true)
        }
        let body = try value(body)
        return Value(
            sql: body.sql, type: type, guards: optional.guards + ["\(optional.sql) IS NOT NULL"] + body.guards,
            mayBeUnknown: body.mayBeUnknown)
    }
}
