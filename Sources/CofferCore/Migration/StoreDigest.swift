/// What a store holds, in a few words: for each entity how many rows there are, and a hash of all that is in them.
///
/// Two stores have equal digests when they hold the same rows under the same keys, with the same values, links and lists
/// in the same order, of whatever kind the stores are. Schemas may list properties in another order.
///
/// The hash finds what went wrong by itself; it is not made against somebody who wants two stores to look alike.
public struct StoreDigest: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The rows of exactly one entity.
    public struct Entity: Hashable, Codable, Sendable {
        /// The name of the entity.
        public let name: String
        /// How many rows it has.
        public let rows: Int
        /// 32 hexadecimal digits.
        public let digest: String
    }

    /// By name.
    public let entities: [Entity]

    /// Reads a whole store.
    ///
    /// - Throws: what the store throws when it cannot be read.
    /// - Complexity: O(*size of the store*), in little memory.
    public init(of store: any RowStore) throws {
        entities = try store.schema.entities.sorted { $0.name < $1.name }.map { try Self.entity($0, store) }
    }

    /// The first entity in which two digests differ.
    public func firstDifference(from other: StoreDigest) -> String? {
        let others = Dictionary(other.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        if let found = entities.first(where: { others[$0.name] != $0 }) { return found.name }
        let names = Set(entities.map(\.name))
        return other.entities.first { !names.contains($0.name) }?.name
    }

    /// A line for each entity.
    public var description: String {
        entities.map { "\($0.name): \($0.rows) rows, \($0.digest)" }.joined(separator: "\n")
    }

    private static let negativeZero = (-0.0).bitPattern

    private static func entity(_ entity: Schema.Entity, _ store: any RowStore) throws -> Entity {
        let properties = entity.properties.enumerated().filter { !$1.isTransient }.sorted {
            $0.element.name < $1.element.name
        }
        let isLarge = properties.contains { ($0.element as? Schema.Attribute)?._isExternal == true }
        let dates = Set(properties.filter { ($0.element as? Schema.Attribute)?._storage == .date }.map(\.offset))
        var hash = DigestHash()
        var rows = 0
        let plan = FetchPlan(entityName: entity.name, slots: properties.map(\.offset).sorted())
        try store.fetchBlocks(plan, into: StoreCopier.batch(entity, store), of: isLarge ? 32 : 1024) { batch in
            rows += batch.count
            for row in 0..<batch.count {
                hash.add(UInt64(bitPattern: batch.key(ofRow: row)))
                for (slot, property) in properties {
                    let isList = (property as? Schema.Relationship)?.isToOneRelationship == false
                    let cell = batch.cell(row: row, slot: slot)
                    // No store has to keep the sign of zero seconds: both are one date.
                    if cell.kind == .real, cell.bits == Self.negativeZero, dates.contains(slot) {
                        hash.add(UInt64(cell.kind.rawValue))
                        hash.add(0)
                    } else {
                        hash.add(cell, batch, isList: isList)
                    }
                }
            }
        }
        return Entity(name: entity.name, rows: rows, digest: hash.text)
    }
}

/// Two different 64-bit hashes side by side.
private struct DigestHash {
    private var first: UInt64 = 0xCBF2_9CE4_8422_2325
    private var second: UInt64 = 0x6C62_272E_07BB_0142

    mutating func add(_ cell: RowCell, _ batch: RowBatch, isList: Bool) {
        switch cell.kind {
        case .absent where isList, .null where isList: add(bytes: .init(start: nil, count: 0), .references)
        case .absent, .null: add(UInt64(CellKind.null.rawValue))
        case .text, .blob, .references: add(bytes: batch.bytes(of: cell), cell.kind)
        case .integer, .unsigned, .real, .reference, .identifier, .identifiers:
            add(UInt64(cell.kind.rawValue))
            add(cell.bits)
        }
    }

    private mutating func add(bytes: UnsafeRawBufferPointer, _ kind: CellKind) {
        add(UInt64(kind.rawValue))
        add(UInt64(bytes.count))
        for byte in bytes {
            first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            second = (second ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
        }
        mix()
    }

    mutating func add(_ word: UInt64) {
        first = (first ^ word) &* 0x0000_0100_0000_01B3
        second = (second ^ word) &* 0x9E37_79B9_7F4A_7C15
        mix()
    }

    /// Has high bits reach low ones, which multiplication alone does not.
    private mutating func mix() {
        first ^= first &>> 29
        second ^= second &>> 32
    }

    var text: String { Self.digits(first) + Self.digits(second) }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
