import CofferCore

/// Follows links for filters and sorts, in one transaction; rows that were met are kept.
final class RecordRows: RowSource {
    private let layout: RecordSchema
    private let reader: any RecordReader
    private let storeIdentifier: String
    private var caches: [Int: Cache] = [:]

    /// Rows of one space.
    private struct Cache {
        var batch: RowBatch
        var rows: [Int64: Int32] = [:]
        let decoder: RecordDecoder
    }

    /// How many rows of a space are kept before a new start is made.
    private static let limit = 8192

    init(_ layout: RecordSchema, _ reader: any RecordReader, storeIdentifier: String) {
        self.layout = layout
        self.reader = reader
        self.storeIdentifier = storeIdentifier
    }

    func row(_ key: Int64, of entityName: String) throws -> DefaultSnapshot? {
        guard let space = layout.space(of: entityName) else { return nil }
        return try row(key, of: space)
    }

    private func row(_ key: Int64, of space: RecordSpace) throws -> DefaultSnapshot? {
        var cache = caches[space.index] ?? Cache(batch: newBatch(space), decoder: RecordDecoder(space))
        if let row = cache.rows[key] { return row < 0 ? nil : DefaultSnapshot(cache.batch, row: Int(row)) }
        caches[space.index] = nil
        defer { caches[space.index] = cache }
        if cache.rows.count >= Self.limit {
            cache.batch = newBatch(space)
            cache.rows.removeAll(keepingCapacity: true)
        }
        guard let bytes = try reader.get(space.rows, key) else {
            cache.rows[key] = -1
            return nil
        }
        try cache.decoder.append(bytes, key: key, to: cache.batch)
        cache.rows[key] = Int32(cache.batch.count - 1)
        return DefaultSnapshot(cache.batch, row: cache.batch.count - 1)
    }

    private func newBatch(_ space: RecordSpace) -> RowBatch {
        RowBatch(entityName: space.entityName, width: space.width, storeIdentifier: storeIdentifier)
    }

    func members(of owner: DefaultSnapshot, slot: Int) throws -> [DefaultSnapshot] {
        guard let space = layout.space(of: owner.batch.entityName), let place = space.list(ofSlot: slot) else {
            return []
        }
        let target = layout.spaces[layout.destination(of: place)]
        return try RecordList.members(of: owner.batch.key(ofRow: owner.row), place, layout, reader)
            .compactMap { try row($0, of: target) }
    }

    var hasHierarchies: Bool { layout.hierarchies != nil }

    func hierarchy(of entityName: String) -> [String] {
        layout.hierarchies?.hierarchy(of: entityName)?.entities.map(\.name) ?? []
    }

    func isRow(_ row: DefaultSnapshot, of entityName: String) -> Bool {
        let own = row.batch.entityName
        guard let hierarchy = layout.hierarchies?.hierarchy(of: own) else { return own == entityName }
        let kind = Int(row.batch.cell(row: row.row, slot: hierarchy.kindSlot).integer)
        return hierarchy.numbers(below: entityName)?.contains(kind) ?? false
    }

    func destination(ofSlot slot: Int, in entityName: String) -> String? {
        guard let destination = layout.space(of: entityName)?.field(ofSlot: slot)?.destination else { return nil }
        return layout.spaces[destination].entityName
    }
}

/// The lists of to-many relationships.
package enum RecordList {
    /// The keys of the rows that a to-many relationship of an owner holds: those with a place first, in the order of
    /// their places, then the others in that of their keys.
    package static func members(
        of owner: Int64, _ place: RecordSpace.ListPlace, _ layout: RecordSchema, _ reader: any RecordReader
    ) throws -> [Int64] {
        guard let table = layout.table(of: place) else { return [] }
        var keys: [Int64] = []
        var places: [(place: UInt32, key: Int64)] = []
        try reader.scan(table, LinkKey.range(of: owner)) { key, value in
            if let place = LinkKey.place(value) {
                places.append((place, LinkKey.member(key)))
            } else {
                keys.append(LinkKey.member(key))
            }
            return true
        }
        if places.isEmpty { return keys }
        places.sort { ($0.place, $0.key) < ($1.place, $1.key) }
        return places.map(\.key) + keys
    }

    /// The rows of all lists of a table that have a place, in the order of their places, by owner.
    package static func places(in table: RecordTable, _ reader: any RecordReader) throws -> [Int64: [Int64]] {
        var lists: [Int64: [(place: UInt32, key: Int64)]] = [:]
        try reader.scan(table, .all) { key, value in
            if let place = LinkKey.place(value) {
                lists[LinkKey.owner(key), default: []].append((place, LinkKey.member(key)))
            }
            return true
        }
        return lists.mapValues { $0.sorted { ($0.place, $0.key) < ($1.place, $1.key) }.map(\.key) }
    }

    /// The rows of one owner's list that have a place, in the order of their places.
    package static func places(of owner: Int64, in table: RecordTable, _ reader: any RecordReader) throws -> [Int64] {
        var places: [(place: UInt32, key: Int64)] = []
        try reader.scan(table, LinkKey.range(of: owner)) { key, value in
            if let place = LinkKey.place(value) { places.append((place, LinkKey.member(key))) }
            return true
        }
        return places.sorted { ($0.place, $0.key) < ($1.place, $1.key) }.map(\.key)
    }
}
