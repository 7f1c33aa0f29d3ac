/// How one list of objects became another, by identity: what was removed, what was inserted, and the fewest moves that
/// put the rest in order.
struct IdentityDifference<Element: AnyObject> {
    let changes: CollectionDifference<Element>
    /// The objects of the new list that the old one does not have.
    let inserted: [Element]
    /// The objects of the old list that the new one does not have.
    let removed: [Element]

    /// Complexity: O(*n* log *n*), and O(*n*) where nothing moved. The standard library's comparison needs O(*n* × *d*),
    /// too much for results that are sorted anew.
    init(from old: [Element], to new: [Element]) {
        var head = 0
        while head < old.count, head < new.count, old[head] === new[head] { head += 1 }
        var tail = 0
        while tail < old.count - head, tail < new.count - head,
            old[old.count - 1 - tail] === new[new.count - 1 - tail]
        {
            tail += 1
        }
        var places: [ObjectIdentifier: Int] = [:]
        for place in head..<(old.count - tail) { places[ObjectIdentifier(old[place])] = place }
        var kept: [(old: Int, new: Int)] = []
        var changes: [CollectionDifference<Element>.Change] = []
        var inserted: [Element] = []
        var removed: [Element] = []
        for place in head..<(new.count - tail) {
            if let before = places.removeValue(forKey: ObjectIdentifier(new[place])) {
                kept.append((before, place))
            } else {
                inserted.append(new[place])
                changes.append(.insert(offset: place, element: new[place], associatedWith: nil))
            }
        }
        for place in places.values.sorted() {
            removed.append(old[place])
            changes.append(.remove(offset: place, element: old[place], associatedWith: nil))
        }
        let resting = Self.longestRise(of: kept.map(\.old))
        for (index, place) in kept.enumerated() where !resting[index] {
            changes.append(.remove(offset: place.old, element: old[place.old], associatedWith: place.new))
            changes.append(.insert(offset: place.new, element: new[place.new], associatedWith: place.old))
        }
        self.inserted = inserted
        self.removed = removed
        self.changes = CollectionDifference(changes) ?? new.difference(from: old) { $0 === $1 }
    }

    /// Marks the longest run of numbers, not necessarily next to each other, that rise: these need not move.
    private static func longestRise(of numbers: [Int]) -> [Bool] {
        // For each length, the index of the smallest number that a rise of that length can end in.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var marks = [Bool](repeating: false, count: numbers.count)
        var index = ends.last ?? -1
        while index >= 0 {
            marks[index] = true
            index = previous[index]
        }
        return marks
    }
}
