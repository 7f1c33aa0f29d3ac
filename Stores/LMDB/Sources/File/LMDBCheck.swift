/// Goes through every page that an LMDB file uses, and checks that it is there, is what it should be, and is used once:
/// LMDB takes the lengths and numbers in a file as they are, and a wrong one can end the process.
///
/// It knows nothing of what keys and values mean.
struct LMDBCheck {
    private let pages: LMDBPages
    private let meta: LMDBPages.Meta
    /// The pages that were met.
    private var used: Set<UInt64> = []

    private init(_ pages: LMDBPages, _ meta: LMDBPages.Meta) {
        self.pages = pages
        self.meta = meta
    }

    /// Checks a file.
    ///
    /// - Throws: ``LMDBPages/Damage``.
    /// - Complexity: O(*size of the file*).
    static func run(_ pages: LMDBPages, _ meta: LMDBPages.Meta) throws {
        var check = LMDBCheck(pages, meta)
        guard meta.main.flags == 0, meta.free.flags == LMDBPages.Flag.integerKey else {
            throw LMDBPages.Damage(detail: "its tables have properties that no store's have")
        }
        try check.tree(meta.main, of: "the names of its tables") { _, _ in }
        for (name, tree) in try pages.tables(meta) {
            guard tree.flags == 0 else {
                throw LMDBPages.Damage(detail: "the table \(name) has properties that no store's has")
            }
            try check.tree(tree, of: "the table \(name)") { number, node in
                guard node.flags & LMDBPages.Flag.subData == 0 else { throw pages.damaged(number) }
            }
        }
        try check.freePages()
        try check.end()
    }

    /// Checks that what lies beyond the end of the file is free: LMDB need not have written pages that it gave up again.
    private func end() throws {
        let written = UInt64(pages.size / meta.pageSize)
        guard written <= meta.lastPage else { return }
        let free = used.lazy.filter { $0 >= written }.count
        guard UInt64(free) == meta.lastPage - written + 1 else {
            throw LMDBPages.Damage(detail: "it is cut off, or its last page is none")
        }
    }

    // MARK: Trees

    private struct Count {
        var branches: UInt64 = 0
        var leaves: UInt64 = 0
        var overflow: UInt64 = 0
        var entries: UInt64 = 0
    }

    /// Checks a tree, and that it is as large as the file says.
    private mutating func tree(
        _ tree: LMDBPages.Tree, of what: String, isFree: Bool = false, _ body: (UInt64, LMDBPages.Node) throws -> Void
    ) throws {
        var count = Count()
        let isEmpty = tree.root == LMDBPages.none
        guard isEmpty ? tree.depth == 0 : tree.depth > 0 && tree.depth <= LMDBPages.deepest else {
            throw LMDBPages.Damage(detail: "what it says of \(what) is damaged")
        }
        if !isEmpty { try walk(tree.root, depth: tree.depth, isFree, &count, body) }
        guard count.branches == tree.branchPages, count.leaves == tree.leafPages,
            count.overflow == tree.overflowPages, count.entries == tree.entries
        else { throw LMDBPages.Damage(detail: "what it says of \(what) is damaged") }
    }

    /// - Parameter depth: how many pages lie one below the other from here on.
    private mutating func walk(
        _ number: UInt64, depth: Int, _ isFree: Bool, _ count: inout Count,
        _ body: (UInt64, LMDBPages.Node) throws -> Void
    ) throws {
        let page = try pages.page(number, meta)
        guard used.insert(number).inserted else { throw LMDBPages.Damage(detail: "page \(number) is used twice") }
        let nodes = try pages.nodes(page, number)
        guard LMDBPages.isBranch(page) == (depth > 1) else { throw pages.damaged(number) }
        if depth > 1 {
            // Among the free pages LMDB takes back a branch may have a single page below it.
            guard nodes.count > 1 || isFree else { throw pages.damaged(number) }
            count.branches += 1
            for node in nodes { try walk(node.child, depth: depth - 1, isFree, &count, body) }
        } else {
            count.leaves += 1
            count.entries += UInt64(nodes.count)
            for node in nodes {
                if node.flags & LMDBPages.Flag.bigData != 0 {
                    count.overflow += try overflow(
                        LMDBPages.number(page, node.data, UInt64.self), bytes: node.dataSize)
                }
                try body(number, node)
                if isFree { try freeList(page, number, node) }
            }
        }
    }

    /// Checks the pages of a value that has its own.
    private mutating func overflow(_ number: UInt64, bytes: Int) throws -> UInt64 {
        guard number >= 2, number <= meta.lastPage,
            let header = pages.read(Int(number) * meta.pageSize, LMDBPages.headerSize)
        else { throw LMDBPages.Damage(detail: "it is cut off: page \(number) is missing") }
        // A value that became shorter in the transaction that wrote it keeps the pages that it had.
        let count = Int(LMDBPages.number(header, 12, UInt32.self))
        guard LMDBPages.number(header, 0, UInt64.self) == number,
            LMDBPages.number(header, 10, UInt16.self) == LMDBPages.Flag.overflow,
            count > (LMDBPages.headerSize - 1 + bytes) / meta.pageSize, UInt64(count) - 1 <= meta.lastPage - number
        else { throw pages.damaged(number) }
        guard (Int(number) + count) * meta.pageSize <= pages.size else {
            throw LMDBPages.Damage(detail: "it is cut off: the end of page \(number) is missing")
        }
        for page in number..<number + UInt64(count) where !used.insert(page).inserted {
            throw LMDBPages.Damage(detail: "page \(page) is used twice")
        }
        return UInt64(count)
    }

    // MARK: Free pages

    /// Lists of free pages, and the pages in which they were found.
    private var freeLists: [(page: UInt64, numbers: [UInt64])] = []

    /// Checks the table of free pages: what it lists is in no use.
    private mutating func freePages() throws {
        try tree(meta.free, of: "its free pages", isFree: true) { _, _ in }
        for (page, numbers) in freeLists {
            for number in numbers where !used.insert(number).inserted {
                throw LMDBPages.Damage(detail: "page \(page) lists page \(number) as free, which is used")
            }
        }
    }

    /// Reads a list of free pages: their number, then the pages from the last to the first.
    private mutating func freeList(_ page: [UInt8], _ number: UInt64, _ node: LMDBPages.Node) throws {
        guard node.keySize == 8, node.dataSize >= 8, node.dataSize & 7 == 0, node.flags & LMDBPages.Flag.subData == 0
        else { throw pages.damaged(number) }
        let transaction = LMDBPages.number(page, node.key, UInt64.self)
        guard transaction > 0, transaction <= meta.transaction else { throw pages.damaged(number) }
        let bytes: [UInt8]
        if node.flags & LMDBPages.Flag.bigData != 0 {
            let place = Int(LMDBPages.number(page, node.data, UInt64.self)) * meta.pageSize + LMDBPages.headerSize
            guard let found = pages.read(place, node.dataSize) else { throw pages.damaged(number) }
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
