import CofferCore

/// How two layouts differ: what can be done at once, and what cannot be done without a migration.
struct SchemaDifference: CustomStringConvertible {
    /// A change that has to be migrated.
    struct Obstacle: Hashable {
        let entity: String?
        let property: String?
        let detail: String
    }

    /// What brings a file from the old layout to the new one, in order.
    private(set) var statements: [String] = []
    private(set) var obstacles: [Obstacle] = []
    /// Columns whose large values lay in files and shall lie in the store's file from now on.
    private(set) var movedIn: [(table: SQLiteTable, column: SQLiteColumn)] = []

    var isEmpty: Bool { statements.isEmpty && obstacles.isEmpty && movedIn.isEmpty }

    var description: String {
        let list =
            obstacles.map { "\($0.entity ?? "").\($0.property ?? "") \($0.detail)" } + statements
            + movedIn.map { "\($0.table.entityName).\($0.column.property) is no longer kept in files" }
        return list.joined(separator: "; ")
    }

    /// Compares two layouts.
    ///
    /// - Parameter schema: the new schema, which knows the default values.
    init(from old: SQLiteSchema, to new: SQLiteSchema, of schema: Schema) {
        for table in old.tables where new.table(of: table.entityName) == nil {
            obstacles.append(Obstacle(entity: table.entityName, property: nil, detail: "the entity is gone"))
        }
        // What a subclass adds to a table comes after what its superclass does.
        for table in new.tables.filter(\.isRoot) + new.tables.filter({ !$0.isRoot }) {
            if let before = old.table(of: table.entityName) {
                compare(before, table, old, new, schema.entitiesByName[table.entityName])
            } else if table.isRoot {
                statements += new.creation(of: table)
            } else if old.table(of: new.tables[table.root].entityName) != nil {
                addSubclass(table, new)
            }
        }
        compareJoins(old, new)
        compareFullTexts(old, new)
    }

    /// A new subclass of a class that is there: its columns come to the table, empty in all rows.
    private mutating func addSubclass(_ table: SQLiteTable, _ new: SQLiteSchema) {
        for column in SQLiteSchema.ownColumns(table) {
            statements.append("ALTER TABLE \(table.quoted) ADD COLUMN \(new.columnDefinition(column))")
            addPosition(of: column, to: table)
        }
        statements += table.ownIndexes.map { SQLiteSchema.createIndex($0, on: table) }
    }

    private mutating func compare(
        _ before: SQLiteTable, _ table: SQLiteTable, _ old: SQLiteSchema, _ new: SQLiteSchema, _ entity: Schema.Entity?
    ) {
        func obstacle(_ property: String?, _ detail: String) {
            obstacles.append(Obstacle(entity: table.entityName, property: property, detail: detail))
        }
        if before.name != table.name { obstacle(nil, "the table has another name") }
        if table.isRoot, table.hierarchy != nil, before.hierarchy == nil {
            // The first subclass; the rows that are there are of the class itself.
            statements.append(
                "ALTER TABLE \(table.quoted) ADD COLUMN \(SQLiteTable.entityName) TEXT NOT NULL DEFAULT "
                    + SQLiteName.literal(table.entityName))
            statements += [SQLiteSchema.createEntityIndex(table)].compactMap { $0 }
        }
        for column in SQLiteSchema.ownColumns(before)
        where !table.columns.contains(where: { $0.property == column.property }) {
            obstacle(column.property, "the property is gone")
        }
        for column in SQLiteSchema.ownColumns(table) {
            guard let known = before.columns.first(where: { $0.property == column.property }) else {
                add(column, to: table, new, entity)
                continue
            }
            let target = column.destination.map { new.tables[$0].entityName }
            if known.isInherited || known.name != column.name || known.kind != column.kind
                || known.storage != column.storage
                || known.destination.map({ old.tables[$0].entityName }) != target
            {
                obstacle(column.property, "the property's values are kept differently")
            } else if known.isRequired != column.isRequired {
                obstacle(column.property, "the property \(column.isRequired ? "must have" : "may lack") a value now")
            }
            if known.isExternal, !column.isExternal { movedIn.append((table, column)) }
            if known.positionName == nil { addPosition(of: column, to: table) }
        }
        compareIndexes(before, table)
    }

    private mutating func add(
        _ column: SQLiteColumn, to table: SQLiteTable, _ schema: SQLiteSchema, _ entity: Schema.Entity?
    ) {
        var literal: String?
        if let value = entity?.attributesByName[column.property]?._storedDefault {
            literal = Self.literal(value)
        }
        if column.isRequired, literal == nil {
            obstacles.append(
                Obstacle(
                    entity: table.entityName, property: column.property,
                    detail: "the property is new and has neither a default value nor an optional type"))
            return
        }
        let definition = schema.columnDefinition(column, defaultLiteral: column.isOfSubclass ? nil : literal)
        statements.append("ALTER TABLE \(table.quoted) ADD COLUMN \(definition)")
        if column.isOfSubclass, let literal, let hierarchy = table.hierarchy {
            // Rows of other classes go without.
            statements.append(
                "UPDATE \(table.quoted) SET \(column.quoted) = \(literal) "
                    + "WHERE \(SQLiteTable.condition(hierarchy.names))")
        }
        addPosition(of: column, to: table)
    }

    private mutating func addPosition(of column: SQLiteColumn, to table: SQLiteTable) {
        guard let position = column.quotedPosition else { return }
        statements.append("ALTER TABLE \(table.quoted) ADD COLUMN \(position) INTEGER")
        statements += [SQLiteSchema.createPlaceIndex(column, on: table)].compactMap { $0 }
    }

    private mutating func compareIndexes(_ before: SQLiteTable, _ table: SQLiteTable) {
        func text(_ index: SQLiteTable.Index, _ table: SQLiteTable) -> String {
            SQLiteSchema.createIndex(index, on: table)
        }
        let old = Set(before.ownIndexes.map { text($0, before) })
        let new = Set(table.ownIndexes.map { text($0, table) })
        for index in before.ownIndexes where !new.contains(text(index, before)) {
            statements.append("DROP INDEX \(SQLiteName.quoted(index.name))")
        }
        for index in table.ownIndexes where !old.contains(text(index, table)) {
            // One that holds for more classes than before holds for no more rows yet.
            let isWider = before.ownIndexes.contains {
                $0.name == index.name && $0.isUnique && !$0.entities.isEmpty
                    && Set($0.entities).isSubset(of: index.entities)
            }
            if index.isUnique, !isWider {
                obstacles.append(
                    Obstacle(
                        entity: table.entityName,
                        property: index.columns.map { table.columns[$0].property }.joined(separator: ", "),
                        detail: "uniqueness is new"))
            } else {
                statements.append(text(index, table))
            }
        }
    }

    private mutating func compareJoins(_ old: SQLiteSchema, _ new: SQLiteSchema) {
        func text(_ join: SQLiteJoinTable, _ schema: SQLiteSchema) -> String {
            schema.createJoin(join).joined(separator: ";")
        }
        let before = Dictionary(uniqueKeysWithValues: old.joins.map { ($0.name, text($0, old)) })
        let after = Set(new.joins.map(\.name))
        for join in old.joins where !after.contains(join.name) {
            obstacles.append(
                Obstacle(
                    entity: old.tables[join.owner].entityName, property: join.ownerProperty,
                    detail: "the relationship is gone or leads back another way"))
        }
        for join in new.joins {
            if before[join.name] == nil {
                statements += new.createJoin(join)
            } else if before[join.name] != text(join, new) {
                obstacles.append(
                    Obstacle(
                        entity: new.tables[join.owner].entityName, property: join.ownerProperty,
                        detail: "the relationship leads elsewhere"))
            }
        }
    }

    private mutating func compareFullTexts(_ old: SQLiteSchema, _ new: SQLiteSchema) {
        for table in new.tables where table.isRoot {
            let (before, after) = (old.fullTexts[table.entityName], new.fullText(of: table))
            if before == after { continue }
            if let before { statements.append(before.drop) }
            guard let after else { continue }
            statements.append(after.creation)
            if old.table(of: table.entityName) != nil { statements.append(after.filling) }
        }
    }

    /// A value as an SQL literal; nil where it has none.
    static func literal(_ value: StoredValue) -> String? {
        switch value {
        case .null, .reference, .references: return nil
        case .integer(let number): return String(number)
        case .unsigned(let number): return blob(withUnsafeBytes(of: number.bigEndian) { Array($0) })
        case .real(let number) where number.isNaN:
            return blob(withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) })
        case .real(let number) where number.isInfinite: return number < 0 ? "-9e999" : "9e999"
        case .real(let number): return "\(number)"
        case .text(let text) where text.utf8.contains(0):
            return "CAST(\(blob(Array(text.utf8))) AS TEXT)"
        case .text(let text): return SQLiteName.literal(text)
        case .blob(let bytes): return blob(bytes)
        }
    }

    private static func blob(_ bytes: [UInt8]) -> String {
        "X'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined() + "'"
    }
}
