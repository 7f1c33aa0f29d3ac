/// Where a model lies; says nothing of whether it is still alive.
struct ObjectAddress: Equatable, @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
}

/// The living models of one entity by key; it does not own them.
///
/// Open addressing with linear probing; deletion shifts back what follows, so there are no tombstones and a table that
/// is filled and emptied over and over stays as fast as a new one.
struct IdentityTable: ~Copyable {
    private var keys: UnsafeMutablePointer<Int64>
    private var objects: UnsafeMutablePointer<ObjectAddress?>
    private var mask: Int
    private(set) var count = 0

    init() {
        mask = 15
        keys = .allocate(capacity: 16)
        keys.initialize(repeating: 0, count: 16)
        objects = .allocate(capacity: 16)
        objects.initialize(repeating: nil, count: 16)
    }

    deinit {
        keys.deallocate()
        objects.deallocate()
    }

    @inline(__always)
    private func start(_ key: Int64) -> Int {
        // Keys are mostly consecutive; the multiplication spreads them, the shift takes the well mixed bits.
        Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 20) & mask
    }

    /// The object of a key. Complexity: O(1) on average.
    func find(_ key: Int64) -> ObjectAddress? {
        var index = start(key)
        while let object = objects[index] {
            if keys[index] == key { return object }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Sets the object of a key, replacing another. Complexity: O(1) on average, amortised.
    mutating func insert(_ key: Int64, _ object: ObjectAddress) {
        if count * 8 >= (mask + 1) * 5 { resize((mask + 1) * 2) }
        var index = start(key)
        while objects[index] != nil {
            if keys[index] == key {
                objects[index] = object
                return
            }
            index = (index + 1) & mask
        }
        keys[index] = key
        objects[index] = object
        count += 1
    }

    /// Makes room for that many more objects.
    mutating func reserve(_ more: Int) {
        var size = mask + 1
        while (count + more) * 8 >= size * 5 { size *= 2 }
        if size != mask + 1 { resize(size) }
    }

    /// Removes a key if it still stands for that object.
    mutating func remove(_ key: Int64, object: ObjectAddress) {
        var hole = start(key)
        while let found = objects[hole], keys[hole] != key || found != object {
            hole = (hole + 1) & mask
        }
        guard objects[hole] != nil else { return }
        count -= 1
        var next = (hole + 1) & mask
        while objects[next] != nil {
            let home = start(keys[next])
            // What sits between its own place and `next` without crossing the hole must stay.
            if (next &- home) & mask >= (next &- hole) & mask {
                keys[hole] = keys[next]
                objects[hole] = objects[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        objects[hole] = nil
    }

    /// Calls the body with every object.
    func forEach(_ body: (ObjectAddress) -> Void) {
        for index in 0...mask {
            if let object = objects[index] { body(object) }
        }
    }

    private mutating func resize(_ size: Int) {
        let oldKeys = keys
        let oldObjects = objects
        let oldSize = mask + 1
        mask = size - 1
        keys = .allocate(capacity: size)
        keys.initialize(repeating: 0, count: size)
        objects = .allocate(capacity: size)
        objects.initialize(repeating: nil, count: size)
        for old in 0..<oldSize {
            guard let object = oldObjects[old] else { continue }
            var index = start(oldKeys[old])
            while objects[index] != nil { index = (index + 1) & mask }
            keys[index] = oldKeys[old]
            objects[index] = object
        }
        oldKeys.deallocate()
        oldObjects.deallocate()
    }
}
