import CofferCore

extension RecordStoreCore {
    /// Compares indexes, links, words and pairs with the records.
    ///
    /// - Returns: what does not agree. Rows whose records cannot be read are named; whether values are what the schema
    ///   says is for those to look at who read rows.
    /// - Throws: what the engine throws.
    /// - Complexity: O(*entries* log *entries*).
    public func checkIndexes() throws -> [StoreProblem] {
        do {
            return try reading { reader in
                var check = RecordCheck(layout, reader, maximumKeySize: engine.maximumKeySize)
                for space in layout.spaces { try check.run(space) }
                for pairs in layout.pairs { try check.run(pairs) }
                return check.problems
            }
        } catch {
            throw named(error, .check, nil)
        }
    }
}

/// One walk through all tables.
private struct RecordCheck {
    private let layout: RecordSchema
    private let reader: any RecordReader
    private let maximumKeySize: Int
    private(set) var problems: [StoreProblem] = []

    /// What the rows of a space ask of one of its tables.
    private struct Expectation {
        let table: RecordTable
        let property: String
        let what: String
        var count = 0
        var missing: [Int64] = []
    }

    init(_ layout: RecordSchema, _ reader: any RecordReader, maximumKeySize: Int) {
        self.layout = layout
        self.reader = reader
        self.maximumKeySize = maximumKeySize
    }

    // MARK: Rows

    mutating func run(_ space: RecordSpace) throws {
        var indexes = space.indexes.map { Expectation(table: $0.table, property: $0.properties, what: "the index") }
        let linked = space.links.filter { $0.links != nil }
        var links = linked.compactMap { field in
            field.links.map { Expectation(table: $0, property: field.property, what: "the table of links") }
        }
        var words = space.words.map { Expectation(table: $0.table, property: "full text", what: "the index of words") }
        var damaged: [StoreProblem] = []
        try reader.scan(space.rows, .all) { rowKey, bytes in
            guard let key = IndexKey.row(rowKey) else {
                damaged.append(StoreProblem(entity: space.entityName, "a key is none of a row"))
                return true
            }
            guard let record = try? Record(bytes), record.fieldCount >= space.fields.count,
                space.kind(of: record) >= 0
            else {
                damaged.append(StoreProblem(entity: space.entityName, key: key, "the record is damaged"))
                return true
            }
            for (number, index) in space.indexes.enumerated() {
                let entry = IndexKey(of: index, record, key, maximumSize: maximumKeySize)
                try note(entry.bytes, key, &indexes[number])
            }
            for (number, field) in linked.enumerated() {
                guard let target = record.link(field.number) else { continue }
                let table = links[number].table
                links[number].count += 1
                if try LinkKey.with(target, key, { try reader.get(table, $0) }) == nil {
                    links[number].missing.append(key)
                }
            }
            if let texts = space.words, words != nil {
                var buffer = WordBuffer(maximumKeySize: maximumKeySize)
                buffer.add(record, row: key, of: texts)
                let found = try buffer.missing(in: texts.table, reader)
                words?.count += found.count
                if found.missing > 0 { words?.missing.append(key) }
            }
            return true
        }
        problems += damaged
        for expectation in indexes + links + [words].compactMap(\.self) { try settle(expectation, space) }
    }

    private func note(_ entry: [UInt8], _ key: Int64, _ expectation: inout Expectation) throws {
        expectation.count += 1
        if try reader.get(expectation.table, entry) == nil { expectation.missing.append(key) }
    }

    private mutating func settle(_ expectation: Expectation, _ space: RecordSpace) throws {
        for key in expectation.missing {
            problems.append(
                StoreProblem(
                    entity: space.entityName, key: key, property: expectation.property,
                    "\(expectation.what) lacks the row"))
        }
        let extra = try reader.count(expectation.table) - (expectation.count - expectation.missing.count)
        if extra > 0 {
            problems.append(
                StoreProblem(
                    entity: space.entityName, property: expectation.property,
                    "\(expectation.what) has \(extra) entries of no row"))
        }
    }

    // MARK: Pairs

    mutating func run(_ pairs: RecordPairs) throws {
        try run(pairs, from: .owner)
        if pairs.ownerTable.name != pairs.memberTable.name { try run(pairs, from: .member) }
    }

    private mutating func run(_ pairs: RecordPairs, from side: PairSide) throws {
        let (table, other) = (pairs.table(at: side), pairs.table(at: side.opposite))
        let (space, far) = (layout.spaces[pairs.space(at: side)], layout.spaces[pairs.space(at: side.opposite)])
        var found: [StoreProblem] = []
        try reader.scan(table, .all) { key, _ in
            let (near, partner) = (LinkKey.owner(key), LinkKey.member(key))
            func problem(_ detail: String) {
                found.append(StoreProblem(entity: space.entityName, key: near, "\(table.name): \(detail)"))
            }
            if try reader.get(space.rows, near) == nil { problem("the row of a pair is not there") }
            if try reader.get(far.rows, partner) == nil { problem("a pair leads to no row of \(far.entityName)") }
            if try LinkKey.with(partner, near, { try reader.get(other, $0) }) == nil {
                problem("a pair is not known to \(other.name)")
            }
            return true
        }
        problems += found
    }
}

extension WordBuffer {
    /// How many entries there are, and how many of them a table lacks.
    mutating func missing(in table: RecordTable, _ reader: any RecordReader) throws -> (count: Int, missing: Int) {
        let entries = entryKeys()
        return (entries.count, try entries.count { try reader.get(table, $0) == nil })
    }
}
