import Foundation

/// An order that runs over packed rows, without any model.
///
/// The order is that of every store: nil first, then numbers, not-a-number last of them; text by scalars; all turned
/// round where a key is descending. Ties are in ascending order of the rows' keys.
public struct RowSorter {
    private let keys: [SortKey]

    /// A sorter by keys: the first decides, later ones decide between what is equal in those before.
    public init(_ keys: [SortKey]) { self.keys = keys }

    /// Sorts the indexes of rows of a batch.
    ///
    /// - Parameters:
    ///   - rows: indexes of the batch's rows.
    ///   - batch: the batch.
    ///   - source: where rows are found that the order follows links to.
    ///   - limit: how many of the first rows are wanted; nil for all.
    /// - Throws: what the source throws when links are followed.
    /// - Complexity: O(*n* log *n*) comparisons of cells; links are followed once per row and key.
    public func sort(_ rows: [Int], of batch: RowBatch, in source: some RowSource, limit: Int? = nil) throws -> [Int] {
        var columns: [Column] = []
        for key in keys { columns.append(try Column(key, rows, batch, source)) }
        let order = rows.indices.sorted { left, right in
            for column in columns {
                let order = column.compare(left, right)
                if order != 0 { return order < 0 }
            }
            return batch.key(ofRow: rows[left]) < batch.key(ofRow: rows[right])
        }
        return order.prefix(limit ?? order.count).map { rows[$0] }
    }

    /// The values of one sort key, by row.
    private struct Column {
        private enum Values {
            /// Cells of one batch: the row's own.
            case own(RowBatch, slot: Int, rows: [Int])
            /// Cells of the rows that links lead to; nil where a link is nil.
            case linked([DefaultSnapshot?], slot: Int)
            /// Text to be compared as people do.
            case localised([String?], FilterTextOrder)
            case none
        }
        private let values: Values
        private let isDescending: Bool

        init(_ key: SortKey, _ rows: [Int], _ batch: RowBatch, _ source: some RowSource) throws {
            isDescending = key.isDescending
            guard let slot = key.path.last else {
                values = .none
                return
            }
            var found: [DefaultSnapshot?] = []
            if key.path.count > 1 || key.comparison != .standard {
                found = try rows.map {
                    try Self.follow(key.path.dropLast(), from: DefaultSnapshot(batch, row: $0), source)
                }
            }
            if let order = key.comparison.textOrder {
                values = .localised(Self.texts(found, slot), order)
            } else {
                values = key.path.count == 1 ? .own(batch, slot: slot, rows: rows) : .linked(found, slot: slot)
            }
        }

        private static func follow(
            _ links: ArraySlice<Int>, from row: DefaultSnapshot, _ source: some RowSource
        ) throws -> DefaultSnapshot? {
            var row = row
            for slot in links {
                let cell = row.batch.cell(row: row.row, slot: slot)
                guard cell.kind == .reference,
                    let entity = source.destination(ofSlot: slot, in: row.batch.entityName(ofRow: row.row)),
                    let next = try source.row(cell.integer, of: entity)
                else { return nil }
                row = next
            }
            return row
        }

        private static func texts(_ rows: [DefaultSnapshot?], _ slot: Int) -> [String?] {
            rows.map { row in
                guard let row else { return nil }
                let cell = row.batch.cell(row: row.row, slot: slot)
                return cell.kind == .text ? String(decoding: row.batch.bytes(of: cell), as: UTF8.self) : nil
            }
        }

        /// Negative where the left row comes first, zero where the key does not decide.
        func compare(_ left: Int, _ right: Int) -> Int {
            let order =
                switch values {
                case .own(let batch, let slot, let rows):
                    RowCell.order(
                        batch, batch.cell(row: rows[left], slot: slot), batch, batch.cell(row: rows[right], slot: slot))
                case .linked(let rows, let slot):
                    switch (rows[left], rows[right]) {
                    case (let a?, let b?):
                        RowCell.order(
                            a.batch, a.batch.cell(row: a.row, slot: slot), b.batch, b.batch.cell(row: b.row, slot: slot)
                        )
                    case (let a?, nil): a.batch.cell(row: a.row, slot: slot).rank == 0 ? 0 : 1
                    case (nil, let b?): b.batch.cell(row: b.row, slot: slot).rank == 0 ? 0 : -1
                    case (nil, nil): 0
                    }
                case .localised(let texts, let order):
                    switch (texts[left], texts[right]) {
                    case (let a?, let b?): order.compare(a, b).rawValue
                    case (nil, nil): 0
                    case (nil, _): -1
                    case (_, nil): 1
                    }
                case .none: 0
                }
            return isDescending ? -order : order
        }
    }
}

extension RowCell {
    /// Where values of the kind stand among others: nil before all.
    fileprivate var rank: Int {
        switch kind {
        case .absent, .null: 0
        case .integer: 1
        case .unsigned: 2
        case .real: real.isNaN ? 4 : 3
        case .text: 5
        case .blob: 6
        case .reference, .references, .identifier, .identifiers: 7
        }
    }

    /// The order of two cells.
    fileprivate static func order(_ leftBatch: RowBatch, _ left: RowCell, _ rightBatch: RowBatch, _ right: RowCell)
        -> Int
    {
        let (leftRank, rightRank) = (left.rank, right.rank)
        if leftRank != rightRank { return leftRank < rightRank ? -1 : 1 }
        switch left.kind {
        case .integer, .reference: return Self.order(left.integer, right.integer)
        case .unsigned: return Self.order(left.bits, right.bits)
        case .real: return leftRank == 4 ? 0 : Self.order(left.real, right.real)
        case .text, .blob:
            switch ValueOrder.compare(leftBatch.bytes(of: left), rightBatch.bytes(of: right)) {
            case .less: return -1
            case .greater: return 1
            case .equal, .unordered: return 0
            }
        case .absent, .null, .references, .identifier, .identifiers: return 0
        }
    }

    private static func order<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left == right ? 0 : 1 }
}
