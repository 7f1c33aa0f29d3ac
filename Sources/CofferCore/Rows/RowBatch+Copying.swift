import Foundation

// How rows move from batch to batch without being taken apart: cells are copied as memory, and those that refer to the
// heap are told where their bytes lie now.

extension RowCell {
    /// Whether ``bits`` is an offset into the batch's heap.
    @inlinable @inline(__always)
    var refersToHeap: Bool {
        // text, blob and references
        (0b1_0110_0000 as UInt64) &>> (info & 0xF) & 1 != 0
    }
}

extension RowBatch {
    /// Bytes of text, blobs and lists, those included that no cell refers to any more.
    public var heapByteCount: Int { heapCount }

    /// Makes room for more rows, so that appending them does not have to.
    public func reserve(_ rows: Int) {
        while rowCapacity < rowCount + rows { growRows() }
    }

    /// Appends a run of another batch's rows, keys included.
    ///
    /// - Parameters:
    ///   - source: a batch of the same width; another one than this.
    ///   - rows: which of its rows.
    ///   - slots: the slots to copy; the others become absent. Nil for all.
    /// - Complexity: O(*cells*), a block at a time where the rows' bytes lie together.
    public func appendRows(copying source: RowBatch, rows: Range<Int>, slots: [Int]? = nil) {
        precondition(source.width == width && rows.upperBound <= source.rowCount)
        if rows.isEmpty { return }
        if rowCapacity < rowCount + rows.count { reserve(rows.count) }
        let first = rowCount
        (keys + first).update(from: source.keys + rows.lowerBound, count: rows.count)
        let target = cells + first * width
        rowCount = first + rows.count
        if !source.subspaces.isEmpty {
            for row in rows { setEntity(source.entityIndex(ofRow: row), ofRow: first + row - rows.lowerBound) }
        }
        guard let slots else {
            let total = rows.count * width
            target.update(from: source.cells + rows.lowerBound * width, count: total)
            relocate(target, count: total, from: source)
            return
        }
        target.initialize(repeating: RowCell(.absent), count: rows.count * width)
        for (index, row) in rows.enumerated() {
            let from = source.cells + row * width
            for slot in slots { target[index * width + slot] = copy(from[slot], from: source) }
        }
    }

    /// Gives copied cells bytes of this batch's own heap.
    private func relocate(_ target: UnsafeMutablePointer<RowCell>, count: Int, from source: RowBatch) {
        if count <= 4 * width { return relocateEach(target, count: count, from: source) }
        var low = UInt64.max
        var high: UInt64 = 0
        var bytes: UInt64 = 0
        for index in 0..<count where target[index].refersToHeap {
            let cell = target[index]
            low = min(low, cell.bits)
            high = max(high, cell.bits &+ UInt64(cell.length))
            bytes &+= UInt64(cell.length)
        }
        // Rows that came together have their bytes together: one block. Otherwise the gaps would be copied as well.
        guard low < high, high - low <= bytes &+ bytes / 8, source.identifiers.isEmpty, source.identifierLists.isEmpty
        else { return relocateEach(target, count: count, from: source) }
        let start = append(UnsafeRawBufferPointer(start: source.heap + Int(low), count: Int(high - low)))
        let shift = UInt64(start) &- low
        for index in 0..<count where target[index].refersToHeap { target[index].bits &+= shift }
    }

    private func relocateEach(_ target: UnsafeMutablePointer<RowCell>, count: Int, from source: RowBatch) {
        for index in 0..<count where target[index].info & 0xF >= UInt64(CellKind.text.rawValue) {
            target[index] = copy(target[index], from: source)
        }
    }

    /// A cell of another batch, with its bytes copied into this one.
    @inline(__always)
    private func copy(_ cell: RowCell, from source: RowBatch) -> RowCell {
        if cell.refersToHeap {
            return RowCell(cell.kind, bits: UInt64(append(source.bytes(of: cell))), length: cell.length)
        }
        return cell.info & 0xF < UInt64(CellKind.identifier.rawValue) ? cell : copyIdentifiers(cell, from: source)
    }

    private func copyIdentifiers(_ cell: RowCell, from source: RowBatch) -> RowCell {
        if cell.kind == .identifier {
            identifiers.append(source.identifiers[Int(cell.bits)])
            return RowCell(.identifier, bits: UInt64(identifiers.count - 1))
        }
        identifierLists.append(source.identifierLists[Int(cell.bits)])
        return RowCell(.identifiers, bits: UInt64(identifierLists.count - 1))
    }

    /// Puts a cell of another batch into a row of this one, its bytes included.
    public func set(_ cell: RowCell, copying source: RowBatch, row: Int, slot: Int) {
        cells[row * width + slot] = copy(cell, from: source)
    }

    /// Takes back what was appended last.
    ///
    /// - Parameters:
    ///   - count: how many rows stay.
    ///   - heapByteCount: how many bytes of the heap stay; no cell of the remaining rows may refer to others.
    public func removeLast(keepingRows count: Int, heapByteCount: Int) {
        precondition(count <= rowCount && heapByteCount <= heapCount)
        rowCount = count
        heapCount = heapByteCount
        truncateEntities(to: count)
    }

    /// The cells of all rows, one row after the other; valid until a row is appended.
    @inlinable @inline(__always)
    public var _allCells: UnsafeMutablePointer<RowCell> { cells }
}
