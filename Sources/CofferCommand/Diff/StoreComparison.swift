import Coffer

/// Compares two stores: their schemas by name, their rows by entity and key.
struct StoreComparison {
    /// Something that the stores do not have in common.
    struct Difference {
        /// Which of the stores has it.
        enum Side: String {
            case left = "-"
            case right = "+"
            case both = "~"
        }

        var side: Side
        var entity: String
        var key: Int64?
        /// The properties that differ, with the values where these are wanted.
        var properties: [(name: String, left: String?, right: String?)] = []

        var text: String {
            var text = "\(side.rawValue) \(entity.shownSafely)"
            if let key { text += " \(key)" }
            let list = properties.map { name, left, right in
                guard let left, let right else { return name.shownSafely }
                return "\(name.shownSafely) \(left) → \(right)"
            }
            return list.isEmpty ? text : text + ": " + list.joined(separator: ", ")
        }

        var json: String {
            let list = properties.map { name, left, right in
                var members = [("name", JSONText.string(name))]
                if let left, let right { members += [("a", left), ("b", right)] }
                return JSONText.object(members)
            }
            var members = [("side", JSONText.string(side.rawValue)), ("entity", JSONText.string(entity))]
            if let key { members.append(("id", String(key))) }
            if !list.isEmpty { members.append(("properties", JSONText.array(list))) }
            return JSONText.object(members)
        }
    }

    private let left: any ImportingRowStore
    private let right: any ImportingRowStore
    private let showsValues: Bool

    init(_ left: any ImportingRowStore, _ right: any ImportingRowStore, showsValues: Bool) {
        self.left = left
        self.right = right
        self.showsValues = showsValues
    }

    /// Tells every difference; ends at once when the teller throws ``DiffCommand/Differs``.
    func run(
        _ tell: (Difference) throws -> Void, progress: (_ entityName: String, _ rows: Int) -> Void
    ) throws {
        do {
            let (a, b) = (left.schema.entitiesByName, right.schema.entitiesByName)
            for name in Set(a.keys).union(b.keys).sorted() {
                guard let mine = a[name], let theirs = b[name] else {
                    try tell(Difference(side: a[name] == nil ? .right : .left, entity: name))
                    continue
                }
                try compareSchemas(mine, theirs, tell)
                try compareRows(mine, theirs, tell) { progress(name, $0) }
            }
        } catch is DiffCommand.Differs {
            return
        }
    }

    /// Properties that only one of the schemas has, or that they describe differently.
    private func compareSchemas(
        _ a: Schema.Entity, _ b: Schema.Entity, _ tell: (Difference) throws -> Void
    ) throws {
        func described(_ entity: Schema.Entity) -> [String: String] {
            Dictionary(
                entity.properties.map { ($0.name, SchemaText.type(of: $0) + " " + SchemaText.notes(on: $0)) },
                uniquingKeysWith: { first, _ in first })
        }
        let (mine, theirs) = (described(a), described(b))
        for name in Set(mine.keys).union(theirs.keys).sorted() where mine[name] != theirs[name] {
            let side: Difference.Side = mine[name] == nil ? .right : theirs[name] == nil ? .left : .both
            try tell(Difference(side: side, entity: a.name, properties: [(name, nil, nil)]))
        }
    }

    private func compareRows(
        _ a: Schema.Entity, _ b: Schema.Entity, _ tell: (Difference) throws -> Void, _ progress: (Int) -> Void
    ) throws {
        let (mine, theirs) = (try keys(left, a), try keys(right, b))
        let others = Dictionary(
            StoreColumn.all(of: b).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let pairs = StoreColumn.all(of: a).compactMap { column in others[column.name].map { (column, $0) } }
        var (i, j) = (0, 0)
        var common: [Int64] = []
        func flush() throws {
            try compare(common, a, b, pairs, tell)
            common = []
        }
        while i < mine.count || j < theirs.count {
            let next = (i < mine.count ? mine[i] : .max, j < theirs.count ? theirs[j] : .max)
            if next.0 == next.1 {
                common.append(next.0)
                (i, j) = (i + 1, j + 1)
                if common.count == StoreRows.blockSize {
                    try flush()
                    progress(i)
                }
                continue
            }
            // In the order of the keys, those before that are common included.
            try flush()
            let isLeft = next.0 < next.1
            try tell(Difference(side: isLeft ? .left : .right, entity: a.name, key: min(next.0, next.1)))
            if isLeft { i += 1 } else { j += 1 }
        }
        try flush()
    }

    private func keys(_ store: any ImportingRowStore, _ entity: Schema.Entity) throws -> [Int64] {
        try store.fetchKeys(FetchPlan(entityName: entity.name)).sorted()
    }

    private func compare(
        _ keys: [Int64], _ a: Schema.Entity, _ b: Schema.Entity, _ pairs: [(StoreColumn, StoreColumn)],
        _ tell: (Difference) throws -> Void
    ) throws {
        if keys.isEmpty || pairs.isEmpty { return }
        let mine = try rows(left, a, keys, pairs.map(\.0.slot))
        let theirs = try rows(right, b, keys, pairs.map(\.1.slot))
        for key in keys {
            guard let row = mine.rows[key], let other = theirs.rows[key] else { continue }
            var difference = Difference(side: .both, entity: a.name, key: key)
            for (one, two) in pairs {
                let cell = mine.batch.cell(row: row, slot: one.slot)
                let otherCell = theirs.batch.cell(row: other, slot: two.slot)
                if isSame(cell, mine.batch, otherCell, theirs.batch) { continue }
                // No store has to keep the sign of zero seconds.
                if case .scalar(.date) = one.kind, case .scalar(.date) = two.kind, isZero(cell), isZero(otherCell) {
                    continue
                }
                difference.properties.append(
                    (
                        one.name, showsValues ? one.json(cell, mine.batch) : nil,
                        showsValues ? two.json(otherCell, theirs.batch) : nil
                    ))
            }
            if !difference.properties.isEmpty { try tell(difference) }
        }
    }

    private func rows(
        _ store: any ImportingRowStore, _ entity: Schema.Entity, _ keys: [Int64], _ slots: [Int]
    ) throws -> (batch: RowBatch, rows: [Int64: Int]) {
        let reader = StoreRows(store, entity, includesSubentities: false)
        var plan = reader.plan(slots)
        plan.scope = .keys(keys)
        let batch = reader.batch()
        try store.fetchRows(plan, into: batch)
        let rows = (0..<batch.count).map { (batch.key(ofRow: $0), $0) }
        return (batch, Dictionary(rows, uniquingKeysWith: { first, _ in first }))
    }

    private func isZero(_ cell: RowCell) -> Bool { cell.kind == .real && cell.bits & .max >> 1 == 0 }

    /// Whether two cells hold the same, bit by bit.
    private func isSame(_ a: RowCell, _ left: RowBatch, _ b: RowCell, _ right: RowBatch) -> Bool {
        func isNothing(_ cell: RowCell) -> Bool {
            cell.kind == .null || cell.kind == .absent || cell.kind == .references && cell.length == 0
        }
        if isNothing(a) || isNothing(b) { return isNothing(a) && isNothing(b) }
        guard a.kind == b.kind else { return false }
        switch a.kind {
        case .text, .blob, .references: return left.bytes(of: a).elementsEqual(right.bytes(of: b))
        default: return a.bits == b.bits
        }
    }
}
