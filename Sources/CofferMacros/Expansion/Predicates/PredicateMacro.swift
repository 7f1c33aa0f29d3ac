import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `#Predicate` for models: a closure becomes a tree of Foundation's predicate expressions.
public struct PredicateMacro: ExpressionMacro {
    public static var formatMode: FormatMode { .disabled }

    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        try PredicateExpansion(node, function: "_predicate").expression()
    }
}

/// `#Expression` for models: the same with a result of any type.
public struct ModelExpressionMacro: ExpressionMacro {
    public static var formatMode: FormatMode { .disabled }

    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        try PredicateExpansion(node, function: "_expression", hasOutput: true).expression()
    }
}

/// One use of the macro.
private struct PredicateExpansion<Node: FreestandingMacroExpansionSyntax> {
    let node: Node
    /// The function of the core that takes the translated closure.
    let function: String
    /// Whether the last type between angle brackets is that of the result.
    let hasOutput: Bool

    init(_ node: Node, function: String, hasOutput: Bool = false) {
        self.node = node
        self.function = function
        self.hasOutput = hasOutput
    }

    func expression() throws -> ExprSyntax {
        guard let closure else {
            let argument = node.arguments.first.map { Syntax($0.expression) } ?? Syntax(node)
            throw PredicateFinding.closureNeeded.error(
                at: argument, "'#\(node.macroName.text)' takes its condition as a closure that is written in place")
        }
        let (inputs, types) = inputs(closure)
        let translator = PredicateTranslator()
        let body = translator.whole(closure, inputs: inputs)
        if !translator.findings.isEmpty { throw DiagnosticsError(diagnostics: translator.findings) }
        let name = "CofferCore.\(function)" + (inputs == 1 ? "" : "OfSeveral")
        var texts = types.map(\.selfText)
        if hasOutput, inputs > 1, let output = texts.popLast() { texts.append("output: " + output) }
        let arguments = texts.joined(separator: ", ")
        return "\(raw: name)\(raw: arguments.isEmpty ? "" : "(\(arguments))") \(raw: body)"
    }

    private var closure: ClosureExprSyntax? {
        if let trailing = node.trailingClosure { return trailing }
        guard var argument = node.arguments.first?.expression else { return nil }
        while let tuple = argument.as(TupleExprSyntax.self), let only = tuple.onlyElement { argument = only }
        return argument.as(ClosureExprSyntax.self)
    }

    /// How many values the closure takes, and the types that the macro's use names; none of those where the compiler
    /// has to infer them.
    private func inputs(_ closure: ClosureExprSyntax) -> (count: Int, types: [TypeSyntax]) {
        if let arguments = node.genericArgumentClause?.arguments {
            return (arguments.count - (hasOutput ? 1 : 0), arguments.compactMap { TypeSyntax($0.argument) })
        }
        guard case .parameterClause(let clause) = closure.signature?.parameterClause else {
            let names = closure.parameterNames
            return (names.isEmpty ? closure.shorthandCount : names.count, [])
        }
        var types = clause.parameters.compactMap(\.type)
        if types.count != clause.parameters.count { return (clause.parameters.count, []) }
        if hasOutput {
            guard let output = closure.signature?.returnClause?.type else { return (types.count, []) }
            types.append(output)
        }
        return (clause.parameters.count, types)
    }
}

extension ClosureExprSyntax {
    /// How many values a closure without named parameters takes.
    fileprivate var shorthandCount: Int {
        var count = 1
        while MentionFinder.finds(["$\(count)"], [], in: statements) { count += 1 }
        return count
    }
}

extension TupleExprSyntax {
    /// The expression in mere parentheses.
    var onlyElement: ExprSyntax? {
        guard elements.count == 1, let first = elements.first, first.label == nil else { return nil }
        return first.expression
    }
}
