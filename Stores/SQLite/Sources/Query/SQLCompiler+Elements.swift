import CofferCore

// Single elements of sequences, and functions.

extension SQLCompiler {
    func pick(
        _ sequence: FilterSequence, _ pick: FilterPick, _ body: FilterExpression, _ type: FilterType
    ) throws -> Value {
        var order = Order.forward
        var isRequired = true
        var offset = ""
        switch pick {
        case .first(let required): isRequired = required
        case .last(let required): (isRequired, order) = (required, .backward)
        case .at(let index):
            guard case .constant(.integer(let place), _) = index, place >= 0 else {
                return try element(of: sequence, at: index, body, type)
            }
            isReusable = false
            offset = " OFFSET \(bind(.integer(place)))"
        }
        var mayBeUnknown = isRequired
        let found = try selection(sequence, order: order, needsRow: true) {
            let body = try value(body)
            if !body.guards.isEmpty { throw DataStoreError.preferInMemoryFilter }
            mayBeUnknown = mayBeUnknown || body.mayBeUnknown
            return body.sql
        }
        // Which element it is cannot be told while one may belong to the sequence or not.
        if found.mayBeUnknown { throw DataStoreError.preferInMemoryFilter }
        return Value(sql: "(\(found.sql) LIMIT 1\(offset))", type: type, mayBeUnknown: mayBeUnknown)
    }

    /// The element of a collection of values at an index that depends on the row. SQLite takes no such offset, but JSON
    /// has the place of each element.
    private func element(
        of sequence: FilterSequence, at index: FilterExpression, _ body: FilterExpression, _ type: FilterType
    ) throws -> Value {
        isReusable = false
        let index = try value(index)
        guard sequence.path == nil, sequence.conditions.isEmpty, !index.isAmbiguous else {
            throw DataStoreError.preferInMemoryFilter
        }
        let found = try selection(
            sequence, where: { [self] in "\(newElement(sequence.variable)).key = \(index.sql)" }
        ) {
            let body = try value(body)
            if !body.guards.isEmpty { throw DataStoreError.preferInMemoryFilter }
            return body.sql
        }
        return Value(sql: "(\(found.sql))", type: type, guards: index.guards, mayBeUnknown: true)
    }

    func extremum(
        _ sequence: FilterSequence, _ extreme: FilterExtreme, _ element: FilterExpression, _ coding: FilterCoding?
    ) throws -> Value {
        if coding != nil || element.type.isOptional { throw DataStoreError.preferInMemoryFilter }
        var mayBeNotANumber = false
        func selection(order: Order = .none, where condition: ((String) -> String)? = nil, _ result: (String) -> String)
            throws -> String
        {
            var one = ""
            let found = try self.selection(
                sequence, order: order, needsRow: true,
                where: condition.map { condition in
                    { [self] in condition(try value(element).sql) }
                }
            ) { [self] in
                let value = try value(element)
                if !value.guards.isEmpty || value.mayBeUnknown { throw DataStoreError.preferInMemoryFilter }
                mayBeNotANumber = value.mayBeNotANumber
                one = value.sql
                return result(one)
            }
            if found.mayBeUnknown { throw DataStoreError.preferInMemoryFilter }
            return found.sql
        }
        let function = extreme == .minimum ? "MIN" : "MAX"
        let plain = try selection { "\(function)(\($0))" }
        let type = element.type.optional()
        if !mayBeNotANumber { return Value(sql: "(\(plain))", type: type) }
        // Not-a-number, a blob here, stays where Swift finds it first, and is passed over everywhere else.
        let first = try selection(order: .forward) { $0 }
        let others = try selection(where: { "\($0) < x''" }) { "\(function)(\($0))" }
        let sql = "CASE WHEN (\(first) LIMIT 1) >= x'' THEN (\(first) LIMIT 1) ELSE (\(others)) END"
        return Value(sql: "(\(sql))", type: type)
    }

    func call(_ function: FilterFunction, _ arguments: [FilterExpression]) throws -> Value {
        let arguments = try arguments.map { try value($0) }
        if arguments.contains(where: \.isAmbiguous) { throw DataStoreError.preferInMemoryFilter }
        if !function.isShared { isReusable = false }
        let object = bind(.object(function))
        // The function would take an unknown value for nil.
        let guards = arguments.flatMap { $0.guards + ($0.mayBeUnknown ? ["\($0.sql) IS NOT NULL"] : []) }
        return Value(
            sql: "\(SQLFunctions.call)(\(([object] + arguments.map(\.sql)).joined(separator: ", ")))",
            type: function.type, guards: guards, mayBeUnknown: function.mayBeUnknown)
    }
}
