import CofferCore

/// How a schema lies in a file: a table for each entity, and one for each to-many relationship without a to-one side. The
/// entities of a hierarchy have one table together, and each of them a ``SQLiteTable`` that says what it sees of it.
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
    /// The full-text indexes by the topmost entity of the table.
    let fullTexts: [String: SQLiteFullText]
    private let indexByEntity: [String: Int]

    /// The layout of a schema.
    ///
    /// - Throws: ``SwiftDataError`` for what the store cannot keep; the error names entity and property.
    init(_ schema: Schema) throws {
        var builder = SQLiteSchemaBuilder(schema)
        try builder.build()
        fullTexts = try builder.makeFullTexts(schema)
        let (tables, joins) = (builder.tables, builder.joins)
        self.tables = tables
        self.joins = joins
        ranks = Self.ranks(tables)
        queryTables = Self.queryTables(tables, joins, fullTexts)
        references = tables.map { SQLiteReferences(to: $0.root, tables, joins) }
        partners = builder.partners
        indexByEntity = Dictionary(uniqueKeysWithValues: tables.map { ($0.entityName, $0.index) })
    }

    /// The table of an entity.
    func table(of entityName: String) -> SQLiteTable? { indexByEntity[entityName].map { tables[$0] } }

    private static func ranks(_ tables: [SQLiteTable]) -> [Int] {
        var ranks = [Int](repeating: -1, count: tables.count)
        var next = 0
        var visited = Set<Int>()
        func visit(_ root: Int) {
            guard visited.insert(root).inserted else { return }
            // Required links first: in a circle it is the optional ones that have to wait.
            let members = tables[root].hierarchy?.below ?? [root]
            let links = members.flatMap { tables[$0].columns.filter { $0.destination != nil && !$0.isInherited } }
            for link in links.filter(\.isRequired) + links.filter({ !$0.isRequired }) {
                if let destination = link.destination { visit(tables[destination].root) }
            }
            for member in members { ranks[member] = next }
            next += 1
        }
        for table in tables { visit(table.root) }
        return ranks
    }
}

/// What leads to the rows of a table of the file.
struct SQLiteReferences: Sendable {
    /// Columns of tables, by their indexes.
    let links: [(table: Int, column: Int)]
    /// Join tables, and the side that the rows are at.
    let joins: [(join: Int, side: SQLiteJoinTable.Side)]

    init(to index: Int, _ tables: [SQLiteTable], _ joins: [SQLiteJoinTable]) {
        links = tables.flatMap { table in
            table.columns.indices.filter { column in
                let column = table.columns[column]
                return !column.isInherited && column.destination.map { tables[$0].root } == index
            }.map { (table.index, $0) }
        }
        self.joins = joins.flatMap { join -> [(join: Int, side: SQLiteJoinTable.Side)] in
            var ends: [(join: Int, side: SQLiteJoinTable.Side)] = []
            if tables[join.owner].root == index { ends.append((join.index, .owner)) }
            if tables[join.member].root == index { ends.append((join.index, .member)) }
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
    private var names = SQLiteName.Allocator(reserved: [SQLiteMetadata.tableName, SQLiteHistory.tableName])
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
        tableNames = entities.map { $0.superentity == nil ? names.allocate($0.name) : "" }
        columns = Array(repeating: [], count: entities.count)
        for (index, entity) in entities.enumerated() where entity.superentity == nil {
            let subtree = entity.subtree.compactMap { byName[$0.name] }
            for member in subtree { tableNames[member] = tableNames[index] }
            try makeColumns(subtree)
        }
        for index in entities.indices { try makeJoins(of: index) }
        var made: [SQLiteTable?] = Array(repeating: nil, count: entities.count)
        for entity in entities where entity.superentity == nil {
            let indexName = entity.subentities.isEmpty ? "" : names.allocate("\(entity.name)_entity_index")
            for member in entity.subtree {
                guard let index = byName[member.name] else { continue }
                let parent = member.superentity.flatMap { byName[$0.name] }.flatMap { made[$0] }
                made[index] = try makeTable(index, below: parent, indexName)
            }
        }
        tables = made.compactMap { $0 }
    }

    private mutating func makeTable(
        _ index: Int, below parent: SQLiteTable?, _ indexName: String
    ) throws -> SQLiteTable {
        let entity = entities[index]
        let places = try makePlaces(of: index, inherited: parent?.places ?? [])
        let inherited = parent?.indexes ?? []
        let indexes = try makeIndexes(of: index, inherited: inherited)
        let root = entity.rootEntity
        var hierarchy: SQLiteTable.Hierarchy?
        if entity.isInHierarchy, let rootIndex = byName[root.name] {
            let subtree = entity.subtree
            hierarchy = SQLiteTable.Hierarchy(
                root: rootIndex, below: subtree.compactMap { byName[$0.name] }, names: subtree.map(\.name),
                count: root.subtree.count, indexName: indexName)
        }
        return SQLiteTable(
            index: index, entityName: entity.name, name: tableNames[index], columns: columns[index], places: places,
            indexes: indexes, ownIndexes: Array(indexes.dropFirst(inherited.count)), hierarchy: hierarchy)
    }

    /// The links of each table whose other side is a link as well.
    var partners: [[SQLitePartner]] {
        entities.indices.map { index in
            columns[index].indices.compactMap { column in
                let name = columns[index][column].property
                let declaring = entities[index].lineage.first { $0.storedProperties.contains { $0.name == name } }
                let property = declaring?.storedProperties.first { $0.name == name }
                guard let declaring, let relationship = property as? Schema.Relationship,
                    let other = columns[index][column].destination,
                    let inverse = inverse(of: relationship, in: declaring)?.relationship, inverse.isToOneRelationship,
                    let otherColumn = columns[other].firstIndex(where: { $0.property == inverse.name })
                else { return nil }
                return SQLitePartner(column: column, otherTable: other, otherColumn: otherColumn)
            }
        }
    }

    // MARK: Columns

    /// Lays out the columns of an entity and those below it, given in the order of their subtree.
    ///
    /// A subclass' columns have its name in front, so that another subclass with a property of the same name changes
    /// nothing.
    private mutating func makeColumns(_ subtree: [Int]) throws {
        guard let root = subtree.first else { return }
        let isHierarchy = subtree.count > 1
        var columnNames = SQLiteName.Allocator(
            reserved: [SQLiteTable.keyName] + (isHierarchy ? [SQLiteTable.entityName] : []))
        for index in subtree {
            let entity = entities[index]
            let prefix = index == root ? "" : entity.name + "_"
            let stored = entity.storedProperties.filter { !$0.isTransient && !isList($0) }
            var allocated: [String: String] = [:]
            for name in stored.map(\.name).sorted() { allocated[name] = columnNames.allocate(prefix + name) }
            let parent = entity.superentity.flatMap { byName[$0.name] }
            var result = index == root ? [] : parent.map { columns[$0].map(\.inherited) } ?? []
            let first = entity.inheritedProperties.count
            for (offset, property) in entity.storedProperties.enumerated() {
                guard let name = allocated[property.name], !property.isTransient, !isList(property) else { continue }
                let slot = first + offset
                if let relationship = property as? Schema.Relationship {
                    let other = inverse(of: relationship, in: entity)?.relationship
                    let hasPlaces = other.map { !$0.isToOneRelationship } ?? false
                    result.append(
                        SQLiteColumn(
                            slot: slot, property: property.name, name: name, kind: .reference, storage: nil,
                            isRequired: !property.isOptional, isOfSubclass: index != root,
                            destination: try destination(of: relationship, in: entity),
                            positionName: hasPlaces
                                ? columnNames.allocate("_\(prefix)\(property.name)_position") : nil,
                            placeIndexName: hasPlaces
                                ? names.allocate("\(entities[root].name)_\(name)_places") : nil))
                } else if let attribute = property as? Schema.Attribute {
                    let storage = attribute._storage
                    result.append(
                        SQLiteColumn(
                            slot: slot, property: property.name, name: name, kind: SQLiteColumn.Kind(storage),
                            storage: storage, isRequired: !attribute.isOptional, isOfSubclass: index != root,
                            destination: nil, positionName: nil, placeIndexName: nil,
                            isExternal: attribute._isExternal))
                }
            }
            columns[index] = result
        }
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

    /// The relationship on the other side, whichever of the two names the other, and the entity that declares it.
    private func inverse(
        of relationship: Schema.Relationship, in entity: Schema.Entity
    ) -> (entity: Schema.Entity, relationship: Schema.Relationship)? {
        guard let index = byName[relationship.destination] else { return nil }
        for other in entities[index].lineage {
            let own = other.storedProperties.compactMap { $0 as? Schema.Relationship }
            let found =
                relationship.inverseName.map { name in own.first { $0.name == name } }
                ?? own.first { $0.inverseName == relationship.name && $0.destination == entity.name }
            if let found { return (other, found) }
        }
        return nil
    }

    /// A name that the schema has not given out yet, with some longer forms.
    mutating func allocate(_ name: String, suffixes: [String]) -> String {
        names.allocate(name, suffixes: suffixes)
    }

    // MARK: Lists

    private mutating func makeJoins(of index: Int) throws {
        let entity = entities[index]
        let lists = entity.storedProperties.compactMap { $0 as? Schema.Relationship }.filter {
            !$0.isToOneRelationship
        }
        for relationship in lists.sorted(by: { $0.name < $1.name }) {
            let member = try destination(of: relationship, in: entity)
            let inverse = inverse(of: relationship, in: entity)
            if let inverse, inverse.relationship.isToOneRelationship { continue }
            let path = "\(entity.name).\(relationship.name)"
            if joinOfProperty[path] != nil { continue }
            // A relationship that is its own inverse keeps both directions as rows of one side.
            let other = inverse.map { "\($0.entity.name).\($0.relationship.name)" }
            let isTwoSided = other != nil && other != path
            joinOfProperty[path] = joins.count
            if isTwoSided, let other { joinOfProperty[other] = joins.count }
            let name = names.allocate("\(entity.name)_\(relationship.name)")
            joins.append(
                SQLiteJoinTable(
                    index: joins.count, name: name, indexName: names.allocate(name + "_members"), owner: index,
                    member: member, isTwoSided: isTwoSided, isMutual: other == path, ownerProperty: relationship.name))
        }
    }

    private func makePlaces(of index: Int, inherited: [SQLiteTable.Place]) throws -> [SQLiteTable.Place] {
        let entity = entities[index]
        return try inherited
            + entity.storedProperties.enumerated().map { offset, property in
                let slot = entity.inheritedProperties.count + offset
                if let column = columns[index].firstIndex(where: { $0.slot == slot }) { return .column(column) }
                guard let relationship = property as? Schema.Relationship else { return .none }
                if let join = joinOfProperty["\(entity.name).\(relationship.name)"] {
                    let isOwner = joins[join].owner == index && joins[join].ownerProperty == relationship.name
                    return .join(join, isOwner ? .owner : .member)
                }
                let child = try destination(of: relationship, in: entity)
                guard let inverse = inverse(of: relationship, in: entity)?.relationship,
                    let column = columns[child].firstIndex(where: { $0.property == inverse.name })
                else { return .none }
                return .inverse(table: child, column: column)
            }
    }

    // MARK: Indexes

    /// The indexes of an entity: those of its superclass, and behind them its own.
    private mutating func makeIndexes(
        of index: Int, inherited: [SQLiteTable.Index]
    ) throws -> [SQLiteTable.Index] {
        let entity = entities[index]
        if let list = entity._rtreeIndices.sorted(by: { $0.lexicographicallyPrecedes($1) }).first {
            throw SwiftDataError(
                .unsupportedFeature, operation: .open, entity: entity.name, property: list.joined(separator: ", "),
                detail: "the SQLite store has no R-tree indexes")
        }
        var result = inherited
        func isKnown(_ list: [Int], _ isUnique: Bool) -> Bool {
            result.contains { $0.columns == list && ($0.isUnique || !isUnique) && $0.entities.isEmpty }
        }
        for list in entity.uniquenessConstraints.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let list = try columnList(list, of: index, failing: .invalidUniqueness)
            if isKnown(list, true) { continue }
            // Rows of other classes have no values of the class's own properties; those of inherited ones they have.
            let isPartial = !inherited.isEmpty || entity.superentity != nil
            let entities =
                isPartial && list.allSatisfy { columns[index][$0].isInherited } ? entity.subtree.map(\.name) : []
            result.append(makeIndex(list, of: index, true, entities))
        }
        for list in entity.indices.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let list = try columnList(list, of: index, failing: .invalidIndex)
            if !isKnown(list, false) { result.append(makeIndex(list, of: index, false)) }
        }
        // Without an index the deletion of a row would read the whole table to find the links to it.
        for (column, definition) in columns[index].enumerated()
        where definition.destination != nil && !definition.isInherited {
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

    private mutating func makeIndex(
        _ list: [Int], of index: Int, _ isUnique: Bool, _ entities: [String] = []
    ) -> SQLiteTable.Index {
        let name = entities.first.map { "\(tableNames[index])_\($0)" } ?? tableNames[index]
        let parts = [name] + list.map { columns[index][$0].name } + [isUnique ? "unique" : "index"]
        return SQLiteTable.Index(
            name: names.allocate(parts.joined(separator: "_")), columns: list, isUnique: isUnique,
            entities: entities)
    }
}
