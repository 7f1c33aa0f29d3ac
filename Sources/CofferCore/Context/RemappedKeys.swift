/// Which permanent key each temporary one became.
///
/// A save turns long runs of consecutive temporary keys into runs of consecutive permanent ones, so a run takes one
/// entry however many rows it has.
struct RemappedKeys {
    private struct Run {
        /// The first temporary key; the following ones count down.
        let first: Int64
        var count: Int
        let permanent: Int64
    }

    private var runs: [String: [Run]] = [:]

    /// Notes the keys of the rows of one save.
    mutating func add(entityName: String, temporary: UnsafePointer<Int64>, permanent: [Int64]) {
        var list = runs[entityName, default: []]
        runs[entityName] = nil
        for (index, key) in permanent.enumerated() {
            let last = list.count - 1
            if last >= 0, list[last].first - Int64(list[last].count) == temporary[index],
                list[last].permanent + Int64(list[last].count) == key
            {
                list[last].count += 1
            } else {
                list.append(Run(first: temporary[index], count: 1, permanent: key))
            }
        }
        runs[entityName] = list
    }

    /// The permanent key of a temporary one. Complexity: O(*saves*).
    func permanentKey(entityName: String, temporary: Int64) -> Int64? {
        for run in runs[entityName] ?? [] {
            let index = run.first - temporary
            if index >= 0, index < Int64(run.count) { return run.permanent + index }
        }
        return nil
    }
}
