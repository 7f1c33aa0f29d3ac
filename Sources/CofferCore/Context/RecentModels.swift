/// Models that came together, in their order, and how far to load their to-many relationships ahead.
///
/// A program that walks over the models of a fetch and reads the same relationship of each asks for the next owner each
/// time. From the second such read on, the relationships of the owners that follow are loaded along, four times as many
/// each time. A read from elsewhere gets along half as many owners as there were such reads: a few cost little more than
/// they ask for, and to read all in any order takes requests in the order of the root of their number.
struct RecentModels {
    private var keys: [Int64] = []
    /// The place of each key, made when the models turn out to be asked in another order.
    private var places: [Int64: Int]?
    private var searches = 0
    private var readAhead: [Int: ReadAhead] = [:]

    private struct ReadAhead {
        /// The place at which the next read is expected.
        var next = 0
        var window = 0
        /// How many reads came from elsewhere.
        var jumps = 0
    }

    /// How many owners are loaded at once, at most.
    private static var limit: Int { 1024 }

    init(_ keys: [Int64] = []) { self.keys = keys }

    /// The keys of the owners to load when one is asked for a relationship, itself among them; nil where it did not come
    /// with the others.
    ///
    /// - Complexity: O(*result*), and O(*models*) at the first few reads that are out of order.
    mutating func next(_ key: Int64, slot: Int) -> ArraySlice<Int64>? {
        if keys.count < 2 { return nil }
        var ahead = readAhead[slot] ?? ReadAhead()
        let place: Int
        if ahead.next < keys.count, keys[ahead.next] == key {
            place = ahead.next
            ahead.window = min(max(ahead.window * 4, 1), Self.limit)
        } else if let found = self.place(of: key) {
            place = found
            ahead.jumps += 1
            ahead.window = min(max(ahead.jumps / 2, 1), Self.limit)
        } else {
            return nil
        }
        let range = place..<min(place + ahead.window, keys.count)
        ahead.next = range.upperBound
        readAhead[slot] = ahead
        return keys[range]
    }

    private mutating func place(of key: Int64) -> Int? {
        if let places { return places[key] }
        searches += 1
        if searches < 4 { return keys.firstIndex(of: key) }
        let made = Dictionary(zip(keys, keys.indices)) { first, _ in first }
        places = made
        return made[key]
    }
}
