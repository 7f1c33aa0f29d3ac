import CofferCore

/// The permanent keys of one save's new rows of one table, by their temporary ones.
///
/// Temporary keys of one save usually lie close together, so that an array indexed by key serves; where they do not,
/// a hash table takes its place. The memory belongs to the map; a ``View`` of it is good while the map lives.
final class SQLiteKeyMap {
    /// What lookups use: no reference counting, no allocation.
    struct View {
        fileprivate let slots: UnsafeMutablePointer<Slot>?
        fileprivate let dense: UnsafeMutablePointer<Int64>?
        fileprivate let lowest: Int64
        fileprivate let size: UInt64

        /// The permanent key; nil where no new row has the temporary one.
        @inline(__always)
        func find(_ key: Int64) -> Int64? {
            if let dense {
                let offset = UInt64(bitPattern: key &- lowest)
                guard offset < size else { return nil }
                let found = dense[Int(truncatingIfNeeded: offset)]
                return found == 0 ? nil : found
            }
            guard let slots else { return nil }
            var index = SQLiteKeyMap.hash(key) & (size &- 1)
            while true {
                let slot = slots[Int(truncatingIfNeeded: index)]
                if slot.temporary == key { return slot.permanent }
                if slot.temporary == 0 { return nil }
                index = (index &+ 1) & (size &- 1)
            }
        }

        /// A map without keys.
        static var empty: View { View(slots: nil, dense: nil, lowest: 0, size: 0) }
    }

    fileprivate struct Slot {
        var temporary: Int64
        var permanent: Int64
    }

    let view: View

    /// A map of the rows of several batches; the keys are parallel to the rows.
    init(_ batches: [(batch: RowBatch, keys: [Int64])]) {
        var count = 0
        var lowest = Int64.max
        var highest = Int64.min
        for (batch, _) in batches {
            count += batch.count
            for key in batch._keys {
                lowest = min(lowest, key)
                highest = max(highest, key)
            }
        }
        guard count > 0 else {
            view = .empty
            return
        }
        // Both may be anything where a stranger made the batch, so the span may overflow.
        let (span, overflow) = highest.subtractingReportingOverflow(lowest)
        if !overflow, span < Int64(count) * 16 + 64 {
            let dense = UnsafeMutablePointer<Int64>.allocate(capacity: Int(span) + 1)
            dense.initialize(repeating: 0, count: Int(span) + 1)
            for (batch, keys) in batches {
                for (row, key) in batch._keys.enumerated() { dense[Int(key - lowest)] = keys[row] }
            }
            view = View(slots: nil, dense: dense, lowest: lowest, size: UInt64(span) + 1)
            return
        }
        var size: UInt64 = 16
        while size < UInt64(count) * 2 { size *= 2 }
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: Int(size))
        slots.initialize(repeating: Slot(temporary: 0, permanent: 0), count: Int(size))
        for (batch, keys) in batches {
            for (row, key) in batch._keys.enumerated() where key != 0 {
                var index = Self.hash(key) & (size - 1)
                while slots[Int(index)].temporary != 0, slots[Int(index)].temporary != key {
                    index = (index + 1) & (size - 1)
                }
                slots[Int(index)] = Slot(temporary: key, permanent: keys[row])
            }
        }
        view = View(slots: slots, dense: nil, lowest: 0, size: size)
    }

    deinit {
        view.slots?.deallocate()
        view.dense?.deallocate()
    }

    @inline(__always)
    fileprivate static func hash(_ key: Int64) -> UInt64 {
        let mixed = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ (mixed >> 32)
    }
}
