/// Reads the rows of a store that may be damaged: what can be read, and what cannot, by row and property.
///
/// Rows are read in blocks. Where a block fails it is divided, down to the row, and that down to the property.
struct LenientReader {
    let store: any ImportingRowStore

    /// What of a row or an entity could not be read.
    struct Loss {
        /// Nil where it is not known which rows are concerned.
        let key: Int64?
        /// Nil where the row as a whole is.
        let property: String?
        let cause: any Error

        static let twice = "rows come more than once"
        /// Whether only one of several rows under one id was read.
        var isOfRowsThatComeTwice: Bool { key == nil && (cause as? SwiftDataError)?.detail == Self.twice }
    }

    private static let blockSize = 512
    private static let largeBlockSize = 16
    /// Keys that are tried one by one where the store cannot list them.
    private static let longestSearch: Int64 = 10_000_000

    /// What the caller's code threw.
    private struct BodyFailure: Error { let cause: any Error }

    /// Reads the rows of exactly one entity, each once.
    ///
    /// - Parameters:
    ///   - slots: the properties to read. One that cannot be read of a row is absent in it.
    ///   - body: takes a block of rows.
    ///   - lost: is told what cannot be read.
    /// - Throws: what the body throws.
    func read(
        _ entity: Schema.Entity, _ slots: [Int], _ body: (RowBatch) throws -> Void, lost: (Loss) -> Void
    ) throws {
        let properties = entity.properties
        let isLarge = slots.contains { (properties[safe: $0] as? Schema.Attribute)?._isExternal == true }
        let size = isLarge ? Self.largeBlockSize : Self.blockSize
        let plan = FetchPlan(entityName: entity.name, slots: slots)
        var last: Int64 = 0
        var known: Set<Int64> = []
        do {
            try store.fetchBlocks(plan, into: StoreCopier.batch(entity, store), of: size) { rows in
                var previous = last
                for key in rows._keys {
                    // Rows come in the order of their keys, unless the damage is such that they may come again.
                    guard key > previous else {
                        throw SwiftDataError(.corruptStore, entity: entity.name, detail: "rows are out of order")
                    }
                    previous = key
                }
                do { try body(rows) } catch { throw BodyFailure(cause: error) }
                last = previous
                known.formUnion(rows._keys)
            }
            return
        } catch let failure as BodyFailure {
            throw failure.cause
        } catch {
            try divide(entity, plan, without: known, size, error, body, lost)
        }
    }

    private func divide(
        _ entity: Schema.Entity, _ plan: FetchPlan, without known: Set<Int64>, _ size: Int, _ cause: any Error,
        _ body: (RowBatch) throws -> Void, _ lost: (Loss) -> Void
    ) throws {
        if let keys = try? store.fetchKeys(FetchPlan(entityName: entity.name)) {
            let all = Set(keys)
            if all.count < keys.count {
                let cause = SwiftDataError(.corruptStore, entity: entity.name, detail: Loss.twice)
                lost(Loss(key: nil, property: nil, cause: cause))
            }
            let rest = all.subtracting(known).sorted()
            for start in stride(from: 0, to: rest.count, by: size) {
                let part = Array(rest[start..<min(start + size, rest.count)])
                var found: Set<Int64> = []
                func take(_ keys: [Int64]) throws {
                    try read(keys, entity, plan) {
                        found.formUnion($0._keys)
                        try body($0)
                    } lost: {
                        if let key = $0.key { found.insert(key) }
                        lost($0)
                    }
                }
                try take(part)
                // Rows that are out of order may hide others from a search for several.
                for key in part where !found.contains(key) { try take([key]) }
                for key in part where !found.contains(key) { lost(Loss(key: key, property: nil, cause: cause)) }
            }
            return
        }
        let first = (known.max() ?? 0) + 1
        guard let next = try? store.nextKeys()[entity.rootEntity.name], next - first < Self.longestSearch else {
            return lost(Loss(key: nil, property: nil, cause: cause))
        }
        var start = first
        while start < next {
            let end = min(start + Int64(size), next)
            try read(Array(start..<end), entity, plan, body, lost: lost)
            start = end
        }
    }

    private func read(
        _ keys: [Int64], _ entity: Schema.Entity, _ plan: FetchPlan, _ body: (RowBatch) throws -> Void,
        lost: (Loss) -> Void
    ) throws {
        if keys.isEmpty { return }
        var part = plan
        part.scope = .keys(keys)
        let batch = StoreCopier.batch(entity, store)
        do {
            try store.fetchRows(part, into: batch)
            guard batch.count <= keys.count, Set(batch._keys).count == batch.count else {
                throw SwiftDataError(.corruptStore, entity: entity.name, detail: "rows come more than once")
            }
        } catch {
            if keys.count == 1 { return try readParts(keys[0], entity, plan, error, body, lost) }
            let half = keys.count / 2
            try read(Array(keys[..<half]), entity, plan, body, lost: lost)
            return try read(Array(keys[half...]), entity, plan, body, lost: lost)
        }
        if batch.count > 0 { try body(batch) }
    }

    /// Reads a row property by property.
    private func readParts(
        _ key: Int64, _ entity: Schema.Entity, _ plan: FetchPlan, _ cause: any Error,
        _ body: (RowBatch) throws -> Void, _ lost: (Loss) -> Void
    ) throws {
        var part = plan
        part.scope = .keys([key])
        part.slots = []
        let row = StoreCopier.batch(entity, store)
        guard (try? store.fetchRows(part, into: row)) != nil, row.count == 1 else {
            return lost(Loss(key: key, property: nil, cause: cause))
        }
        let result = StoreCopier.batch(entity, store)
        result.appendRow(key: key)
        let properties = entity.properties
        var losses: [Loss] = []
        for slot in plan.slots ?? Array(properties.indices) {
            part.slots = [slot]
            let single = StoreCopier.batch(entity, store)
            do {
                try store.fetchRows(part, into: single)
                guard single.count == 1 else { continue }
                result.set(single.cell(row: 0, slot: slot), copying: single, row: 0, slot: slot)
            } catch {
                losses.append(Loss(key: key, property: properties[safe: slot]?.name, cause: error))
            }
        }
        if !losses.isEmpty, losses.count == plan.slots?.count {
            return lost(Loss(key: key, property: nil, cause: cause))
        }
        for loss in losses { lost(loss) }
        try body(result)
    }
}
