/// An ordered map of strings of bytes, a value: a copy takes no time and sees nothing of later changes.
///
/// A B+ tree whose nodes are shared by copies until they are changed.
struct OrderedTree {
    private static let width = 64

    /// A leaf has entries; a branch has children, and for each an entry that none of the child's keys comes before.
    private final class Node: @unchecked Sendable {
        var entries: [MemoryEntry]
        var children: [Node]

        init(_ entries: [MemoryEntry], _ children: [Node] = []) {
            self.entries = entries
            self.children = children
        }

        var isLeaf: Bool { children.isEmpty }

        func copy() -> Node { Node(entries, children) }

        /// The place of the first entry that does not come before a key.
        func place(of key: UnsafeRawBufferPointer) -> Int {
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].compare(key) < 0 { low = middle + 1 } else { high = middle }
            }
            return low
        }

        /// The child in which a key belongs.
        func child(for key: UnsafeRawBufferPointer) -> Int {
            let place = place(of: key)
            return place < entries.count && entries[place].compare(key) == 0 ? place : max(place - 1, 0)
        }

        /// Cuts the node into halves and answers the second; what is appended at the end leaves the first one full.
        func split(appended: Bool) -> Node {
            let middle = appended ? entries.count - 1 : entries.count / 2
            let other = Node(Array(entries[middle...]), isLeaf ? [] : Array(children[middle...]))
            entries.removeSubrange(middle...)
            if !isLeaf { children.removeSubrange(middle...) }
            return other
        }
    }

    private var root = Node([])
    /// The number of entries.
    private(set) var count = 0

    /// The entry of a key.
    func entry(_ key: UnsafeRawBufferPointer) -> MemoryEntry? {
        var node = root
        while !node.isLeaf { node = node.children[node.child(for: key)] }
        let place = node.place(of: key)
        return place < node.entries.count && node.entries[place].compare(key) == 0 ? node.entries[place] : nil
    }

    // MARK: Changing

    /// Puts an entry in, in place of the one with its key.
    mutating func insert(_ entry: MemoryEntry) {
        if !isKnownUniquelyReferenced(&root) { root = root.copy() }
        if let other = insert(entry, into: root) {
            root = Node([root.entries[0], other.entries[0]], [root, other])
        }
    }

    /// - Returns: the second half of the node where it became too wide.
    private mutating func insert(_ entry: MemoryEntry, into node: Node) -> Node? {
        let place: Int
        if node.isLeaf {
            place = node.place(of: entry.key)
            if place < node.entries.count, node.entries[place].compare(entry.key) == 0 {
                node.entries[place] = entry
                return nil
            }
            node.entries.insert(entry, at: place)
            count += 1
        } else {
            let index = node.child(for: entry.key)
            if !isKnownUniquelyReferenced(&node.children[index]) { node.children[index] = node.children[index].copy() }
            let other = insert(entry, into: node.children[index])
            if index == 0, node.entries[0].compare(entry.key) > 0 { node.entries[0] = entry }
            guard let other else { return nil }
            place = index + 1
            node.children.insert(other, at: place)
            node.entries.insert(other.entries[0], at: place)
        }
        return node.entries.count > Self.width ? node.split(appended: place == node.entries.count - 1) : nil
    }

    /// Takes a key out; false where it is not there.
    mutating func remove(_ key: UnsafeRawBufferPointer) -> Bool {
        guard entry(key) != nil else { return false }
        if !isKnownUniquelyReferenced(&root) { root = root.copy() }
        Self.remove(key, from: root)
        count -= 1
        while root.children.count == 1 { root = root.children[0] }
        return true
    }

    private static func remove(_ key: UnsafeRawBufferPointer, from node: Node) {
        if node.isLeaf {
            node.entries.remove(at: node.place(of: key))
            return
        }
        let index = node.child(for: key)
        if !isKnownUniquelyReferenced(&node.children[index]) { node.children[index] = node.children[index].copy() }
        remove(key, from: node.children[index])
        let child = node.children[index]
        if child.entries.isEmpty {
            node.entries.remove(at: index)
            node.children.remove(at: index)
        } else if index > 0, child.entries.count + node.children[index - 1].entries.count <= width / 2 {
            let before = node.children[index - 1]
            node.children[index - 1] = Node(before.entries + child.entries, before.children + child.children)
            node.entries.remove(at: index)
            node.children.remove(at: index)
        }
    }

    // MARK: Walking

    /// Goes through a range of keys, in order or against it.
    ///
    /// - Parameter body: takes an entry and answers whether to go on.
    func scan(_ range: KeyRange, descending: Bool, _ body: (MemoryEntry) throws -> Bool) rethrows {
        try range.lower.withUnsafeBytes { lower in
            if let upper = range.upper {
                _ = try upper.withUnsafeBytes { try walk(root, lower, $0, descending, body) }
            } else {
                _ = try walk(root, lower, nil, descending, body)
            }
        }
    }

    private func walk(
        _ node: Node, _ lower: UnsafeRawBufferPointer, _ upper: UnsafeRawBufferPointer?, _ descending: Bool,
        _ body: (MemoryEntry) throws -> Bool
    ) rethrows -> Bool {
        let end = upper.map { node.place(of: $0) } ?? node.entries.count
        if node.isLeaf {
            let start = min(node.place(of: lower), end)
            if descending {
                for index in (start..<end).reversed() where try !body(node.entries[index]) { return false }
            } else {
                for index in start..<end where try !body(node.entries[index]) { return false }
            }
            return true
        }
        let start = min(node.child(for: lower), end)
        if descending {
            for index in (start..<end).reversed()
            where try !walk(node.children[index], lower, upper, descending, body) { return false }
        } else {
            for index in start..<end where try !walk(node.children[index], lower, upper, descending, body) {
                return false
            }
        }
        return true
    }
}
