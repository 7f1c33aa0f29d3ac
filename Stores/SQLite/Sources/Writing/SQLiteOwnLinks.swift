/// The links of new rows to other new rows of the same table, while it turns out which of them are stored already.
final class SQLiteOwnLinks {
    /// The temporary keys of the rows, by place.
    private let keys: [Int64]
    private var places: [Int64: Int] = [:]
    /// What rows that are not new turned out to be: a stored row's key, or the temporary key of another new one.
    private var targets: [Int64: Int64] = [:]

    init(_ keys: [Int64]) {
        self.keys = keys
        places.reserveCapacity(keys.count)
        for (place, key) in keys.enumerated() { places[key] = place }
    }

    /// What a temporary key stands for, as far as it is known by now.
    func target(of key: Int64) -> Int64 { targets[key] ?? key }

    /// Notes that a row is a stored one.
    func resolve(_ place: Int, to key: Int64) { targets[keys[place]] = key }

    /// Notes that a row is the same as another new one.
    func resolve(_ place: Int, as other: Int) { targets[keys[place]] = keys[other] }

    /// The places of all rows, each after those that its links lead to. Where links lead in a circle, somebody has to be
    /// the first.
    ///
    /// - Parameter links: the temporary keys that the links of a row lead to.
    /// - Complexity: O(*rows* + *links*).
    func order(_ links: (Int) -> [Int64]) -> [Int] {
        var order: [Int] = []
        order.reserveCapacity(keys.count)
        var isSeen = [Bool](repeating: false, count: keys.count)
        // A stack and no recursion: a list in which each row leads to the next may be long.
        var stack: [(place: Int, rest: [Int64])] = []
        for start in keys.indices where !isSeen[start] {
            isSeen[start] = true
            stack.append((start, links(start)))
            while let top = stack.last {
                guard let link = top.rest.last else {
                    order.append(top.place)
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].rest.removeLast()
                guard let place = places[link], !isSeen[place] else { continue }
                isSeen[place] = true
                stack.append((place, links(place)))
            }
        }
        return order
    }
}
