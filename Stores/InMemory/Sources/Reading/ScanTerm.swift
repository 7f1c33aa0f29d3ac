import CofferCore

/// A comparison of one of a row's own cells with a constant, which is tested without making a value of the cell.
///
/// The meaning is that of ``RowFilter``: what cannot be ordered is merely unequal.
struct ScanTerm {
    /// Which outcomes of a comparison count, as a bit mask.
    private struct Outcomes: OptionSet {
        let rawValue: UInt8
        static let less = Outcomes(rawValue: 1)
        static let equal = Outcomes(rawValue: 2)
        static let greater = Outcomes(rawValue: 4)
        static let unordered = Outcomes(rawValue: 8)
    }

    private enum Constant {
        case null
        case integer(Int64)
        case real(Double)
        case bytes(CellKind, [UInt8])
        /// The key of a row; nil for one that no link of the store can lead to.
        case reference(Int64?)
    }

    let slot: Int
    let comparison: FilterComparison
    private let constant: Constant
    private let outcomes: Outcomes

    /// The term of a condition; nil where the condition is no such comparison.
    init?(_ condition: FilterExpression, table: MemoryTable, _ hierarchies: FlatHierarchies?) {
        switch condition {
        case .compare(let comparison, .property(let path), .constant(let value, _)):
            self.init(path, comparison, value, table, hierarchies)
        case .compare(let comparison, .constant(let value, _), .property(let path)):
            self.init(path, comparison.mirrored, value, table, hierarchies)
        case .property(let path) where path.type.storage == .boolean:
            self.init(path, .equal, .integer(1), table, hierarchies)
        case .not(.property(let path)) where path.type.storage == .boolean:
            self.init(path, .notEqual, .integer(1), table, hierarchies)
        default: return nil
        }
    }

    private init?(
        _ path: FilterPath, _ comparison: FilterComparison, _ value: StoredValue, _ table: MemoryTable,
        _ hierarchies: FlatHierarchies?
    ) {
        guard path.variable.number == 0, path.steps.count == 1,
            let column = table.layout.column(ofSlot: path.steps[0].slot)
        else { return nil }
        switch value {
        case .null:
            guard comparison == .equal || comparison == .notEqual else { return nil }
            constant = .null
        case .integer(let number): constant = .integer(number)
        case .real(let number): constant = .real(number)
        case .text(var text): constant = .bytes(.text, text.withUTF8 { Array($0) })
        case .blob(let bytes): constant = .bytes(.blob, bytes)
        case .reference(let identifier):
            guard comparison == .equal || comparison == .notEqual, let destination = path.steps[0].destination,
                column.destination != nil
            else { return nil }
            let isNamed =
                identifier.entityName == destination
                || hierarchies?.hierarchy(of: destination)?.number(of: identifier.entityName) != nil
            let isOurs =
                isNamed && identifier._textKey == nil
                && identifier.storeIdentifier == table.space.storeIdentifier
            constant = .reference(isOurs ? identifier._key : nil)
        case .unsigned, .references: return nil
        }
        slot = path.steps[0].slot
        self.comparison = comparison
        outcomes =
            switch comparison {
            case .equal: .equal
            case .notEqual: [.less, .greater, .unordered]
            case .less: .less
            case .lessOrEqual: [.less, .equal]
            case .greater: .greater
            case .greaterOrEqual: [.greater, .equal]
            }
    }

    /// The key that a link must have; nil where the term is no such demand.
    var requiredLink: Int64?? {
        if case .reference(let key) = constant, comparison == .equal { .some(key) } else { nil }
    }

    /// Puts the constant into a cell; false where it is none that stored values can be equal to or ordered with.
    func writeConstant(to batch: RowBatch, row: Int) -> Bool {
        switch constant {
        case .null, .reference(nil): return false
        case .real(let number) where number.isNaN: return false
        case .integer(let number): batch.set(.integer(number), row: row, slot: slot)
        case .real(let number): batch.set(.real(number), row: row, slot: slot)
        case .bytes(.text, let bytes): bytes.withUnsafeBytes { batch.setText($0, row: row, slot: slot) }
        case .bytes(_, let bytes): bytes.withUnsafeBytes { batch.setBlob($0, row: row, slot: slot) }
        case .reference(let key?):
            batch.set(RowCell(.reference, bits: UInt64(bitPattern: key)), row: row, slot: slot)
        }
        return true
    }

    // MARK: Testing

    /// Appends the positions of a run whose rows meet the term.
    func scan(_ run: Range<Int>, of rows: RowBatch, into found: inout [Int]) {
        let width = rows.width
        let cells = UnsafePointer(rows._allCells) + slot
        dispatch(rows) { test in
            for position in run where test(cells[position &* width]) { found.append(position) }
        }
    }

    /// Keeps the positions whose rows meet the term.
    func filter(_ positions: inout [Int], of rows: RowBatch) {
        let width = rows.width
        let cells = UnsafePointer(rows._allCells) + slot
        dispatch(rows) { test in
            var kept = 0
            for index in positions.indices where test(cells[positions[index] &* width]) {
                positions[kept] = positions[index]
                kept += 1
            }
            positions.removeLast(positions.count - kept)
        }
    }

    /// Runs a loop with the test for the kind of constant compiled into it.
    @inline(__always)
    private func dispatch(_ rows: RowBatch, _ loop: ((RowCell) -> Bool) -> Void) {
        let outcomes = outcomes
        switch constant {
        case .null:
            loop { outcomes.contains($0.kind == .null || $0.kind == .absent ? .equal : .unordered) }
        case .integer(let bound):
            loop { cell in
                switch cell.kind {
                case .integer:
                    outcomes.contains(cell.integer == bound ? .equal : cell.integer < bound ? .less : .greater)
                case .unsigned: outcomes.contains(.greater)
                default: outcomes.contains(.unordered)
                }
            }
        case .real(let bound):
            loop { cell in
                guard cell.kind == .real else { return outcomes.contains(.unordered) }
                let value = cell.real
                return outcomes.contains(
                    value == bound ? .equal : value < bound ? .less : value > bound ? .greater : .unordered)
            }
        case .bytes(let kind, let bound):
            bound.withUnsafeBytes { bound in
                if outcomes == .equal {
                    loop { cell in
                        cell.kind == kind && cell.length == bound.count
                            && CellOrder.compareBytes(rows.bytes(of: cell), bound) == 0
                    }
                    return
                }
                loop { cell in
                    guard cell.kind == kind else { return outcomes.contains(.unordered) }
                    let order = CellOrder.compareBytes(rows.bytes(of: cell), bound)
                    return outcomes.contains(order == 0 ? .equal : order < 0 ? .less : .greater)
                }
            }
        case .reference(let key):
            loop { cell in
                outcomes.contains(cell.kind == .reference && key == cell.integer ? .equal : .unordered)
            }
        }
    }
}
