import CofferCore

/// A row variable of a filter: its table's alias, and the tables joined to reach along its to-one links.
final class SQLFrame {
    let alias: String
    let table: SQLTable
    private var joined: [[Int]: SQLFrame] = [:]
    private var joinTexts: [String] = []

    init(alias: String, table: SQLTable) {
        self.alias = alias
        self.table = table
    }

    /// The row's key.
    var key: String { column(table.keyColumn) }

    func column(_ name: String) -> String { "\(alias).\(SQLText.quoted(name))" }

    /// The joins, to stand behind the table in `FROM`.
    var joinText: String { joinTexts.joined() }

    /// The row that links lead to; the join is made when it is first needed. Links are to one row, so that a join
    /// neither adds nor removes rows.
    ///
    /// - Parameters:
    ///   - slots: the links' slots.
    ///   - newAlias: makes an alias.
    func frame(along slots: [Int], _ layout: some SQLLayout, newAlias: () -> String) throws -> SQLFrame {
        guard let last = slots.last else { return self }
        if let frame = joined[slots] { return frame }
        let start = try frame(along: slots.dropLast(), layout, newAlias: newAlias)
        guard case .link(let column, let entity)? = start.table.places[checked: last],
            let table = layout.table(named: entity)
        else { throw DataStoreError.preferInMemoryFilter }
        let frame = SQLFrame(alias: newAlias(), table: table)
        joinTexts.append(
            " LEFT JOIN \(SQLText.quoted(table.name)) AS \(frame.alias) ON \(frame.key) = \(start.column(column))")
        joined[slots] = frame
        return frame
    }
}
