import CofferCore

extension SQLCompiler {
    /// A query over the elements of a sequence.
    ///
    /// - Parameters:
    ///   - result: what it selects.
    ///   - sequence: the elements and their conditions.
    ///   - condition: a further condition.
    func select(_ result: String, _ sequence: FilterSequence, where condition: (() throws -> String)? = nil) throws
        -> String
    {
        var conditions: [String] = []
        let source: () -> String
        switch sequence.source {
        case .rows(let path):
            let needsRow = !sequence.conditions.isEmpty || condition != nil
            source = try rows(path, sequence.variable, needsRow: needsRow, &conditions)
        case .stored(let expression, let coding):
            let alias = newElement(sequence.variable)
            let column = try value(expression)
            if column.isAmbiguous || !column.guards.isEmpty { throw DataStoreError.preferInMemoryFilter }
            let table = json(column.sql, coding, alias, sequence.variable)
            source = { table }
        case .captured(let list):
            let alias = newElement(sequence.variable)
            let (text, isCoded) = SQLList.json(list.values, storeIdentifier: storeIdentifier)
            let parameter = bind(.text(text))
            elements[sequence.variable.number] = isCoded ? "\(SQLFunctions.value)(\(alias).value)" : "\(alias).value"
            source = { "json_each(\(parameter)) AS \(alias)" }
        }
        for part in sequence.conditions { conditions.append(Self.wrapped(try self.condition(part, .matching).sql)) }
        if let condition { conditions.append(Self.wrapped(try condition())) }
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return "SELECT \(result) FROM \(source())\(filter)"
    }

    private func newElement(_ variable: FilterVariable) -> String { "e\(variable.number)" }

    /// The rows of a to-many relationship. The source is written last: conditions may add joins to it.
    private func rows(
        _ path: FilterPath, _ variable: FilterVariable, needsRow: Bool, _ conditions: inout [String]
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
        case .children(let entity, let column, _)?:
            guard let table = layout.table(named: entity) else { throw DataStoreError.preferInMemoryFilter }
            let frame = SQLFrame(alias: newAlias(), table: table)
            frames[variable.number] = frame
            conditions.append("\(frame.column(column)) = \(ownerKey)")
            return { "\(SQLText.quoted(table.name)) AS \(frame.alias)" + frame.joinText }
        case .members(let entity, let joinName, let owner, let member, _)?:
            guard let table = layout.table(named: entity) else { throw DataStoreError.preferInMemoryFilter }
            let frame = SQLFrame(alias: newAlias(), table: table)
            frames[variable.number] = frame
            let join = frame.alias.replacingPrefix("t", with: "j")
            conditions.append("\(join).\(SQLText.quoted(owner)) = \(ownerKey)")
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
            if let end = SQLList.textAfter(prefix) { range += " AND \(text.sql) < \(bind(.text(end)))" }
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
