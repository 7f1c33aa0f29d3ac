import CofferCore

extension RecordCommit {
    // MARK: New rows

    /// Writes the new rows of a batch, but for those that are written onto others.
    mutating func insert(_ part: NewKeys.Part, _ space: RecordSpace) throws {
        let batch = part.batch
        let encoder = space.encoder
        let links = space.links
        var keys = linkKeys
        let indexes = space.indexes.filter { !$0.isUnique }
        var buffers = indexes.map { _ in IndexBuffer() }
        var entries = indexes.map { IndexKey(valueCount: $0.fields.count, maximumSize: maximumKeySize) }
        var words = WordBuffer(maximumKeySize: maximumKeySize)
        let hasRedirects = !new[space.index].redirects.isEmpty
        for row in 0..<batch.count {
            let key = part.key &+ Int64(row)
            if hasRedirects, new[space.index].redirects[key] != nil { continue }
            let cells = batch._cells(ofRow: row)
            for link in links where cells[link.slot].kind == .reference {
                keys[link.number] = try target(cells[link.slot], link, space)
            }
            let size = encoder.size(cells)
            guard size <= Int(UInt32.max) else { throw SwiftDataError(.valueTooLarge, entity: space.entityName) }
            try withUnsafeBytes(of: key.bigEndian) { rowKey in
                try writer.put(space.rows, rowKey, count: size, ascending: true) {
                    encoder.write(cells, batch._heap, links: keys, to: $0)
                }
            }
            for link in links where cells[link.slot].kind == .reference {
                if let table = link.links { try writer.putLink(table, keys[link.number], key, ascending: true) }
            }
            for (number, index) in indexes.enumerated() {
                entries[number].removeAll()
                for field in index.fields {
                    let field = space.fields[field]
                    let cell = cells[field.slot]
                    let word = cell.kind == .reference ? UInt64(bitPattern: keys[field.number]) : cell.bits
                    let holdsBytes = cell.kind == .text || cell.kind == .blob
                    entries[number].append(
                        cell.kind, word: word,
                        content: holdsBytes ? batch.bytes(of: cell) : UnsafeRawBufferPointer(start: nil, count: 0))
                }
                entries[number].append(row: key)
                buffers[number].add(entries[number])
            }
            guard let texts = space.words else { continue }
            for number in texts.fields {
                let cell = cells[space.fields[number].slot]
                if cell.kind == .text { words.add(batch.bytes(of: cell), field: number, row: key) }
            }
            if words.isFull { try words.flush(to: texts.table, writer) }
        }
        for number in indexes.indices { try buffers[number].flush(to: indexes[number].table, writer) }
        if let texts = space.words { try words.flush(to: texts.table, writer) }
    }

    // MARK: Changed rows

    /// Writes the cells that a batch has.
    mutating func update(_ batch: RowBatch, _ space: RecordSpace) throws {
        for row in 0..<batch.count { try update(batch, row, space, key: batch.key(ofRow: row)) }
    }

    /// Writes the cells that a row of a batch has over a stored row, and brings links and indexes in step; the indexes of
    /// constraints are so already.
    mutating func update(_ batch: RowBatch, _ row: Int, _ space: RecordSpace, key: Int64) throws {
        let cells = batch._cells(ofRow: row)
        var isChanged = false
        for field in space.fields where cells[field.slot].kind != .absent {
            if !field.accepts(cells[field.slot]) { throw mismatch(cells[field.slot], field, space) }
            isChanged = true
        }
        if !isChanged { return }
        guard let stored = try writer.get(space.rows, key) else { throw goneRow(space) }
        // Writing may move what is stored.
        var bytes: [UInt8] = []
        swap(&bytes, &oldRecord)
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: stored)
        try bytes.withUnsafeBytes { try update(Record($0), batch, cells, space, key) }
        swap(&bytes, &oldRecord)
    }

    private mutating func update(
        _ old: Record, _ batch: RowBatch, _ cells: UnsafePointer<RowCell>, _ space: RecordSpace, _ key: Int64
    ) throws {
        guard old.fieldCount >= space.fields.count else {
            throw SwiftDataError(.corruptStore, entity: space.entityName, detail: "a record is damaged")
        }
        for link in space.links where cells[link.slot].kind != .absent {
            let cell = cells[link.slot]
            let target = cell.kind == .reference ? try target(cell, link, space) : nil
            if let target { linkKeys[link.number] = target }
            guard let links = link.links, target != old.link(link.number) else { continue }
            // A row that goes to another owner leaves its place in the old one's list.
            if let before = old.link(link.number) { try writer.deleteLink(links, before, key) }
            if let target { try writer.putLink(links, target, key) }
        }
        let size = space.encoder.size(old, cells)
        guard size <= Int(UInt32.max) else { throw SwiftDataError(.valueTooLarge, entity: space.entityName) }
        try withUnsafeBytes(of: key.bigEndian) { rowKey in
            try writer.put(space.rows, rowKey, count: size, ascending: false) {
                space.encoder.write(old, cells, batch._heap, links: linkKeys, to: $0)
            }
        }
        for index in space.indexes where !index.isUnique {
            guard index.fields.contains(where: { cells[space.fields[$0].slot].kind != .absent }),
                let written = try writer.get(space.rows, key)
            else { continue }
            let (before, after) = (entry(of: index, old, key), entry(of: index, try Record(written), key))
            if before.bytes == after.bytes { continue }
            try writer.delete(index.table, before.bytes)
            try writer.putEntry(index.table, after)
        }
        guard let words = space.words, words.fields.contains(where: { cells[space.fields[$0].slot].kind != .absent }),
            let written = try writer.get(space.rows, key)
        else { return }
        // Writing may move what is stored.
        let bytes = Array(written)
        try bytes.withUnsafeBytes {
            try writer.updateWords(of: space, row: key, from: old, to: Record($0), maximumKeySize: maximumKeySize)
        }
    }
}
