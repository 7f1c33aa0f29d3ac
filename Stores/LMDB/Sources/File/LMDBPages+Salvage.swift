// What is left of a damaged file.

extension LMDBPages {
    /// The newest meta page that can be read, whatever the other one is like.
    func anyMeta() throws -> Meta {
        // Where the first one is unreadable, nothing says how large pages are but that most systems have the same size.
        let first = try? meta(at: 0)
        let second = try? meta(at: first.flatMap { $0 }?.pageSize ?? 4096)
        let found = [first, second].compactMap { $0 ?? nil }.filter { meta in
            meta.pageSize >= 512 && meta.pageSize <= 65536 && meta.pageSize & (meta.pageSize - 1) == 0
                && meta.lastPage < UInt64(Int.max / 65536 - 1)
        }
        guard let newest = found.max(by: { $0.transaction < $1.transaction }) else {
            throw Damage(detail: "both pages that say where everything is are damaged")
        }
        return newest
    }

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
        } catch let failure as LMDBFailure {
            // What a failing disk cannot read is lost; the rest need not be.
            return lost(Damage(detail: "page \(root) cannot be read (code \(failure.code))"))
        }
        let isBranch = Self.isBranch(page)
        for index in 0..<(Int(Self.number(page, 12, UInt16.self)) - Self.headerSize) / 2 {
            let start = Int(Self.number(page, Self.headerSize + index * 2, UInt16.self))
            guard start >= Self.headerSize, start + 8 <= page.count else {
                lost(damaged(root))
                continue
            }
            let low =
                UInt64(Self.number(page, start, UInt16.self)) | UInt64(Self.number(page, start + 2, UInt16.self)) << 16
            let flags = Int(Self.number(page, start + 4, UInt16.self))
            let data = start + 8 + Int(Self.number(page, start + 6, UInt16.self))
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
            } else if let value = (try? large(Self.number(page, data, UInt64.self), Int(low), meta)) ?? nil {
                try body(key, value)
            } else {
                lost(Damage(detail: "a large value of page \(root) is damaged or cut off"))
            }
        }
    }

    /// A value with pages of its own.
    private func large(_ number: UInt64, _ size: Int, _ meta: Meta) throws -> ArraySlice<UInt8>? {
        guard number >= 2, number <= meta.lastPage, let header = try read(Int(number) * meta.pageSize, Self.headerSize),
            Self.number(header, 0, UInt64.self) == number, Self.number(header, 10, UInt16.self) == Flag.overflow
        else { return nil }
        return try read(Int(number) * meta.pageSize + Self.headerSize, size)?[...]
    }
}
