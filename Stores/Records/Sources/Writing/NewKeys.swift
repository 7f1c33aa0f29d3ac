import CofferCore

/// The new rows of one space in one save: the way from their temporary keys to their own.
struct NewKeys {
    /// One batch of the request and what became of it.
    struct Part {
        /// The index of the batch in the request.
        let index: Int
        let batch: RowBatch
        /// The key of its first row; the others follow.
        let key: Int64
        /// The rows in descending order of their temporary keys; nil where they are so already.
        let order: [Int32]?
    }

    private(set) var parts: [Part] = []
    /// Rows that are written onto others: from the key they were given to that of the other row.
    private(set) var redirects: [Int64: Int64] = [:]
    /// Where the last search ended: links to one row come one after the other.
    private var lastTemporary: Int64 = 0
    private var lastKey: Int64 = 0

    mutating func append(_ batch: RowBatch, index: Int, key: Int64) {
        var isDescending = true
        for row in 1..<max(batch.count, 1) where batch.key(ofRow: row) >= batch.key(ofRow: row - 1) {
            isDescending = false
            break
        }
        let order =
            isDescending
            ? nil : (0..<Int32(batch.count)).sorted { batch.key(ofRow: Int($0)) > batch.key(ofRow: Int($1)) }
        parts.append(Part(index: index, batch: batch, key: key, order: order))
    }

    mutating func redirect(_ key: Int64, to other: Int64) { redirects[key] = other }

    /// The key a new row was given at first, by its temporary one; nil where the save has no such row.
    ///
    /// Complexity: O(1) for the key that was looked up last, otherwise O(log *rows*).
    @inline(__always)
    mutating func givenKey(_ temporary: Int64) -> Int64? {
        if temporary == lastTemporary, temporary != 0 { return lastKey }
        return search(temporary)
    }

    private mutating func search(_ temporary: Int64) -> Int64? {
        for part in parts {
            // Keys are mostly given out one after the other.
            if part.order == nil, part.batch.count > 0 {
                let (row, overflow) = part.batch.key(ofRow: 0).subtractingReportingOverflow(temporary)
                if !overflow, row >= 0, row < part.batch.count, part.batch.key(ofRow: Int(row)) == temporary {
                    (lastTemporary, lastKey) = (temporary, part.key + row)
                    return lastKey
                }
            }
            var low = 0
            var high = part.batch.count
            while low < high {
                let middle = (low + high) / 2
                let row = part.order.map { Int($0[middle]) } ?? middle
                if part.batch.key(ofRow: row) > temporary { low = middle + 1 } else { high = middle }
            }
            guard low < part.batch.count else { continue }
            let row = part.order.map { Int($0[low]) } ?? low
            if part.batch.key(ofRow: row) == temporary {
                (lastTemporary, lastKey) = (temporary, part.key + Int64(row))
                return lastKey
            }
        }
        return nil
    }

    /// The key under which a new row is stored, by its temporary one.
    @inline(__always)
    mutating func key(_ temporary: Int64) -> Int64? {
        guard let given = givenKey(temporary) else { return nil }
        return redirects.isEmpty ? given : redirects[given] ?? given
    }

    /// The key under which a row that was given one is stored.
    func finalKey(_ given: Int64) -> Int64 { redirects.isEmpty ? given : redirects[given] ?? given }

    /// The batch and row that a given key stands for; nil where it is no new row's.
    func row(_ given: Int64) -> (batch: RowBatch, row: Int)? {
        for part in parts where given >= part.key && given < part.key + Int64(part.batch.count) {
            return (part.batch, Int(given - part.key))
        }
        return nil
    }
}
