import CofferCore

/// The rows that a relationship of some owners holds, owner by owner, filtered, ordered and cut as a plan says.
struct RelatedFetch {
    private let plan: FetchPlan
    private let space: RecordSpace
    private let core: RecordStoreCore
    private let reader: any RecordReader
    private let owner: RecordSpace
    private let source: Source
    private let owners: [Int64]
    private var page: RecordPage
    /// The owner whose turn is next.
    private var next = 0

    private enum Source {
        /// A table of links or pairs.
        case list(RecordTable)
        /// A field of the owner.
        case link(Int)
    }

    /// - Throws: `invalidRelationship` where the plan is not about a relationship of the schema.
    init(_ plan: FetchPlan, _ space: RecordSpace, _ core: RecordStoreCore, _ reader: any RecordReader) throws {
        self.plan = plan
        self.space = space
        self.core = core
        self.reader = reader
        page = RecordPage(plan)
        guard case .related(let ownerEntity, let slot, let owners) = plan.scope,
            let owner = core.layout.space(of: ownerEntity)
        else { throw Self.unknown(plan) }
        self.owner = owner
        self.owners = RecordFetch.ascending(owners)
        if let place = owner.list(ofSlot: slot), core.layout.destination(of: place) == space.index,
            let table = core.layout.table(of: place)
        {
            source = .list(table)
        } else if let field = owner.field(ofSlot: slot), field.destination == space.index {
            source = .link(field.number)
        } else {
            throw Self.unknown(plan)
        }
    }

    private static func unknown(_ plan: FetchPlan) -> SwiftDataError {
        SwiftDataError(
            .invalidRelationship, operation: .fetch, entity: plan.entityName,
            detail: "the fetch asks for a relationship that the store does not have")
    }

    /// Whether all owners have had their turn, or the page is full.
    var isDone: Bool { next >= owners.count || page.isFull }

    /// Goes on with the next owners, until there are enough rows. The rows of one owner are never divided.
    mutating func run(
        atLeast size: Int, _ body: (_ owner: Int64, _ key: Int64, _ bytes: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let rows = RecordRows(core.layout, reader, storeIdentifier: core.identifier)
        let filter = plan.filter.map { RecordFilter($0, space, core.layout, storeIdentifier: core.identifier) }
        let walk = ListWalk()
        var count = 0
        while !isDone, count < size {
            walk.removeAll()
            try fill(walk, size - count)
            var start = 0
            for (owner, end) in walk.lists {
                if page.isFull { return }
                let members = start..<end
                start = end
                if filter == nil, plan.sort.isEmpty {
                    for index in members where !page.isFull {
                        let key = walk.members[index]
                        guard let bytes = try reader.get(space.rows, key), page.take() else { continue }
                        try body(owner, key, bytes)
                        count += 1
                    }
                    continue
                }
                var found: [RecordFetch.Row] = []
                found.reserveCapacity(members.count)
                for index in members {
                    let key = walk.members[index]
                    if let bytes = try reader.get(space.rows, key) { found.append((key, bytes)) }
                }
                if let filter { found = try matching(found, filter, rows) }
                if !plan.sort.isEmpty { found = try RecordFetch.sorted(found, plan.sort, space, core, rows) }
                for row in found where page.take() {
                    try body(owner, row.key, row.bytes)
                    count += 1
                }
            }
        }
    }

    private func matching(
        _ found: [RecordFetch.Row], _ filter: RecordFilter, _ rows: RecordRows
    ) throws -> [RecordFetch.Row] {
        if filter.matchesNothing { return [] }
        var kept: [RecordFetch.Row] = []
        let allowed = filter.keys.map { Set($0) }
        let sieve = RecordSieve(filter, rows, storeIdentifier: core.identifier)
        func output(_ key: Int64, _ bytes: UnsafeRawBufferPointer) -> Bool {
            kept.append((key, bytes))
            return true
        }
        for row in found where allowed?.contains(row.key) ?? true {
            _ = try sieve.take(row.key, row.bytes, output)
        }
        try sieve.flush(output)
        return kept
    }

    // MARK: Lists

    /// Reads the lists of the next owners, about so many rows together.
    private mutating func fill(_ walk: ListWalk, _ size: Int) throws {
        switch source {
        case .link(let field):
            let key = owners[next]
            next += 1
            guard let bytes = try reader.get(owner.rows, key), let target = try Record(bytes).link(field) else {
                return
            }
            walk.members.append(target)
            walk.lists.append((key, 1))
        case .list(let table): try fill(walk, from: table, size)
        }
    }

    /// Reads lists from their table: those of owners that lie close together by one walk.
    private mutating func fill(_ walk: ListWalk, from table: RecordTable, _ size: Int) throws {
        // A walk may pass over the lists of owners that were not asked for.
        var last = next
        while last + 1 < owners.count, owners[last + 1] &- owners[last] <= 4, last - next < 512 { last += 1 }
        let range = KeyRange(
            from: LinkKey.range(of: owners[next]).lower, to: LinkKey.range(of: owners[last]).upper)
        walk.begin(owners[next...last], size: size)
        try reader.scan(table, range) { key, value in
            walk.take(LinkKey.owner(key), LinkKey.member(key), LinkKey.place(value))
        }
        next = walk.end()
    }
}

/// Lists as a walk through their table finds them. A class with its accesses unchecked, since it sees every link.
private final class ListWalk {
    /// The members of all lists, one list behind the other.
    @exclusivity(unchecked) var members: [Int64] = []
    /// Whose the lists are, and where in the members they end.
    @exclusivity(unchecked) var lists: [(owner: Int64, end: Int)] = []
    /// Members of the current list that have a place.
    @exclusivity(unchecked) private var places: [(place: UInt32, key: Int64)] = []
    /// Where the current list begins.
    @exclusivity(unchecked) private var start = 0
    @exclusivity(unchecked) private var owners: ArraySlice<Int64> = []
    /// The index of the owner whose list is read.
    @exclusivity(unchecked) private var current = 0
    @exclusivity(unchecked) private var owner: Int64 = 0
    @exclusivity(unchecked) private var size = 0

    func removeAll() {
        members.removeAll(keepingCapacity: true)
        lists.removeAll(keepingCapacity: true)
        start = 0
    }

    /// - Parameter size: how many members are enough; a list that was begun is read to its end.
    func begin(_ owners: ArraySlice<Int64>, size: Int) {
        self.owners = owners
        self.size = size
        current = owners.startIndex
        owner = owners[current]
    }

    /// Takes a link, in the order of the table, and answers whether to go on.
    @inline(__always)
    func take(_ owner: Int64, _ member: Int64, _ place: UInt32?) -> Bool {
        if owner != self.owner {
            endList()
            if !skip(to: owner) || members.count >= size { return false }
            if self.owner != owner { return true }
        }
        if let place { places.append((place, member)) } else { members.append(member) }
        return true
    }

    /// Goes on to the first owner that does not come before another; false where there is none.
    private func skip(to owner: Int64) -> Bool {
        while current < owners.endIndex, owners[current] < owner { current += 1 }
        guard current < owners.endIndex else { return false }
        self.owner = owners[current]
        return true
    }

    /// Puts the members of the current list in order: those with a place first.
    private func endList() {
        if !places.isEmpty {
            places.sort { ($0.place, $0.key) < ($1.place, $1.key) }
            members.insert(contentsOf: places.map(\.key), at: start)
            places.removeAll(keepingCapacity: true)
        }
        if members.count == start { return }
        lists.append((owner, members.count))
        start = members.count
    }

    /// Ends the walk.
    ///
    /// - Returns: the index of the owner to go on with.
    func end() -> Int {
        let wasStopped = members.count == start && places.isEmpty && members.count >= size
        endList()
        return wasStopped ? current : owners.endIndex
    }
}
