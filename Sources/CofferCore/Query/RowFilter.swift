/// A filter that runs over packed rows, without any model.
///
/// The filter is compiled once, to closures; testing a row costs tens of nanoseconds a term. Rows must carry the slots
/// that ``FilterExpression/slots`` names: a cell that is absent counts as nil.
///
/// ```swift
/// let filter = RowFilter(plan.filter)
/// for row in 0..<batch.count where try filter.matches(batch, row: row, in: source) { … }
/// ```
///
/// A filter may be used by several threads, each with a source of its own.
public struct RowFilter {
    private let condition: RowCondition
    private let variableCount: Int

    /// Compiles a filter.
    public init(_ filter: FilterExpression) {
        var compiler = RowFilterCompiler()
        condition = compiler.condition(filter)
        variableCount = compiler.variableCount
    }

    /// Whether a row matches. A row for which the filter is unknown does not.
    ///
    /// - Throws: what the source throws when links are followed.
    public func matches(_ batch: RowBatch, row: Int, in source: some RowSource) throws -> Bool {
        let frame = RowFrame(source, variableCount: variableCount)
        frame.rows[0] = DefaultSnapshot(batch, row: row)
        return try condition(frame) == .yes
    }

    /// Those of some rows of a batch that match, in their order.
    ///
    /// - Parameters:
    ///   - rows: indexes of the batch's rows.
    ///   - batch: the batch.
    ///   - source: where rows are found that the filter follows links to.
    ///   - limit: how many matches are wanted; the rest of the rows is not looked at.
    /// - Throws: what the source throws when links are followed.
    public func matches(
        among rows: [Int], of batch: RowBatch, in source: some RowSource, limit: Int = .max
    ) throws -> [Int] {
        let frame = RowFrame(source, variableCount: variableCount)
        var found: [Int] = []
        for row in rows where found.count < limit {
            frame.rows[0] = DefaultSnapshot(batch, row: row)
            if try condition(frame) == .yes { found.append(row) }
        }
        return found
    }

    /// The indexes of the rows of a batch that match, in order.
    ///
    /// - Throws: what the source throws when links are followed.
    public func matches(in batch: RowBatch, _ source: some RowSource) throws -> [Int] {
        let frame = RowFrame(source, variableCount: variableCount)
        var found: [Int] = []
        for row in 0..<batch.count {
            frame.rows[0] = DefaultSnapshot(batch, row: row)
            if try condition(frame) == .yes { found.append(row) }
        }
        return found
    }
}

/// What a condition gives for a row.
enum RowTruth {
    case no, yes, unknown

    @inline(__always)
    init(_ truth: Bool) { self = truth ? .yes : .no }
}

typealias RowCondition = (RowFrame) throws -> RowTruth
/// A value for a row; nil for unknown.
typealias RowValue = (RowFrame) throws -> StoredValue?

/// What the variables of a filter stand for while it runs.
final class RowFrame {
    /// Rows by the number of their variable.
    var rows: [DefaultSnapshot?]
    /// Memory for the words of one row after the other.
    var words = WordList()
    /// Value elements by the number of their variable.
    var elements: [StoredValue]
    let source: any RowSource
    /// Whether identifiers of one row may name different entities.
    let hasHierarchies: Bool
    private var hierarchies: [String: [String]] = [:]
    private var spaces: [String: _IdentifierSpace] = [:]

    init(_ source: some RowSource, variableCount: Int) {
        self.source = source
        hasHierarchies = source.hasHierarchies
        rows = Array(repeating: nil, count: variableCount)
        elements = Array(repeating: .null, count: variableCount)
    }

    /// The space of an entity's identifiers in the store of a row.
    func space(of entityName: String, beside row: DefaultSnapshot) -> _IdentifierSpace {
        if let space = spaces[entityName], space.storeIdentifier == row.batch.space.storeIdentifier { return space }
        let space = _IdentifierSpace.shared(
            entityName: entityName, storeIdentifier: row.batch.space.storeIdentifier)
        spaces[entityName] = space
        return space
    }

    /// The row at the end of a path of links; nil where one of them is.
    func row(_ variable: Int, along links: ArraySlice<FilterStep>) throws -> DefaultSnapshot? {
        var row = rows[variable]
        for step in links {
            guard let from = row, let destination = step.destination else { return nil }
            if step.isCast {
                if !source.isRow(from, of: destination) { return nil }
                continue
            }
            let cell = from.batch.cell(row: from.row, slot: step.slot)
            switch cell.kind {
            case .reference: row = try source.row(cell.integer, of: destination)
            case .identifier: row = try source.row(from.batch.identifiers[Int(cell.bits)])
            default: return nil
            }
        }
        return row
    }

    /// The stored value of a path.
    func value(of path: FilterPath) throws -> StoredValue {
        guard let row = try row(path.variable.number, along: path.links) else { return .null }
        guard let last = path.steps.last else { return rooted(.reference(row.persistentIdentifier)) }
        if last.isCast {
            guard let destination = last.destination, source.isRow(row, of: destination) else { return .null }
            return rooted(.reference(row.persistentIdentifier))
        }
        let cell = row.batch.cell(row: row.row, slot: last.slot)
        if cell.kind == .reference, let destination = last.destination {
            return rooted(row.batch.value(of: cell, destination: space(of: destination, beside: row)))
        }
        return row.batch.value(of: cell)
    }

    private func hierarchy(of entityName: String) -> [String] {
        if let known = hierarchies[entityName] { return known }
        let names = source.hierarchy(of: entityName)
        hierarchies[entityName] = names
        return names
    }

    /// An identifier under the name of its hierarchy's topmost entity, under which all identifiers are compared; any
    /// other value as it is.
    @inline(__always)
    func rooted(_ value: StoredValue) -> StoredValue {
        guard hasHierarchies, case .reference(let identifier) = value else { return value }
        return .reference(renamed(identifier, hierarchy(of: identifier.entityName).first))
    }

    private func renamed(_ identifier: PersistentIdentifier, _ name: String?) -> PersistentIdentifier {
        guard let name, name != identifier.entityName, identifier._textKey == nil else { return identifier }
        return PersistentIdentifier(
            _space: .shared(entityName: name, storeIdentifier: identifier.storeIdentifier), key: identifier._key)
    }

    /// Whether a list of captured values has a value, under whichever name of its hierarchy.
    func contains(_ list: FilterList, _ value: StoredValue) -> Bool {
        if list.contains(value) { return true }
        guard hasHierarchies, case .reference(let identifier) = value else { return false }
        return hierarchy(of: identifier.entityName).contains { list.contains(.reference(renamed(identifier, $0))) }
    }
}
