import SwiftSyntax

/// Finds out whether an expression uses what a predicate knows only when it is evaluated: the model, an element of a
/// collection, a constant that was made of them.
final class MentionFinder: SyntaxAnyVisitor {
    private let names: Set<String>
    private let replaced: Set<SyntaxIdentifier>
    /// The names that closures around the place have taken for their own parameters.
    private var hidden: [Set<String>] = []
    private var isFound = false

    private init(_ names: Set<String>, _ replaced: Set<SyntaxIdentifier>) {
        self.names = names
        self.replaced = replaced
        super.init(viewMode: .sourceAccurate)
    }

    /// - Parameters:
    ///   - names: the names to look for, `$0` among them.
    ///   - replaced: expressions that count as such names.
    static func finds(
        _ names: Set<String>, _ replaced: Set<SyntaxIdentifier>, in expression: some SyntaxProtocol
    ) -> Bool {
        let finder = MentionFinder(names, replaced)
        finder.walk(expression)
        return finder.isFound
    }

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
        if replaced.contains(node.id) { isFound = true }
        return isFound ? .skipChildren : .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if let member = node.parent?.as(MemberAccessExprSyntax.self), member.declName.id == node.id {
            return .skipChildren
        }
        note(node.plainName)
        return .skipChildren
    }

    private func note(_ name: String) {
        // `$0` in a closure is the closure's, if not an error.
        let isHidden = name.hasPrefix("$") ? !hidden.isEmpty : hidden.contains { $0.contains(name) }
        if names.contains(name), !isHidden { isFound = true }
    }

    /// `if let trip` reads the constant without naming it in an expression.
    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        if node.initializer == nil, let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier {
            note(name.plainText)
        }
        return .visitChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        hidden.append(Set(node.parameterNames))
        return .visitChildren
    }

    override func visitPost(_ node: ClosureExprSyntax) { hidden.removeLast() }
}

extension ClosureExprSyntax {
    /// The names of the parameters, where there are any.
    var parameterNames: [String] {
        switch signature?.parameterClause {
        case .simpleInput(let list): list.map { $0.name.plainText }
        case .parameterClause(let clause): clause.parameters.map { ($0.secondName ?? $0.firstName).plainText }
        default: []
        }
    }
}

extension TokenSyntax {
    /// The name without backticks.
    var plainText: String { text.filter { $0 != "`" } }
}

extension DeclReferenceExprSyntax {
    var plainName: String { baseName.plainText }
}
