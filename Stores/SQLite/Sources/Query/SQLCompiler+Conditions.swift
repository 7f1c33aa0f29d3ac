import CofferCore

extension SQLCompiler {
    /// A condition as an SQL expression that can stand as an operand of `AND`.
    func condition(_ expression: FilterExpression, _ mode: Mode) throws -> Condition {
        try enter()
        defer { leave() }
        switch expression {
        case .constant(let value, _):
            return Condition(sql: value == .integer(1) ? "1" : "0")
        case .compare where mode == .matching && expression.chainedCondition != nil:
            guard let (optional, body) = expression.chainedCondition else { return Condition(sql: "0") }
            return try condition(.ifPresent(optional, body), .matching)
        case .compare(let comparison, let left, let right):
            return try compare(comparison, left, right, mode)
        case .compareCoded(let comparison, let left, let right, let coding):
            let (left, right) = (try value(left), try value(right))
            if left.isAmbiguous || right.isAmbiguous { throw DataStoreError.preferInMemoryFilter }
            let object = bind(.comparison(comparison, coding))
            return try known(
                "\(SQLFunctions.compare)(\(object), \(left.sql), \(right.sql))", [left.asked, right.asked], mode,
                masksUnknown: true)
        case .all(let conditions):
            return try joined(Self.upperBoundsFirst(conditions), "AND", empty: "1", mode)
        case .any(let conditions):
            return try joined(conditions, "OR", empty: "0", mode)
        case .not(let inner):
            return try negated(inner, mode)
        case .exists(let sequence):
            return try exists(sequence, mode)
        case .every(let sequence, let test):
            var mayBeUnknown = false
            let failing = try select("1", sequence) {
                let test = try self.condition(test, .exact)
                mayBeUnknown = test.mayBeUnknown
                return test.mayBeUnknown ? "(\(test.sql)) IS NOT TRUE" : "NOT (\(test.sql))"
            }
            if mayBeUnknown, mode == .exact { throw DataStoreError.preferInMemoryFilter }
            return Condition(sql: "NOT EXISTS (\(failing))", mayBeUnknown: mayBeUnknown)
        case .includes(let sequence, let element):
            return try includes(sequence, element, mode)
        case .text(let test, let left, let right):
            return try text(test, left, right, mode)
        case .fullText(let texts, let query):
            return try fullText(texts, query, mode)
        case .coalesce(let value, let substitute)
        where mode == .matching && substitute.constantTruth == false && value.type.kind == .scalar(.boolean):
            return try condition(value, .matching)
        case .ifPresent(let optional, let body) where mode == .matching:
            let optional = try value(optional)
            let body = try condition(body, .matching)
            return Condition(
                sql: "\(optional.sql) IS NOT NULL AND \(Self.wrapped(body.sql))", mayBeUnknown: body.mayBeUnknown)
        case .require(let optional, let body) where mode == .matching && optional != body:
            let optional = try value(optional)
            let body = try condition(body, .matching)
            return Condition(sql: "\(optional.sql) IS NOT NULL AND \(Self.wrapped(body.sql))", mayBeUnknown: true)
        default:
            return try truth(of: expression, mode)
        }
    }

    /// A Boolean value as a condition.
    private func truth(of expression: FilterExpression, _ mode: Mode) throws -> Condition {
        let flag = try value(expression)
        guard flag.type.storage == .boolean else { throw DataStoreError.preferInMemoryFilter }
        // An index serves `flag = 1`, not `flag`.
        if case .property = expression { return try known("\(flag.sql) = 1", [flag], mode) }
        return try known(flag.sql, [flag], mode)
    }

    private func joined(
        _ conditions: [FilterExpression], _ connective: String, empty: String, _ mode: Mode
    ) throws -> Condition {
        let parts = try conditions.map { try condition($0, mode) }
        if parts.isEmpty { return Condition(sql: empty) }
        if parts.count == 1 { return parts[0] }
        let text = Self.balanced(parts.map { Self.wrapped($0.sql) }[...], " \(connective) ")
        // The disjunction may become an operand of a conjunction.
        return Condition(
            sql: connective == "OR" ? "(\(text))" : text, mayBeUnknown: parts.contains { $0.mayBeUnknown })
    }

    /// The operands of a conjunction with those first that say what a property is below.
    ///
    /// Of several upper ends SQLite walks an index to the one that stands first, and a lower bound brings one along, the
    /// guard against not-a-number, which is the end of all numbers.
    private static func upperBoundsFirst(_ conditions: [FilterExpression]) -> [FilterExpression] {
        func isUpperBound(_ condition: FilterExpression) -> Bool {
            switch condition {
            case .compare(.less, .property, _), .compare(.lessOrEqual, .property, _),
                .compare(.greater, _, .property), .compare(.greaterOrEqual, _, .property):
                true
            default: false
            }
        }
        let upper = conditions.filter(isUpperBound)
        return upper.isEmpty ? conditions : upper + conditions.filter { !isUpperBound($0) }
    }

    /// Many operands as a tree of parentheses: SQLite would take them for a tree as deep as they are many.
    private static func balanced(_ texts: ArraySlice<String>, _ connective: String) -> String {
        if texts.count <= 64 { return texts.joined(separator: connective) }
        let middle = texts.startIndex + texts.count / 2
        let (left, right) = (balanced(texts[..<middle], connective), balanced(texts[middle...], connective))
        return "(\(left))\(connective)(\(right))"
    }

    private func negated(_ inner: FilterExpression, _ mode: Mode) throws -> Condition {
        switch inner {
        case .compare(.equal, let left, let right): return try compare(.notEqual, left, right, mode)
        case .compare(.notEqual, let left, let right): return try compare(.equal, left, right, mode)
        case .not(let same): return try condition(same, mode)
        case .exists(let sequence): return Condition(sql: "NOT EXISTS (\(try select("1", sequence)))")
        case .property(let path) where path.type == .boolean:
            let flag = try value(inner)
            return try known("\(flag.sql) = 0", [flag], mode)
        default:
            let inner = try condition(inner, .exact)
            return Condition(sql: "NOT (\(inner.sql))", mayBeUnknown: inner.mayBeUnknown)
        }
    }

    /// Parentheses around what binds less tightly than `AND`'s operands do.
    static func wrapped(_ sql: String) -> String {
        sql.contains(" AND ") || sql.contains(" OR ") || sql.hasPrefix("NOT ") ? "(\(sql))" : sql
    }

    /// A condition over values: unknown where one of them is, and false instead of NULL where one of them is nil.
    ///
    /// - Parameter masksUnknown: whether the SQL may be something else than NULL though a value is unknown.
    func known(_ sql: String, _ values: [Value], _ mode: Mode, masksUnknown: Bool = false) throws -> Condition {
        if masksUnknown || mode == .exact, values.contains(where: \.isAmbiguous) {
            throw DataStoreError.preferInMemoryFilter
        }
        let isOptional = values.contains { $0.type.isOptional }
        var guards = values.flatMap(\.guards)
        if masksUnknown || mode == .exact && isOptional {
            guards += values.filter { !$0.type.isOptional && $0.mayBeUnknown }.map { "\($0.sql) IS NOT NULL" }
        }
        let mayBeUnknown = values.contains { $0.mayBeUnknown || !$0.guards.isEmpty }
        var sql = sql
        switch mode {
        case .matching:
            if !guards.isEmpty { sql = guards.joined(separator: " AND ") + " AND \(Self.wrapped(sql))" }
        case .exact:
            if isOptional { sql = "COALESCE(\(sql), 0)" }
            if !guards.isEmpty { sql = "CASE WHEN \(guards.joined(separator: " AND ")) THEN \(sql) END" }
        }
        return Condition(sql: sql, mayBeUnknown: mayBeUnknown)
    }

    // MARK: Comparisons

    private func compare(
        _ comparison: FilterComparison, _ left: FilterExpression, _ right: FilterExpression, _ mode: Mode
    ) throws -> Condition {
        if left.isNil, !right.isNil { return try compare(comparison.mirrored, right, left, mode) }
        if right.isNil { return try compareWithNil(comparison, left, mode) }
        if let condition = try compareCount(comparison, left, right) { return condition }
        if matchesNothing(left, right.type) { return try compareWithNothing(comparison, right, mode) }
        if matchesNothing(right, left.type) { return try compareWithNothing(comparison, left, mode) }
        let left = try value(left)
        let right = try value(right)
        if left.isAmbiguous || right.isAmbiguous { throw DataStoreError.preferInMemoryFilter }
        let isEquality = comparison == .equal || comparison == .notEqual
        if !isEquality {
            let (sql, masksUnknown) = ordered(comparison, left, right)
            return try known(sql, [left, right], mode, masksUnknown: masksUnknown)
        }
        return try equality(comparison == .equal, left, right, mode)
    }

    private func compareWithNil(
        _ comparison: FilterComparison, _ expression: FilterExpression, _ mode: Mode
    ) throws -> Condition {
        if case .property(let path) = expression, path.steps.last?.isCast == true,
            let condition = try kind(path, comparison)
        {
            return condition
        }
        let value = try presence(of: expression)
        if value.isAmbiguous { throw DataStoreError.preferInMemoryFilter }
        let isNil =
            switch comparison {
            case .equal: value.type.isOptional ? "\(value.sql) IS NULL" : "0"
            case .notEqual: value.type.isOptional ? "\(value.sql) IS NOT NULL" : "1"
            default: "0"
            }
        // The test itself is never NULL.
        return try known(isNil, value.type.isOptional ? [value.asked] : [value], mode, masksUnknown: true)
    }

    /// Whether the row at the end of a path is of the entity that it is cast to; nil where the comparison asks for
    /// something else.
    private func kind(_ path: FilterPath, _ comparison: FilterComparison) throws -> Condition? {
        guard comparison == .equal || comparison == .notEqual, let root = frames[path.variable.number] else {
            return nil
        }
        let frame = try root.frame(along: path.steps.map { .init($0) }, layout, newAlias: newAlias)
        guard let condition = frame.condition else { return nil }
        // The column is NULL where a link on the way is.
        let isKind = path.leadsElsewhere || path.steps.count > 1 ? "COALESCE(\(condition), 0)" : condition
        return Condition(sql: comparison == .notEqual ? isKind : "NOT (\(isKind))")
    }

    /// Whether a constant equals no value and is ordered with none: not-a-number, or an identifier that no row of this
    /// store has.
    private func matchesNothing(_ expression: FilterExpression, _ other: FilterType) -> Bool {
        switch expression {
        case .constant(.real(let number), _): number.isNaN
        case .constant(.reference(let identifier), _): !isHere(identifier, entity: other)
        default: false
        }
    }

    private func compareWithNothing(
        _ comparison: FilterComparison, _ expression: FilterExpression, _ mode: Mode
    ) throws -> Condition {
        let value = try value(expression)
        if value.constant != nil || value.isAmbiguous { throw DataStoreError.preferInMemoryFilter }
        return try known(comparison == .notEqual ? "1" : "0", [value.asked], mode, masksUnknown: true)
    }

    /// Whether an identifier can be that of a row of this store and of the entity.
    func isHere(_ identifier: PersistentIdentifier, entity type: FilterType) -> Bool {
        guard case .link(let entity) = type.kind else { return false }
        return identifier.storeIdentifier == storeIdentifier && identifier._textKey == nil
            && (entity.isEmpty || identifier.entityName == entity || areRelated(identifier.entityName, entity))
    }

    /// Whether two entities are of one hierarchy, whose keys are of one space.
    private func areRelated(_ one: String, _ other: String) -> Bool {
        guard let table = layout.table(named: one), table.hierarchy != nil else { return false }
        return table.name == layout.table(named: other)?.name
    }

    private func equality(
        _ isEqual: Bool, _ left: Value, _ right: Value, _ mode: Mode
    ) throws -> Condition {
        let bothOptional = left.type.isOptional && right.type.isOptional
        let oneOptional = left.type.isOptional != right.type.isOptional
        var sql: String
        var masksUnknown = true
        if left.mayBeNotANumber && right.mayBeNotANumber {
            // The blob that stands for not-a-number equals itself, which it must not.
            if bothOptional {
                sql = "(\(left.sql) IS \(right.sql) AND (\(left.sql) IS NULL OR \(left.sql) < x''))"
            } else if oneOptional {
                sql = "COALESCE(\(left.sql) IS \(right.sql) AND \(left.sql) < x'', 0)"
            } else {
                sql = "(\(left.sql) = \(right.sql) AND \(left.sql) < x'')"
            }
            if !isEqual { sql = "NOT \(sql)" }
        } else if !bothOptional, !oneOptional {
            sql = "\(left.sql) \(isEqual ? "=" : "<>") \(right.sql)"
            masksUnknown = false
        } else if oneOptional, isEqual, mode == .matching {
            sql = "\(left.sql) = \(right.sql)"
            masksUnknown = false
        } else {
            sql = "\(left.sql) \(isEqual ? "IS" : "IS NOT") \(right.sql)"
        }
        return try known(sql, [left.asked, right.asked], mode, masksUnknown: masksUnknown)
    }

    /// An order, and whether its SQL may hide that a value is unknown.
    private func ordered(_ comparison: FilterComparison, _ left: Value, _ right: Value) -> (String, Bool) {
        let sql = "\(left.sql) \(comparison.rawValue) \(right.sql)"
        // Not-a-number is a blob, which is larger than all numbers.
        switch comparison {
        case .greater, .greaterOrEqual:
            if left.mayBeNotANumber { return ("\(sql) AND \(left.sql) < x''", true) }
        default:
            if right.mayBeNotANumber { return ("\(sql) AND \(right.sql) < x''", true) }
        }
        return (sql, false)
    }

    /// `count == 0` and its like, which need not count.
    private func compareCount(
        _ comparison: FilterComparison, _ left: FilterExpression, _ right: FilterExpression
    ) throws -> Condition? {
        let sequence: FilterSequence
        let number: Int64
        let order: FilterComparison
        switch (left, right) {
        case (.count(let counted), .constant(.integer(let bound), _)):
            (sequence, number, order) = (counted, bound, comparison)
        case (.constant(.integer(let bound), _), .count(let counted)):
            (sequence, number, order) = (counted, bound, comparison.mirrored)
        default: return nil
        }
        switch (order, number) {
        case (.greater, 0), (.notEqual, 0), (.greaterOrEqual, 1):
            return Condition(sql: "EXISTS (\(try select("1", sequence)))")
        case (.equal, 0), (.lessOrEqual, 0), (.less, 1):
            return Condition(sql: "NOT EXISTS (\(try select("1", sequence)))")
        default: return nil
        }
    }
}
