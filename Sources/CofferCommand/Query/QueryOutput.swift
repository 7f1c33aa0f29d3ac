import Coffer

/// Shows the rows of a plan.
struct QueryOutput {
    let rows: StoreRows
    let columns: [StoreColumn]

    /// The most that a cell of a table has of a value.
    private static let widest = 40

    /// Whether rows may be of several entities, so that each says of which it is.
    private var hasSubentities: Bool { !rows.entity.subentities.isEmpty }

    /// Writes an array of objects, one a line.
    func writeJSON(_ plan: FetchPlan, _ write: (String) -> Void) throws {
        var isFirst = true
        write("[")
        try rows.read(plan) { batch in
            var text = ""
            for row in 0..<batch.count {
                var members = [("$id", String(batch.key(ofRow: row)))]
                if hasSubentities { members.append(("$entity", JSONText.string(batch.entityName(ofRow: row)))) }
                members += columns.map { ($0.name, $0.json(batch.cell(row: row, slot: $0.slot), batch)) }
                text += (isFirst ? "\n" : ",\n") + JSONText.object(members)
                isFirst = false
            }
            write(text)
        }
        write(isFirst ? "]\n" : "\n]\n")
    }

    /// Writes a table, whose columns are as wide as their values.
    func writeTable(_ plan: FetchPlan, isWide: Bool, _ write: (String) -> Void) throws {
        var titles = [TextTable.Column("id", .right)]
        if hasSubentities { titles.append(.init("entity")) }
        titles += columns.map { .init($0.name.shownSafely, $0.isNumeric ? .right : .left) }
        var table = TextTable(columns: titles)
        try rows.read(plan) { batch in
            for row in 0..<batch.count {
                var cells = [String(batch.key(ofRow: row))]
                if hasSubentities { cells.append(batch.entityName(ofRow: row).shownSafely) }
                cells += columns.map { column in
                    let text = column.text(batch.cell(row: row, slot: column.slot), batch)
                    return isWide ? text : text.cut(to: Self.widest)
                }
                table.add(cells)
            }
        }
        write(table.text(width: .max))
    }
}
