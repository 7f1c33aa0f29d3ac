import CofferCore

extension RecordStoreCore {
    /// Works values out of rows as they lie; no row is handed out.
    ///
    /// - Throws: what the engine throws; `corruptStore` for a record that cannot be read.
    /// - Complexity: O(*rows that match*); O(log *rows*) for the least and largest values of properties by which an index
    ///   begins, O(*groups* log *rows*) for distinct values of an index's properties, without a filter.
    public func aggregate(_ plan: AggregatePlan) throws -> [AggregateRow] {
        let space = try space(named: plan.rows.entityName)
        var flat = plan
        flat.rows = layout.flat(plan.rows)
        if let hierarchies = layout.hierarchies { flat = flat.mapping { hierarchies.expression($0) } }
        return try read(plan.rows.entityName) { reader in
            if let rows = try RecordAggregateWalk(flat, space, self, reader)?.rows() { return rows }
            let table = AggregateTable(flat)
            if flat.isMereCount {
                table.addRows(try RecordFetch(flat.rows, space, self, reader).count(), keys: [])
                return table.rows()
            }
            let slots = flat.expressions.reduce(into: Set<Int>()) { $0.formUnion($1.slots) }
            let decoder = RecordDecoder(space, slots: slots.sorted())
            let batch = RowBatch(
                entityName: space.entityName, width: space.width, storeIdentifier: identifier, capacity: 256)
            let source = RecordRows(layout, reader, storeIdentifier: identifier)
            try RecordFetch(flat.rows, space, self, reader).forEachRow { key, bytes in
                try decoder.append(bytes, key: key, to: batch)
                if batch.count < 256 { return }
                try table.add(batch, in: source)
                batch.removeAll()
            }
            try table.add(batch, in: source)
            return table.rows()
        }
    }
}
