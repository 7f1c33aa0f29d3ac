import CofferCore

/// A to-many relationship that a save writes, with the keys that its rows have.
struct ListChange {
    /// What becomes of the rows that were in the list and are not in the new one.
    enum Mode {
        /// The owner is new.
        case new
        /// They leave it.
        case replace
        /// They stay: the owner is a new row that was written onto another.
        case join
    }

    let place: RecordSpace.ListPlace
    let owner: Int64
    let members: [Int64]
    let mode: Mode

    var isAscending: Bool { Self.isAscending(members) }

    static func isAscending(_ members: [Int64]) -> Bool {
        for index in members.indices.dropFirst() where members[index] <= members[index - 1] { return false }
        return true
    }
}

extension RecordCommit {
    /// Puts the lists of new and changed rows into effect.
    ///
    /// A list whose rows have a link back is made by those links; the list itself only says their order. That is the
    /// order of the keys, without a place for any row, until a list says otherwise.
    ///
    /// - Throws: `invalidRelationship` where one holds a row that is not stored.
    mutating func writeLists(_ changes: RowChanges, _ updates: [(batch: RowBatch, space: RecordSpace)]) throws {
        var lists: [ListChange] = []
        for space in layout.spaces where !space.lists.isEmpty {
            for part in new[space.index].parts {
                for row in 0..<part.batch.count {
                    let given = part.key + Int64(row)
                    let owner = new[space.index].finalKey(given)
                    try collect(part.batch, row, space, owner: owner, owner == given ? .new : .join, into: &lists)
                }
            }
        }
        for (batch, space) in updates where !space.lists.isEmpty {
            for row in 0..<batch.count {
                try collect(batch, row, space, owner: batch.key(ofRow: row), .replace, into: &lists)
            }
        }
        // What leaves a list goes first, so that two sides of one relationship may say the same.
        for list in lists where list.mode == .replace { try removeOthers(list) }
        for list in lists { try write(list) }
    }

    private mutating func collect(
        _ batch: RowBatch, _ row: Int, _ space: RecordSpace, owner: Int64, _ mode: ListChange.Mode,
        into lists: inout [ListChange]
    ) throws {
        var isKnown = mode != .replace
        for list in space.lists {
            let (property, place) = (list.property, list.place)
            let cell = batch.cell(row: row, slot: list.slot)
            switch cell.kind {
            case .absent: continue
            case .references, .null: break
            default:
                throw SwiftDataError(
                    .invalidRelationship, entity: space.entityName, property: property,
                    detail: "a cell of the kind \(cell.kind) is no list of rows")
            }
            if cell.length == 0 || cell.kind == .null, mode != .replace { continue }
            if !isKnown {
                guard try writer.get(space.rows, owner) != nil else { throw goneRow(space) }
                isKnown = true
            }
            let members = cell.kind == .null ? [] : try members(batch.bytes(of: cell), space, property, place)
            let change = ListChange(place: place, owner: owner, members: members, mode: mode)
            // A new list that is in order already takes no places.
            if case .inverse = place, mode == .join || mode == .new && change.isAscending { continue }
            lists.append(change)
        }
    }

    /// The keys of a list's rows.
    private mutating func members(
        _ bytes: UnsafeRawBufferPointer, _ space: RecordSpace, _ property: String, _ place: RecordSpace.ListPlace
    ) throws -> [Int64] {
        let destination = layout.destination(of: place)
        var members: [Int64] = []
        members.reserveCapacity(bytes.count / 8)
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            var key = bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)
            if key < 0 {
                guard let found = new[destination].key(key) else { throw brokenLink(space, property, toNew: true) }
                key = found
            } else if case .pairs = place {
                guard try exists(key, in: destination) else { throw brokenLink(space, property, toNew: false) }
            }
            members.append(key)
        }
        if ListChange.isAscending(members) { return members }
        // A new row that turned out to be a stored one may be in the list already; the first place stays.
        var seen = Set<Int64>(minimumCapacity: members.count)
        return members.filter { seen.insert($0).inserted }
    }

    // MARK: Applying

    /// Removes the pairs of an owner that the new list lacks.
    func removeOthers(_ list: ListChange) throws {
        guard case .pairs(let index, let side) = list.place else { return }
        let pairs = layout.pairs[index]
        let kept = Set(list.members)
        var removed: [Int64] = []
        try writer.scan(pairs.table(at: side), LinkKey.range(of: list.owner)) { key, _ in
            let member = LinkKey.member(key)
            if !kept.contains(member) { removed.append(member) }
            return true
        }
        for member in removed {
            try writer.deleteLink(pairs.table(at: side), list.owner, member)
            try writer.deleteLink(pairs.table(at: side.opposite), member, list.owner)
        }
    }

    func write(_ list: ListChange) throws {
        switch list.place {
        case .pairs(let index, let side): try write(list, layout.pairs[index], side)
        case .inverse(let space, let field):
            if let links = layout.spaces[space].fields[field].links { try arrange(list, links) }
        }
    }

    private func write(_ list: ListChange, _ pairs: RecordPairs, _ side: PairSide) throws {
        let (near, far) = (pairs.table(at: side), pairs.table(at: side.opposite))
        let isAscending = list.isAscending
        for (index, member) in list.members.enumerated() {
            let isThere = try LinkKey.with(list.owner, member) { try writer.get(near, $0) != nil }
            if !isThere || list.mode != .join {
                let place = isAscending || list.mode == .join ? nil : UInt32(truncatingIfNeeded: index)
                try writer.putLink(near, list.owner, member, place: place)
            }
            // The other side's list may have put the pair into its own place.
            if try LinkKey.with(member, list.owner, { try writer.get(far, $0) }) == nil {
                try writer.putLink(far, member, list.owner)
            }
        }
    }

    /// Gives the links of an owner the places that its list says; rows that are not in the list follow.
    private func arrange(_ list: ListChange, _ links: RecordTable) throws {
        try arrange(list.isAscending ? [] : list.members, of: list.owner, links)
    }

    /// Gives the links of an owner places in the order of some rows; the others have none.
    func arrange(_ members: [Int64], of owner: Int64, _ links: RecordTable) throws {
        var places: [Int64: UInt32] = [:]
        for (index, member) in members.enumerated() { places[member] = UInt32(truncatingIfNeeded: index) }
        var changed: [(member: Int64, place: UInt32?)] = []
        try writer.scan(links, LinkKey.range(of: owner)) { key, value in
            let member = LinkKey.member(key)
            if LinkKey.place(value) != places[member] { changed.append((member, places[member])) }
            return true
        }
        for (member, place) in changed { try writer.putLink(links, owner, member, place: place) }
    }
}
