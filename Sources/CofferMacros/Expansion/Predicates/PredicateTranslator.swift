import SwiftDiagnostics
import SwiftOperators
import SwiftSyntax

/// Turns the closure of `#Predicate` into calls that make a tree of predicate expressions.
///
/// Overloaded calls become statements of their own. The compiler then solves one after the other, each with the types
/// of its parts known, where Foundation's single expression grows beyond what it can solve. What does not depend on the
/// model is left as it is and evaluated once.
final class PredicateTranslator {
    var findings: [Diagnostic] = []
    /// What the names of the closure stand for: its parameter (`$0` for one without a name) and the constants made of
    /// it.
    var bindings: [String: PredicateTerm] = [:]
    /// What stands for expressions that were translated beforehand.
    var replacements: [SyntaxIdentifier: PredicateTerm] = [:]
    /// The statements of the closures that are being written, innermost last.
    var statements: [[String]] = [[]]
    private var nameCount = 0

    /// The type whose functions make nodes, as the expansion calls it.
    static let build = "_$p"

    /// The closure's translation: a closure that makes the tree.
    ///
    /// - Parameter inputs: how many values the predicate is evaluated with.
    func whole(_ closure: ClosureExprSyntax, inputs: Int) -> String {
        let variables = (0..<inputs).map { _ in newName() }
        return self.closure([Self.build] + variables) {
            bindParameters(of: closure, to: variables.map { .name($0) })
            return call("root", body(closure))
        }
    }

    // MARK: Writing

    func newName() -> String {
        nameCount += 1
        return "_$\(nameCount)"
    }

    /// A call of one of the functions that make nodes.
    func call(_ function: String, _ arguments: PredicateTerm...) -> PredicateTerm {
        call(function, arguments.map(\.text))
    }

    func call(_ function: String, _ arguments: [String]) -> PredicateTerm {
        PredicateTerm(text: "\(Self.build).\(function)(\(arguments.joined(separator: ", ")))")
    }

    /// Makes a statement of a term whose type is clear without its surroundings, so that the compiler knows it from
    /// there on.
    func settled(_ term: PredicateTerm) -> PredicateTerm {
        if term.isOpen || term.isName { return term }
        let name = newName()
        statements[statements.count - 1].append("let \(name) = \(term.text)")
        return .name(name)
    }

    /// A closure whose statements and value a block writes.
    func closure(_ parameters: [String], _ body: () -> PredicateTerm) -> String {
        let (outerBindings, outerReplacements) = (bindings, replacements)
        statements.append([])
        let value = body().text
        let lines = statements.removeLast()
        (bindings, replacements) = (outerBindings, outerReplacements)
        let head = parameters.isEmpty ? "" : " \(parameters.joined(separator: ", ")) in"
        if lines.isEmpty { return "{\(head) \(value) }" }
        let text = lines.joined(separator: "\n") + "\nreturn \(value)"
        return "{\(head)\n\(text)\n}"
    }

    /// Lets a closure's parameters stand for something.
    func bindParameters(of closure: ClosureExprSyntax, to terms: [PredicateTerm]) {
        for name in bindings.keys where name.hasPrefix("$") { bindings[name] = nil }
        guard let signature = closure.signature, signature.parameterClause != nil else {
            for (index, term) in terms.enumerated() { bindings["$\(index)"] = term }
            return
        }
        for item in signature.capture?.items ?? [] {
            guard let initializer = item.initializer else { continue }
            statements[statements.count - 1].append(
                "let \(item.name.text) = \(initializer.value.trimmedDescription)")
        }
        let names = closure.parameterNames
        if names.count != terms.count {
            let count = terms.count == 1 ? "one value" : "\(terms.count) values"
            report(.unknownExpression, at: closure, "this closure of a predicate takes \(count)")
        }
        for (name, term) in zip(names, terms) where name != "_" { bindings[name] = term }
    }

    @discardableResult
    func report(
        _ rule: PredicateFinding, at node: some SyntaxProtocol, _ message: String, fixIts: [FixIt] = []
    ) -> PredicateTerm {
        findings.append(rule.diagnostic(at: node, message, fixIts: fixIts))
        return .failed
    }

    // MARK: Expressions

    /// Whether an expression depends on what only the evaluation knows.
    func isDynamic(_ node: some SyntaxProtocol) -> Bool {
        MentionFinder.finds(Set(bindings.keys), Set(replacements.keys), in: node)
    }

    func translate(_ expression: some ExprSyntaxProtocol) -> PredicateTerm {
        let expression = ExprSyntax(expression)
        if let term = replacements[expression.id] { return term }
        if expression.is(NilLiteralExprSyntax.self) { return .null }
        if !isDynamic(expression), !isRange(expression) { return captured(expression) }
        switch expression.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let reference):
            return bindings[reference.plainName] ?? captured(expression)
        case .tupleExpr(let tuple):
            if let only = tuple.onlyElement { return translate(only) }
            return report(.unknownExpression, at: tuple, "a predicate has no tuples: compare the values one by one")
        case .tryExpr(let marked): return translate(marked.expression)
        case .unsafeExpr(let marked): return translate(marked.expression)
        case .infixOperatorExpr(let operation): return infix(operation)
        case .prefixOperatorExpr(let operation): return prefix(operation)
        case .ternaryExpr(let choice):
            return self.choice(
                choice.condition, { self.translate(choice.thenExpression) },
                { self.translate(choice.elseExpression) })
        case .isExpr(let test):
            return settled(call("isType", [translate(test.expression).text, test.type.selfText]))
        case .asExpr(let cast): return self.cast(cast)
        case .memberAccessExpr, .functionCallExpr, .subscriptCallExpr, .forceUnwrapExpr, .optionalChainingExpr:
            return postfix(expression)
        case .ifExpr(let choice): return self.choice(choice, rest: nil)
        case .sequenceExpr(let sequence):
            if let folded = try? OperatorTable.standardOperators.foldSingle(sequence) { return translate(folded) }
        default: break
        }
        return report(.unknownExpression, at: expression, Self.complaint(about: expression))
    }

    /// Whether this makes a range of two bounds. It stops the program where they are the wrong way round, so that it is
    /// left to the evaluation even where both are captured.
    private func isRange(_ expression: ExprSyntax) -> Bool {
        if let only = expression.as(TupleExprSyntax.self)?.onlyElement { return isRange(only) }
        let folded =
            expression.as(SequenceExprSyntax.self).flatMap { try? OperatorTable.standardOperators.foldSingle($0) }
        guard let operation = (folded.map { ExprSyntax($0) } ?? expression).as(InfixOperatorExprSyntax.self),
            let symbol = operation.operator.as(BinaryOperatorExprSyntax.self)?.operator.text
        else { return false }
        return symbol == "..<" || symbol == "..."
    }

    /// A value that is known when the predicate is made.
    func captured(_ expression: ExprSyntax) -> PredicateTerm {
        let (text, depth) = deferredUnwraps(expression)
        var term = PredicateTerm(text: "\(Self.build).arg(\(text))", isOpen: depth == 0)
        for _ in 0..<depth { term = call("unwrap", term) }
        return term
    }

    /// The text of a captured value in which `!` at the surface has become part of the predicate: it counts when the
    /// predicate is evaluated, not when it is made.
    private func deferredUnwraps(_ expression: ExprSyntax) -> (text: String, depth: Int) {
        let spine = expression.spine
        guard let index = spine.lastIndex(where: { $0.is(ForceUnwrapExprSyntax.self) }),
            let unwrap = spine[index].as(ForceUnwrapExprSyntax.self), !spine[index...].contains(where: \.isChained)
        else { return (expression.trimmedDescription, 0) }
        let (optional, depth) = deferredUnwraps(unwrap.expression)
        if index == 0 { return (optional, depth + 1) }
        let name = newName()
        let whole = expression.trimmedDescription
        let rest = whole.utf8.dropFirst(unwrap.trimmedDescription.utf8.count)
        let tail = String(decoding: rest, as: UTF8.self)
        return ("(\(optional)).map { \(name) in \(name)\(tail) }", depth + 1)
    }

    private static func complaint(about expression: ExprSyntax) -> String {
        switch expression.as(ExprSyntaxEnum.self) {
        case .switchExpr: "a predicate has no 'switch': write it with 'if' and 'else', or with '||'"
        case .stringLiteralExpr:
            "a predicate cannot make text of a model's values: compare the values themselves, or join them with '+'"
        case .arrayExpr, .dictionaryExpr: "a predicate cannot make a collection of a model's values"
        case .closureExpr: "a predicate has no functions of its own"
        case .awaitExpr: "a predicate cannot wait: get the value before the predicate and capture it"
        case .macroExpansionExpr: "a macro cannot be given a model's values in a predicate"
        default: "this cannot be part of a predicate; if it does not depend on the model, put it in a constant before"
        }
    }
}

extension ExprSyntax {
    /// The expression, what its last part is applied to, and so on: of `a.b(c)!` the whole, `a.b(c)`, `a.b` and `a`.
    var spine: [ExprSyntax] {
        var found = [self]
        while let inner = found[found.count - 1].spineBase { found.append(inner) }
        return found
    }

    private var spineBase: ExprSyntax? {
        switch self.as(ExprSyntaxEnum.self) {
        case .memberAccessExpr(let member): member.base
        case .functionCallExpr(let call): call.calledExpression
        case .subscriptCallExpr(let access): access.calledExpression
        case .forceUnwrapExpr(let unwrap): unwrap.expression
        case .optionalChainingExpr(let chain): chain.expression
        default: nil
        }
    }

    fileprivate var isChained: Bool { self.is(OptionalChainingExprSyntax.self) }
}

extension TypeSyntax {
    /// The type as a value.
    var selfText: String {
        let isName = self.is(IdentifierTypeSyntax.self) || self.is(MemberTypeSyntax.self)
        return isName ? "\(trimmedDescription).self" : "(\(trimmedDescription)).self"
    }
}
