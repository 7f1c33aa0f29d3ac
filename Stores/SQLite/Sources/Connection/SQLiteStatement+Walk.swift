import CSQLite

extension SQLiteStatement {
    /// Walks over keys and the rows of a statement side by side, both in ascending order.
    ///
    /// The statement's first column is the key to meet, and its parameters `?1` and `?2` are the smallest and largest
    /// of them. Where the keys lie close together the rows are read in one go; where many rows lie between two keys,
    /// the next is searched for. However many keys there are, a table without any row in their range costs one search.
    ///
    /// - Parameters:
    ///   - keys: ascending, each once.
    ///   - patience: how many rows without a key are read before searching anew.
    ///   - body: takes the row under the statement, whose key is among the keys; false ends the walk.
    /// - Throws: what the body throws, and ``SQLiteFailure``.
    @inline(__always)
    func walk(
        _ keys: [Int64], patience: Int, _ body: (Int64) throws -> Bool
    ) throws {
        guard let largest = keys.last else { return }
        defer { reset() }
        bind(largest, at: 2)
        var index = 0
        search: while index < keys.count {
            reset()
            let start = index
            bind(keys[index], at: 1)
            var misses = 0
            while try step() {
                let key = integer(0)
                while index < keys.count, keys[index] < key { index += 1 }
                guard index < keys.count else { return }
                if keys[index] == key {
                    if try !body(key) { return }
                    misses = 0
                } else {
                    misses += 1
                    if misses <= patience { continue }
                    // Only rows out of order lead back to where the search began, and would do so for ever.
                    guard index > start else {
                        throw SQLiteFailure(code: SQLITE_CORRUPT, message: "rows are out of order")
                    }
                    continue search
                }
            }
            return
        }
    }

    /// Keys as ``walk(_:patience:_:)`` takes them.
    static func ascending(_ keys: [Int64]) -> [Int64] {
        if zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return keys }
        var sorted = keys.sorted()
        var count = 0
        for key in sorted where count == 0 || sorted[count - 1] != key {
            sorted[count] = key
            count += 1
        }
        sorted.removeLast(sorted.count - count)
        return sorted
    }
}
