import CofferCore

extension RecordCommit {
    // MARK: New rows

    /// Writes the new rows of a batch, but for those that are written onto others.
    mutating func insert(_ part: NewKeys.Part, _ space: RecordSpace) throws {
        let batch = part.batch
        let encoder = RecordEncoder(space)
        let links = space.links
        var keys = [Int64](repeating: 0, count: space.fields.count)
        let indexes = space.indexes.filter { !$0.isUnique }
        var buffers = indexes.map { _ in IndexBuffer() }
        var entries = indexes.map { IndexKey(valueCount: $0.fields.count, maximumSize: maximumKeySize) }
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
        }
        for number in indexes.indices { try buffers[number].flush(to: indexes[number].table, writer) }
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
        var changed = Set<Int>()
        for field in space.fields where cells[field.slot].kind != .absent {
            if !field.accepts(cells[field.slot]) { throw mismatch(cells[field.slot], field, space) }
            changed.insert(field.number)
        }
        if changed.isEmpty { return }
        guard let stored = try writer.get(space.rows, key) else { throw goneRow(space) }
        // Writing may move what is stored.
        let copy = [UInt8](stored)
        try copy.withUnsafeBytes { bytes in
            let old = try Record(bytes)
            guard old.fieldCount >= space.fields.count else {
                throw SwiftDataError(.corruptStore, entity: space.entityName, detail: "a record is damaged")
            }
            let encoder = RecordEncoder(space)
            var keys = [Int64](repeating: 0, count: space.fields.count)
            for link in space.links where changed.contains(link.number) {
                let cell = cells[link.slot]
                let target = cell.kind == .reference ? try target(cell, link, space) : nil
                if let target { keys[link.number] = target }
                guard let links = link.links, target != old.link(link.number) else { continue }
                // A row that goes to another owner leaves its place in the old one's list.
                if let before = old.link(link.number) { try writer.deleteLink(links, before, key) }
                if let target { try writer.putLink(links, target, key) }
            }
            let size = encoder.size(old, cells)
            guard size <= Int(UInt32.max) else { throw SwiftDataError(.valueTooLarge, entity: space.entityName) }
            let indexes = space.indexes.filter { !$0.isUnique && $0.fields.contains(where: changed.contains) }
            let before = indexes.map { entry(of: $0, old, key) }
            try withUnsafeBytes(of: key.bigEndian) { rowKey in
                try writer.put(space.rows, rowKey, count: size, ascending: false) {
                    encoder.write(old, cells, batch._heap, links: keys, to: $0)
                }
            }
            guard !indexes.isEmpty, let written = try writer.get(space.rows, key) else { return }
            let record = try Record(written)
            let after = indexes.map { entry(of: $0, record, key) }
            for (number, index) in indexes.enumerated() where before[number].bytes != after[number].bytes {
                try writer.delete(index.table, before[number].bytes)
                try writer.putEntry(index.table, after[number])
            }
        }
    }
}
