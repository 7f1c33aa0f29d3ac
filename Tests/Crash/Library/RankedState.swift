import Coffer

extension StoreDigest {
    /// What a store holds, whatever keys its rows have and whatever order its lists: a row is called by its place among those
    /// of its hierarchy. Where a row goes in a list depends on whether the process had read the list.
    ///
    /// A process takes keys in advance, and what it has not used is never used; so the keys depend on where processes
    /// have ended.
    static func ranked(_ store: any RowStore) throws -> String {
        var ranks: [String: [Int64: Int]] = [:]
        for entity in store.schema.entities where entity.superentity == nil {
            let names = store.schema.entities.filter { $0.rootEntity.name == entity.name }.map(\.name)
            let keys = try names.flatMap { try store.fetchKeys(FetchPlan(entityName: $0)) }.sorted()
            ranks[entity.name] = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }
        func rank(_ key: Int64, _ name: String) -> String {
            let root = store.schema.entitiesByName[name]?.rootEntity.name ?? ""
            return ranks[root]?[key].map(String.init) ?? "?"
        }
        return try store.schema.entities.sorted { $0.name < $1.name }.map { entity in
            let properties = entity.properties.enumerated().filter { !$1.isTransient }
            let plan = FetchPlan(entityName: entity.name, slots: properties.map(\.offset))
            let batch = RowBatch(
                entityName: entity.name, width: entity.properties.count, storeIdentifier: store.identifier)
            try store.fetchRows(plan, into: batch)
            let rows = (0..<batch.count).map { row in
                let key = ranks[entity.rootEntity.name]?[batch.key(ofRow: row)] ?? -1
                let values = properties.map { slot, property in
                    let cell = batch.cell(row: row, slot: slot)
                    let target = (property as? Schema.Relationship)?.destination ?? ""
                    switch cell.kind {
                    case .reference: return rank(cell.integer, target)
                    case .references:
                        return "[" + batch.keys(of: cell).map { rank($0, target) }.sorted().joined(separator: " ") + "]"
                    case .blob: return String(hash(Array(batch.bytes(of: cell))), radix: 16)
                    default: return "\(batch.value(of: cell))"
                    }
                }
                return "\(key) " + values.joined(separator: "|")
            }
            return
                "\(entity.name):\(rows.count):\(String(hash(Array(rows.sorted().joined(separator: "\n").utf8)), radix: 16))"
        }.joined(separator: ",")
    }

    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
