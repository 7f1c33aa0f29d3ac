import CofferCore

/// One save in one write transaction. Whatever it throws takes the transaction back, so it writes as it goes.
struct RecordCommit {
    let layout: RecordSchema
    let writer: any RecordWriter
    let maximumKeySize: Int
    /// Whether new rows have their keys already, and links may lead to rows that come later: a copy of another store.
    let isImport: Bool
    /// The new rows, by space.
    var new: [NewKeys]
    /// What was to be deleted and is not there.
    var missing: Set<RowPlace> = []
    /// Stored rows whose link leads to a row that this save deletes.
    var orphans: [(space: Int, field: Int, key: Int64)] = []
    /// What this save writes over the unique values of stored or new rows, in order.
    var layers: [RowPlace: [(batch: RowBatch, row: Int)]] = [:]
    /// New rows that are written onto others, in order.
    var merges: [(space: Int, batch: RowBatch, row: Int, key: Int64)] = []
    /// New rows of spaces with a link in a constraint whose fate is known.
    var settled: Set<RowPlace> = []
    /// Rows that links were found to lead to, by space: the last one.
    private var knownTargets: [Int64]
    /// Memory that is used for one row after the other: a record as it was, and the keys of a row's links by field.
    var oldRecord: [UInt8] = []
    var linkKeys: [Int64]

    /// A row by space and key.
    struct RowPlace: Hashable {
        let space: Int
        let key: Int64
    }

    init(_ layout: RecordSchema, _ writer: any RecordWriter, maximumKeySize: Int, isImport: Bool = false) {
        self.isImport = isImport
        self.layout = layout
        self.writer = writer
        self.maximumKeySize = maximumKeySize
        new = Array(repeating: NewKeys(), count: layout.spaces.count)
        knownTargets = Array(repeating: -1, count: layout.spaces.count)
        linkKeys = Array(repeating: 0, count: layout.spaces.map(\.fields.count).max() ?? 0)
    }

    /// Makes all changes.
    mutating func run(_ changes: RowChanges) throws -> RowChangesResult {
        let changes = try flattened(changes)
        try delete(changes.deleted)
        try giveKeys(changes.inserted)
        let updates = try changes.updated.map { (batch: $0, space: try space(of: $0)) }
        // What is unique by attributes alone can be told first; what a link makes unique needs those rows' keys.
        for hasLink in [false, true] { try settleUniques(updates, hasLink: hasLink) }
        for space in layout.spaces {
            for part in new[space.index].parts { try insert(part, space) }
        }
        for (batch, space) in updates { try update(batch, space) }
        for merge in merges { try update(merge.batch, merge.row, layout.spaces[merge.space], key: merge.key) }
        try leavePartners()
        try cutOrphans()
        try writeLists(changes, updates)
        return RowChangesResult(keys: keys(changes.inserted.count))
    }

    /// The changes in the slots of the spaces, where hierarchies lie in them.
    private func flattened(_ changes: RowChanges) throws -> RowChanges {
        guard let hierarchies = layout.hierarchies else { return changes }
        func flattened(_ batch: RowBatch, areNew: Bool) throws -> RowBatch {
            guard let hierarchy = hierarchies.hierarchy(of: batch.entityName) else { return batch }
            let space = _IdentifierSpace.shared(
                entityName: hierarchy.root.name, storeIdentifier: batch.space.storeIdentifier)
            return try hierarchy.flatten(batch, areNew: areNew, space: space)
        }
        var flat = changes
        flat.inserted = try changes.inserted.map { try flattened($0, areNew: true) }
        flat.updated = try changes.updated.map { try flattened($0, areNew: false) }
        return flat
    }

    // MARK: Keys

    /// Gives each new row a key of its own; which of them go onto others is found out later.
    private mutating func giveKeys(_ inserted: [RowBatch]) throws {
        for (index, batch) in inserted.enumerated() {
            let space = try space(of: batch)
            try check(batch, space)
            if batch.count == 0 { continue }
            if isImport {
                keepKeys(of: batch, index, space)
                continue
            }
            let name = RecordMetadata.counterName(space.entityName)
            let stored = try writer.get(RecordSchema.metadata, name)
            let key = stored.flatMap { IndexKey.row($0) } ?? 1
            let (next, overflow) = key.addingReportingOverflow(Int64(batch.count))
            guard !overflow else {
                throw SwiftDataError(.storeFull, entity: space.entityName, detail: "the keys of its rows are used up")
            }
            try writer.put(RecordSchema.metadata, name, withUnsafeBytes(of: next.bigEndian) { Array($0) })
            new[space.index].append(batch, index: index, key: key)
        }
    }

    /// Takes rows in under the keys that they have, run by run.
    private mutating func keepKeys(of batch: RowBatch, _ index: Int, _ space: RecordSpace) {
        var start = 0
        while start < batch.count {
            var end = start + 1
            while end < batch.count, batch.key(ofRow: end) == batch.key(ofRow: end - 1) + 1 { end += 1 }
            var run = batch
            if end - start < batch.count {
                run = RowBatch(space: batch.space, width: batch.width, capacity: end - start)
                run.appendRows(copying: batch, rows: start..<end)
            }
            new[space.index].append(run, index: index, key: run.key(ofRow: 0))
            start = end
        }
    }

    /// The keys of the new rows, by batch.
    private func keys(_ count: Int) -> [[Int64]] {
        var result = [[Int64]](repeating: [], count: count)
        for rows in new {
            for part in rows.parts {
                result[part.index] = (0..<part.batch.count).map { rows.finalKey(part.key + Int64($0)) }
            }
        }
        return result
    }

    /// Checks the cells of new rows.
    private func check(_ batch: RowBatch, _ space: RecordSpace) throws {
        for field in space.fields {
            for row in 0..<batch.count {
                let cell = batch.cell(row: row, slot: field.slot)
                if !field.accepts(cell) { throw mismatch(cell, field, space) }
            }
        }
    }

    // MARK: Links

    /// The key that a link cell leads to, of a row that is stored or saved along.
    @inline(__always)
    mutating func target(_ cell: RowCell, _ field: RecordField, _ space: RecordSpace) throws -> Int64 {
        let destination = field.destination ?? 0
        let key = cell.integer
        if key < 0 {
            guard let found = new[destination].key(key) else { throw brokenLink(space, field.property, toNew: true) }
            return found
        }
        if isImport { return key }
        guard try exists(key, in: destination) else { throw brokenLink(space, field.property, toNew: false) }
        return key
    }

    /// Whether a row is stored.
    @inline(__always)
    mutating func exists(_ key: Int64, in space: Int) throws -> Bool {
        if knownTargets[space] == key { return true }
        guard try writer.get(layout.spaces[space].rows, key) != nil else { return false }
        knownTargets[space] = key
        return true
    }

    // MARK: Errors

    func space(of batch: RowBatch) throws -> RecordSpace {
        guard let space = layout.space(of: batch.entityName) else { throw unknown(batch.entityName) }
        guard space.width == batch.width else {
            throw SwiftDataError(
                .storeFailure, entity: batch.entityName,
                detail: "its rows have \(batch.width) values, and the schema has \(space.width) properties")
        }
        return space
    }

    func unknown(_ entityName: String) -> SwiftDataError {
        SwiftDataError(.unknownModelType, entity: entityName, detail: "the store's schema does not have it")
    }

    @inline(never)
    func mismatch(_ cell: RowCell, _ field: RecordField, _ space: RecordSpace) -> SwiftDataError {
        let isMissing = cell.kind == .null || cell.kind == .absent
        return SwiftDataError(
            isMissing ? .missingRequiredValue : .valueEncoding, entity: field.entityName, property: field.property,
            detail: isMissing ? nil : "a cell of the kind \(cell.kind) does not fit the property")
    }

    @inline(never)
    func brokenLink(_ space: RecordSpace, _ property: String?, toNew isNew: Bool) -> SwiftDataError {
        let field = property.flatMap { name in space.fields.first { $0.property == name } }
        return SwiftDataError(
            .invalidRelationship, entity: field?.entityName ?? space.entityName, property: property,
            detail: isNew
                ? "it leads to a model that is neither stored nor saved along"
                : "it leads to a model that is not stored")
    }

    @inline(never)
    func goneRow(_ space: RecordSpace) -> SwiftDataError {
        SwiftDataError(
            .modelNotFound, entity: space.entityName, detail: "a changed row was deleted by somebody else")
    }
}
