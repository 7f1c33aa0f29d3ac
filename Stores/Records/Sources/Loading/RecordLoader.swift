import CofferCore

/// Fills the tables of a layout from rows and their lists; what follows from them, indexes and the far sides of links
/// and pairs, is made anew.
///
/// The tables are there and empty. Rows may come in any order, and are taken in fastest in that of their keys.
///
/// ```swift
/// var loader = RecordLoader(layout, writer, maximumKeySize: engine.maximumKeySize)
/// try loader.add(batch, row: 0, to: space)
/// try loader.add(members, of: 1, in: list, of: space)
/// try loader.finish(nextKeys: ["Trip": 7])
/// ```
///
/// It throws a ``RecordFault`` for rows that do not fit the layout or each other.
package struct RecordLoader {
    private let layout: RecordSchema
    private let writer: any RecordWriter
    private let maximumKeySize: Int
    /// Slot, field and table of the links of each space.
    private let linkFields: [[(slot: Int, field: Int, table: Int)]]
    /// The greatest key of each space.
    private var lastKeys: [Int64]
    /// Entries of tables of links and pairs that wait to be written in order, by the table's index.
    private var links: [[Link]]
    private var orders: [Order] = []
    private var targets: [Int64] = []
    /// Whether what does not fit other rows is passed over, rather than refused: for rows of a damaged store, which are
    /// looked at one by one afterwards.
    package var isLenient = false

    /// The entry of a table of links: a row, and one that leads to it.
    private struct Link {
        let owner: Int64
        let member: Int64
    }

    /// The order of a list that says nothing but the order.
    private struct Order {
        let space: RecordSpace
        let property: String
        let place: RecordSpace.ListPlace
        let owner: Int64
        let members: [Int64]
    }

    package init(_ layout: RecordSchema, _ writer: any RecordWriter, maximumKeySize: Int) {
        self.layout = layout
        self.writer = writer
        self.maximumKeySize = maximumKeySize
        linkFields = layout.spaces.map { space in
            space.links.compactMap { link in link.links.map { (link.slot, link.number, $0.index) } }
        }
        lastKeys = Array(repeating: 0, count: layout.spaces.count)
        links = Array(repeating: [], count: layout.tables.count)
    }

    // MARK: Rows

    /// Adds a row of a batch under its key; absent cells are nothing.
    package mutating func add(_ batch: RowBatch, row: Int, to space: RecordSpace) throws {
        let key = batch.key(ofRow: row)
        guard key > 0, key < .max else {
            throw fault(space, key, nil, "a key is a number from 1 to \(Int64.max - 1)")
        }
        let cells = batch._cells(ofRow: row)
        for number in space.fields.indices where !space.fields[number].accepts(cells[space.fields[number].slot]) {
            throw misfit(cells[space.fields[number].slot], space, key, number)
        }
        if key > lastKeys[space.index] {
            lastKeys[space.index] = key
        } else if try writer.get(space.rows, key) != nil {
            throw fault(space, key, nil, "another row has the same key")
        }
        if targets.count < space.fields.count { targets = Array(repeating: 0, count: space.fields.count) }
        for (slot, field, table) in linkFields[space.index] where cells[slot].kind == .reference {
            targets[field] = cells[slot].integer
            links[table].append(Link(owner: targets[field], member: key))
        }
        let encoder = space.encoder
        let size = encoder.size(cells)
        guard size <= Int(UInt32.max) else { throw SwiftDataError(.valueTooLarge, entity: space.entityName) }
        try withUnsafeBytes(of: key.bigEndian) { rowKey in
            try writer.put(space.rows, rowKey, count: size, ascending: true) {
                encoder.write(cells, batch._heap, links: targets, to: $0)
            }
        }
    }

    /// Adds the list of a row's to-many relationship.
    ///
    /// The first side of pairs says who is in the list; the second side only says an order, for the same rows. In
    /// ascending order both are lists without an order of their own. A list with a to-one relationship on its other side
    /// says an order too; the rows in it have to lead here, and those that it does not name follow.
    package mutating func add(
        _ members: [Int64], of owner: Int64, in property: String, at place: RecordSpace.ListPlace, of space: RecordSpace
    ) throws {
        let isAscending = zip(members, members.dropFirst()).allSatisfy { $0 < $1 }
        if !isAscending, Set(members).count < members.count {
            throw fault(space, owner, property, "the list has a row twice")
        }
        guard case .pairs(let index, .owner) = place else {
            orders.append(Order(space: space, property: property, place: place, owner: owner, members: members))
            return
        }
        let pairs = layout.pairs[index]
        for (number, member) in members.enumerated() {
            let position = isAscending ? nil : UInt32(truncatingIfNeeded: number)
            try writer.putLink(pairs.ownerTable, owner, member, place: position, ascending: true)
            links[pairs.memberTable.index].append(Link(owner: member, member: owner))
        }
    }

    // MARK: The end

    /// Makes everything that follows from the rows, and checks that they fit each other.
    ///
    /// - Parameter nextKeys: the keys that the entities' next rows get, at least; greater where a row has such a key.
    package mutating func finish(nextKeys: [String: Int64]) throws {
        for space in layout.spaces {
            for field in space.links {
                guard let table = field.links, let target = field.destination else { continue }
                try writeLinks(to: target, table, from: space, field.property)
            }
        }
        for pairs in layout.pairs {
            let owner = layout.spaces[pairs.owner]
            let list = owner.lists.first { layout.table(of: $0.place) == pairs.ownerTable }
            try writeLinks(
                to: pairs.member, pairs.memberTable, from: owner, list?.property ?? "",
                keepsOld: pairs.memberTable == pairs.ownerTable)
        }
        for order in orders { try arrange(order) }
        for space in layout.spaces {
            for index in space.indexes {
                try writer.fill(index, of: space, maximumKeySize: maximumKeySize)
                if index.isUnique, !isLenient { try checkUnique(index, space) }
            }
            if let words = space.words { try writer.fill(words, of: space, maximumKeySize: maximumKeySize) }
        }
        var counters = nextKeys
        for space in layout.spaces {
            counters[space.entityName] = max(counters[space.entityName] ?? 1, lastKeys[space.index] + 1)
        }
        for (name, key) in counters {
            try writer.put(
                RecordSchema.metadata, RecordMetadata.counterName(name),
                withUnsafeBytes(of: key.bigEndian) { Array($0) })
        }
    }

    /// Writes the waiting entries of a table, whose owners are rows of a space.
    ///
    /// - Parameters:
    ///   - source: the space of the rows that have the links.
    ///   - property: the property by which they have them.
    ///   - keepsOld: whether entries may be there already, and stay as they are.
    private mutating func writeLinks(
        to target: Int, _ table: RecordTable, from source: RecordSpace, _ property: String, keepsOld: Bool = false
    ) throws {
        var entries: [Link] = []
        swap(&entries, &links[table.index])
        entries.sort { ($0.owner, $0.member) < ($1.owner, $1.member) }
        let rows = layout.spaces[target].rows
        var known: Int64 = 0
        for entry in entries {
            if entry.owner != known {
                guard try writer.get(rows, entry.owner) != nil else {
                    if isLenient { continue }
                    throw fault(source, entry.member, property, "it leads to a row that is not there")
                }
                known = entry.owner
            }
            if keepsOld, try LinkKey.with(entry.owner, entry.member, { try writer.get(table, $0) }) != nil { continue }
            try writer.putLink(table, entry.owner, entry.member, ascending: true)
        }
    }

    private func arrange(_ order: Order) throws {
        guard let table = layout.table(of: order.place) else { return }
        var isPlaced = true
        if case .pairs = order.place {
            isPlaced = zip(order.members, order.members.dropFirst()).contains { $0 > $1 }
            var count = 0
            try writer.scan(table, LinkKey.range(of: order.owner)) { _, _ in
                count += 1
                return true
            }
            if count > order.members.count, !isLenient {
                throw fault(
                    order.space, order.owner, order.property,
                    "the list lacks a row that belongs to it by the other side of the relationship")
            }
        }
        for (index, member) in order.members.enumerated() {
            guard try LinkKey.with(order.owner, member, { try writer.get(table, $0) }) != nil else {
                if isLenient { continue }
                throw fault(
                    order.space, order.owner, order.property,
                    "the list has a row that does not belong to it by the other side of the relationship")
            }
            if isPlaced {
                try writer.putLink(table, order.owner, member, place: UInt32(truncatingIfNeeded: index))
            }
        }
    }

    // MARK: Uniqueness

    private func checkUnique(_ index: RecordIndex, _ space: RecordSpace) throws {
        // The values of the last entry, and the rows that have them.
        var values: [UInt8] = []
        var keys: [Int64] = []
        try writer.scan(index.table, .all) { entry, mark in
            guard let key = IndexKey.row(entry) else { return true }
            if let kinds = index.uniqueKinds, let bytes = try writer.get(space.rows, key),
                !kinds.contains(space.kind(of: try Record(bytes)))
            {
                return true
            }
            let these = UnsafeRawBufferPointer(rebasing: entry[..<(entry.count - IndexKey.rowKeySize)])
            guard values.withUnsafeBytes({ RecordOrder.compareBytes($0, these) }) == 0 else {
                values.removeAll(keepingCapacity: true)
                values.append(contentsOf: these)
                keys = [key]
                return true
            }
            // Where values were cut, others may have the same bytes.
            for other in mark.isEmpty ? keys.suffix(1) : keys[...]
            where try writer.haveEqualValues(key, other, index, space) {
                throw fault(space, key, index.properties, "another row has the same values, which have to be unique")
            }
            keys.append(key)
            return true
        }
    }

    private func misfit(_ cell: RowCell, _ space: RecordSpace, _ key: Int64, _ field: Int) -> RecordFault {
        let isMissing = cell.kind == .absent || cell.kind == .null
        return fault(
            space, key, space.fields[field].property,
            isMissing ? "a required value is missing" : "the value does not fit")
    }

    private func fault(_ space: RecordSpace, _ key: Int64, _ property: String?, _ detail: String) -> RecordFault {
        RecordFault(entity: space.entityName, key: key, property: property, detail: detail)
    }
}

extension RecordReader {
    /// Whether two rows have the same values, none of them nothing.
    func haveEqualValues(
        _ left: Int64, _ right: Int64, _ index: RecordIndex, _ space: RecordSpace
    ) throws -> Bool {
        guard let left = try get(space.rows, left), let right = try get(space.rows, right) else { return false }
        let count = space.fields.count
        let (one, other) = (try Record(left, fields: count), try Record(right, fields: count))
        return index.fields.allSatisfy { field in
            guard one.kind(field) == other.kind(field) else { return false }
            switch one.kind(field) {
            case .absent, .null: return false
            case .text, .blob: return RecordOrder.compareBytes(one.bytes(field), other.bytes(field)) == 0
            case .real: return one.word(field) == other.word(field) || one.real(field) == other.real(field)
            default: return one.word(field) == other.word(field)
            }
        }
    }
}
