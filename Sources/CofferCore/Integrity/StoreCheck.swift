import Foundation

/// Looks whether what a store holds is what its schema says: every row can be read and has values of its properties'
/// types, links lead to rows, the two sides of a relationship agree, uniqueness holds, files of large values are there,
/// and the store's own indexes agree with the rows.
///
/// ```swift
/// let store = try StoreOpening.open(configuration)
/// for problem in try StoreCheck(of: store).run() { print(problem) }
/// ```
///
/// Nothing is changed. Somebody may save meanwhile: what is looked at is the state at the beginning, in stores that can hold
/// one (``ImportingRowStore/withOneState(_:)``), as all of Coffer's can; in others rows of before and after are compared.
public final class StoreCheck {
    private let store: any ImportingRowStore
    private let schema: Schema
    private var problems: [StoreProblem] = []
    private var unique: UniqueValues
    /// The keys of all rows, by entity.
    private var keys: [String: Set<Int64>] = [:]
    /// The links of relationships that have another side, by the entity and the property that declare them.
    private var links: [Side: Set<Link>] = [:]

    private struct Side: Hashable {
        let entity: String
        let property: String
    }

    private struct Link: Hashable {
        let from: Int64
        let to: Int64

        var reversed: Link { Link(from: to, to: from) }
    }

    /// A check of an open store.
    public init(of store: any ImportingRowStore) {
        self.store = store
        schema = store.schema
        unique = UniqueValues(store.schema)
    }

    /// Checks everything.
    ///
    /// - Parameter progress: is called after each block of rows with the entity and how many of its rows are done; what it
    ///   throws ends the check.
    /// - Returns: what is wrong, entity by entity; empty where nothing is.
    /// - Throws: what the progress throws. What the store throws is a problem.
    /// - Complexity: O(*size of the store*); keys, links and unique values are kept in memory meanwhile.
    public func run(progress: ((_ entityName: String, _ rows: Int) throws -> Void)? = nil) throws -> [StoreProblem] {
        try store.withOneState { try look(progress) }
    }

    private func look(_ progress: ((_ entityName: String, _ rows: Int) throws -> Void)?) throws -> [StoreProblem] {
        problems = schema._buildProblems.map { StoreProblem(entity: $0.entity, property: $0.property, $0.detail) }
        let entities = schema.entities.sorted { $0.name < $1.name }
        for entity in entities { readKeys(entity) }
        for entity in entities { try readRows(entity, progress) }
        compareSides()
        do {
            problems += try store.checkIndexes()
        } catch {
            problems.append(StoreProblem("the indexes cannot be read: \(error)"))
        }
        checkHistory()
        return problems
    }

    /// Reads all transactions, in little memory.
    private func checkHistory() {
        guard store.capabilities.features.contains(.history) else { return }
        var blocks = HistoryBlocks(of: store, blockSize: 1024)
        do {
            while try blocks.next() != nil {}
        } catch {
            problems.append(StoreProblem("the history after transaction \(blocks.after): \(Self.text(error))"))
        }
    }

    // MARK: Rows

    private func readKeys(_ entity: Schema.Entity) {
        var found: [Int64] = []
        let all = try? store.fetchKeys(FetchPlan(entityName: entity.name))
        if let all {
            found = all
        } else {
            // The rows that can be read at all; those that cannot come up when their values are.
            try? LenientReader(store: store).read(entity, [], { found += Array($0._keys) }, lost: { _ in })
        }
        keys[entity.name] = Set(found)
        if keys[entity.name]?.count != found.count {
            problems.append(StoreProblem(entity: entity.name, LenientReader.Loss.twice))
        }
        for other in entity.rootEntity.subtree where other.name != entity.name {
            guard let twice = keys[other.name]?.intersection(found), !twice.isEmpty else { continue }
            for key in twice.sorted() {
                problems.append(StoreProblem(entity: entity.name, key: key, "\(other.name) has a row of that key too"))
            }
        }
    }

    /// A property as the rows of an entity have it.
    private struct Column {
        let slot: Int
        let name: String
        var cell: CellCheck?
        var relationship: Schema.Relationship?
        /// Where its links are gathered; nil where nothing leads back.
        var side: Side?
    }

    private func readRows(
        _ entity: Schema.Entity, _ progress: ((_ entityName: String, _ rows: Int) throws -> Void)?
    ) throws {
        let columns = entity.properties.enumerated().filter { !$1.isTransient }.map { column($1, at: $0, of: entity) }
        var rows = 0
        try LenientReader(store: store).read(
            entity, columns.map(\.slot),
            { batch in
                for row in 0..<batch.count { check(entity, columns, batch, row) }
                rows += batch.count
                try progress?(entity.name, rows)
            },
            lost: { loss in
                // This the keys have told already.
                if loss.isOfRowsThatComeTwice { return }
                problems.append(
                    StoreProblem(entity: entity.name, key: loss.key, property: loss.property, Self.text(loss.cause)))
            })
    }

    private func column(_ property: any SchemaProperty, at slot: Int, of entity: Schema.Entity) -> Column {
        var column = Column(slot: slot, name: property.name)
        if let attribute = property as? Schema.Attribute { column.cell = CellCheck(attribute) }
        guard let relationship = property as? Schema.Relationship else { return column }
        column.relationship = relationship
        if relationship.inverseName != nil {
            let declaring = entity.lineage.first { $0.storedProperties.contains { $0.name == property.name } }
            column.side = Side(entity: declaring?.name ?? entity.name, property: property.name)
        }
        return column
    }

    /// What an error says beside the entity and the property, which the problem names already.
    static func text(_ error: any Error) -> String {
        guard let error = error as? SwiftDataError else { return "it cannot be read: \(error)" }
        let words = error.detail ?? error.failureReason ?? "it cannot be read"
        return "\(error.code.rawValue): \(words)"
    }

    private func check(_ entity: Schema.Entity, _ columns: [Column], _ batch: RowBatch, _ row: Int) {
        let key = batch.key(ofRow: row)
        func problem(_ column: Column?, _ detail: String) {
            problems.append(StoreProblem(entity: entity.name, key: key, property: column?.name, detail))
        }
        for column in columns {
            let cell = batch.cell(row: row, slot: column.slot)
            if let check = column.cell {
                // Absent is what could not be read, which has been told.
                if cell.kind != .absent, let detail = check.problem(cell, batch) { problem(column, detail) }
            } else if let relationship = column.relationship {
                for detail in linkProblems(relationship, column, cell, batch, key) { problem(column, detail) }
            }
        }
        if let (names, other) = unique.add(entity, batch, row) {
            problem(nil, "it has the unique values of \(names.joined(separator: ", ")) that row \(other) has")
        }
    }

    private func linkProblems(
        _ relationship: Schema.Relationship, _ column: Column, _ cell: RowCell, _ batch: RowBatch, _ key: Int64
    ) -> [String] {
        let targets: [Int64]
        switch cell.kind {
        case .reference: targets = [cell.integer]
        case .references: targets = batch.keys(of: cell)
        case .null where relationship.isToOneRelationship:
            return relationship.isOptional ? [] : ["the link leads nowhere, and must lead to a row"]
        case .absent, .null: return []
        default: return ["the value is no link"]
        }
        var details: [String] = []
        let destination = schema.entitiesByName[relationship.destination]?.subtree ?? []
        for target in targets {
            if let side = column.side { links[side, default: []].insert(Link(from: key, to: target)) }
            if !destination.contains(where: { keys[$0.name]?.contains(target) == true }) {
                details.append("it leads to \(relationship.destination) \(target), which is not there")
            }
        }
        if Set(targets).count != targets.count { details.append("rows are in the list more than once") }
        return details
    }

    // MARK: Relationships

    private func compareSides() {
        for entity in schema.entities.sorted(by: { $0.name < $1.name }) {
            for case let relationship as Schema.Relationship in entity.storedProperties {
                guard let inverse = relationship.inverseName,
                    let destination = schema.entitiesByName[relationship.destination],
                    let other = destination.lineage.first(where: {
                        $0.storedProperties.contains { $0.name == inverse }
                    })
                else { continue }
                let (near, far) = (
                    Side(entity: entity.name, property: relationship.name), Side(entity: other.name, property: inverse)
                )
                compare(near, far, relationship, other)
            }
        }
    }

    /// Names the links of one side that the other one does not have.
    private func compare(_ near: Side, _ far: Side, _ relationship: Schema.Relationship, _ other: Schema.Entity) {
        let back = links[far] ?? []
        for link in (links[near] ?? []).sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) })
        where !back.contains(link.reversed) && keys(below: other).contains(where: { $0.contains(link.to) }) {
            problems.append(
                StoreProblem(
                    entity: near.entity, key: link.from, property: near.property,
                    "it leads to \(relationship.destination) \(link.to), whose \(far.property) does not lead back"))
        }
    }

    private func keys(below entity: Schema.Entity) -> [Set<Int64>] { entity.subtree.compactMap { keys[$0.name] } }
}
