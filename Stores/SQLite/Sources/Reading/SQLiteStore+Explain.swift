import CofferCore

extension SQLiteStore {
    /// The statement of a plan, and how SQLite would run it (`EXPLAIN QUERY PLAN`).
    ///
    /// - Throws: what SQLite refuses, as `SwiftDataError` with the file.
    public func explain(_ plan: FetchPlan) throws -> StoreExplanation {
        let table = try table(of: plan.entityName, .fetch)
        let query = try SQLQuery.compile(plan, layout, storeIdentifier: identifier)
        let columns = projection(of: table, plan).queryColumns
        let sql = query.select([query.key] + (query.owner.map { [$0] } ?? []) + columns)
        let steps = try read(.fetch, entity: plan.entityName) { connection in
            let statement = try prepare("EXPLAIN QUERY PLAN " + sql, query, connection)
            defer { statement.finish() }
            var steps: [String] = []
            while try statement.step() { steps.append(statement.text(3) ?? "") }
            return steps
        }
        let (access, index) = Self.access(steps)
        let order: StoreExplanation.Order =
            if plan.sort.isEmpty {
                .keys
            } else if steps.contains(where: { $0.hasPrefix("USE TEMP B-TREE") && $0.hasSuffix("ORDER BY") }) {
                .sorting
            } else {
                index.map { .index($0) } ?? .keys
            }
        return StoreExplanation(access: access, order: order, statement: sql, steps: steps)
    }

    /// How the rows' table is read, and the index that this goes by.
    private static func access(_ steps: [String]) -> (StoreExplanation.Access, index: String?) {
        var found: (access: StoreExplanation.Access, index: String?) = (.unknown, nil)
        for step in steps {
            let words = step.split(separator: " ")
            guard words.count > 1, words[0] == "SCAN" || words[0] == "SEARCH", words[1] == SQLQuery.alias else {
                continue
            }
            let index = words.firstIndex(of: "INDEX").flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
            if words[0] == "SEARCH", let index { return (.index(String(index)), String(index)) }
            // The table may stand once more inside, where its keys are looked up.
            if found.access == .unknown || found.access == .keys {
                found = (words[0] == "SCAN" ? .scan : .keys, index.map(String.init))
            }
        }
        return found
    }
}
