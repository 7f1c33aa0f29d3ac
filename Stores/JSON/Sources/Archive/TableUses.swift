import CofferRecords

/// What the tables of a layout are to an archive, by name.
struct TableUses: Sendable {
    enum Use: Hashable, Sendable {
        /// Rows of a space.
        case rows(Int)
        /// Lists that say who is in them: pairs, seen from their first side.
        case pairs(space: Int, list: Int)
        /// Lists that only say an order.
        case order(space: Int, list: Int)
        case metadata
        case history
        /// Everything in it follows from other tables.
        case derived
    }

    private var uses: [String: Use] = [:]

    init(_ layout: RecordSchema) {
        for table in layout.tables { uses[table.name] = .derived }
        uses[RecordSchema.metadata.name] = .metadata
        uses[RecordSchema.history.name] = .history
        for space in layout.spaces {
            uses[space.rows.name] = .rows(space.index)
            for (number, list) in space.lists.enumerated() {
                guard let table = layout.table(of: list.place) else { continue }
                if case .pairs(_, .owner) = list.place {
                    uses[table.name] = .pairs(space: space.index, list: number)
                } else {
                    uses[table.name] = .order(space: space.index, list: number)
                }
            }
        }
    }

    /// Nil for a table that the archive does not know.
    subscript(name: String) -> Use? { uses[name] }
}
