/// Works a plan's groups out of rows, or out of what was worked out of parts of them.
///
/// ```swift
/// let table = AggregateTable(plan)
/// for batch in blocks { try table.add(batch, in: source) }
/// return table.rows()
/// ```
///
/// A table belongs to one thread. Where expressions follow links, all rows have to come with the same source.
public final class AggregateTable {
    private enum Cell {
        case count(Int)
        case sum(AggregateSum)
        case extreme(StoredValue)
    }

    /// How the keys of a group are looked up: most plans have one.
    private enum Index {
        case none
        case single([StoredValue: Int])
        case several([[StoredValue]: Int])
    }

    /// The order of a column's values where it is not that of their stored form.
    typealias Order = (StoredValue, StoredValue) -> Int

    private let plan: AggregatePlan
    private let values: RowValues
    /// The place of each column's value among the expressions; nil where rows are counted.
    private let places: [Int?]
    private let orders: [Int: Order]
    /// The entity that each key's identifiers are put under; nil for a key that is no link.
    private let linkEntities: [String?]
    private var index: Index
    private var keys: [[StoredValue]] = []
    private var cells: ContiguousArray<Cell> = []

    /// A table without rows for the groups of a plan.
    public convenience init(_ plan: AggregatePlan) { self.init(plan, orders: [:], isOfModels: false) }

    /// - Parameters:
    ///   - orders: the orders of columns whose stored form has another than their type.
    ///   - isOfModels: whether links are the identifiers of models, which name their own classes.
    init(_ plan: AggregatePlan, orders: [Int: Order], isOfModels: Bool) {
        self.plan = plan
        self.orders = orders
        values = RowValues(plan.expressions)
        var next = plan.keys.count
        var places: [Int?] = []
        for column in plan.columns {
            places.append(column.value == nil ? nil : next)
            if column.value != nil { next += 1 }
        }
        self.places = places
        linkEntities = plan.keys.map { key in
            if case .link(let entity) = key.type.kind, !isOfModels { entity } else { nil }
        }
        switch plan.keys.count {
        case 0: index = .none
        case 1: index = .single([:])
        default: index = .several([:])
        }
        if plan.keys.isEmpty { append([]) }
    }

    // MARK: Rows

    /// Adds the rows of a batch, whose cells are in the slots of the plan's expressions.
    ///
    /// - Throws: what a source of rows throws when links are followed.
    public func add(_ batch: RowBatch, in source: some RowSource) throws {
        for row in 0..<batch.count { try add(DefaultSnapshot(batch, row: row), in: source) }
    }

    func add(_ row: DefaultSnapshot, in source: some RowSource) throws {
        try add { try values.value($0, of: row, in: source) }
    }

    /// Adds a row whose values are given by the places of the expressions.
    func add(_ value: (Int) throws -> StoredValue) rethrows {
        let group: Int
        switch index {
        case .none: group = 0
        case .single: group = find(key(try value(0), 0))
        case .several: group = find(try plan.keys.indices.map { key(try value($0), $0) })
        }
        let start = group * plan.columns.count
        for column in places.indices {
            guard let place = places[column] else {
                count(1, start + column)
                continue
            }
            let value = try value(place)
            if !value.isNull { add(value, start + column, column) }
        }
    }

    /// Adds so many rows of a group; for plans that do nothing but count rows.
    public func addRows(_ count: Int, keys: [StoredValue]) {
        let start = group(of: keys) * plan.columns.count
        for column in plan.columns.indices { self.count(count, start + column) }
    }

    /// Adds what was worked out of other rows, with sums to be added to.
    public func add(_ rows: [AggregateRow]) {
        for row in rows {
            let start = group(of: row.keys) * plan.columns.count
            for (column, value) in row.values.enumerated() where column < plan.columns.count {
                switch value {
                case .sum(let sum):
                    guard case .sum(var total) = cells[start + column] else { continue }
                    total.add(sum)
                    cells[start + column] = .sum(total)
                case .value(.integer(let number)) where plan.columns[column].function == .count:
                    count(Int(number), start + column)
                case .value(let value):
                    if !value.isNull { add(value, start + column, column) }
                }
            }
        }
    }

    private func count(_ count: Int, _ cell: Int) {
        if case .count(let number) = cells[cell] { cells[cell] = .count(number + count) }
    }

    private func add(_ value: StoredValue, _ cell: Int, _ column: Int) {
        switch cells[cell] {
        case .count(let number): cells[cell] = .count(number + 1)
        case .sum(var sum):
            cells[cell] = .count(0)
            sum.add(value)
            cells[cell] = .sum(sum)
        case .extreme(let extreme):
            let order = extreme.isNull ? -1 : orders[column]?(value, extreme) ?? StoredOrder.compare(value, extreme)
            if extreme.isNull || (plan.columns[column].function == .min ? order < 0 : order > 0) {
                cells[cell] = .extreme(value)
            }
        }
    }

    // MARK: Groups

    /// One value for all that count as equal: both zeros, everything that is not a number, and the identifiers of a row
    /// of a hierarchy, which may name any of its classes.
    private func key(_ value: StoredValue, _ index: Int) -> StoredValue {
        switch value {
        case .real(let number): return number.isNaN ? Self.notANumber : number == 0 ? .real(0) : value
        case .reference(let identifier):
            guard let entity = linkEntities[index], entity != identifier.entityName, !identifier._isTemporary,
                identifier._textKey == nil
            else { return value }
            let space = _IdentifierSpace.shared(entityName: entity, storeIdentifier: identifier.storeIdentifier)
            return .reference(PersistentIdentifier(_space: space, key: identifier._key))
        default: return value
        }
    }

    /// Not-a-number is not equal to itself; this text is no value of a number.
    private static let notANumber = StoredValue.references([])

    private func group(of keys: [StoredValue]) -> Int {
        switch index {
        case .none: 0
        case .single: find(key(keys.first ?? .null, 0))
        case .several: find(keys.indices.map { key(keys[$0], $0) })
        }
    }

    private func find(_ key: StoredValue) -> Int {
        guard case .single(var groups) = index else { return 0 }
        if let group = groups[key] { return group }
        index = .none
        groups[key] = keys.count
        index = .single(groups)
        return append([key])
    }

    private func find(_ keys: [StoredValue]) -> Int {
        guard case .several(var groups) = index else { return 0 }
        if let group = groups[keys] { return group }
        index = .none
        groups[keys] = self.keys.count
        index = .several(groups)
        return append(keys)
    }

    @discardableResult
    private func append(_ keys: [StoredValue]) -> Int {
        self.keys.append(keys.map { $0 == Self.notANumber ? .real(.nan) : $0 })
        for column in plan.columns {
            switch column.function {
            case .count: cells.append(.count(0))
            case .sum, .average: cells.append(.sum(AggregateSum(AggregateSum.Kind(column.number ?? .int))))
            case .min, .max: cells.append(.extreme(.null))
            }
        }
        return self.keys.count - 1
    }

    /// The number of groups.
    public var count: Int { keys.count }

    // MARK: Results

    /// The groups in the plan's order, within its page.
    ///
    /// - Complexity: O(*n* log *n*) where the plan has keys.
    public func rows() -> [AggregateRow] {
        var rows = keys.indices.map { group in
            AggregateRow(
                keys: keys[group],
                values: plan.columns.indices.map { value(cells[group * plan.columns.count + $0], plan.columns[$0]) })
        }
        if plan.isPartial { return rows }
        if rows.count > 1 { rows.sort { isBefore($0, $1) } }
        let end = plan.limit.map { limit in
            let (end, overflow) = plan.offset.addingReportingOverflow(limit)
            return overflow ? rows.count : min(rows.count, end)
        }
        let last = end ?? rows.count
        return plan.offset >= last ? [] : Array(rows[plan.offset..<last])
    }

    private func value(_ cell: Cell, _ column: AggregateColumn) -> AggregateRow.Value {
        switch cell {
        case .count(let count): .value(.integer(Int64(count)))
        case .extreme(let value): .value(value)
        case .sum(let sum) where plan.isPartial: .sum(sum)
        case .sum(let sum) where column.function == .average: .value(sum.average)
        case .sum(let sum): .value(sum.sum(as: column.number ?? .int) ?? .null)
        }
    }

    private func isBefore(_ left: AggregateRow, _ right: AggregateRow) -> Bool {
        for key in plan.order {
            let order =
                switch key.source {
                case .key(let index): StoredOrder.compare(left.keys[index], right.keys[index], key.comparison)
                case .column(let index): compare(left.values[index], right.values[index], index)
                }
            if order != 0 { return (order < 0) != key.isDescending }
        }
        for index in left.keys.indices {
            let order = StoredOrder.compare(left.keys[index], right.keys[index])
            if order != 0 { return order < 0 }
        }
        return false
    }

    private func compare(_ left: AggregateRow.Value, _ right: AggregateRow.Value, _ column: Int) -> Int {
        guard case .value(let left) = left, case .value(let right) = right else { return 0 }
        if !left.isNull, !right.isNull, let order = orders[column] { return order(left, right) }
        return StoredOrder.compare(left, right)
    }
}
