import CofferCore

extension RecordStoreCore {
    /// The rows of a plan, sorted or in ascending order of their keys; related ones owner by owner.
    ///
    /// - Throws: `SwiftDataError` where the plan does not fit the schema, or the data is damaged.
    /// - Complexity: O(*rows fetched*) where keys, a link or an index name them, otherwise O(*rows of the entity*).
    public func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws {
        let space = try space(of: plan, batch)
        let flat = layout.flat(plan)
        let output = RecordOutput(plan, space, decoders[space.index])
        try read(plan.entityName) { reader in
            let first = batch.count
            if case .related = flat.scope {
                var fetch = try RelatedFetch(flat, space, self, reader)
                try fetch.run(atLeast: .max) { owner, key, bytes in
                    try output.append(bytes, key: key, to: batch)
                    batch.owners.append(owner)
                }
            } else if case .keys(let keys) = flat.scope, flat.isPlain {
                for key in keys.count == 1 ? keys : RecordFetch.ascending(keys) {
                    if let bytes = try reader.get(space.rows, key) {
                        try output.append(bytes, key: key, to: batch)
                    }
                }
            } else {
                let fetch = RecordFetch(flat, space, self, reader)
                try fetch.forEachRow { try output.append($1, key: $0, to: batch) }
            }
            try output.fillLists(plan, space, layout, batch, from: first, reader)
        }
    }

    /// The rows of a plan, block by block. Other transactions may run while a block is taken in, a save among them.
    ///
    /// The blocks show one state of the store, unless the engine had to give it up in between; then later blocks show a
    /// newer one, and rows that were deleted meanwhile are left out.
    ///
    /// - Parameters:
    ///   - plan: which rows, in which order.
    ///   - batch: an empty batch; after the call it is empty again.
    ///   - size: about how many rows make a block. The rows of one owner are never divided.
    ///   - body: takes a block; what it throws ends the fetch. It may use the store.
    public func fetchBlocks(
        _ plan: FetchPlan, into batch: RowBatch, of size: Int, _ body: (RowBatch) throws -> Void
    ) throws {
        defer { batch.removeAll() }
        let size = max(size, 1)
        let space = try space(of: plan, batch)
        if case .keys(let keys) = plan.scope, keys.count <= size {
            try fetchRows(plan, into: batch)
        } else {
            let flat = layout.flat(plan)
            let output = RecordOutput(plan, space, decoders[space.index])
            try read(plan.entityName) { reader in
                func handOn() throws {
                    try output.fillLists(plan, space, layout, batch, from: 0, reader)
                    try reader.pause { try body(batch) }
                    batch.removeAll()
                }
                if case .related = flat.scope {
                    var fetch = try RelatedFetch(flat, space, self, reader)
                    while !fetch.isDone {
                        try fetch.run(atLeast: size) { owner, key, bytes in
                            try output.append(bytes, key: key, to: batch)
                            batch.owners.append(owner)
                        }
                        if !fetch.isDone, batch.count > 0 { try handOn() }
                    }
                } else if flat.scope == .all, flat.filter == nil, flat.sort.isEmpty {
                    try scanBlocks(flat, space, output, reader, into: batch, of: size, handOn)
                } else {
                    try keyedBlocks(flat, space, output, reader, into: batch, of: size, handOn)
                }
                try output.fillLists(plan, space, layout, batch, from: 0, reader)
            }
        }
        if batch.count > 0 { try body(batch) }
    }

    /// Reads a whole table, a stretch at a time.
    private func scanBlocks(
        _ plan: FetchPlan, _ space: RecordSpace, _ output: RecordOutput, _ reader: any RecordReader,
        into batch: RowBatch, of size: Int, _ handOn: () throws -> Void
    ) throws {
        var page = RecordPage(plan)
        var range = KeyRange.all
        var isAtEnd = page.isFull
        while !isAtEnd {
            isAtEnd = true
            try reader.scan(space.rows, range) { rowKey, bytes in
                let key = IndexKey.row(rowKey) ?? 0
                if batch.count >= size {
                    range.lower = Array(rowKey)
                    isAtEnd = false
                    return false
                }
                if page.take() { try output.append(bytes, key: key, to: batch) }
                return !page.isFull
            }
            if !isAtEnd { try handOn() }
        }
    }

    /// Finds the keys of all rows first, then reads the rows block by block.
    private func keyedBlocks(
        _ plan: FetchPlan, _ space: RecordSpace, _ output: RecordOutput, _ reader: any RecordReader,
        into batch: RowBatch, of size: Int, _ handOn: () throws -> Void
    ) throws {
        let fetch = RecordFetch(plan, space, self, reader)
        var keys: [Int64] = []
        try fetch.forEachRow { key, bytes in
            // The first block's rows need not be looked up again.
            if batch.count < size {
                try output.append(bytes, key: key, to: batch)
            } else {
                keys.append(key)
            }
        }
        for key in keys {
            if batch.count >= size { try handOn() }
            if let bytes = try reader.get(space.rows, key) { try output.append(bytes, key: key, to: batch) }
        }
    }

    /// How many rows ``fetchRows(_:into:)`` would give. No record is read where tables or indexes tell the number.
    ///
    /// - Throws: what the engine throws; `corruptStore` for a record that cannot be read.
    public func countRows(_ plan: FetchPlan) throws -> Int {
        let space = try space(named: plan.entityName)
        let plan = layout.flat(plan)
        return try read(plan.entityName) { reader in
            guard case .related = plan.scope else { return try RecordFetch(plan, space, self, reader).count() }
            var count = 0
            var fetch = try RelatedFetch(plan, space, self, reader)
            try fetch.run(atLeast: .max) { _, _, _ in count += 1 }
            return count
        }
    }

    /// The keys of the rows that ``fetchRows(_:into:)`` would give, in the same order.
    ///
    /// - Throws: what the engine throws; `corruptStore` for a record that cannot be read.
    public func fetchKeys(_ plan: FetchPlan) throws -> [Int64] {
        let space = try space(named: plan.entityName)
        let plan = layout.flat(plan)
        return try read(plan.entityName) { reader in
            var keys: [Int64] = []
            if case .related = plan.scope {
                var fetch = try RelatedFetch(plan, space, self, reader)
                try fetch.run(atLeast: .max) { _, key, _ in keys.append(key) }
            } else {
                try RecordFetch(plan, space, self, reader).forEachRow { key, _ in keys.append(key) }
            }
            return keys
        }
    }
}

extension FetchPlan {
    /// Whether the plan asks for the rows of its scope as they are.
    var isPlain: Bool { filter == nil && sort.isEmpty && limit == nil && offset == 0 }
}
