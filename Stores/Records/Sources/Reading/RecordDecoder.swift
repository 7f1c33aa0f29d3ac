import CofferCore

/// Appends records to a batch, or the fields of them that are wanted.
///
/// All of a record's text goes into the batch's heap as one block where all of it is wanted. A class, since it is handed on
/// for each row.
final class RecordDecoder: Sendable {
    private let space: RecordSpace
    /// The fields to read and the slots they go to.
    private let fields: [(number: Int, slot: Int)]
    private let isWhole: Bool
    /// Whether slots are left that no field fills.
    private let hasGaps: Bool
    /// The slot for the place of a row's entity in its hierarchy, which casts in filters read.
    private let kindSlot: Int?

    /// - Parameter slots: the slots wanted; nil for all that are in the record.
    init(_ space: RecordSpace, slots: [Int]? = nil) {
        self.space = space
        if let slots {
            fields = slots.compactMap { slot in space.field(ofSlot: slot).map { ($0.number, slot) } }
        } else {
            fields = space.fields.map { ($0.number, $0.slot) }
        }
        kindSlot = space.kindField?.slot
        isWhole = fields.count == space.fields.count
        hasGaps = fields.count < space.width
    }

    /// Appends a record.
    ///
    /// - Throws: `corruptStore` where it is damaged.
    ///
    /// - Parameter fieldCount: how many fields the record has at least; cells of others are nothing.
    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer, key: Int64, to batch: RowBatch, fieldCount: Int? = nil) throws {
        let record = try Record(bytes)
        guard record.fieldCount >= fieldCount ?? space.fields.count else { throw damaged() }
        let cells = batch._appendRow(key: key)
        if hasGaps { cells.update(repeating: RowCell(.absent), count: batch.width) }
        if let kindSlot {
            let kind = space.kind(of: record)
            guard kind >= 0 else {
                batch._removeLastRow()
                throw damaged()
            }
            cells[kindSlot] = RowCell(.integer, bits: UInt64(kind))
        }
        if isWhole {
            let heap = record.heap
            let offset = UInt64(truncatingIfNeeded: batch._heapOffset)
            if heap.count > 0 { _ = batch._append(.blob, heap.baseAddress, heap.count) }
            for (number, slot) in fields {
                guard number < record.fieldCount else {
                    cells[slot] = RowCell(.null)
                    continue
                }
                let kind = record.kind(number)
                let word = record.word(number)
                if kind == .text || kind == .blob {
                    let start = word & 0xFFFF_FFFF
                    let length = word >> 32
                    guard start &+ length <= UInt64(truncatingIfNeeded: heap.count) else {
                        batch._removeLastRow()
                        throw damaged()
                    }
                    cells[slot] = RowCell(kind, bits: offset &+ start, length: Int(truncatingIfNeeded: length))
                } else {
                    cells[slot] = RowCell(kind, bits: word)
                }
            }
        } else {
            for (number, slot) in fields {
                let kind = record.kind(number)
                if kind == .text || kind == .blob {
                    let content = record.bytes(number)
                    cells[slot] = batch._append(kind, content.baseAddress, content.count)
                } else {
                    cells[slot] = RowCell(kind, bits: record.word(number))
                }
            }
        }
    }

    @inline(never)
    private func damaged() -> SwiftDataError {
        SwiftDataError(.corruptStore, entity: space.entityName, detail: "a record is damaged")
    }
}
