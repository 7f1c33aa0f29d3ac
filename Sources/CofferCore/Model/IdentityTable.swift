/// Where a model lies; says nothing of whether it is still alive.
struct ObjectAddress: Equatable, @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
}

/// The living models of one entity by key; it does not own them.
///
/// Open addressing with linear probing from the key itself: stores hand keys out one after the other, so the models of
/// a fetch lie beside each other in the table, too, and neither filling nor emptying it leaves the cache. Entries stand
/// in the order of their own places ("Robin Hood"): a search ends at the first entry that is nearer to its place than
/// the key would be, and a deletion shifts back only the few entries that are not in their places.
struct IdentityTable: ~Copyable {
    private struct Entry {
        var key: Int64
        var object: ObjectAddress?
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    private(set) var count = 0

    init() {
        mask = 15
        entries = Self.allocate(16)
    }

    deinit { entries.deallocate() }

    private static func allocate(_ size: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: size)
        entries.initialize(repeating: Entry(key: 0, object: nil), count: size)
        return entries
    }

    @inline(__always)
    private func start(_ key: Int64) -> Int { Int(truncatingIfNeeded: key ^ key &>> 32) & mask }

    /// How far an entry is from its own place.
    @inline(__always)
    private func distance(_ index: Int, _ key: Int64) -> Int { (index &- start(key)) & mask }

    /// The object of a key. Complexity: O(1) on average.
    @inline(__always)
    func find(_ key: Int64) -> ObjectAddress? {
        var index = start(key)
        var steps = 0
        while let object = entries[index].object {
            if entries[index].key == key { return object }
            if distance(index, entries[index].key) < steps { return nil }
            index = (index &+ 1) & mask
            steps &+= 1
        }
        return nil
    }

    /// Sets the object of a key, replacing another. Complexity: O(1) on average, amortised.
    @inline(__always)
    mutating func insert(_ key: Int64, _ object: ObjectAddress) {
        if count &* 2 >= mask { resize((mask + 1) * 2) }
        var entry = Entry(key: key, object: object)
        var index = start(key)
        var steps = 0
        while entries[index].object != nil {
            if entries[index].key == entry.key {
                entries[index].object = entry.object
                return
            }
            let other = distance(index, entries[index].key)
            if other < steps {
                swap(&entries[index], &entry)
                steps = other
            }
            index = (index &+ 1) & mask
            steps &+= 1
        }
        entries[index] = entry
        count &+= 1
    }

    /// Makes room for that many more objects.
    mutating func reserve(_ more: Int) {
        var size = mask + 1
        while (count + more) * 2 >= size { size *= 2 }
        if size != mask + 1 { resize(size) }
    }

    /// Removes a key if it still stands for that object. Complexity: O(1) on average.
    mutating func remove(_ key: Int64, object: ObjectAddress) {
        var hole = start(key)
        var steps = 0
        while entries[hole].object != nil, entries[hole].key != key {
            if distance(hole, entries[hole].key) < steps { return }
            hole = (hole &+ 1) & mask
            steps &+= 1
        }
        guard entries[hole].object == object else { return }
        count &-= 1
        var next = (hole &+ 1) & mask
        while entries[next].object != nil, distance(next, entries[next].key) > 0 {
            entries[hole] = entries[next]
            hole = next
            next = (next &+ 1) & mask
        }
        entries[hole].object = nil
    }

    /// Calls the body with every object.
    func forEach(_ body: (ObjectAddress) -> Void) {
        for index in 0...mask {
            if let object = entries[index].object { body(object) }
        }
    }

    private mutating func resize(_ size: Int) {
        let old = entries
        let oldSize = mask + 1
        mask = size - 1
        entries = Self.allocate(size)
        count = 0
        for entry in UnsafeBufferPointer(start: old, count: oldSize) {
            if let object = entry.object { insert(entry.key, object) }
        }
        old.deallocate()
    }
}
