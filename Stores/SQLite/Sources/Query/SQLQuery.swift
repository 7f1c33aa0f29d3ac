import CofferCore

/// A fetch plan as the pieces of a `SELECT`.
///
/// The rows' table goes by the alias `t0`. All values are bound: plans of one shape have one text, so that a cache of
/// prepared statements serves them.
struct SQLQuery {
    /// What stands behind `FROM`.
    private(set) var from = ""
    /// What stands behind `WHERE`; nil for all rows.
    private(set) var condition: String?
    /// What stands behind `ORDER BY`; nil for none.
    private(set) var order: String?
    /// The parameters' values: the first belongs to `?1`.
    private(set) var bindings: [SQLBinding] = []
    /// Whether plans that differ in captured values only have the same query; see ``CompiledQueries``.
    private(set) var isReusable = false
    /// Which captured value each parameter has; nil for none. Only in a query that others are made of.
    private var places: [Int?] = []
    /// The rows' key.
    private(set) var key = ""
    /// For ``FetchScope/related(ownerEntity:slot:owners:)``: the key of the row's owner.
    private(set) var owner: String?
    private var page = ""

    /// The alias of the rows' table.
    static let alias = "t0"

    /// Compiles a plan.
    ///
    /// - Parameters:
    ///   - plan: what to fetch.
    ///   - layout: the tables.
    ///   - storeIdentifier: what identifiers of this store's rows carry.
    ///   - isOrdered: whether the order matters; a count can do without, unless it counts a page.
    /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` for what SQL cannot
    ///   do with exactly Swift's meaning.
    static func compile(
        _ plan: FetchPlan, _ layout: some SQLLayout, storeIdentifier: String, isOrdered: Bool = true
    ) throws -> SQLQuery {
        guard let table = layout.table(named: plan.entityName) else { throw DataStoreError.preferInMemoryFilter }
        let compiler = SQLCompiler(layout, storeIdentifier: storeIdentifier)
        let root = SQLFrame(alias: alias, table: table)
        compiler.frames[0] = root
        var query = SQLQuery()
        query.key = root.key
        var conditions: [String] = []
        var source = "\(SQLText.quoted(table.name)) AS \(alias)"
        var scopeOrder: [String] = []
        switch plan.scope {
        case .all: break
        case .keys(let keys): conditions.append(compiler.keys(keys, contain: root.key))
        case .related(let entity, let slot, let owners):
            guard let related = layout.table(named: entity)?.places[checked: slot] else {
                throw DataStoreError.preferInMemoryFilter
            }
            let owner: String
            let position: String?
            switch related {
            case .children(_, let column, let place):
                owner = root.column(column)
                position = place.map { root.column($0) }
            case .members(_, let join, let ownerColumn, let member, let place):
                source = "\(SQLText.quoted(join)) AS j0 JOIN \(source) ON \(root.key) = j0.\(SQLText.quoted(member))"
                owner = "j0.\(SQLText.quoted(ownerColumn))"
                position = place.map { "j0.\(SQLText.quoted($0))" }
            case .none, .column, .external, .link: throw DataStoreError.preferInMemoryFilter
            }
            query.owner = owner
            conditions.append(compiler.keys(owners, contain: owner))
            // Rows without a place come after those with one, in the order of their keys.
            scopeOrder = [owner] + (position.map { ["\($0) IS NULL", $0] } ?? [])
        }
        if let hierarchy = table.hierarchy, plan.subentityNames.count + 1 < hierarchy.count {
            conditions.append(SQLiteTable.condition([plan.entityName] + plan.subentityNames, of: alias))
        }
        if let filter = plan.filter {
            let filter = try compiler.filter(filter)
            if filter != "1" { conditions.append(filter) }
        }
        if isOrdered {
            var keys = try plan.sort.map { try compiler.sortKey($0, entityName: plan.entityName, root: root) }
            if keys.isEmpty { keys = scopeOrder }
            query.order = (keys + [root.key]).joined(separator: ", ")
        }
        query.from = source + root.joinText
        query.condition = conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
        if isOrdered, plan.sort.isEmpty, plan.scope == .all, let filter = plan.filter, table.servesRange(of: filter) {
            query.findKeysFirst(in: table)
        }
        query.page = compiler.page(limit: plan.limit, offset: plan.offset)
        query.bindings = compiler.bindings
        query.isReusable = compiler.isReusable
        // A value may have been compiled only to find out that it does not matter.
        let text = query.select([])
        while let last = query.bindings.indices.last, !text.contains("?\(last + 1)") { query.bindings.removeLast() }
        return query
    }

    /// The conjuncts of a plan's filter that SQL can do, and those that it cannot.
    static func divide(_ plan: FetchPlan, _ layout: some SQLLayout, storeIdentifier: String) -> FilterDivision {
        func compiles(_ filter: FilterExpression?) -> Bool {
            var plan = plan
            plan.filter = filter
            plan.sort = []
            return (try? compile(plan, layout, storeIdentifier: storeIdentifier, isOrdered: false)) != nil
        }
        guard let filter = plan.filter else { return FilterDivision(kept: nil, handedBack: nil) }
        var division = FilterDivision(filter) { compiles($0) }
        // Together they may be more than a statement can hold.
        while let kept = division.kept, !compiles(kept) {
            let parts = kept.conjuncts
            let half = parts.count / 2
            let others = parts[half...] + (division.handedBack?.conjuncts ?? [])
            division = FilterDivision(
                kept: half == 0 ? nil : .all(Array(parts[..<half])), handedBack: .all(Array(others)))
        }
        return division
    }

    /// The query as one that others are made of.
    func keeping(_ origin: FilterOrigin) -> SQLQuery {
        var query = self
        // No two of them are equal.
        let constants = origin.constants
        query.places = bindings.map { binding in
            switch binding {
            case .value(let value): constants.firstIndex(of: .value(value))
            case .textAfter(let prefix): constants.firstIndex(of: .value(.text(prefix)))
            case .object, .comparison, .limit, .offset: nil
            }
        }
        return query
    }

    /// The query of a plan of the same shape; nil where the text would not fit.
    func replacing(_ origin: FilterOrigin, _ plan: FetchPlan) -> SQLQuery? {
        var query = self
        for (index, place) in places.enumerated() where index < bindings.count {
            let constant = place.map { origin.constants[$0] }
            switch (bindings[index], constant) {
            case (.value, .value(let value)?): query.bindings[index] = .value(value)
            case (.textAfter, .value(.text(let prefix))?):
                if SQLList.textAfter(prefix) == nil { return nil }
                query.bindings[index] = .textAfter(prefix: prefix)
            case (.limit, _): query.bindings[index] = .limit(plan.limit ?? -1)
            case (.offset, _): query.bindings[index] = .offset(plan.offset)
            case (_, nil): break
            case (_, _?): return nil
            }
        }
        return query
    }

    /// Has the keys looked up before the rows.
    ///
    /// For the order by keys SQLite would rather read the whole table than use an index for a range; a list of keys it
    /// goes through in order.
    private mutating func findKeysFirst(in table: SQLTable) {
        guard let condition else { return }
        self.condition = "\(key) IN (SELECT \(key) FROM \(from) WHERE \(condition))"
        from = "\(SQLText.quoted(table.name)) AS \(Self.alias)"
    }

    /// The statement that gives expressions of each row: columns as ``column(_:)`` writes them, ``key``, ``owner``.
    func select(_ expressions: [String]) -> String {
        var text = "SELECT \(expressions.isEmpty ? "1" : expressions.joined(separator: ", ")) FROM \(from)"
        if let condition { text += " WHERE \(condition)" }
        if let order { text += " ORDER BY \(order)" }
        return text + page
    }

    /// The statement that counts the rows.
    func count() -> String {
        if page.isEmpty {
            return "SELECT COUNT(*) FROM \(from)" + (condition.map { " WHERE \($0)" } ?? "")
        }
        return "SELECT COUNT(*) FROM (\(select([])))"
    }

    /// A column of the rows' table, as ``select(_:)`` takes it.
    static func column(_ name: String) -> String { "\(alias).\(SQLText.quoted(name))" }
}

extension SQLTable {
    /// Whether an index can find the rows of a filter by a range of values, and none by a single value.
    func servesRange(of filter: FilterExpression) -> Bool {
        let conditions = if case .all(let parts) = filter { parts } else { [filter] }
        var found = false
        for condition in conditions {
            switch condition {
            case .compare(let comparison, .property(let path), .constant),
                .compare(let comparison, .constant, .property(let path)):
                guard isIndexed(path), comparison != .notEqual else { continue }
                if comparison == .equal { return false }
                found = true
            case .text(.startsWith, .property(let path), .constant):
                if isIndexed(path) { found = true }
            default: continue
            }
        }
        return found
    }

    private func isIndexed(_ path: FilterPath) -> Bool {
        guard let step = path.ownStep else { return path.steps.isEmpty }
        switch places[checked: step.slot] {
        case .column(let name)?, .link(let name, _)?: return indexedColumns.contains(name)
        default: return false
        }
    }
}

/// Names in SQL text.
enum SQLText {
    /// A name as an identifier, whatever it holds.
    static func quoted(_ name: String) -> String {
        var text = "\""
        for scalar in name.unicodeScalars {
            if scalar == "\"" { text += "\"" }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }
}

extension Array {
    /// The element at an index, or nil outside.
    subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
