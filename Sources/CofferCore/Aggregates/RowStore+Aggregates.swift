extension RowStore {
    /// Goes over the rows of the plan, block by block.
    ///
    /// - Throws: what ``RowStore/fetchBlocks(_:into:of:_:)`` throws.
    public func aggregate(_ plan: AggregatePlan) throws -> [AggregateRow] { try aggregateOverRows(plan) }

    /// What a plan gives, worked out of the rows that the store hands out.
    ///
    /// - Throws: ``DataStoreError/preferInMemoryFilter`` where the plan follows links to other rows, and what fetching
    ///   throws.
    public func aggregateOverRows(_ plan: AggregatePlan) throws -> [AggregateRow] {
        let table = AggregateTable(plan)
        if plan.isMereCount {
            table.addRows(try countRows(plan.rows), keys: [])
            return table.rows()
        }
        let expressions = plan.expressions
        if expressions.contains(where: \.followsLinks) { throw DataStoreError.preferInMemoryFilter }
        var rows = plan.rows
        rows.slots = expressions.reduce(into: Set<Int>()) { $0.formUnion($1.slots) }.sorted()
        let names = [rows.entityName] + rows.subentityNames
        let spaces = names.map { _IdentifierSpace.shared(entityName: $0, storeIdentifier: identifier) }
        let width = names.reduce(0) { max($0, schema.entitiesByName[$1]?.properties.count ?? 0) }
        let batch = RowBatch(space: spaces[0], width: width, capacity: 256, subspaces: Array(spaces.dropFirst()))
        try fetchBlocks(rows, into: batch, of: 256) { try table.add($0, in: NoRows()) }
        return table.rows()
    }
}
