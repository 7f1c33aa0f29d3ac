import SwiftDiagnostics
import SwiftSyntax

/// What is wrong with a predicate, by rule.
enum PredicateFinding: String {
    case closureNeeded = "predicate-closure"
    case unknownMethod = "predicate-method"
    case unknownFunction = "predicate-function"
    case unknownOperator = "predicate-operator"
    case unknownStatement = "predicate-statement"
    case unknownExpression = "predicate-expression"
    case missingValue = "predicate-value"

    func diagnostic(at node: some SyntaxProtocol, _ message: String, fixIts: [FixIt] = []) -> Diagnostic {
        Diagnostic(node: Syntax(node), message: ModelMessage(message: message, rule: rawValue), fixIts: fixIts)
    }

    func error(at node: some SyntaxProtocol, _ message: String) -> DiagnosticsError {
        DiagnosticsError(diagnostics: [diagnostic(at: node, message)])
    }
}
