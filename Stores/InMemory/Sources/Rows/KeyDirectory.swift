/// Where in a table the row of a key stands.
///
/// Keys are given out in ascending order and rows are appended, so the rows of a table are in the order of their keys.
/// Which of 64 consecutive keys have a row is a bit each; counting the bits below one gives the position. That is 24
/// bytes for every 64 keys ever given out, and a lookup is one read.
struct KeyDirectory {
    /// 64 consecutive keys.
    private struct Block {
        /// The position of the first row with a key of the block.
        var start: UInt32
        /// Which keys have a row, deleted ones included.
        var rows: UInt64 = 0
        /// Which keys have a row that is not deleted.
        var live: UInt64 = 0
    }

    /// The first key of the first block.
    private var base: Int64
    private var blocks: [Block] = []

    /// An empty directory for keys from the given one on.
    init(from key: Int64) { base = key }

    /// The position of a key's row; nil where there is none.
    @inline(__always)
    func position(of key: Int64) -> Int? {
        let offset = key &- base
        let index = Int(truncatingIfNeeded: offset >> 6)
        guard offset >= 0, index < blocks.count else { return nil }
        return blocks.withUnsafeBufferPointer { blocks in
            let block = blocks[index]
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: offset & 63)
            guard block.live & bit != 0 else { return nil }
            return Int(block.start) + (block.rows & (bit &- 1)).nonzeroBitCount
        }
    }

    /// Enters consecutive keys, higher than all before, at consecutive positions.
    mutating func append(_ keys: Range<Int64>, at position: Int) {
        guard let last = keys.last else { return }
        let needed = Int((last - base) >> 6) + 1
        // Blocks that are skipped are empty; where they start does not matter.
        while blocks.count < needed { blocks.append(Block(start: UInt32(position))) }
        var key = keys.lowerBound
        var next = position
        while key < keys.upperBound {
            let offset = key - base
            let index = Int(offset >> 6)
            let first = UInt64(offset & 63)
            let count = min(64 - Int64(first), keys.upperBound - key)
            let mask = (count == 64 ? UInt64.max : (1 << UInt64(count)) - 1) << first
            if blocks[index].rows == 0 { blocks[index].start = UInt32(next) }
            blocks[index].rows |= mask
            blocks[index].live |= mask
            key += count
            next += Int(count)
        }
    }

    /// Marks a key's row as deleted; its position stays taken.
    mutating func remove(_ key: Int64) {
        let offset = key - base
        blocks[Int(offset >> 6)].live &= ~(1 << UInt64(offset & 63))
    }

    /// Takes ``remove(_:)`` back.
    mutating func restore(_ key: Int64) {
        let offset = key - base
        blocks[Int(offset >> 6)].live |= 1 << UInt64(offset & 63)
    }

    /// Forgets a key and all higher ones.
    mutating func truncate(from key: Int64) {
        let offset = key - base
        let index = Int(offset >> 6)
        guard index < blocks.count else { return }
        let kept: UInt64 = (1 << UInt64(offset & 63)) - 1
        blocks[index].rows &= kept
        blocks[index].live &= kept
        blocks.removeLast(blocks.count - index - (kept == 0 ? 0 : 1))
    }

    /// The positions of rows that are not deleted, in ascending runs.
    ///
    /// - Parameter body: answers whether to go on.
    func forEachRun(_ body: (Range<Int>) throws -> Bool) rethrows {
        var start = 0
        var end = 0
        for block in blocks {
            let count = block.rows.nonzeroBitCount
            if block.live == block.rows {
                if count == 0 { continue }
                if end != Int(block.start) {
                    if start < end, try !body(start..<end) { return }
                    start = Int(block.start)
                }
                end = Int(block.start) + count
                continue
            }
            var rows = block.rows
            var position = Int(block.start)
            while rows != 0 {
                let bit = rows & (0 &- rows)
                if block.live & bit != 0 {
                    if end != position {
                        if start < end, try !body(start..<end) { return }
                        start = position
                    }
                    end = position + 1
                }
                position += 1
                rows &= rows - 1
            }
        }
        if start < end { _ = try body(start..<end) }
    }

    /// Closes the gaps of deleted rows, as the table does.
    mutating func compact() {
        var next: UInt32 = 0
        for index in blocks.indices {
            blocks[index].start = next
            blocks[index].rows = blocks[index].live
            next += UInt32(blocks[index].live.nonzeroBitCount)
        }
        // The last block stays: the next key may belong to it.
        let empty = blocks.dropLast().prefix { $0.rows == 0 }.count
        if empty > blocks.count / 2 {
            blocks.removeFirst(empty)
            base += Int64(empty) * 64
        }
    }
}
