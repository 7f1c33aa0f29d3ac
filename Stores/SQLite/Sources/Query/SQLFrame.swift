import CofferCore

/// A row variable of a filter: its table's alias, and the tables joined to reach along its to-one links.
final class SQLFrame {
    /// A step from one row to another, or to the same row as one of a subentity.
    enum Step: Hashable {
        case link(Int)
        case cast(String)

        init(_ step: FilterStep) { self = step.isCast ? .cast(step.destination ?? "") : .link(step.slot) }
    }

    let alias: String
    let table: SQLTable
    /// Without which the frame's row is none, where it is the same as another frame's; nil for always.
    let condition: String?
    private var joined: [[Step]: SQLFrame] = [:]
    private var joinTexts: [String] = []

    init(alias: String, table: SQLTable, condition: String? = nil) {
        self.alias = alias
        self.table = table
        self.condition = condition
    }

    /// The row's key.
    var key: String { guarded(plain(table.keyColumn)) }

    func column(_ name: String) -> String {
        table.hierarchy?.ownColumns.contains(name) == true ? plain(name) : guarded(plain(name))
    }

    private func plain(_ name: String) -> String { "\(alias).\(SQLText.quoted(name))" }

    private func guarded(_ sql: String) -> String { condition.map { "CASE WHEN \($0) THEN \(sql) END" } ?? sql }

    /// The joins, to stand behind the table in `FROM`.
    var joinText: String { joinTexts.joined() }

    /// The row that links lead to; the join is made when it is first needed. Links are to one row, so that a join
    /// neither adds nor removes rows.
    ///
    /// - Parameters:
    ///   - steps: the links, and casts among them.
    ///   - newAlias: makes an alias.
    func frame(along steps: [Step], _ layout: some SQLLayout, newAlias: () -> String) throws -> SQLFrame {
        guard let last = steps.last else { return self }
        if let frame = joined[steps] { return frame }
        let start = try frame(along: steps.dropLast(), layout, newAlias: newAlias)
        let frame: SQLFrame
        switch last {
        case .cast(let entity):
            guard let table = layout.table(named: entity) else { throw DataStoreError.preferInMemoryFilter }
            // Of another hierarchy no row is.
            let own = table.name == start.table.name ? table.hierarchy?.condition(of: start.alias) : "0"
            let conditions = [start.condition, own].compactMap { $0 }
            frame = SQLFrame(
                alias: start.alias, table: table,
                condition: conditions.isEmpty ? nil : conditions.joined(separator: " AND "))
        case .link(let slot):
            guard case .link(let column, let entity)? = start.table.places[checked: slot],
                let table = layout.table(named: entity)
            else { throw DataStoreError.preferInMemoryFilter }
            frame = SQLFrame(alias: newAlias(), table: table)
            joinTexts.append(
                " LEFT JOIN \(SQLText.quoted(table.name)) AS \(frame.alias) ON \(frame.key) = \(start.column(column))")
        }
        joined[steps] = frame
        return frame
    }
}
