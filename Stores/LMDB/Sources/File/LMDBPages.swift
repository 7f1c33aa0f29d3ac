import CofferCore
import Foundation

/// Reads an LMDB file page by page without LMDB, so that a file that is none, or is damaged, is neither mapped nor
/// touched: LMDB trusts what it maps.
struct LMDBPages {
    /// What a file says of one tree of pages: how it was when its table was last written.
    struct Tree: Equatable {
        let flags: Int
        let depth: Int
        let branchPages: UInt64
        let leafPages: UInt64
        let overflowPages: UInt64
        let entries: UInt64
        let root: UInt64

        static let size = 48

        init(_ bytes: [UInt8], at offset: Int) {
            flags = Int(LMDBPages.number(bytes, offset + 4, UInt16.self))
            depth = Int(LMDBPages.number(bytes, offset + 6, UInt16.self))
            branchPages = LMDBPages.number(bytes, offset + 8, UInt64.self)
            leafPages = LMDBPages.number(bytes, offset + 16, UInt64.self)
            overflowPages = LMDBPages.number(bytes, offset + 24, UInt64.self)
            entries = LMDBPages.number(bytes, offset + 32, UInt64.self)
            root = LMDBPages.number(bytes, offset + 40, UInt64.self)
        }
    }

    /// One of the two pages that say where everything is.
    struct Meta: Equatable {
        let pageSize: Int
        /// The pages that may be used again, by the transaction that gave them up.
        let free: Tree
        /// The names of the tables.
        let main: Tree
        let lastPage: UInt64
        let transaction: UInt64
    }

    /// What a walk found wrong.
    struct Damage: Error { let detail: String }

    enum Flag {
        static let branch = 0x01, leaf = 0x02, overflow = 0x04, meta = 0x08
        static let bigData = 0x01, subData = 0x02
        static let integerKey = 0x08
    }

    /// One entry of a page.
    struct Node {
        let start: Int
        /// What the entry takes of its page.
        let size: Int
        let flags: Int
        let key: Int
        let keySize: Int
        /// Where the value begins, or the number of the page where it lies.
        let data: Int
        let dataSize: Int
        /// The page below; of an entry of a branch page only.
        let child: UInt64
    }

    static let magic: UInt32 = 0xBEEF_C0DE
    static let version: UInt32 = 1
    /// No page.
    static let none = UInt64.max
    static let headerSize = 16
    /// How often the pages that say where everything is are read until two looks agree.
    private static let looks = 100
    /// As deep as LMDB follows a tree.
    static let deepest = 32
    /// The longest key that LMDB takes; some of its buffers have room for no more.
    static let longestKey = 511

    let descriptor: Int32
    let size: Int

    // MARK: Meta pages

    /// The newer of the two meta pages.
    ///
    /// - Throws: ``Damage``, or `newerStoreFormat` for another version of LMDB's format.
    func meta() throws -> Meta {
        var (first, second) = try metas()
        // Somebody who saves writes one after the other, in between as well.
        for _ in 0..<Self.looks {
            let again = try metas()
            if again == (first, second) { break }
            (first, second) = again
        }
        // Transactions write them in turn, from two that are alike.
        let (low, high) = (min(first.transaction, second.transaction), max(first.transaction, second.transaction))
        guard high - low < 2, first.transaction & 1 == 0, second.transaction & 1 == 1 || second.transaction == 0 else {
            throw Damage(detail: "the two pages that say where everything is do not belong together")
        }
        let newest = second.transaction > first.transaction ? second : first
        guard newest.lastPage >= 1, newest.lastPage < UInt64(Int.max / 65536 - 1) else {
            throw Damage(detail: "its last page is none")
        }
        return newest
    }

    private func metas() throws -> (first: Meta, second: Meta) {
        guard let first = try meta(at: 0) else { throw Damage(detail: "it is no LMDB file") }
        let pageSize = first.pageSize
        guard pageSize >= 512, pageSize <= 65536, pageSize & (pageSize - 1) == 0 else {
            throw Damage(detail: "its page size is none")
        }
        guard let second = try meta(at: pageSize), second.pageSize == pageSize else {
            throw Damage(detail: "the second page that says where everything is, is damaged")
        }
        return (first, second)
    }

    func meta(at offset: Int) throws -> Meta? {
        guard let bytes = try read(offset, 152) else { return nil }
        guard Self.number(bytes, 16, UInt32.self) == Self.magic else { return nil }
        let version = Self.number(bytes, 20, UInt32.self)
        guard version == Self.version else {
            throw SwiftDataError(
                .newerStoreFormat, detail: "it has LMDB's format \(version), and this version of LMDB knows 1")
        }
        guard Self.number(bytes, 10, UInt16.self) == Flag.meta else { return nil }
        return Meta(
            pageSize: Int(Self.number(bytes, 40, UInt32.self)), free: Tree(bytes, at: 40), main: Tree(bytes, at: 88),
            lastPage: Self.number(bytes, 136, UInt64.self), transaction: Self.number(bytes, 144, UInt64.self))
    }

    // MARK: Tables

    /// The names of the tables and what is said of their trees. The headers of the root pages are checked.
    func tables(_ meta: Meta) throws -> [String: Tree] {
        var tables: [String: Tree] = [:]
        try walkTables(meta.main.root, meta, depth: 1, &tables)
        return tables
    }

    private func walkTables(
        _ number: UInt64, _ meta: Meta, depth: Int, _ tables: inout [String: Tree]
    ) throws {
        if number == Self.none { return }
        guard depth <= Self.deepest else { throw Damage(detail: "its pages lead in a circle") }
        let page = try page(number, meta)
        for node in try nodes(page, number) {
            if Self.isBranch(page) {
                try walkTables(node.child, meta, depth: depth + 1, &tables)
            } else if node.flags & Flag.subData != 0 {
                guard node.dataSize == Tree.size else { throw damaged(number) }
                let name = String(decoding: page[node.key..<node.key + node.keySize], as: UTF8.self)
                let tree = Tree(page, at: node.data)
                tables[name] = tree
                if tree.root != Self.none { _ = try self.page(tree.root, meta) }
            }
        }
    }

    // MARK: Pages

    /// A page of keys, its header checked.
    func page(_ number: UInt64, _ meta: Meta) throws -> [UInt8] {
        guard number >= 2, number <= meta.lastPage,
            let bytes = try read(Int(number) * meta.pageSize, meta.pageSize)
        else { throw missing(number) }
        guard bytes.withUnsafeBytes({ Self.isTreePage($0, number) }) else { throw damaged(number) }
        return bytes
    }

    /// Whether a page has the header of one with keys.
    ///
    /// LMDB clears the marks of pages that are being written before it writes them, so that those that are stored are
    /// of a tree and nothing else.
    static func isTreePage(_ page: UnsafeRawBufferPointer, _ number: UInt64) -> Bool {
        let flags = Int(self.number(page, 10, UInt16.self))
        let (lower, upper) = (Int(self.number(page, 12, UInt16.self)), Int(self.number(page, 14, UInt16.self)))
        return self.number(page, 0, UInt64.self) == number && (flags == Flag.branch || flags == Flag.leaf)
            && lower > headerSize && lower & 1 == 0 && lower <= upper && upper < page.count
    }

    static func isBranch(_ page: [UInt8]) -> Bool { page.withUnsafeBytes { isBranch($0) } }

    static func isBranch(_ page: UnsafeRawBufferPointer) -> Bool { number(page, 10, UInt16.self) == Flag.branch }

    /// How many entries a page has.
    static func nodeCount(_ page: UnsafeRawBufferPointer) -> Int {
        (Int(number(page, 12, UInt16.self)) - headerSize) / 2
    }

    /// The entries of a page, which lie in its upper part without gaps.
    func nodes(_ page: [UInt8], _ number: UInt64) throws -> [Node] {
        try page.withUnsafeBytes { page in
            let isBranch = Self.isBranch(page)
            var nodes: [Node] = []
            nodes.reserveCapacity(Self.nodeCount(page))
            var used = 0
            for index in 0..<Self.nodeCount(page) {
                guard let node = Self.node(page, index, isBranch: isBranch) else { throw damaged(number) }
                used += node.size
                nodes.append(node)
            }
            guard used == page.count - Int(Self.number(page, 14, UInt16.self)) else { throw damaged(number) }
            return nodes
        }
    }

    /// An entry of a page whose header is sound; nil where it does not lie in the page, or is none.
    @inline(__always)
    static func node(_ page: UnsafeRawBufferPointer, _ index: Int, isBranch: Bool) -> Node? {
        let start = Int(number(page, headerSize + index * 2, UInt16.self))
        guard start >= Int(number(page, 14, UInt16.self)), start & 1 == 0, start + 8 <= page.count else { return nil }
        let low = UInt64(number(page, start, UInt16.self)) | UInt64(number(page, start + 2, UInt16.self)) << 16
        let flags = Int(number(page, start + 4, UInt16.self))
        let keySize = Int(number(page, start + 6, UInt16.self))
        let data = start + 8 + keySize
        let stored = isBranch ? 0 : flags & Flag.bigData != 0 ? 8 : Int(low)
        guard keySize <= longestKey, data + stored <= page.count,
            isBranch || flags == 0 || flags == Flag.bigData || flags == Flag.subData
        else { return nil }
        return Node(
            start: start, size: (8 + keySize + stored + 1) & ~1, flags: isBranch ? 0 : flags, key: start + 8,
            keySize: keySize, data: data, dataSize: Int(low), child: low | UInt64(flags) << 32)
    }

    func damaged(_ page: UInt64) -> Damage { Damage(detail: "page \(page) is damaged") }

    func missing(_ page: UInt64) -> Damage { Damage(detail: "it is cut off: page \(page) is missing") }

    // MARK: Bytes

    /// Reads a part of the file; nil where the file ends before.
    ///
    /// - Throws: ``LMDBFailure`` where the system cannot read.
    func read(_ offset: Int, _ count: Int) throws -> [UInt8]? {
        guard offset >= 0, count >= 0, offset <= size - count else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return try bytes.withUnsafeMutableBytes { try read(offset, into: $0) } ? bytes : nil
    }

    /// Fills a buffer; false where the file ends before.
    func read(_ offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Bool {
        guard offset >= 0, offset <= size - buffer.count else { return false }
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw LMDBFailure(code: errno) }
            if count == 0 { return false }
            done += count
        }
        return true
    }

    static func number<T: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int, _ type: T.Type) -> T {
        bytes.withUnsafeBytes { number($0, offset, type) }
    }

    @inline(__always)
    static func number<T: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ type: T.Type) -> T {
        T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
    }
}
