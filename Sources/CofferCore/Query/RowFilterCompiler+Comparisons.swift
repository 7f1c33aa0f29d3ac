import Foundation

// Comparisons and text, with short ways for a property of the row and a constant: no value is made of the cell there.

extension RowFilterCompiler {
    mutating func compare(
        _ comparison: FilterComparison, _ left: FilterExpression, _ right: FilterExpression
    ) -> RowCondition {
        if case .constant(let constant, _) = right, let short = shortComparison(comparison, left, constant) {
            return short
        }
        if case .constant(let constant, _) = left, let short = shortComparison(comparison.mirrored, right, constant) {
            return short
        }
        let (left, right) = (value(left), value(right))
        return { frame in
            guard let left = try left(frame), let right = try right(frame) else { return .unknown }
            return RowTruth(comparison.holds(left, right))
        }
    }

    mutating func compareCoded(
        _ comparison: FilterComparison, _ left: FilterExpression, _ right: FilterExpression, _ coding: FilterCoding
    ) -> RowCondition {
        let (left, right) = (decoded(left, coding), decoded(right, coding))
        return { frame in
            guard let left = try left(frame), let right = try right(frame) else { return .unknown }
            return RowTruth(coding.compare(comparison, left.value, right.value))
        }
    }

    /// A Swift value, nil included.
    private struct Decoded { var value: Any? }

    private mutating func decoded(
        _ expression: FilterExpression, _ coding: FilterCoding
    ) -> (RowFrame) throws -> Decoded? {
        if case .constant(let constant, _) = expression {
            let decoded = Decoded(value: coding.decode(constant))
            return { _ in decoded }
        }
        let value = value(expression)
        return { try value($0).map { Decoded(value: coding.decode($0)) } }
    }

    /// A comparison of one of the row's own cells with a constant.
    private mutating func shortComparison(
        _ comparison: FilterComparison, _ expression: FilterExpression, _ constant: StoredValue
    ) -> RowCondition? {
        guard case .property(let path) = expression, let step = path.ownStep else { return nil }
        note(path.variable)
        let number = path.variable.number
        let slot = step.slot
        switch constant {
        case .integer(let bound):
            return cells(number, slot, comparison) { _, cell in
                switch cell.kind {
                case .integer: cell.integer == bound ? .equal : cell.integer < bound ? .less : .greater
                case .unsigned: .greater
                default: .unordered
                }
            }
        case .real(let bound):
            return cells(number, slot, comparison) { _, cell in
                guard cell.kind == .real else { return .unordered }
                let value = cell.real
                return value == bound ? .equal : value < bound ? .less : value > bound ? .greater : .unordered
            }
        case .text(let text):
            let bound = Array(text.utf8)
            return cells(number, slot, comparison) { batch, cell in
                cell.kind == .text ? ValueOrder.compare(batch.bytes(of: cell), bound) : .unordered
            }
        case .blob(let bound):
            return cells(number, slot, comparison) { batch, cell in
                cell.kind == .blob ? ValueOrder.compare(batch.bytes(of: cell), bound) : .unordered
            }
        case .null:
            switch comparison {
            case .equal, .notEqual: break
            default: return { _ in .no }
            }
            return { frame in
                guard let row = frame.rows[number] else { return .no }
                let kind = row.batch.cell(row: row.row, slot: slot).kind
                return RowTruth((kind == .null || kind == .absent) == (comparison == .equal))
            }
        case .unsigned, .reference, .references: return nil
        }
    }

    @inline(__always)
    private func cells(
        _ number: Int, _ slot: Int, _ comparison: FilterComparison,
        _ order: @escaping (RowBatch, RowCell) -> ValueOrder.Result
    ) -> RowCondition {
        { frame in
            guard let row = frame.rows[number] else { return .no }
            return RowTruth(comparison.holds(order(row.batch, row.batch.cell(row: row.row, slot: slot))))
        }
    }

    mutating func text(_ test: FilterTextTest, _ left: FilterExpression, _ right: FilterExpression) -> RowCondition {
        if case .property(let path) = left, let step = path.ownStep, case .constant(.text(let part), _) = right {
            note(path.variable)
            let number = path.variable.number
            let slot = step.slot
            let bytes = Array(part.utf8)
            return { frame in
                guard let row = frame.rows[number] else { return .no }
                let cell = row.batch.cell(row: row.row, slot: slot)
                guard cell.kind == .text else { return .no }
                return RowTruth(bytes.withUnsafeBytes { test.matches(row.batch.bytes(of: cell), $0) })
            }
        }
        let (left, right) = (value(left), value(right))
        return { frame in
            guard let left = try left(frame), let right = try right(frame) else { return .unknown }
            guard case .text(let text) = left, case .text(let part) = right else { return .no }
            return RowTruth(test.matches(text, part))
        }
    }
}

extension FilterComparison {
    /// Whether the comparison holds for two stored values. Nil equals nil only and is ordered with nothing.
    func holds(_ left: StoredValue, _ right: StoredValue) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        default: holds(ValueOrder.compare(left, right))
        }
    }

    /// Whether the comparison holds for two values of that order.
    @inline(__always)
    func holds(_ order: ValueOrder.Result) -> Bool {
        switch self {
        case .equal: order == .equal
        case .notEqual: order != .equal
        case .less: order == .less
        case .lessOrEqual: order == .less || order == .equal
        case .greater: order == .greater
        case .greaterOrEqual: order == .greater || order == .equal
        }
    }
}

extension ValueOrder {
    /// The order of bytes: of text in normalisation form C, the order of its scalars.
    static func compare(_ left: UnsafeRawBufferPointer, _ right: [UInt8]) -> Result {
        right.withUnsafeBytes { compare(left, $0) }
    }

    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Result {
        let count = min(left.count, right.count)
        if count > 0, let a = left.baseAddress, let b = right.baseAddress {
            let order = memcmp(a, b, count)
            if order != 0 { return order < 0 ? .less : .greater }
        }
        return left.count == right.count ? .equal : left.count < right.count ? .less : .greater
    }
}
