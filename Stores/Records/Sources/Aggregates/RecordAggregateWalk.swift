import CofferCore

/// Answers an aggregate plan from indexes, without going over the rows: least and largest values, distinct values and
/// the sizes of groups.
struct RecordAggregateWalk {
    private let plan: AggregatePlan
    private let space: RecordSpace
    private let core: RecordStoreCore
    private let reader: any RecordReader

    /// Nil for a plan that leaves rows out.
    init?(_ plan: AggregatePlan, _ space: RecordSpace, _ core: RecordStoreCore, _ reader: any RecordReader) {
        guard plan.rows.scope == .all, plan.rows.filter == nil, plan.rows.limit == nil, plan.rows.offset == 0 else {
            return nil
        }
        self.plan = plan
        self.space = space
        self.core = core
        self.reader = reader
    }

    /// The plan's result; nil where no index knows it.
    func rows() throws -> [AggregateRow]? {
        plan.keys.isEmpty ? try extremes() : try groups()
    }

    /// The field of an expression that is one of a row's own values.
    private func field(_ expression: FilterExpression?) -> RecordField? {
        guard case .property(let path)? = expression, path.variable.number == 0, let step = path.ownStep else {
            return nil
        }
        return space.field(ofSlot: step.slot)
    }

    private func record(_ entry: UnsafeRawBufferPointer) throws -> (record: Record, key: Int64)? {
        guard let key = IndexKey.row(entry), let bytes = try reader.get(space.rows, key) else { return nil }
        return (try Record(bytes, fields: space.fields.count), key)
    }

    // MARK: Least and largest values

    private func extremes() throws -> [AggregateRow]? {
        var values: [AggregateRow.Value] = []
        for column in plan.columns {
            switch (column.function, column.value) {
            case (.count, nil): values.append(.value(.integer(Int64(try reader.count(space.rows)))))
            case (.min, let value?), (.max, let value?):
                guard let field = field(value), field.destination == nil,
                    let index = space.indexes.first(where: { $0.uniqueKinds == nil && $0.fields.first == field.number }
                    ),
                    let extreme = try extreme(of: field, index, isLargest: column.function == .max)
                else { return nil }
                values.append(.value(extreme))
            default: return nil
            }
        }
        return [AggregateRow(keys: [], values: values)]
    }

    /// The value at one end of an index; nil where the index does not know it exactly.
    private func extreme(of field: RecordField, _ index: RecordIndex, isLargest: Bool) throws -> StoredValue? {
        var found: StoredValue? = .some(.null)
        // Nothing stands before all values.
        let range = KeyRange(from: [IndexKey.Tag.null.rawValue + 1])
        // Of values that are cut to fit the index does not know the order.
        let mayBeCut = index.fields.contains { number in
            let storage = space.fields[number].storage
            return storage != .real && storage != .date
        }
        try reader.scan(index.table, range, descending: isLargest) { entry, mark in
            found = nil
            if mayBeCut, !mark.isEmpty { return false }
            if let (record, _) = try record(entry) { found = Self.value(record, field) }
            return false
        }
        return found
    }

    private static func value(_ record: Record, _ field: RecordField) -> StoredValue {
        switch record.kind(field.number) {
        case .integer: .integer(record.integer(field.number))
        case .unsigned: .unsigned(record.word(field.number))
        case .real: .real(record.real(field.number))
        case .text: .text(String(decoding: record.bytes(field.number), as: UTF8.self))
        case .blob: .blob([UInt8](record.bytes(field.number)))
        default: .null
        }
    }

    // MARK: Groups

    /// Groups by all of an index's values, if nothing but their sizes is asked for.
    private func groups() throws -> [AggregateRow]? {
        guard plan.columns.allSatisfy({ $0.function == .count && $0.value == nil }) else { return nil }
        let fields = plan.keys.compactMap { field($0) }
        guard fields.count == plan.keys.count, fields.allSatisfy({ $0.destination == nil }),
            let index = space.indexes.first(where: { $0.uniqueKinds == nil && $0.fields == fields.map(\.number) })
        else { return nil }
        let isAscending = plan.order.enumerated().allSatisfy { place, order in
            order.source == .key(place) && !order.isDescending && order.comparison == .standard
        }
        // Only in the order of the index the rest need not be looked at once the page is full.
        let end = isAscending && !plan.isPartial ? plan.limit.map { plan.offset.addingReportingOverflow($0) } : nil
        let limit = end.map { $0.overflow ? Int.max : $0.partialValue } ?? .max
        let table = AggregateTable(plan)
        var walk = Walk()
        walk.skips = plan.columns.isEmpty
        var isExact = true
        func endGroup() throws {
            guard let last = walk.last else { return }
            try last.withUnsafeBytes { entry in
                guard let (record, _) = try record(entry) else { return }
                table.addRows(walk.count, keys: fields.map { Self.value(record, $0) })
            }
            walk.last = nil
        }
        var range = KeyRange.all
        var isDone = false
        while !isDone, isExact, table.count < limit {
            isDone = true
            try reader.scan(index.table, range) { entry, mark in
                guard mark.isEmpty else {
                    isExact = false
                    return false
                }
                if walk.isOfGroup(entry) {
                    walk.count += 1
                    if !walk.skips || walk.count < Walk.patience { return true }
                    // Many rows have these values: the next ones are searched for.
                    range.lower = walk.values + [IndexKey.behind]
                    isDone = false
                    return false
                }
                try endGroup()
                if table.count >= limit { return false }
                walk.begin(entry)
                return true
            }
            if isDone || walk.skips { try endGroup() }
        }
        return isExact ? table.rows() : nil
    }

    /// Where a walk along an index has come to.
    private struct Walk {
        /// How many entries of a group are passed before the next group is searched for.
        static let patience = 8

        /// Whether the sizes of groups do not matter.
        var skips = false
        var values: [UInt8] = []
        /// The last group's first entry.
        var last: [UInt8]?
        var count = 0

        func isOfGroup(_ entry: UnsafeRawBufferPointer) -> Bool {
            last != nil && entry.count == values.count + IndexKey.rowKeySize
                && entry.prefix(values.count).elementsEqual(values)
        }

        mutating func begin(_ entry: UnsafeRawBufferPointer) {
            last = Array(entry)
            values = Array(entry.dropLast(IndexKey.rowKeySize))
            count = 1
        }
    }
}
