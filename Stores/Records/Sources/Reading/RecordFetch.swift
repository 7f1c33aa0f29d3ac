import CofferCore

/// One plan run in one transaction; not for plans about to-many relationships, see ``RelatedFetch``.
struct RecordFetch {
    typealias Row = (key: Int64, bytes: UnsafeRawBufferPointer)

    let plan: FetchPlan
    let space: RecordSpace
    let core: RecordStoreCore
    let reader: any RecordReader
    let filter: RecordFilter
    let rows: RecordRows
    /// The keys the plan is limited to; nil for all rows.
    private let scope: [Int64]?
    /// Notes which way is gone, where somebody wants to know.
    private let trace: RecordTrace?

    init(
        _ plan: FetchPlan, _ space: RecordSpace, _ core: RecordStoreCore, _ reader: any RecordReader,
        trace: RecordTrace? = nil
    ) {
        self.plan = plan
        self.trace = trace
        self.space = space
        self.core = core
        self.reader = reader
        filter = RecordFilter(plan.filter, space, core.layout, storeIdentifier: core.identifier)
        rows = RecordRows(core.layout, reader, storeIdentifier: core.identifier)
        if case .keys(let keys) = plan.scope { scope = keys } else { scope = nil }
    }

    // MARK: Results

    /// The plan's rows in order, within offset and limit.
    func forEachRow(_ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws {
        var page = RecordPage(plan)
        if page.isFull || filter.matchesNothing {
            trace?.access = .nothing
            return
        }
        func deliver(_ key: Int64, _ bytes: UnsafeRawBufferPointer) throws -> Bool {
            if page.take() { try body(key, bytes) }
            return !page.isFull
        }
        if plan.sort.isEmpty { return try visit(deliver) }
        for row in try sorted(end: page.end) {
            guard try deliver(row.key, row.bytes) else { return }
        }
    }

    /// The number of the plan's rows.
    func count() throws -> Int {
        let page = RecordPage(plan)
        if page.isFull || filter.matchesNothing { return 0 }
        if scope == nil {
            if filter.isEmpty { return page.count(try reader.count(space.rows)) }
            if filter.rest == nil, filter.keys == nil, let table = coveringRange() {
                var count = 0
                try reader.scan(table.table, table.range) { _, _ in
                    count += 1
                    return true
                }
                return page.count(count)
            }
            if filter.isOfWordsOnly, let found = try wordRows(), found.isExact { return page.count(found.keys.count) }
        }
        var count = 0
        try visit { _, _ in
            count += 1
            return count < page.end
        }
        return page.count(count)
    }

    /// The entries of a table that are exactly the rows of the filter.
    private func coveringRange() -> (table: RecordTable, range: KeyRange)? {
        if filter.terms.count == 1, let required = filter.terms[0].requiredLink, let owner = required,
            let links = filter.terms[0].field.links
        {
            return (links, LinkKey.range(of: owner))
        }
        guard let range = ranges().first(where: { $0.met.count == filter.terms.count }) else { return nil }
        return (range.index.table, range.range)
    }

    // MARK: Ways to the rows

    /// What the indexes leave of the rows, the narrowest first.
    private func ranges() -> [IndexRange] {
        if filter.terms.isEmpty { return [] }
        let ranges = space.indexes.map { IndexRange($0, filter.terms, maximumKeySize: core.engine.maximumKeySize) }
        return ranges.filter { $0.bounds > 0 }.sorted { left, right in
            func isRow(_ range: IndexRange) -> Bool {
                range.index.isUnique && range.equalities == range.index.fields.count
            }
            if isRow(left) != isRow(right) { return isRow(left) }
            return (left.equalities, left.bounds) > (right.equalities, right.bounds)
        }
    }

    /// The rows that match the filter, in ascending order of their keys.
    ///
    /// - Complexity: O(*rows found*) where keys, a link or an index name them, otherwise O(*rows of the entity*).
    func visit(_ output: RecordSieve.Output) throws {
        if filter.matchesNothing { return }
        if var keys = scope ?? filter.keys {
            if scope != nil, let others = filter.keys {
                let allowed = Set(others)
                keys.removeAll { !allowed.contains($0) }
            }
            trace?.access = .keys
            return try visit(keys: Self.ascending(keys), filter.without([]), output)
        }
        if let found = try wordRows() {
            trace?.noteWords(exact: found.isExact, count: found.keys.count)
            return try visit(keys: found.keys, found.isExact ? filter.withoutWords() : filter.without([]), output)
        }
        if let (place, required, links) = linkDemand() {
            trace?.access = .link(filter.terms[place].field.property)
            guard let owner = required else { return }
            var keys: [Int64] = []
            try reader.scan(links, LinkKey.range(of: owner)) { key, _ in
                keys.append(LinkKey.member(key))
                return true
            }
            return try visit(keys: keys, filter.without([place]), output)
        }
        if let range = ranges().first, let keys = try keys(of: range) {
            trace?.note(range, count: keys.count)
            return try visit(keys: Self.ascending(keys), filter.without(range.met), output)
        }
        trace?.access = .scan
        let sieve = RecordSieve(filter, rows, storeIdentifier: core.identifier)
        var range = KeyRange.all
        if let key = filter.keyBefore { range.lower = withUnsafeBytes(of: key.bigEndian) { Array($0) } }
        try reader.scan(space.rows, range) { key, bytes in
            try sieve.take(IndexKey.row(key) ?? 0, bytes, output)
        }
        try sieve.flush(output)
    }

    /// The rows that the index of words leaves; nil where the filter has nothing for it, or names one row otherwise.
    private func wordRows() throws -> WordLookup.Found? {
        guard let words = filter.words else { return nil }
        if let range = ranges().first, range.index.isUnique, range.equalities == range.index.fields.count { return nil }
        return try words.find(reader, maximumKeySize: core.engine.maximumKeySize)
    }

    /// A demand for one target of a link: the term's place, the target's key, and where its rows are listed.
    private func linkDemand() -> (place: Int, key: Int64?, links: RecordTable)? {
        // An index that begins with the link and knows more is better.
        if ranges().first.map({ $0.bounds > 1 || $0.index.isUnique && $0.equalities == $0.index.fields.count }) == true
        {
            return nil
        }
        for (place, term) in filter.terms.enumerated() {
            if let required = term.requiredLink, let links = term.field.links { return (place, required, links) }
        }
        return nil
    }

    /// The row keys of a range; nil where it is so large that it is faster to read all rows.
    private func keys(of range: IndexRange) throws -> [Int64]? {
        let limit = try reader.count(space.rows) / 4 + 16
        var keys: [Int64] = []
        try reader.scan(range.index.table, range.range) { entry, _ in
            keys.append(IndexKey.row(entry) ?? 0)
            return keys.count <= limit
        }
        if keys.count <= limit { return keys }
        trace?.steps.append("index \(range.index.properties) leaves too many rows to look each up")
        return nil
    }

    private func visit(keys: [Int64], _ filter: RecordFilter, _ output: RecordSieve.Output) throws {
        let sieve = RecordSieve(filter, rows, storeIdentifier: core.identifier)
        for key in keys {
            guard let bytes = try reader.get(space.rows, key) else { continue }
            guard try sieve.take(key, bytes, output) else { return }
        }
        try sieve.flush(output)
    }

    /// Keys in order, each once.
    static func ascending(_ keys: [Int64]) -> [Int64] {
        var isAscending = true
        for index in keys.indices.dropFirst() where keys[index] <= keys[index - 1] { isAscending = false }
        if isAscending { return keys }
        var sorted = keys.sorted()
        var kept = 0
        for index in sorted.indices where index == 0 || sorted[index] != sorted[index - 1] {
            sorted[kept] = sorted[index]
            kept += 1
        }
        sorted.removeLast(sorted.count - kept)
        return sorted
    }

    // MARK: Order

    /// The first of the matching rows in the plan's order.
    private func sorted(end: Int) throws -> [Row] {
        guard let fields = RecordSorter.ownFields(plan.sort, space) else { return try sortedByValue(end: end) }
        if let rows = try ordered(by: fields, end: end) { return rows }
        trace?.order = .sorting
        var sorter = RecordSorter(fields, limit: end)
        try visit { key, bytes in
            try sorter.add(key, bytes)
            return true
        }
        return sorter.sorted()
    }

    /// The same where keys follow links or compare as people do: with the rows taken out of their records.
    private func sortedByValue(end: Int) throws -> [Row] {
        trace?.order = .sorting
        var found: [Row] = []
        try visit { key, bytes in
            found.append((key, bytes))
            return true
        }
        return try RecordFetch.sorted(found, plan.sort, space, core, rows, limit: end)
    }

    /// Sorts records by any keys.
    static func sorted(
        _ found: [Row], _ sort: [SortKey], _ space: RecordSpace, _ core: RecordStoreCore, _ rows: RecordRows,
        limit: Int = .max
    ) throws -> [Row] {
        let decoder = RecordDecoder(space, slots: Array(Set(sort.compactMap(\.path.first))).sorted())
        let batch = RowBatch(
            entityName: space.entityName, width: space.width, storeIdentifier: core.identifier, capacity: found.count)
        for row in found { try decoder.append(row.bytes, key: row.key, to: batch) }
        return try RowSorter(sort).sort(
            Array(found.indices), of: batch, in: rows, limit: limit < found.count ? limit : nil
        ).map { found[$0] }
    }

    /// The first of the matching rows as an index has them in order; nil where none has, or another way is faster.
    private func ordered(by keys: [(field: Int, isDescending: Bool)], end: Int) throws -> [Row]? {
        guard scope == nil, filter.keys == nil, filter.words == nil else { return nil }
        let candidates = space.indexes.map {
            IndexRange($0, filter.terms, maximumKeySize: core.engine.maximumKeySize)
        }
        let best = ranges().first
        for range in candidates {
            guard let (isDescending, _) = range.direction(of: keys) else { continue }
            // A filter that leaves few rows beats an order that leaves many.
            if range.bounds == 0, best != nil { continue }
            return try walk(range, isDescending: isDescending, end: end)
        }
        return nil
    }

    private func walk(_ range: IndexRange, isDescending: Bool, end: Int) throws -> [Row]? {
        let total = try reader.count(space.rows)
        if range.bounds == 0, end > total / 4 { return nil }
        // How many entries may be looked at before it is faster to sort.
        var patience = total / 4 + min(end, total)
        var found: [Row] = []
        var isUsable = true
        // Going down, rows with equal values come with the highest key first: a run of them is turned round.
        var run: [Row] = []
        var runKey: [UInt8] = []
        let sieve = RecordSieve(filter.without(range.met), rows, storeIdentifier: core.identifier)
        func output(_ key: Int64, _ bytes: UnsafeRawBufferPointer) -> Bool {
            found.append((key, bytes))
            return found.count < end
        }
        func endRun() throws {
            for row in run.reversed() {
                guard try sieve.take(row.key, row.bytes, output) else { break }
            }
            run.removeAll(keepingCapacity: true)
        }
        try reader.scan(range.index.table, range.range, descending: isDescending) { entry, mark in
            patience -= 1
            guard mark.isEmpty, patience >= 0, let key = IndexKey.row(entry) else {
                isUsable = false
                return false
            }
            guard let bytes = try reader.get(space.rows, key) else { return true }
            if !isDescending { return try sieve.take(key, bytes, output) }
            let values = UnsafeRawBufferPointer(rebasing: entry.dropLast(IndexKey.rowKeySize))
            if !values.elementsEqual(runKey) {
                try endRun()
                runKey = Array(values)
            }
            run.append((key, bytes))
            return !sieve.isDone
        }
        guard isUsable else {
            trace?.steps.append("index \(range.index.properties) is in order, but goes past too many rows")
            return nil
        }
        trace?.noteWalk(range)
        if isDescending { try endRun() }
        try sieve.flush(output)
        return found
    }
}
