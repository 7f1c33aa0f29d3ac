import CofferCore

/// Puts changes into effect that were made and checked elsewhere: rows as they are now, keys of deleted rows, lists.
///
/// Indexes and links follow. Deletions come first, then rows, then lists.
package struct RecordReplay {
    private let layout: RecordSchema
    private let writer: any RecordWriter
    private let maximumKeySize: Int
    private var commit: RecordCommit
    /// The rows that were put since the last save, by space.
    private var written: [[Int64]]

    package init(_ layout: RecordSchema, _ writer: any RecordWriter, maximumKeySize: Int) {
        self.layout = layout
        self.writer = writer
        self.maximumKeySize = maximumKeySize
        commit = RecordCommit(layout, writer, maximumKeySize: maximumKeySize)
        written = Array(repeating: [], count: layout.spaces.count)
    }

    /// Deletes rows with their links and pairs. Rows that lead to them are changed by ``put(_:row:in:)``.
    package mutating func delete(_ keys: [Int64], of space: RecordSpace) throws {
        try commit.delete([(space.entityName, keys)])
    }

    /// Writes a whole row of a batch under its key, in place of what is there; absent cells are nothing.
    package mutating func put(_ batch: RowBatch, row: Int, in space: RecordSpace) throws {
        let key = batch.key(ofRow: row)
        guard key > 0, key < .max else {
            throw RecordFault(
                entity: space.entityName, key: nil, property: nil,
                detail: "a key is a number from 1 to \(Int64.max - 1)")
        }
        written[space.index].append(key)
        let cells = batch._cells(ofRow: row)
        for field in space.fields where !field.accepts(cells[field.slot]) {
            throw RecordFault(
                entity: space.entityName, key: key, property: field.property, detail: "the value does not fit")
        }
        // Writing may move what is stored.
        let old = try writer.get(space.rows, key).map { [UInt8]($0) }
        let before = try old.map { try entries(of: $0, key, space) }
        var targets = [Int64](repeating: 0, count: space.fields.count)
        for link in space.links {
            let target = cells[link.slot].kind == .reference ? cells[link.slot].integer : nil
            if let target { targets[link.number] = target }
            let known = try old?.withUnsafeBytes { try Record($0).link(link.number) }
            guard let links = link.links, target != known else { continue }
            if let known { try writer.deleteLink(links, known, key) }
            if let target { try writer.putLink(links, target, key) }
        }
        let encoder = space.encoder
        let size = encoder.size(cells)
        guard size <= Int(UInt32.max) else { throw SwiftDataError(.valueTooLarge, entity: space.entityName) }
        try withUnsafeBytes(of: key.bigEndian) { rowKey in
            try writer.put(space.rows, rowKey, count: size, ascending: old == nil) {
                encoder.write(cells, batch._heap, links: targets, to: $0)
            }
        }
        if space.indexes.isEmpty, space.words == nil { return }
        guard let stored = try writer.get(space.rows, key).map({ [UInt8]($0) }) else { return }
        try putWords(stored, over: old, key, space)
        let after = try entries(of: stored, key, space)
        for (number, index) in space.indexes.enumerated() {
            if let before {
                if before[number].bytes == after[number].bytes { continue }
                try writer.delete(index.table, before[number].bytes)
            }
            try writer.putEntry(index.table, after[number])
        }
    }

    private func putWords(_ new: [UInt8], over old: [UInt8]?, _ key: Int64, _ space: RecordSpace) throws {
        if space.words == nil { return }
        try new.withUnsafeBytes { new in
            try (old ?? []).withUnsafeBytes { before in
                try writer.updateWords(
                    of: space, row: key, from: old == nil ? nil : Record(before), to: Record(new),
                    maximumKeySize: maximumKeySize)
            }
        }
    }

    /// A row's entries in all indexes of its space.
    private func entries(of record: [UInt8], _ key: Int64, _ space: RecordSpace) throws -> [IndexKey] {
        try record.withUnsafeBytes { bytes in
            let record = try Record(bytes, fields: space.fields.count)
            return space.indexes.map { IndexKey(of: $0, record, key, maximumSize: maximumKeySize) }
        }
    }

    /// Sets the list of a row's to-many relationship.
    ///
    /// - Parameter members: all rows of a list of pairs; of another list those that have a place, in their order.
    package func setList(_ members: [Int64], of owner: Int64, at place: RecordSpace.ListPlace) throws {
        if case .inverse = place {
            if let links = layout.table(of: place) { try commit.arrange(members, of: owner, links) }
            return
        }
        let change = ListChange(place: place, owner: owner, members: members, mode: .replace)
        try commit.removeOthers(change)
        try commit.write(change)
    }

    /// Sets the key that an entity's next row gets.
    package func setNextKey(_ key: Int64, of entityName: String) throws {
        try writer.put(
            RecordSchema.metadata, RecordMetadata.counterName(entityName),
            withUnsafeBytes(of: key.bigEndian) { Array($0) })
    }

    // MARK: The end of a save

    /// Checks that what was put into effect since the last save fits what is there, as it does where somebody has saved it:
    /// otherwise it would come to light only when all of it is read again.
    ///
    /// - Throws: ``RecordFault`` for unique values of another row, and for links to rows that were deleted.
    /// - Complexity: O(*rows of the save*).
    package mutating func finishSave() throws {
        for (spaceIndex, number, key) in commit.orphans {
            let space = layout.spaces[spaceIndex]
            let field = space.fields[number]
            guard let bytes = try writer.get(space.rows, key), let target = try Record(bytes).link(number),
                try writer.get(layout.spaces[field.destination ?? 0].rows, target) == nil
            else { continue }
            throw RecordFault(
                entity: space.entityName, key: key, property: field.property,
                detail: "it leads to a row that is not there")
        }
        commit.orphans = []
        for space in layout.spaces where !written[space.index].isEmpty {
            let keys = written[space.index]
            written[space.index] = []
            for index in space.uniques { for key in keys { try checkUnique(key, index, space) } }
            try raiseNextKey(above: keys.max() ?? 0, of: space)
        }
    }

    private func checkUnique(_ key: Int64, _ index: RecordIndex, _ space: RecordSpace) throws {
        guard let bytes = try writer.get(space.rows, key) else { return }
        let record = try Record(bytes, fields: space.fields.count)
        if index.fields.contains(where: { record.kind($0) == .null || record.kind($0) == .absent }) { return }
        if let kinds = index.uniqueKinds, !kinds.contains(space.kind(of: record)) { return }
        let entry = IndexKey(of: index, record, key, maximumSize: maximumKeySize)
        let values = Array(entry.bytes.dropLast(IndexKey.rowKeySize))
        var others: [Int64] = []
        try writer.scan(index.table, KeyRange(from: values)) { found, _ in
            guard found.starts(with: values) else { return false }
            // A longer text may begin with the same bytes.
            guard found.count == values.count + IndexKey.rowKeySize else { return true }
            if let other = IndexKey.row(found), other != key { others.append(other) }
            return true
        }
        for other in others {
            if let kinds = index.uniqueKinds, let bytes = try writer.get(space.rows, other),
                !kinds.contains(space.kind(of: try Record(bytes)))
            {
                continue
            }
            guard try writer.haveEqualValues(key, other, index, space) else { continue }
            throw RecordFault(
                entity: space.entityName, key: key, property: index.properties,
                detail: "another row has the same values, which have to be unique")
        }
    }

    /// Sees to it that no key is given out that a row has.
    private func raiseNextKey(above key: Int64, of space: RecordSpace) throws {
        let name = RecordMetadata.counterName(space.entityName)
        let next = try writer.get(RecordSchema.metadata, name).flatMap { IndexKey.row($0) } ?? 1
        if next <= key { try setNextKey(key + 1, of: space.entityName) }
    }
}
