import CofferCore

/// Puts changes into effect that were made and checked elsewhere: rows as they are now, keys of deleted rows, lists.
///
/// Indexes and links follow. Deletions come first, then rows, then lists.
package struct RecordReplay {
    private let layout: RecordSchema
    private let writer: any RecordWriter
    private let maximumKeySize: Int
    private var commit: RecordCommit

    package init(_ layout: RecordSchema, _ writer: any RecordWriter, maximumKeySize: Int) {
        self.layout = layout
        self.writer = writer
        self.maximumKeySize = maximumKeySize
        commit = RecordCommit(layout, writer, maximumKeySize: maximumKeySize)
    }

    /// Deletes rows with their links and pairs. Rows that lead to them are changed by ``put(_:row:in:)``.
    package mutating func delete(_ keys: [Int64], of space: RecordSpace) throws {
        try commit.delete([(space.entityName, keys)])
    }

    /// Writes a whole row of a batch under its key, in place of what is there; absent cells are nothing.
    package func put(_ batch: RowBatch, row: Int, in space: RecordSpace) throws {
        let key = batch.key(ofRow: row)
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
            let record = try Record(bytes)
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
}
