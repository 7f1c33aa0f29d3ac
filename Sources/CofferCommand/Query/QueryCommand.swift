import Coffer

/// `coffer query`: shows rows.
enum QueryCommand: Command {
    static let declaration = CommandDeclaration(
        name: "query", summary: "show rows of an entity",
        operands: [.init(name: "STORE"), .init(name: "ENTITY", isPath: false)],
        options: [
            CommandOption("where", letter: "w", value: "FILTER", help: "only rows that FILTER is true of"),
            CommandOption(
                "sort", letter: "s", value: "PROPERTY[:desc]", repeats: true,
                help: "in the order of PROPERTY; may be repeated"),
            CommandOption("limit", letter: "n", value: "N", help: "at most N rows"),
            CommandOption("offset", value: "N", help: "leave out the first N rows"),
            CommandOption(
                "columns", letter: "c", value: "NAMES",
                help: "show these properties, with commas between, or '*' for all\n"
                    + "(default: all but lists and values that may lie in files)"),
            CommandOption("count", help: "show only how many rows there are"),
            CommandOption("json", letter: "j", help: "print a JSON array of objects"),
            CommandOption("wide", help: "do not cut long values"),
        ],
        details: """
            Rows of the entities below ENTITY are shown, too. FILTER compares properties with values:

              name == 'Rome'   nights > 2   trip.name != 'Alps'   trip is not null   $id in (1, 2)
              name contains 'o'   name begins 'R'   name ends 'e'   name like 'rome' (whatever the case)
              isDone   start >= '2024-05-01'   start < '2024-05-31T18:30:00Z'   not (a or b) and c

            A dot follows a link; $id is the id of a row, and a link compares with an id. Names that are words of the
            language stand in `back quotes`; a quotation mark in a text is doubled. Null is equal to null alone, and
            neither less nor greater than anything.
            """,
        examples: [
            .init("coffer query trips.sqlite Stop -w 'nights > 1' -s nights:desc -n 10", "the longest stops"),
            .init("coffer query trips.sqlite Trip -w \"name like 'alps'\" -c name,stops -j", "as JSON, with a list"),
            .init("coffer query trips.lmdb Stop --where 'trip is null' --count", "how many belong to no trip"),
        ])

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        let limit = try arguments.number("limit")
        let offset = try arguments.number("offset") ?? 0
        let store = try StorePlace(arguments.operands[0]).open(readsAll: false)
        let entity = try StoreRows.entity(arguments.operands[1], of: store)
        let columns = try self.columns(arguments["columns"], of: entity)
        let rows = StoreRows(store, entity)
        var plan = rows.plan(columns.map(\.slot))
        (plan.limit, plan.offset) = (limit, offset)
        if let filter = arguments["where"] {
            do {
                plan.filter = try FilterParser.expression(filter, of: entity, in: store)
            } catch {
                throw UsageError(description: "the filter, \(error)")
            }
        }
        plan.sort = try arguments.all("sort").map { try sortKey($0, of: entity, in: store) }
        if arguments.has("count") {
            plan.slots = []
            console.write("\(try store.countRows(plan))\n")
            return 0
        }
        let output = QueryOutput(rows: rows, columns: columns)
        if arguments.has("json") {
            try output.writeJSON(plan, console.write)
        } else {
            try output.writeTable(plan, isWide: arguments.has("wide"), console.write)
        }
        return 0
    }

    private static func columns(_ names: String?, of entity: Schema.Entity) throws -> [StoreColumn] {
        let all = StoreColumn.all(of: entity)
        guard let names else { return all.filter { !$0.isAside } }
        if names == "*" { return all }
        return try names.split(separator: ",").map { name in
            guard let column = all.first(where: { $0.name == name }) else {
                throw UsageError(description: "\(entity.name) has no property '\(name)'".shownSafely)
            }
            return column
        }
    }

    private static func sortKey(
        _ text: String, of entity: Schema.Entity, in store: any RowStore
    ) throws(UsageError) -> SortKey {
        var name = Substring(text)
        var isDescending = false
        for (suffix, direction) in [(":desc", true), (":asc", false)] where text.hasSuffix(suffix) {
            name = text.dropLast(suffix.count)
            isDescending = direction
        }
        // A name with a dot in it is taken for a property first.
        let parts =
            entity.properties.contains { $0.name == name }
            ? [name] : name.split(separator: ".", omittingEmptySubsequences: false)
        let names = parts.map { (name: String($0), column: 1) }
        let path: FilterPath
        do {
            path = try FilterTyping(entity, in: store).path(names)
        } catch {
            throw UsageError(description: "the order '\(text)': \(error.detail)".shownSafely)
        }
        guard path.type.storage != nil else {
            throw UsageError(
                description: "the order '\(text)': rows can be put in the order of values only".shownSafely)
        }
        return SortKey(path: path.steps.map(\.slot), isDescending: isDescending)
    }
}
