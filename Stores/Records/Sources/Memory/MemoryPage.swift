import CofferCore
import CofferRuntime
import Foundation

/// A page of a ``MemoryTree``: entries in the order of their keys, in one block of memory.
///
/// The block begins with the places of the entries, two bytes each, in order; the entries themselves fill it from the
/// end. An entry is the size of its key, the size of its value, the key, the value. A large value lies outside and is
/// shared by the copies of a page. In a branch, an entry has a child in place of a value: the keys of a child are not
/// less than its entry's, and the first entry's key stands for the least of all.
///
/// A page belongs to the transaction whose stamp it bears. As soon as that is stored nobody changes the page any more,
/// and readers share it. So accesses cannot overlap, and are not checked for that at run time.
final class MemoryPage {
    /// The bytes of a page.
    static let size = 8192
    /// The longest key. With it and the next, half a page always has room for one more entry.
    static let longestKey = 512
    /// The largest value that lies in the page.
    static let largestValue = 1024
    /// The most bytes that are put together from two pages; a longest key more still fits.
    static let joinedSize = size * 3 / 4
    private static let headerSize = 6
    private static let outside = UInt32.max

    let stamp: UInt64
    let isLeaf: Bool
    /// The children of a branch, one for each entry.
    @exclusivity(unchecked) private(set) var children: ContiguousArray<MemoryPage> = []
    @exclusivity(unchecked) private(set) var count = 0
    /// The values that lie outside; an entry has the index of its own.
    @exclusivity(unchecked) private var large: ContiguousArray<LargeValue?> = []
    private let bytes: UnsafeMutableRawPointer
    private let places: UnsafeMutablePointer<UInt16>
    /// Where the lowest entry begins.
    @exclusivity(unchecked) private var top = MemoryPage.size
    /// Bytes of removed entries between the others.
    @exclusivity(unchecked) private var wasted = 0

    init(isLeaf: Bool, stamp: UInt64) {
        self.isLeaf = isLeaf
        self.stamp = stamp
        bytes = .allocate(byteCount: Self.size, alignment: 8)
        places = bytes.bindMemory(to: UInt16.self, capacity: Self.size / 2)
    }

    /// A copy for another transaction.
    init(copying page: MemoryPage, stamp: UInt64) {
        self.stamp = stamp
        isLeaf = page.isLeaf
        children = page.children
        count = page.count
        large = page.large
        top = page.top
        wasted = page.wasted
        bytes = .allocate(byteCount: Self.size, alignment: 8)
        places = bytes.bindMemory(to: UInt16.self, capacity: Self.size / 2)
        bytes.copyMemory(from: page.bytes, byteCount: count * 2)
        (bytes + top).copyMemory(from: page.bytes + top, byteCount: Self.size - top)
    }

    deinit { bytes.deallocate() }

    // MARK: Reading

    @inline(__always)
    private func entry(_ index: Int) -> UnsafeMutableRawPointer { bytes + Int(places[index]) }

    @inline(__always)
    private func keyCount(_ entry: UnsafeMutableRawPointer) -> Int { Int(entry.loadUnaligned(as: UInt16.self)) }

    @inline(__always)
    private func valueCount(_ entry: UnsafeMutableRawPointer) -> UInt32 {
        entry.loadUnaligned(fromByteOffset: 2, as: UInt32.self)
    }

    @inline(__always)
    func key(_ index: Int) -> UnsafeRawBufferPointer {
        let entry = entry(index)
        return UnsafeRawBufferPointer(start: entry + Self.headerSize, count: keyCount(entry))
    }

    @inline(__always)
    func value(_ index: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(mutableValue(index)) }

    @inline(__always)
    func mutableValue(_ index: Int) -> UnsafeMutableRawBufferPointer {
        let entry = entry(index)
        let start = entry + Self.headerSize + keyCount(entry)
        let count = valueCount(entry)
        if count == Self.outside, let value = large[start.loadUnaligned(as: Int.self)] { return value.bytes }
        return UnsafeMutableRawBufferPointer(start: start, count: Int(count))
    }

    /// How many entries ahead of a walk memory is asked for: a scan that reads little of each waits for memory otherwise.
    static let lookahead = 6

    /// Asks for the memory of an entry.
    @inline(__always)
    func fetchAhead(_ index: Int) {
        let entry = entry(index)
        coffer_prefetch(entry)
        coffer_prefetch(entry + 64)
    }

    /// The first entry whose key is not less, and whether it has the key itself.
    ///
    /// - Parameter atEnd: whether the last entry is looked at first.
    @inline(__always)
    func find(_ key: UnsafeRawBufferPointer, atEnd: Bool = false) -> (index: Int, isThere: Bool) {
        guard let start = key.baseAddress else { return (0, count > 0 && self.key(0).isEmpty) }
        var (low, high) = (0, count)
        if atEnd, high > 0 {
            let order = order(high - 1, start, key.count)
            if order < 0 { return (high, false) }
            high -= 1
            if order == 0 { return (high, true) }
        }
        while low < high {
            let middle = (low &+ high) / 2
            let order = order(middle, start, key.count)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    /// The index of a key that is probably right behind an entry, or elsewhere in the page; nil where it is not there.
    @inline(__always)
    func find(_ key: UnsafeRawBufferPointer, near index: Int) -> Int? {
        guard let start = key.baseAddress else { return nil }
        if index + 1 < count, order(index + 1, start, key.count) == 0 { return index + 1 }
        guard order(0, start, key.count) <= 0, order(count - 1, start, key.count) >= 0 else { return nil }
        let found = find(key)
        return found.isThere ? found.index : nil
    }

    /// The child of a branch whose part of the order a key belongs to.
    @inline(__always)
    func child(for key: UnsafeRawBufferPointer, atEnd: Bool = false) -> Int {
        let found = find(key, atEnd: atEnd)
        return found.isThere ? found.index : max(found.index - 1, 0)
    }

    /// How an entry's key compares with another: less than zero, zero, or more.
    @inline(__always)
    private func order(_ index: Int, _ other: UnsafeRawPointer, _ otherCount: Int) -> Int {
        let entry = entry(index)
        let count = keyCount(entry)
        let start = UnsafeRawPointer(entry + Self.headerSize)
        if count >= 8, otherCount >= 8 {
            // Most keys are told apart by their first word, and row keys have no more.
            let left = UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
            let right = UInt64(bigEndian: other.loadUnaligned(as: UInt64.self))
            if left != right { return left < right ? -1 : 1 }
            if count == 8, otherCount == 8 { return 0 }
        }
        let order = Int(memcmp(start, other, min(count, otherCount)))
        return order != 0 ? order : count - otherCount
    }

    // MARK: Writing

    /// Whether an entry of these sizes fits, perhaps after the page was put in order.
    @inline(__always)
    func hasRoom(keyCount: Int, valueCount: Int) -> Bool {
        let room = top - (count + 1) * 2 + wasted
        return room >= Self.entrySize(keyCount, valueCount)
    }

    private static func entrySize(_ keyCount: Int, _ valueCount: Int) -> Int {
        headerSize + keyCount + (valueCount > largestValue ? MemoryLayout<Int>.size : valueCount)
    }

    /// Puts an entry in where there is room for it.
    ///
    /// - Returns: the memory of the value, to be filled.
    @inline(__always)
    func insert(_ key: UnsafeRawBufferPointer, valueCount: Int, at index: Int) -> UnsafeMutableRawBufferPointer {
        let size = Self.entrySize(key.count, valueCount)
        if top - (count + 1) * 2 < size { putInOrder() }
        top -= size
        let entry = bytes + top
        let isLarge = valueCount > Self.largestValue
        entry.storeBytes(of: UInt16(key.count), as: UInt16.self)
        entry.storeBytes(of: isLarge ? Self.outside : UInt32(valueCount), toByteOffset: 2, as: UInt32.self)
        let start = entry + Self.headerSize
        if let base = key.baseAddress { start.copyMemory(from: base, byteCount: key.count) }
        if index < count { (places + index + 1).update(from: places + index, count: count - index) }
        places[index] = UInt16(top)
        count += 1
        let value = start + key.count
        guard isLarge else { return UnsafeMutableRawBufferPointer(start: value, count: valueCount) }
        let outside = LargeValue(count: valueCount)
        value.storeBytes(of: large.count, as: Int.self)
        large.append(outside)
        return outside.bytes
    }

    /// Puts a child in, under the least key that it may have.
    func insert(_ child: MemoryPage, under key: UnsafeRawBufferPointer, at index: Int) {
        _ = insert(key, valueCount: 0, at: index)
        children.insert(child, at: index)
    }

    /// Takes an entry out, in a branch with its child.
    func remove(_ index: Int) {
        let entry = entry(index)
        var size = Self.headerSize + keyCount(entry)
        if valueCount(entry) == Self.outside {
            large[(entry + size).loadUnaligned(as: Int.self)] = nil
            size += MemoryLayout<Int>.size
        } else {
            size += Int(valueCount(entry))
        }
        wasted += size
        count -= 1
        (places + index).update(from: places + index + 1, count: count - index)
        if !isLeaf { children.remove(at: index) }
    }

    func replaceChild(_ index: Int, with child: MemoryPage) { children[index] = child }

    /// Closes the gaps that removed entries have left.
    private func putInOrder() {
        let old = MemoryPage(copying: self, stamp: stamp)
        let entries = old.count
        (count, top, wasted) = (0, Self.size, 0)
        large = []
        for index in 0..<entries { append(old, index) }
    }

    /// Appends another page's entry without its child.
    private func append(_ page: MemoryPage, _ index: Int) {
        let source = page.entry(index)
        let isLarge = page.valueCount(source) == Self.outside
        let size =
            Self.headerSize + keyCount(source)
            + (isLarge ? MemoryLayout<Int>.size : Int(page.valueCount(source)))
        top -= size
        (bytes + top).copyMemory(from: source, byteCount: size)
        places[count] = UInt16(top)
        count += 1
        if isLarge {
            let word = bytes + top + size - MemoryLayout<Int>.size
            let outside = page.large[word.loadUnaligned(as: Int.self)]
            word.storeBytes(of: large.count, as: Int.self)
            large.append(outside)
        }
    }

    /// The bytes that entries and their places take.
    var usedSize: Int { Self.size - top - wasted + count * 2 }

    /// Whether so little is left of the page that it is worth a try to join it with another.
    var isSparse: Bool { usedSize < Self.size / 4 }

    /// Takes in all entries of the page behind this one.
    ///
    /// - Parameter key: what the other page has lain under. Its own first key may be greater than what lies there.
    func append(_ page: MemoryPage, under key: UnsafeRawBufferPointer) {
        putInOrder()
        if isLeaf {
            for index in 0..<page.count { append(page, index) }
        } else {
            insert(page.children[0], under: key, at: count)
            for index in 1..<page.count { append(page, index) }
            children.append(contentsOf: page.children.dropFirst())
        }
    }

    /// Moves the entries from an index on to a new page.
    func split(at index: Int) -> MemoryPage {
        let right = MemoryPage(isLeaf: isLeaf, stamp: stamp)
        for moved in index..<count { right.append(self, moved) }
        if !isLeaf {
            right.children = ContiguousArray(children[index...])
            children.removeSubrange(index...)
        }
        count = index
        putInOrder()
        return right
    }

    /// Where to cut so that both halves hold about as many bytes.
    var middle: Int {
        var left = (Self.size - top - wasted) / 2
        for index in 0..<count {
            let entry = entry(index)
            let size = valueCount(entry) == Self.outside ? UInt32(MemoryLayout<Int>.size) : valueCount(entry)
            left -= Self.headerSize + keyCount(entry) + Int(size)
            if left <= 0 { return min(max(index, 1), count - 1) }
        }
        return count / 2
    }
}

/// A value that is too large for a page.
private final class LargeValue {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) { bytes = .allocate(byteCount: count, alignment: 8) }

    deinit { bytes.deallocate() }
}
