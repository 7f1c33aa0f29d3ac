/// Expressions that are worked out for packed rows, without any model.
///
/// Rows must carry the slots that ``FilterExpression/slots`` names.
final class RowValues {
    private enum Way {
        /// A cell of the row itself.
        case own(slot: Int)
        case computed(RowValue)
    }

    private var ways: [Way] = []
    private let variableCount: Int
    private var frame: RowFrame?

    init(_ expressions: [FilterExpression]) {
        var compiler = RowFilterCompiler()
        for expression in expressions {
            if case .property(let path) = expression, path.variable.number == 0, let step = path.ownStep,
                step.destination == nil
            {
                ways.append(.own(slot: step.slot))
            } else {
                ways.append(.computed(compiler.value(expression)))
            }
        }
        variableCount = compiler.variableCount
    }

    /// The value of an expression; what is unknown counts as nil.
    func value(_ index: Int, of row: DefaultSnapshot, in source: some RowSource) throws -> StoredValue {
        switch ways[index] {
        case .own(let slot): return row.batch.value(of: row.batch.cell(row: row.row, slot: slot))
        case .computed(let value):
            let frame = self.frame ?? RowFrame(source, variableCount: variableCount)
            self.frame = frame
            frame.rows[0] = row
            return try value(frame) ?? .null
        }
    }
}
