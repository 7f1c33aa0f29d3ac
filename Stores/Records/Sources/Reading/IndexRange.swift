import CofferCore

/// The entries of an index that some terms of a filter leave: those with given first values, and the next value within
/// bounds.
struct IndexRange {
    let index: RecordIndex
    let range: KeyRange
    /// The terms that every row of the range meets, by their places in the filter.
    let met: Set<Int>
    /// How many of the index's first values are given.
    let equalities: Int
    /// How many values are bounded, the given ones included.
    let bounds: Int

    /// The range of an index for a filter's terms.
    init(_ index: RecordIndex, _ terms: [RecordTerm], maximumKeySize: Int) {
        var met: Set<Int> = []
        var bounds = 0
        var equalities = 0
        var given = IndexKey(valueCount: index.fields.count, maximumSize: maximumKeySize)
        for field in index.fields {
            var next = given
            guard
                let place = terms.firstIndex(where: {
                    $0.field.number == field && $0.comparison == .equal && $0.append(to: &next)
                })
            else { break }
            given = next
            // Entries of cut values are candidates only.
            if !given.isLossy { met.insert(place) }
            equalities += 1
            bounds += 1
        }
        // Not simply what begins with these bytes: a longer text may.
        var range =
            given.bytes.isEmpty ? KeyRange.all : KeyRange(from: given.bytes, to: given.bytes + [IndexKey.behind])
        if equalities < index.fields.count {
            let field = index.fields[equalities]
            func bound(_ comparisons: [FilterComparison]) -> (place: Int, key: IndexKey)? {
                for (place, term) in terms.enumerated()
                where term.field.number == field && comparisons.contains(term.comparison) && !term.isNil {
                    var key = given
                    if term.append(to: &key) { return (place, key) }
                }
                return nil
            }
            let isExact = !given.isLossy
            let lower = bound([.greater, .greaterOrEqual])
            let upper = bound([.less, .lessOrEqual])
            if let term = (lower ?? upper).map({ terms[$0.place] }) {
                range = KeyRange(
                    from: given.bytes + [term.tags.first.rawValue], to: given.bytes + [term.tags.behind.rawValue])
            }
            if let lower {
                range.lower = Self.bound(lower.key, isBehind: terms[lower.place].comparison == .greater, isLower: true)
                if isExact, !lower.key.isLossy { met.insert(lower.place) }
                bounds += 1
            }
            if let upper {
                range.upper = Self.bound(
                    upper.key, isBehind: terms[upper.place].comparison == .lessOrEqual, isLower: false)
                if isExact, !upper.key.isLossy { met.insert(upper.place) }
                bounds += 1
            }
        }
        self.index = index
        self.range = range
        self.met = met
        self.equalities = equalities
        self.bounds = bounds
    }

    /// The bound that a constant's key makes, before or behind all entries with the value.
    private static func bound(_ key: IndexKey, isBehind: Bool, isLower: Bool) -> [UInt8] {
        if key.isLossy {
            // Among the entries that share a cut the index knows no order: all of them are inside.
            let prefix = Array(key.bytes.dropLast(8))
            return isLower ? prefix : KeyRange.successor(of: prefix) ?? prefix
        }
        return isBehind ? key.bytes + [IndexKey.behind] : key.bytes
    }

    /// Whether the range is in the order of some sort keys, or against it all along; nil where neither.
    func direction(of keys: [(field: Int, isDescending: Bool)]) -> (isDescending: Bool, Void)? {
        // Sorting by a value that is given changes nothing.
        let given = Set(index.fields.prefix(equalities))
        let keys = keys.filter { !given.contains($0.field) }
        // With values left that are no sort keys, rows that are equal would not be in the order of their keys.
        guard index.fields.dropFirst(equalities).elementsEqual(keys.map(\.field)), let first = keys.first,
            keys.allSatisfy({ $0.isDescending == first.isDescending })
        else { return nil }
        return (first.isDescending, ())
    }
}
