/// Goes through every page that an LMDB file uses, and checks that it is there, is what it should be, and is used once:
/// LMDB takes the lengths and numbers in a file as they are, and a wrong one can end the process.
///
/// It knows nothing of what keys and values mean. Pages are read into memory that is used again, and nothing is made for
/// an entry: a file of 100 MB takes tens of milliseconds.
struct LMDBCheck: ~Copyable {
    private let pages: LMDBPages
    private let meta: LMDBPages.Meta
    /// The pages that were met.
    private var used: PageSet
    /// A page for each level of a tree.
    private let memory: UnsafeMutableRawBufferPointer
    /// Lists of free pages, and the pages in which they were found.
    private var freeLists: [(page: UInt64, numbers: [UInt64])] = []

    private init(_ pages: LMDBPages, _ meta: LMDBPages.Meta) throws {
        self.pages = pages
        self.meta = meta
        // Pages behind the end are listed as free, in eight bytes each; so no number makes this larger than the file.
        let written = UInt64(pages.size / meta.pageSize)
        guard meta.lastPage < written + UInt64(pages.size / 8) else { throw Self.cut }
        used = PageSet(count: Int(meta.lastPage) + 1)
        memory = .allocate(byteCount: meta.pageSize * (LMDBPages.deepest + 1), alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Checks a file.
    ///
    /// - Throws: ``LMDBPages/Damage``, or ``LMDBFailure`` where the file cannot be read.
    /// - Complexity: O(*size of the file*).
    static func run(_ pages: LMDBPages, _ meta: LMDBPages.Meta) throws {
        var check = try LMDBCheck(pages, meta)
        guard meta.main.flags == 0, meta.free.flags == LMDBPages.Flag.integerKey else {
            throw LMDBPages.Damage(detail: "its tables have properties that no store's have")
        }
        try check.tree(meta.main, .names)
        for (name, tree) in try pages.tables(meta) {
            guard tree.flags == 0 else {
                throw LMDBPages.Damage(detail: "the table \(name) has properties that no store's has")
            }
            try check.tree(tree, .table(name))
        }
        try check.freePages()
        try check.end()
    }

    private static var cut: LMDBPages.Damage {
        LMDBPages.Damage(detail: "it is cut off, or its last page is none")
    }

    /// Checks that what lies beyond the end of the file is free: LMDB need not have written pages that it gave up again.
    private func end() throws {
        let written = UInt64(pages.size / meta.pageSize)
        guard written <= meta.lastPage else { return }
        guard used.count(from: Int(written)) == Int(meta.lastPage - written) + 1 else { throw Self.cut }
    }

    // MARK: Trees

    private enum Kind {
        case names
        case table(String)
        case free

        var text: String {
            switch self {
            case .names: "the names of its tables"
            case .table(let name): "the table \(name)"
            case .free: "its free pages"
            }
        }

        var isFree: Bool { if case .free = self { true } else { false } }
        var isNames: Bool { if case .names = self { true } else { false } }
    }

    private struct Count {
        var branches: UInt64 = 0
        var leaves: UInt64 = 0
        var overflow: UInt64 = 0
        var entries: UInt64 = 0
    }

    /// Checks a tree, and that it is as large as the file says.
    private mutating func tree(_ tree: LMDBPages.Tree, _ kind: Kind) throws {
        var count = Count()
        let isEmpty = tree.root == LMDBPages.none
        guard isEmpty ? tree.depth == 0 : tree.depth > 0 && tree.depth <= LMDBPages.deepest else {
            throw LMDBPages.Damage(detail: "what it says of \(kind.text) is damaged")
        }
        if !isEmpty { try walk(tree.root, depth: tree.depth, kind.isFree, kind.isNames, &count) }
        guard count.branches == tree.branchPages, count.leaves == tree.leafPages,
            count.overflow == tree.overflowPages, count.entries == tree.entries
        else { throw LMDBPages.Damage(detail: "what it says of \(kind.text) is damaged") }
    }

    /// - Parameter depth: how many pages lie one below the other from here on.
    private mutating func walk(
        _ number: UInt64, depth: Int, _ isFree: Bool, _ isNames: Bool, _ count: inout Count
    ) throws {
        guard number >= 2, number <= meta.lastPage else { throw pages.missing(number) }
        let buffer = UnsafeMutableRawBufferPointer(
            rebasing: memory[depth * meta.pageSize..<(depth + 1) * meta.pageSize])
        guard try pages.read(Int(number) * meta.pageSize, into: buffer) else { throw pages.missing(number) }
        let page = UnsafeRawBufferPointer(buffer)
        guard LMDBPages.isTreePage(page, number) else { throw pages.damaged(number) }
        guard used.insert(Int(number)) else { throw LMDBPages.Damage(detail: "page \(number) is used twice") }
        let isBranch = LMDBPages.isBranch(page)
        guard isBranch == (depth > 1) else { throw pages.damaged(number) }
        let nodes = LMDBPages.nodeCount(page)
        // Among the free pages LMDB takes back a branch may have a single page below it.
        guard !isBranch || nodes > 1 || isFree else { throw pages.damaged(number) }
        if isBranch { count.branches += 1 } else { count.leaves += 1 }
        if !isBranch { count.entries += UInt64(nodes) }
        var size = 0
        for index in 0..<nodes {
            guard let node = LMDBPages.node(page, index, isBranch: isBranch) else { throw pages.damaged(number) }
            size += node.size
            if isBranch {
                try walk(node.child, depth: depth - 1, isFree, isNames, &count)
                continue
            }
            if node.flags & LMDBPages.Flag.subData != 0, !isNames { throw pages.damaged(number) }
            if node.flags & LMDBPages.Flag.bigData != 0 {
                count.overflow += try overflow(LMDBPages.number(page, node.data, UInt64.self), bytes: node.dataSize)
            }
            if isFree { try freeList(page, number, node) }
        }
        // Entries lie in the page's upper part without gaps.
        guard size == page.count - Int(LMDBPages.number(page, 14, UInt16.self)) else { throw pages.damaged(number) }
    }

    /// Checks the pages of a value that has its own.
    private mutating func overflow(_ number: UInt64, bytes: Int) throws -> UInt64 {
        guard number >= 2, number <= meta.lastPage else { throw pages.missing(number) }
        let buffer = UnsafeMutableRawBufferPointer(rebasing: memory[..<LMDBPages.headerSize])
        guard try pages.read(Int(number) * meta.pageSize, into: buffer) else { throw pages.missing(number) }
        let header = UnsafeRawBufferPointer(buffer)
        // A value that became shorter in the transaction that wrote it keeps the pages that it had.
        let count = Int(LMDBPages.number(header, 12, UInt32.self))
        guard LMDBPages.number(header, 0, UInt64.self) == number,
            LMDBPages.number(header, 10, UInt16.self) == LMDBPages.Flag.overflow,
            count > (LMDBPages.headerSize - 1 + bytes) / meta.pageSize, UInt64(count) - 1 <= meta.lastPage - number
        else { throw pages.damaged(number) }
        guard (Int(number) + count) * meta.pageSize <= pages.size else {
            throw LMDBPages.Damage(detail: "it is cut off: the end of page \(number) is missing")
        }
        for page in number..<number + UInt64(count) where !used.insert(Int(page)) {
            throw LMDBPages.Damage(detail: "page \(page) is used twice")
        }
        return UInt64(count)
    }

    // MARK: Free pages

    /// Checks the table of free pages: what it lists is in no use.
    private mutating func freePages() throws {
        try tree(meta.free, .free)
        for (page, numbers) in freeLists {
            for number in numbers where !used.insert(Int(number)) {
                throw LMDBPages.Damage(detail: "page \(page) lists page \(number) as free, which is used")
            }
        }
    }

    /// Reads a list of free pages: their number, then the pages from the last to the first.
    private mutating func freeList(_ page: UnsafeRawBufferPointer, _ number: UInt64, _ node: LMDBPages.Node) throws {
        guard node.keySize == 8, node.dataSize >= 8, node.dataSize & 7 == 0, node.flags & LMDBPages.Flag.subData == 0
        else { throw pages.damaged(number) }
        let transaction = LMDBPages.number(page, node.key, UInt64.self)
        guard transaction > 0, transaction <= meta.transaction else { throw pages.damaged(number) }
        let bytes: [UInt8]
        if node.flags & LMDBPages.Flag.bigData != 0 {
            let place = Int(LMDBPages.number(page, node.data, UInt64.self)) * meta.pageSize + LMDBPages.headerSize
            guard let found = try pages.read(place, node.dataSize) else { throw pages.damaged(number) }
            bytes = found
        } else {
            bytes = Array(page[node.data..<node.data + node.dataSize])
        }
        // Room that was kept for more pages than came may be left over.
        let count = LMDBPages.number(bytes, 0, UInt64.self)
        guard count < UInt64(bytes.count / 8) else { throw pages.damaged(number) }
        let numbers = (0..<Int(count)).map { LMDBPages.number(bytes, 8 + $0 * 8, UInt64.self) }
        guard numbers.allSatisfy({ $0 >= 2 && $0 <= meta.lastPage }),
            zip(numbers, numbers.dropFirst()).allSatisfy({ $0 > $1 })
        else { throw pages.damaged(number) }
        freeLists.append((number, numbers))
    }
}

/// A set of numbers of pages, a bit each.
private struct PageSet {
    private var words: [UInt64]

    init(count: Int) { words = Array(repeating: 0, count: count / 64 + 1) }

    /// Adds a number; false where it was there already.
    mutating func insert(_ number: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(number & 63)
        if words[number >> 6] & bit != 0 { return false }
        words[number >> 6] |= bit
        return true
    }

    /// How many there are from a number on.
    func count(from start: Int) -> Int {
        guard start >> 6 < words.count else { return 0 }
        let first = (words[start >> 6] >> UInt64(start & 63)).nonzeroBitCount
        return words[(start >> 6 + 1)...].reduce(first) { $0 + $1.nonzeroBitCount }
    }
}
