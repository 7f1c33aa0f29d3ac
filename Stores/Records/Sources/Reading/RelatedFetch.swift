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
        var count = 0
        while !isDone, count < size {
            for (owner, members) in try lists(size - count) {
                if page.isFull { return }
                var found: [RecordFetch.Row] = []
                found.reserveCapacity(members.count)
                for key in members {
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

    /// The lists of the next owners, about so many rows together.
    private mutating func lists(_ size: Int) throws -> [(owner: Int64, members: [Int64])] {
        switch source {
        case .link(let field):
            let key = owners[next]
            next += 1
            guard let bytes = try reader.get(owner.rows, key), let target = try Record(bytes).link(field) else {
                return []
            }
            return [(key, [target])]
        case .list(let table): return try lists(in: table, size)
        }
    }

    /// Reads lists from their table: those of owners that lie close together by one walk.
    private mutating func lists(in table: RecordTable, _ size: Int) throws -> [(owner: Int64, members: [Int64])] {
        var list = MemberList()
        var lists: [(owner: Int64, members: [Int64])] = []
        // A walk may pass over the lists of owners that were not asked for.
        var last = next
        while last + 1 < owners.count, owners[last + 1] - owners[last] <= 4, last - next < 512 { last += 1 }
        let range = KeyRange(
            from: LinkKey.range(of: owners[next]).lower, to: LinkKey.range(of: owners[last]).upper)
        var count = 0
        var current = next
        let owners = owners
        func end() {
            if !list.isEmpty { lists.append((owners[current], list.take())) }
        }
        var isFull = false
        try reader.scan(table, range) { key, value in
            let owner = LinkKey.owner(key)
            if owner != owners[current] {
                end()
                while current <= last, owners[current] < owner { current += 1 }
                isFull = count >= size
                if current > last || isFull { return false }
                if owners[current] != owner { return true }
            }
            list.add(LinkKey.member(key), LinkKey.place(value))
            count += 1
            return true
        }
        if isFull, current <= last {
            next = current
        } else {
            if current <= last { end() }
            next = last + 1
        }
        return lists
    }

    /// The rows of one list, as they come from the table.
    private struct MemberList {
        private var keys: [Int64] = []
        private var places: [(place: UInt32, key: Int64)] = []

        var isEmpty: Bool { keys.isEmpty && places.isEmpty }

        mutating func add(_ key: Int64, _ place: UInt32?) {
            if let place { places.append((place, key)) } else { keys.append(key) }
        }

        /// The rows in order: those with a place first. The list is empty afterwards.
        mutating func take() -> [Int64] {
            defer {
                keys.removeAll(keepingCapacity: true)
                places.removeAll(keepingCapacity: true)
            }
            if places.isEmpty { return keys }
            places.sort { ($0.place, $0.key) < ($1.place, $1.key) }
            return places.map(\.key) + keys
        }
    }
}
