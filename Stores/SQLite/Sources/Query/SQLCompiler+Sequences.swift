import CofferCore

extension SQLCompiler {
    /// A query over the elements of a sequence; only for a sequence whose elements are known.
    ///
    /// - Parameters:
    ///   - result: what it selects.
    ///   - sequence: the elements and their conditions.
    ///   - condition: a further condition.
    func select(_ result: String, _ sequence: FilterSequence, where condition: (() throws -> String)? = nil) throws
        -> String
    {
        let selection = try selection(sequence, where: condition) { result }
        if selection.mayBeUnknown { throw DataStoreError.preferInMemoryFilter }
        return selection.sql
    }

    /// A query over the elements of a sequence.
    struct Selection {
        var sql: String
        /// Whether a condition of the sequence may be unknown; such elements are left out.
        var mayBeUnknown = false
    }

    /// The order of a sequence's elements, where one is asked for.
    enum Order { case none, forward, backward }

    /// The same, with a result that depends on the element.
    func selection(
        _ sequence: FilterSequence, order: Order = .none, needsRow: Bool = false,
        where condition: (() throws -> String)? = nil, _ result: () throws -> String
    ) throws -> Selection {
        var conditions: [String] = []
        let source: () -> String
        /// What orders the elements, the most significant first.
        var places: [String] = []
        switch sequence.source {
        case .rows(let path):
            let needsRow = needsRow || !sequence.conditions.isEmpty || condition != nil
            source = try rows(path, sequence.variable, needsRow: needsRow, &conditions, &places)
        case .stored(let expression, let coding):
            let alias = newElement(sequence.variable)
            let column = try value(expression)
            if column.isAmbiguous || column.mayBeUnknown || !column.guards.isEmpty {
                throw DataStoreError.preferInMemoryFilter
            }
            let table = json(column.sql, coding, alias, sequence.variable)
            source = { table }
            places = ["\(alias).key"]
        case .captured(let list):
            let alias = newElement(sequence.variable)
            isReusable = false
            let (text, isCoded) = SQLList.json(list.values, storeIdentifier: storeIdentifier)
            let parameter = bind(.text(text))
            elements[sequence.variable.number] = isCoded ? "\(SQLFunctions.value)(\(alias).value)" : "\(alias).value"
            source = { "json_each(\(parameter)) AS \(alias)" }
            places = ["\(alias).key"]
        case .slice: throw DataStoreError.preferInMemoryFilter
        }
        var mayBeUnknown = false
        for part in sequence.conditions {
            let part = try self.condition(part, .matching)
            mayBeUnknown = mayBeUnknown || part.mayBeUnknown
            conditions.append(Self.wrapped(part.sql))
        }
        if let condition { conditions.append(Self.wrapped(try condition())) }
        let result = try result()
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        var sql = "SELECT \(result) FROM \(source())\(filter)"
        switch order {
        case .none: break
        case .forward: sql += " ORDER BY " + places.joined(separator: ", ")
        case .backward: sql += " ORDER BY " + places.map { $0 + " DESC" }.joined(separator: ", ")
        }
        return Selection(sql: sql, mayBeUnknown: mayBeUnknown)
    }

    /// `EXISTS`. An unknown condition makes it unknown where no element is found.
    func exists(_ sequence: FilterSequence, _ mode: Mode) throws -> Condition {
        let found = try selection(sequence) { "1" }
        if found.mayBeUnknown, mode == .exact { throw DataStoreError.preferInMemoryFilter }
        return Condition(sql: "EXISTS (\(found.sql))", mayBeUnknown: found.mayBeUnknown)
    }

    func newElement(_ variable: FilterVariable) -> String { "e\(variable.number)" }

    /// The rows of a to-many relationship. The source is written last: conditions may add joins to it.
    private func rows(
        _ path: FilterPath, _ variable: FilterVariable, needsRow: Bool, _ conditions: inout [String],
        _ places: inout [String]
    ) throws -> () -> String {
        guard let root = frames[path.variable.number], let last = path.steps.last else {
            throw DataStoreError.preferInMemoryFilter
        }
        // The key of the owner is in the last link's column: its own row need not be joined.
        let links = path.links.map { SQLFrame.Step($0) }
        let ownerKey: String
        let ownerTable: SQLTable
        if case .cast? = links.last {
            let owner = try root.frame(along: links, layout, newAlias: newAlias)
            (ownerKey, ownerTable) = (owner.key, owner.table)
        } else if case .link(let link)? = links.last {
            let start = try root.frame(along: Array(links.dropLast()), layout, newAlias: newAlias)
            guard case .link(let column, let entity)? = start.table.places[checked: link],
                let table = layout.table(named: entity)
            else { throw DataStoreError.preferInMemoryFilter }
            (ownerKey, ownerTable) = (start.column(column), table)
        } else {
            (ownerKey, ownerTable) = (root.key, root.table)
        }
        switch ownerTable.places[checked: last.slot] {
        case .children(let entity, let column, let position)?:
            guard let table = layout.table(named: entity) else { throw DataStoreError.preferInMemoryFilter }
            let frame = SQLFrame(alias: newAlias(), table: table)
            frames[variable.number] = frame
            conditions.append("\(frame.column(column)) = \(ownerKey)")
            places = (position.map { ["\(frame.column($0)) IS NULL", frame.column($0)] } ?? []) + [frame.key]
            return { "\(SQLText.quoted(table.name)) AS \(frame.alias)" + frame.joinText }
        case .members(let entity, let joinName, let owner, let member, let position)?:
            guard let table = layout.table(named: entity) else { throw DataStoreError.preferInMemoryFilter }
            let frame = SQLFrame(alias: newAlias(), table: table)
            frames[variable.number] = frame
            let join = frame.alias.replacingPrefix("t", with: "j")
            conditions.append("\(join).\(SQLText.quoted(owner)) = \(ownerKey)")
            if let position {
                places = ["\(join).\(SQLText.quoted(position)) IS NULL", "\(join).\(SQLText.quoted(position))"]
            }
            places.append("\(join).\(SQLText.quoted(member))")
            return {
                let source = "\(SQLText.quoted(joinName)) AS \(join)"
                if !needsRow { return source }
                return source + " JOIN \(SQLText.quoted(table.name)) AS \(frame.alias) ON "
                    + "\(frame.key) = \(join).\(SQLText.quoted(member))" + frame.joinText
            }
        default: throw DataStoreError.preferInMemoryFilter
        }
    }

    /// The elements of a stored collection, as a table. JSON's texts, whole numbers and truths are the stored form;
    /// other elements are decoded by their type.
    private func json(_ column: String, _ coding: FilterCoding, _ alias: String, _ variable: FilterVariable) -> String {
        switch coding.elementStorage {
        case .integer?, .boolean?:
            elements[variable.number] = "\(alias).value"
            return "json_each(\(column)) AS \(alias)"
        case .text?:
            // SQLite ends a JSON text at a NUL.
            let hasNUL = "instr(\(column), '\\u0000')"
            elements[variable.number] =
                "CASE WHEN \(hasNUL) THEN \(SQLFunctions.value)(\(alias).value) ELSE \(alias).value END"
            let coded = "\(SQLFunctions.elements)(\(bind(.object(coding))), \(column))"
            return "json_each(CASE WHEN \(hasNUL) THEN \(coded) ELSE \(column) END) AS \(alias)"
        default:
            elements[variable.number] = "\(SQLFunctions.value)(\(alias).value)"
            return "json_each(\(SQLFunctions.elements)(\(bind(.object(coding))), \(column))) AS \(alias)"
        }
    }

    // MARK: Membership

    func includes(_ sequence: FilterSequence, _ element: FilterExpression, _ mode: Mode) throws -> Condition {
        guard case .captured(let list) = sequence.source, sequence.conditions.isEmpty else {
            let element = try value(element)
            if element.isAmbiguous { throw DataStoreError.preferInMemoryFilter }
            let found = try select("1", sequence) { [self] in
                guard let one = elements[sequence.variable.number] else { throw DataStoreError.preferInMemoryFilter }
                let equal = "\(one) \(element.type.isOptional ? "IS" : "=") \(element.sql)"
                if !element.mayBeNotANumber { return equal }
                return element.type.isOptional
                    ? "\(equal) AND (\(one) IS NULL OR \(one) < x'')" : "\(equal) AND \(one) < x''"
            }
            return try known("EXISTS (\(found))", [element.asked], mode, masksUnknown: true)
        }
        let element = try value(element)
        if element.isAmbiguous { throw DataStoreError.preferInMemoryFilter }
        return try listed(list, element, mode)
    }

    private func listed(_ list: FilterList, _ element: Value, _ mode: Mode) throws -> Condition {
        isReusable = false
        let hasNil = list.values.contains(.null)
        let values = list.values.filter { value in
            switch value {
            case .null, .references: false
            case .real(let number): !number.isNaN
            case .reference(let identifier): isHere(identifier, entity: element.type)
            default: true
            }
        }
        var sql: String
        if values.isEmpty {
            sql = "0"
        } else if values.count <= 8 {
            sql = "\(element.sql) IN (\(values.map { bind($0) }.joined(separator: ", ")))"
        } else {
            let (text, isCoded) = SQLList.json(values, storeIdentifier: storeIdentifier)
            let value = isCoded ? "\(SQLFunctions.value)(value)" : "value"
            sql = "\(element.sql) IN (SELECT \(value) FROM json_each(\(bind(.text(text)))))"
        }
        if element.type.isOptional {
            if hasNil {
                sql = "(\(element.sql) IS NULL OR \(sql))"
            } else if mode == .exact {
                sql = "(\(element.sql) IS NOT NULL AND \(sql))"
            }
        }
        return try known(sql, [element.asked], mode, masksUnknown: values.isEmpty)
    }

    // MARK: Text

    func text(
        _ test: FilterTextTest, _ left: FilterExpression, _ right: FilterExpression, _ mode: Mode
    ) throws -> Condition {
        let (text, part) = (try value(left), try value(right))
        let name =
            switch test {
            case .contains: SQLFunctions.contains
            case .startsWith: SQLFunctions.startsWith
            case .endsWith: SQLFunctions.endsWith
            case .localizedStandardContains: SQLFunctions.localizedContains
            }
        var sql = "\(name)(\(text.sql), \(part.sql))"
        if test == .startsWith, case .text(let prefix)? = part.constant, !prefix.isEmpty, case .property = left {
            // What begins with the characters begins with their bytes, which an index can find.
            var range = "\(text.sql) >= \(part.sql)"
            if SQLList.textAfter(prefix) != nil {
                range += " AND \(text.sql) < \(bind(.textAfter(prefix: prefix)))"
            }
            sql = "\(range) AND \(sql)"
        }
        return try known(sql, [text, part], mode)
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, with replacement: String) -> String {
        hasPrefix(prefix) ? replacement + dropFirst(prefix.count) : self
    }
}
