import CofferCore

/// An ordered map from bytes to bytes: a B+ tree of pages that its copies share until one of them is changed.
///
/// A copy costs nothing and stays as it is; a change copies the pages on the way to its entry, once a transaction.
/// A page that has become sparse is joined with a neighbour where both fit into one: keys of rows are never given out
/// again, so that its room would stay empty.
struct MemoryTree {
    private var root: MemoryPage?
    /// The number of entries.
    private(set) var count = 0

    /// The number of pages, for tests.
    var pageCount: Int {
        func pages(_ page: MemoryPage) -> Int { page.children.reduce(1) { $0 + pages($1) } }
        return root.map(pages) ?? 0
    }

    // MARK: Reading

    /// The value of a key; nil where there is none. Complexity: O(log *entries*).
    @inline(__always)
    func get(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let (page, index) = find(key) else { return nil }
        return page._withUnsafeGuaranteedRef { $0.value(index) }
    }

    /// The page with a key, and its index there. The tree keeps the page alive.
    @inline(__always)
    func find(_ key: UnsafeRawBufferPointer) -> (page: Unmanaged<MemoryPage>, index: Int)? {
        guard let root else { return nil }
        var page = Unmanaged.passUnretained(root)
        while true {
            let isLeaf = page._withUnsafeGuaranteedRef { $0.isLeaf }
            if isLeaf { break }
            page = page._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.children[$0.child(for: key)]) }
        }
        let found = page._withUnsafeGuaranteedRef { $0.find(key) }
        return found.isThere ? (page, found.index) : nil
    }

    /// Goes through a range in order or against it, until the body answers false.
    func scan(
        _ range: KeyRange, descending: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        guard let root else { return }
        try range.lower.withUnsafeBytes { lower in
            if let upper = range.upper {
                try upper.withUnsafeBytes { _ = try scan(root, lower, $0, descending, body) }
            } else {
                _ = try scan(root, lower, nil, descending, body)
            }
        }
    }

    /// - Parameters:
    ///   - lower: nil where all keys of the page are behind it.
    ///   - upper: nil where all keys of the page are before it.
    /// - Returns: whether to go on.
    private func scan(
        _ page: MemoryPage, _ lower: UnsafeRawBufferPointer?, _ upper: UnsafeRawBufferPointer?, _ descending: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool
    ) throws -> Bool {
        if page.isLeaf {
            let first = lower.map { page.find($0).index } ?? 0
            let end = upper.map { page.find($0).index } ?? page.count
            guard first < end else { return true }
            if descending {
                for index in stride(from: end - 1, through: first, by: -1) {
                    guard try body(page.key(index), page.value(index)) else { return false }
                }
            } else {
                for index in first..<end {
                    if index &+ MemoryPage.lookahead < end { page.fetchAhead(index &+ MemoryPage.lookahead) }
                    guard try body(page.key(index), page.value(index)) else { return false }
                }
            }
            return true
        }
        let first = lower.map { page.child(for: $0) } ?? 0
        let last = upper.map { page.child(for: $0) } ?? page.count - 1
        guard first <= last else { return true }
        func visit(_ index: Int) throws -> Bool {
            try scan(
                page.children[index], index == first ? lower : nil, index == last ? upper : nil, descending, body)
        }
        if descending {
            for index in stride(from: last, through: first, by: -1) {
                guard try visit(index) else { return false }
            }
        } else {
            for index in first...last {
                guard try visit(index) else { return false }
            }
        }
        return true
    }

    // MARK: Writing

    /// Sets the value of a key.
    ///
    /// - Parameters:
    ///   - ascending: whether the key probably lies behind all others; pages are filled to the end then.
    ///   - stamp: the transaction's.
    ///   - fill: writes the value.
    @inline(__always)
    mutating func put(
        _ key: UnsafeRawBufferPointer, count valueCount: Int, ascending: Bool, stamp: UInt64,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        let page = writableRoot(stamp)
        var change = MemoryPut(key: key, valueCount: valueCount, ascending: ascending, stamp: stamp)
        let right = change.put(into: page)
        if let right {
            let branch = MemoryPage(isLeaf: false, stamp: stamp)
            branch.insert(page, under: UnsafeRawBufferPointer(start: nil, count: 0), at: 0)
            branch.insert(right.page, under: right.key, at: 1)
            root = branch
        }
        if change.isNew { count += 1 }
        fill(change.value)
    }

    /// Removes a key.
    ///
    /// - Returns: whether it was there.
    mutating func delete(_ key: UnsafeRawBufferPointer, stamp: UInt64) -> Bool {
        guard get(key) != nil else { return false }
        let page = writableRoot(stamp)
        delete(key, from: page, stamp)
        count -= 1
        root = page
        // A branch with one child is no better than the child.
        while let top = root, !top.isLeaf, top.count <= 1 { root = top.children.first }
        if root?.count == 0 { root = nil }
        return true
    }

    private func delete(_ key: UnsafeRawBufferPointer, from page: MemoryPage, _ stamp: UInt64) {
        if page.isLeaf { return page.remove(page.find(key).index) }
        let index = page.child(for: key)
        let child = page.writableChild(index, stamp)
        delete(key, from: child, stamp)
        if child.count == 0 {
            page.remove(index)
        } else if child.isSparse {
            join(max(index - 1, 0), of: page, stamp)
        }
    }

    /// Moves the entries of a child to the one before it, where there is room and to spare.
    private func join(_ left: Int, of page: MemoryPage, _ stamp: UInt64) {
        let right = left + 1
        guard right < page.count, page.children[left].usedSize + page.children[right].usedSize <= MemoryPage.joinedSize
        else { return }
        page.writableChild(left, stamp).append(page.children[right], under: page.key(right))
        page.remove(right)
    }

    private mutating func writableRoot(_ stamp: UInt64) -> MemoryPage {
        if let root, root.stamp == stamp { return root }
        let page = root.map { MemoryPage(copying: $0, stamp: stamp) } ?? MemoryPage(isLeaf: true, stamp: stamp)
        root = page
        return page
    }
}

/// One entry on its way into a tree.
private struct MemoryPut {
    let key: UnsafeRawBufferPointer
    let valueCount: Int
    let ascending: Bool
    let stamp: UInt64
    /// Where the value belongs.
    var value = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    var isNew = true

    /// A page that was cut off the right of another, and the least key it may have.
    typealias Cut = (page: MemoryPage, key: UnsafeRawBufferPointer)

    /// Puts the entry below a page that belongs to the transaction.
    mutating func put(into page: MemoryPage) -> Cut? {
        if page.isLeaf { return putIntoLeaf(page) }
        let index = page.child(for: key, atEnd: ascending)
        guard let cut = put(into: page.writableChild(index, stamp)) else { return nil }
        if page.hasRoom(keyCount: cut.key.count, valueCount: 0) {
            page.insert(cut.page, under: cut.key, at: index + 1)
            return nil
        }
        let right = split(page, at: index + 1)
        if index + 1 <= page.count, right.count > 0 {
            page.insert(cut.page, under: cut.key, at: index + 1)
        } else {
            right.insert(cut.page, under: cut.key, at: index + 1 - page.count)
        }
        return (right, right.key(0))
    }

    private mutating func putIntoLeaf(_ page: MemoryPage) -> Cut? {
        let (index, isThere) = page.find(key, atEnd: ascending)
        if isThere {
            isNew = false
            // A value that others may share, since it lies outside the page, is never written into.
            let old = page.mutableValue(index)
            if old.count == valueCount, valueCount <= MemoryPage.largestValue {
                value = old
                return nil
            }
            page.remove(index)
        }
        if page.hasRoom(keyCount: key.count, valueCount: valueCount) {
            value = page.insert(key, valueCount: valueCount, at: index)
            return nil
        }
        let right = split(page, at: index)
        if index <= page.count, right.count > 0 {
            value = page.insert(key, valueCount: valueCount, at: index)
        } else {
            value = right.insert(key, valueCount: valueCount, at: index - page.count)
        }
        return (right, right.key(0))
    }

    /// Cuts a full page in two: in the middle, or behind its end where keys come in order.
    private func split(_ page: MemoryPage, at index: Int) -> MemoryPage {
        page.split(at: ascending && index == page.count ? index : page.middle)
    }
}

extension MemoryPage {
    /// A child that belongs to the transaction.
    @inline(__always)
    func writableChild(_ index: Int, _ stamp: UInt64) -> MemoryPage {
        let child = children[index]
        if child.stamp == stamp { return child }
        let copy = MemoryPage(copying: child, stamp: stamp)
        replaceChild(index, with: copy)
        return copy
    }
}
