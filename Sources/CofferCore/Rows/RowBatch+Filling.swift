import Foundation

// How a store fills and reads batches row by row without a call for each cell: pointers into the rectangle of cells,
// valid until the next row is appended.

extension RowBatch {
    /// Whether a cell holds a value of a scalar type.
    public func _holds(_ type: any PersistentScalar.Type, row: Int, slot: Int) -> Bool {
        type._decode(cell(row: row, slot: slot), _RowReader(self, row: row, home: nil)) != nil
    }

    /// Appends a row and answers its cells, which the caller has to set, all ``width`` of them.
    @inlinable @inline(__always)
    public func _appendRow(key: Int64) -> UnsafeMutablePointer<RowCell> {
        if rowCount == rowCapacity { growRows() }
        keys[rowCount] = key
        let row = cells + rowCount &* width
        rowCount &+= 1
        return row
    }

    /// Takes back the last row.
    @inlinable
    public func _removeLastRow() { rowCount &-= 1 }

    /// Copies bytes to the heap and answers the cell that refers to them.
    @inlinable @inline(__always)
    public func _append(_ kind: CellKind, _ bytes: UnsafeRawPointer?, _ length: Int) -> RowCell {
        let offset = heapCount
        if length > heapCapacity &- offset { growHeap(by: length) }
        if let bytes { UnsafeMutableRawPointer(heap + offset).copyMemory(from: bytes, byteCount: length) }
        heapCount = offset &+ length
        return RowCell(kind, bits: UInt64(truncatingIfNeeded: offset), length: length)
    }

    /// Where the next bytes go.
    @inlinable
    public var _heapOffset: Int { heapCount }

    /// The cells of a row.
    @inlinable @inline(__always)
    public func _cells(ofRow row: Int) -> UnsafePointer<RowCell> { UnsafePointer(cells + row &* width) }

    /// Where the bytes of text, blob and list cells are.
    @inlinable @inline(__always)
    public var _heap: UnsafePointer<UInt8> { UnsafePointer(heap) }

    /// The keys of all rows.
    @inlinable
    public var _keys: UnsafeBufferPointer<Int64> { UnsafeBufferPointer(start: keys, count: count) }

    /// Puts a run of rows, the last ones of the batch, into another order.
    ///
    /// - Parameter order: the present indices of the rows, in the order wanted.
    public func _reorder(_ order: [Int], from first: Int) {
        let total = order.count * width
        let newCells = UnsafeMutablePointer<RowCell>.allocate(capacity: max(total, 1))
        let newKeys = UnsafeMutablePointer<Int64>.allocate(capacity: max(order.count, 1))
        defer {
            newCells.deallocate()
            newKeys.deallocate()
        }
        for (index, row) in order.enumerated() {
            (newCells + index * width).initialize(from: cells + row * width, count: width)
            newKeys[index] = keys[row]
        }
        (cells + first * width).update(from: newCells, count: total)
        (keys + first).update(from: newKeys, count: order.count)
        reorderEntities(order, from: first)
    }
}
