import CofferCore

/// Follows links for filters and sorts, in the store's own rows.
struct MemoryRowSource: RowSource {
    let data: MemoryTables

    var hasHierarchies: Bool { data.hierarchies != nil }

    func hierarchy(of entityName: String) -> [String] {
        data.hierarchies?.hierarchy(of: entityName)?.entities.map(\.name) ?? []
    }

    func isRow(_ row: DefaultSnapshot, of entityName: String) -> Bool {
        let own = row.batch.entityName
        guard let hierarchy = data.hierarchies?.hierarchy(of: own) else { return own == entityName }
        let number = Int(row.batch.cell(row: row.row, slot: hierarchy.kindSlot).integer)
        return hierarchy.numbers(below: entityName)?.contains(number) ?? false
    }

    func row(_ key: Int64, of entityName: String) -> DefaultSnapshot? {
        guard let table = data.table(named: entityName), let position = table.directory.position(of: key)
        else { return nil }
        return DefaultSnapshot(table.rows, row: position)
    }

    func members(of owner: DefaultSnapshot, slot: Int) -> [DefaultSnapshot] {
        guard let table = data.table(of: owner.batch), let place = table.layout.list(ofSlot: slot) else { return [] }
        var positions: [Int] = []
        data.collect(place, of: owner.row, into: &positions)
        let rows = data.tables[data.destination(of: place)].rows
        return positions.map { DefaultSnapshot(rows, row: $0) }
    }

    func destination(ofSlot slot: Int, in entityName: String) -> String? {
        guard let destination = data.table(named: entityName)?.layout.column(ofSlot: slot)?.destination
        else { return nil }
        return data.tables[destination].layout.entityName
    }
}
