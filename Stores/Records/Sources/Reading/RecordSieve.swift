import CofferCore

/// Lets the records through that match a filter, in the order in which they come. What the filter cannot tell from a
/// record as it lies is tested on many rows at a time.
final class RecordSieve {
    typealias Output = (_ key: Int64, _ bytes: UnsafeRawBufferPointer) throws -> Bool

    private let filter: RecordFilter
    private let rows: RecordRows
    private let decoder: RecordDecoder
    private let batch: RowBatch
    /// The memory of the records of the batch's rows.
    private var waiting: [UnsafeRawBufferPointer] = []
    /// How many records are gathered; few at first, for pages that are soon full.
    private var size = 16
    private(set) var isDone = false

    init(_ filter: RecordFilter, _ rows: RecordRows, storeIdentifier: String) {
        self.filter = filter
        self.rows = rows
        decoder = RecordDecoder(filter.space, slots: filter.restSlots)
        batch = RowBatch(
            entityName: filter.space.entityName, width: filter.space.width, storeIdentifier: storeIdentifier,
            capacity: filter.rest == nil ? 1 : 256)
    }

    /// Takes a record.
    ///
    /// - Parameter output: takes those that match, perhaps later ones at once, and answers whether to go on.
    /// - Returns: whether to go on.
    @inline(__always)
    func take(_ key: Int64, _ bytes: UnsafeRawBufferPointer, _ output: Output) throws -> Bool {
        guard try filter.meetsTerms(bytes) else { return true }
        if filter.rest == nil {
            if try output(key, bytes) { return true }
            isDone = true
            return false
        }
        try decoder.append(bytes, key: key, to: batch)
        waiting.append(bytes)
        if waiting.count >= size { try flush(output) }
        return !isDone
    }

    /// Tests what has been gathered.
    func flush(_ output: Output) throws {
        guard let rest = filter.rest, !waiting.isEmpty, !isDone else { return }
        defer {
            batch.removeAll()
            waiting.removeAll(keepingCapacity: true)
            size = min(size * 2, 256)
        }
        for row in try rest.matches(in: batch, rows) where !isDone {
            if try !output(batch.key(ofRow: row), waiting[row]) { isDone = true }
        }
    }
}
