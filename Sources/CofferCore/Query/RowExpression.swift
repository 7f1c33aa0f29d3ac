/// An expression that is evaluated over packed rows, without any model.
///
/// Like ``RowFilter`` it is compiled once, to closures, and may be used by several threads, each with a source of its
/// own.
public struct RowExpression {
    private let evaluate: RowValue
    private let variableCount: Int

    /// Compiles an expression.
    public init(_ expression: FilterExpression) {
        var compiler = RowFilterCompiler()
        evaluate = compiler.value(expression)
        variableCount = compiler.variableCount
    }

    /// The value for a row; nil where it is unknown, since Swift would stop there.
    ///
    /// - Throws: what the source throws when links are followed.
    public func value(_ batch: RowBatch, row: Int, in source: some RowSource) throws -> StoredValue? {
        let frame = RowFrame(source, variableCount: variableCount)
        frame.rows[0] = DefaultSnapshot(batch, row: row)
        return try evaluate(frame)
    }
}

extension FilterExpression {
    /// Whether there may be rows for which the expression is unknown.
    var mayBeUnknown: Bool {
        var found = false
        walk { expression in
            switch expression {
            case .arithmetic, .negative, .require, .textOrder: found = true
            default: break
            }
        }
        return found
    }

    /// A condition that holds for the rows for which the expression is known.
    var isKnown: FilterExpression {
        // Unknown passes through a comparison, and not-a-number is not equal to itself.
        .any([.compare(.equal, self, self), .not(.compare(.equal, self, self))])
    }
}
