import CofferCore
import Foundation

/// Reads an LMDB file page by page without LMDB, so that a file that is none, or is damaged, is neither mapped nor
/// touched: LMDB trusts what it maps.
struct LMDBPages {
    /// One of the two pages that say where everything is.
    struct Meta {
        let pageSize: Int
        let mainRoot: UInt64
        let lastPage: UInt64
        let transaction: UInt64
    }

    /// What a walk found wrong.
    struct Damage: Error { let detail: String }

    private enum Flag {
        static let branch = 0x01, leaf = 0x02, overflow = 0x04, meta = 0x08
        static let bigData = 0x01, subData = 0x02
    }

    static let magic: UInt32 = 0xBEEF_C0DE
    static let version: UInt32 = 1
    /// No page.
    static let none = UInt64.max
    private static let headerSize = 16

    let descriptor: Int32
    let size: Int

    // MARK: Meta pages

    /// The newer of the two meta pages.
    ///
    /// - Throws: ``Damage``, or `newerStoreFormat` for another version of LMDB's format.
    func meta() throws -> Meta {
        let first = try meta(at: 0)
        var pageSize = first?.pageSize ?? 0
        if pageSize == 0 { pageSize = 4096 }
        guard pageSize >= 512, pageSize <= 65536, pageSize & (pageSize - 1) == 0 else {
            throw Damage(detail: "its page size is none")
        }
        let second = try meta(at: pageSize)
        guard let newest = [first, second].compactMap({ $0 }).max(by: { $0.transaction < $1.transaction }) else {
            throw Damage(detail: "it is no LMDB file")
        }
        return newest
    }

    private func meta(at offset: Int) throws -> Meta? {
        guard let bytes = read(offset, 152) else { return nil }
        guard number(bytes, 16, UInt32.self) == Self.magic else { return nil }
        let version = number(bytes, 20, UInt32.self)
        guard version == Self.version else {
            throw SwiftDataError(
                .newerStoreFormat, detail: "it has LMDB's format \(version), and this version of LMDB knows 1")
        }
        guard Int(number(bytes, 10, UInt16.self)) & Flag.meta != 0 else { return nil }
        return Meta(
            pageSize: Int(number(bytes, 40, UInt32.self)), mainRoot: number(bytes, 128, UInt64.self),
            lastPage: number(bytes, 136, UInt64.self), transaction: number(bytes, 144, UInt64.self))
    }

    // MARK: Tables

    /// The names of the tables and their root pages, whose headers are checked.
    func tables(_ meta: Meta) throws -> [String: UInt64] {
        var tables: [String: UInt64] = [:]
        var visited = 0
        try walk(meta.mainRoot, meta, &visited) { page, node in
            guard node.flags & Flag.subData != 0 else { return }
            let root = number(page, node.data + 40, UInt64.self)
            let name = String(decoding: page[node.key..<node.key + node.keySize], as: UTF8.self)
            tables[name] = root
            if root != Self.none { _ = try self.page(root, meta) }
        }
        return tables
    }

    /// Goes through every page that is in use, and checks that it is there and is what it should be.
    ///
    /// - Complexity: O(*size of the file*).
    func check(_ meta: Meta) throws {
        var visited = 0
        func check(_ root: UInt64) throws {
            try walk(root, meta, &visited) { page, node in
                if node.flags & Flag.bigData != 0 {
                    try checkOverflow(number(page, node.data, UInt64.self), meta)
                }
            }
        }
        try check(meta.mainRoot)
        for root in try tables(meta).values { try check(root) }
    }

    private func checkOverflow(_ number: UInt64, _ meta: Meta) throws {
        let (offset, overflow) = Int(clamping: number).multipliedReportingOverflow(by: meta.pageSize)
        guard !overflow, let header = read(offset, Self.headerSize) else {
            throw Damage(detail: "it is cut off: page \(number) is missing")
        }
        let pages = Int(self.number(header, 12, UInt32.self))
        guard Int(self.number(header, 10, UInt16.self)) & Flag.overflow != 0,
            self.number(header, 0, UInt64.self) == number, offset + pages * meta.pageSize <= size
        else { throw Damage(detail: "page \(number) is damaged or cut off") }
    }

    private struct Node {
        let flags: Int
        let key: Int
        let keySize: Int
        let data: Int
    }

    /// Goes through the leaves of a table.
    private func walk(
        _ root: UInt64, _ meta: Meta, _ visited: inout Int, _ body: ([UInt8], Node) throws -> Void
    ) throws {
        if root == Self.none { return }
        visited += 1
        guard visited <= Int(clamping: meta.lastPage) + 1 else { throw Damage(detail: "its pages lead in a circle") }
        let page = try page(root, meta)
        let isBranch = Int(number(page, 10, UInt16.self)) & Flag.branch != 0
        let count = (Int(number(page, 12, UInt16.self)) - Self.headerSize) / 2
        for index in 0..<count {
            let start = Int(number(page, Self.headerSize + index * 2, UInt16.self))
            guard start >= Self.headerSize + count * 2, start + 8 <= page.count else { throw damaged(root) }
            let low = UInt64(number(page, start, UInt16.self)) | UInt64(number(page, start + 2, UInt16.self)) << 16
            let flags = Int(number(page, start + 4, UInt16.self))
            let keySize = Int(number(page, start + 6, UInt16.self))
            let data = start + 8 + keySize
            guard data <= page.count else { throw damaged(root) }
            if isBranch {
                try walk(low | UInt64(flags) << 32, meta, &visited, body)
            } else {
                let dataSize = flags & Flag.bigData != 0 ? 8 : Int(low)
                guard data + dataSize <= page.count, flags & Flag.subData == 0 || dataSize >= 48 else {
                    throw damaged(root)
                }
                try body(page, Node(flags: flags, key: start + 8, keySize: keySize, data: data))
            }
        }
    }

    // MARK: What is left of a damaged file

    /// Goes through the entries of a table that can still be reached and read.
    ///
    /// - Parameters:
    ///   - body: takes key and value.
    ///   - lost: is told of each page that cannot be read, whose entries are lost with those of the pages below it.
    func salvage(
        _ root: UInt64, _ meta: Meta, _ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) throws -> Void,
        lost: (Damage) -> Void
    ) throws {
        var visited: Set<UInt64> = []
        try salvage(root, meta, &visited, body, lost)
    }

    private func salvage(
        _ root: UInt64, _ meta: Meta, _ visited: inout Set<UInt64>,
        _ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) throws -> Void, _ lost: (Damage) -> Void
    ) throws {
        if root == Self.none { return }
        guard visited.insert(root).inserted else { return lost(Damage(detail: "page \(root) is reached twice")) }
        let page: [UInt8]
        do {
            page = try self.page(root, meta)
        } catch let damage as Damage {
            return lost(damage)
        }
        let isBranch = Int(number(page, 10, UInt16.self)) & Flag.branch != 0
        for index in 0..<(Int(number(page, 12, UInt16.self)) - Self.headerSize) / 2 {
            let start = Int(number(page, Self.headerSize + index * 2, UInt16.self))
            guard start >= Self.headerSize, start + 8 <= page.count else {
                lost(damaged(root))
                continue
            }
            let low = UInt64(number(page, start, UInt16.self)) | UInt64(number(page, start + 2, UInt16.self)) << 16
            let flags = Int(number(page, start + 4, UInt16.self))
            let data = start + 8 + Int(number(page, start + 6, UInt16.self))
            if isBranch {
                try salvage(low | UInt64(flags) << 32, meta, &visited, body, lost)
                continue
            }
            let isLarge = flags & Flag.bigData != 0
            guard data <= page.count, data + (isLarge ? 8 : Int(low)) <= page.count else {
                lost(damaged(root))
                continue
            }
            let key = page[(start + 8)..<data]
            if !isLarge {
                try body(key, page[data..<data + Int(low)])
            } else if let value = large(number(page, data, UInt64.self), Int(low), meta) {
                try body(key, value)
            } else {
                lost(Damage(detail: "a large value of page \(root) is damaged or cut off"))
            }
        }
    }

    /// A value with pages of its own.
    private func large(_ number: UInt64, _ size: Int, _ meta: Meta) -> ArraySlice<UInt8>? {
        guard (try? checkOverflow(number, meta)) != nil else { return nil }
        return read(Int(clamping: number) * meta.pageSize + Self.headerSize, size)?[...]
    }

    // MARK: Bytes

    /// A page of keys, its header checked.
    private func page(_ number: UInt64, _ meta: Meta) throws -> [UInt8] {
        let (offset, overflow) = Int(clamping: number).multipliedReportingOverflow(by: meta.pageSize)
        guard !overflow, number <= meta.lastPage, let bytes = read(offset, meta.pageSize) else {
            throw Damage(detail: "it is cut off: page \(number) is missing")
        }
        let flags = Int(self.number(bytes, 10, UInt16.self))
        let lower = Int(self.number(bytes, 12, UInt16.self))
        let kind = flags & (Flag.branch | Flag.leaf | Flag.overflow | Flag.meta)
        guard self.number(bytes, 0, UInt64.self) == number, kind == Flag.branch || kind == Flag.leaf,
            lower >= Self.headerSize, lower <= meta.pageSize
        else { throw damaged(number) }
        return bytes
    }

    private func damaged(_ page: UInt64) -> Damage { Damage(detail: "page \(page) is damaged") }

    private func read(_ offset: Int, _ count: Int) -> [UInt8]? {
        guard offset >= 0, offset <= size - count else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
    }

    private func number<T: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int, _ type: T.Type) -> T {
        bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
    }
}
