import CofferCore

/// How a schema lies in a file: a table for each entity, and one for each to-many relationship without a to-one side.
///
/// The layout follows from the schema alone, so that a schema read from a file gives the layout of that file.
final class SQLiteSchema: Sendable {
    let tables: [SQLiteTable]
    let joins: [SQLiteJoinTable]
    /// Where each table stands in an order in which the tables that links lead to come first, if they can.
    let ranks: [Int]
    /// The tables as the compiler of queries sees them.
    let queryTables: [SQLTable]
    /// What leads to the rows of each table, by table.
    let references: [SQLiteReferences]
    /// The links of each table whose other side is a link as well, by table.
    let partners: [[SQLitePartner]]
    private let indexByEntity: [String: Int]

    /// The layout of a schema.
    ///
    /// - Throws: ``SwiftDataError`` for what the store cannot keep; the error names entity and property.
    init(_ schema: Schema) throws {
        var builder = SQLiteSchemaBuilder(schema)
        try builder.build()
        let (tables, joins) = (builder.tables, builder.joins)
        self.tables = tables
        self.joins = joins
        ranks = Self.ranks(tables)
        queryTables = Self.queryTables(tables, joins)
        references = tables.map { SQLiteReferences(to: $0.index, tables, joins) }
        partners = builder.partners
        indexByEntity = Dictionary(uniqueKeysWithValues: tables.map { ($0.entityName, $0.index) })
    }

    /// The table of an entity.
    func table(of entityName: String) -> SQLiteTable? { indexByEntity[entityName].map { tables[$0] } }

    private static func ranks(_ tables: [SQLiteTable]) -> [Int] {
        var ranks = [Int](repeating: -1, count: tables.count)
        var next = 0
        var visited = Set<Int>()
        func visit(_ index: Int) {
            guard visited.insert(index).inserted else { return }
            // Required links first: in a circle it is the optional ones that have to wait.
            let links = tables[index].columns.filter { $0.destination != nil }
            for link in links.filter(\.isRequired) + links.filter({ !$0.isRequired }) {
                if let destination = link.destination { visit(destination) }
            }
            ranks[index] = next
            next += 1
        }
        for table in tables { visit(table.index) }
        return ranks
    }
}

/// What leads to the rows of a table.
struct SQLiteReferences: Sendable {
    /// Columns of tables, by their indexes.
    let links: [(table: Int, column: Int)]
    /// Join tables, and the side that the rows are at.
    let joins: [(join: Int, side: SQLiteJoinTable.Side)]

    init(to index: Int, _ tables: [SQLiteTable], _ joins: [SQLiteJoinTable]) {
        links = tables.flatMap { table in
            table.columns.indices.filter { table.columns[$0].destination == index }.map { (table.index, $0) }
        }
        self.joins = joins.flatMap { join -> [(join: Int, side: SQLiteJoinTable.Side)] in
            var ends: [(join: Int, side: SQLiteJoinTable.Side)] = []
            if join.owner == index { ends.append((join.index, .owner)) }
            if join.member == index { ends.append((join.index, .member)) }
            return ends
        }
    }
}

/// A link between one row and one: the two columns that say it.
struct SQLitePartner: Sendable {
    let column: Int
    let otherTable: Int
    let otherColumn: Int
}

/// Lays a schema out.
struct SQLiteSchemaBuilder {
    private let entities: [Schema.Entity]
    private let byName: [String: Int]
    private var names = SQLiteName.Allocator(reserved: [SQLiteMetadata.tableName])
    private var tableNames: [String] = []
    private var columns: [[SQLiteColumn]] = []
    private(set) var tables: [SQLiteTable] = []
    private(set) var joins: [SQLiteJoinTable] = []
    private var joinOfProperty: [String: Int] = [:]

    /// Everything is laid out by name, so that the order of declaration makes no difference.
    init(_ schema: Schema) {
        entities = schema.entities.sorted { $0.name < $1.name }
        byName = Dictionary(
            entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func build() throws {
        for entity in entities where entity.superentityName != nil || !entity.subentities.isEmpty {
            throw SwiftDataError(
                .unsupportedFeature, operation: .open, entity: entity.name,
                detail: "the SQLite store does not keep subclasses of models yet")
        }
        tableNames = entities.map { names.allocate($0.name) }
        for entity in entities { columns.append(try makeColumns(of: entity)) }
        for index in entities.indices { try makeJoins(of: index) }
        for index in entities.indices {
            let places = try makePlaces(of: index)
            tables.append(
                SQLiteTable(
                    index: index, entityName: entities[index].name, name: tableNames[index], columns: columns[index],
                    places: places, indexes: try makeIndexes(of: index)))
        }
    }

    /// The links of each table whose other side is a link as well.
    var partners: [[SQLitePartner]] {
        entities.indices.map { index in
            columns[index].indices.compactMap { column in
                let name = columns[index][column].property
                let property = entities[index].properties.first { $0.name == name }
                guard let relationship = property as? Schema.Relationship,
                    let other = columns[index][column].destination,
                    let inverse = inverse(of: relationship, in: entities[index]), inverse.isToOneRelationship,
                    let otherColumn = columns[other].firstIndex(where: { $0.property == inverse.name })
                else { return nil }
                return SQLitePartner(column: column, otherTable: other, otherColumn: otherColumn)
            }
        }
    }

    // MARK: Columns

    private mutating func makeColumns(of entity: Schema.Entity) throws -> [SQLiteColumn] {
        var columnNames = SQLiteName.Allocator(reserved: [SQLiteTable.keyName])
        var allocated: [String: String] = [:]
        let stored = entity.properties.filter { !$0.isTransient && !isList($0) }
        for name in stored.map(\.name).sorted() { allocated[name] = columnNames.allocate(name) }
        var result: [SQLiteColumn] = []
        for (slot, property) in entity.properties.enumerated() {
            guard let name = allocated[property.name], !property.isTransient, !isList(property) else { continue }
            if let relationship = property as? Schema.Relationship {
                let hasPlaces = inverse(of: relationship, in: entity).map { !$0.isToOneRelationship } ?? false
                result.append(
                    SQLiteColumn(
                        slot: slot, property: property.name, name: name, kind: .reference, storage: nil,
                        isRequired: !property.isOptional, destination: try destination(of: relationship, in: entity),
                        positionName: hasPlaces ? columnNames.allocate("_\(property.name)_position") : nil,
                        placeIndexName: hasPlaces ? names.allocate("\(entity.name)_\(name)_places") : nil))
            } else if let attribute = property as? Schema.Attribute {
                let storage = attribute._storage
                result.append(
                    SQLiteColumn(
                        slot: slot, property: property.name, name: name, kind: SQLiteColumn.Kind(storage),
                        storage: storage, isRequired: !attribute.isOptional, destination: nil, positionName: nil,
                        placeIndexName: nil))
            }
        }
        return result
    }

    private func isList(_ property: any SchemaProperty) -> Bool {
        (property as? Schema.Relationship).map { !$0.isToOneRelationship } ?? false
    }

    private func destination(of relationship: Schema.Relationship, in entity: Schema.Entity) throws -> Int {
        if let index = byName[relationship.destination] { return index }
        throw SwiftDataError(
            .invalidRelationship, operation: .open, entity: entity.name, property: relationship.name,
            detail: "it leads to \(relationship.destination), which is not in the store's schema")
    }

    /// The relationship on the other side, whichever of the two names the other.
    private func inverse(of relationship: Schema.Relationship, in entity: Schema.Entity) -> Schema.Relationship? {
        guard let index = byName[relationship.destination] else { return nil }
        let others = entities[index].properties.compactMap { $0 as? Schema.Relationship }
        if let name = relationship.inverseName { return others.first { $0.name == name } }
        return others.first { $0.inverseName == relationship.name && $0.destination == entity.name }
    }

    // MARK: Lists

    private mutating func makeJoins(of index: Int) throws {
        let entity = entities[index]
        let lists = entity.properties.compactMap { $0 as? Schema.Relationship }.filter { !$0.isToOneRelationship }
        for relationship in lists.sorted(by: { $0.name < $1.name }) {
            let member = try destination(of: relationship, in: entity)
            let inverse = inverse(of: relationship, in: entity)
            if let inverse, inverse.isToOneRelationship { continue }
            let path = "\(entity.name).\(relationship.name)"
            if joinOfProperty[path] != nil { continue }
            // A relationship that is its own inverse keeps both directions as rows of one side.
            let other = inverse.map { "\(entities[member].name).\($0.name)" }
            let isTwoSided = other != nil && other != path
            joinOfProperty[path] = joins.count
            if isTwoSided, let other { joinOfProperty[other] = joins.count }
            let name = names.allocate("\(entity.name)_\(relationship.name)")
            joins.append(
                SQLiteJoinTable(
                    index: joins.count, name: name, indexName: names.allocate(name + "_members"), owner: index,
                    member: member, isTwoSided: isTwoSided, ownerProperty: relationship.name))
        }
    }

    private func makePlaces(of index: Int) throws -> [SQLiteTable.Place] {
        let entity = entities[index]
        return try entity.properties.enumerated().map { slot, property in
            if let column = columns[index].firstIndex(where: { $0.slot == slot }) { return .column(column) }
            guard let relationship = property as? Schema.Relationship else { return .none }
            if let join = joinOfProperty["\(entity.name).\(relationship.name)"] {
                let isOwner = joins[join].owner == index && joins[join].ownerProperty == relationship.name
                return .join(join, isOwner ? .owner : .member)
            }
            let child = try destination(of: relationship, in: entity)
            guard let inverse = inverse(of: relationship, in: entity),
                let column = columns[child].firstIndex(where: { $0.property == inverse.name })
            else { return .none }
            return .inverse(table: child, column: column)
        }
    }

    // MARK: Indexes

    private mutating func makeIndexes(of index: Int) throws -> [SQLiteTable.Index] {
        let entity = entities[index]
        if let list = entity._rtreeIndices.sorted(by: { $0.lexicographicallyPrecedes($1) }).first {
            throw SwiftDataError(
                .unsupportedFeature, operation: .open, entity: entity.name, property: list.joined(separator: ", "),
                detail: "the SQLite store has no R-tree indexes")
        }
        var result: [SQLiteTable.Index] = []
        for list in entity.uniquenessConstraints.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let list = try columnList(list, of: index, failing: .invalidUniqueness)
            if !result.contains(where: { $0.columns == list }) { result.append(makeIndex(list, of: index, true)) }
        }
        for list in entity.indices.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let list = try columnList(list, of: index, failing: .invalidIndex)
            if !result.contains(where: { $0.columns == list }) { result.append(makeIndex(list, of: index, false)) }
        }
        // Without an index the deletion of a row would read the whole table to find the links to it.
        for (column, definition) in columns[index].enumerated() where definition.destination != nil {
            if !result.contains(where: { $0.columns.first == column }) {
                result.append(makeIndex([column], of: index, false))
            }
        }
        return result
    }

    private func columnList(
        _ properties: [String], of index: Int, failing code: SwiftDataError.Code
    ) throws -> [Int] {
        try properties.map { name in
            if let column = columns[index].firstIndex(where: { $0.property == name }) { return column }
            throw SwiftDataError(
                code, operation: .open, entity: entities[index].name, property: name,
                detail: "it has no value of its own in the store")
        }
    }

    private mutating func makeIndex(_ list: [Int], of index: Int, _ isUnique: Bool) -> SQLiteTable.Index {
        let parts = [tableNames[index]] + list.map { columns[index][$0].name } + [isUnique ? "unique" : "index"]
        return SQLiteTable.Index(
            name: names.allocate(parts.joined(separator: "_")), columns: list, isUnique: isUnique)
    }
}
