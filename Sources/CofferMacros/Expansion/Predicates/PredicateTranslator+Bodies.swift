import SwiftSyntax

// The statements of a closure: constants, `if`, `guard` and the value.

extension PredicateTranslator {
    /// The value of a closure.
    func body(_ closure: ClosureExprSyntax) -> PredicateTerm {
        body(ArraySlice(closure.statements), end: closure.rightBrace, rest: nil)
    }

    /// The value of some statements.
    ///
    /// - Parameters:
    ///   - end: where the statements end, to say that a value is missing.
    ///   - rest: what the program goes on with behind the statements; nil where they have to give the value.
    private func body(
        _ items: ArraySlice<CodeBlockItemSyntax>, end: TokenSyntax, rest: (() -> PredicateTerm)?
    ) -> PredicateTerm {
        guard let item = items.first else {
            return rest?() ?? report(.missingValue, at: end, "the predicate gives no value here")
        }
        let others = items.dropFirst()
        func next() -> PredicateTerm { body(others, end: end, rest: rest) }
        switch item.item {
        case .decl(let declaration):
            guard let constants = declaration.as(VariableDeclSyntax.self) else { break }
            declare(constants)
            return next()
        case .stmt(let statement):
            if let value = statement.as(ReturnStmtSyntax.self) {
                guard let expression = value.expression else { break }
                return translate(expression)
            }
            if let guarded = statement.as(GuardStmtSyntax.self) {
                return conditions(
                    ArraySlice(guarded.conditions), then: next,
                    otherwise: { self.block(guarded.body, rest: nil) })
            }
            guard let expression = statement.as(ExpressionStmtSyntax.self)?.expression else { break }
            let isValue = others.isEmpty && rest == nil
            if let choice = expression.as(IfExprSyntax.self) {
                return self.choice(choice, rest: isValue ? nil : next)
            }
            if isValue { return translate(expression) }
        case .expr(let expression):
            if let choice = expression.as(IfExprSyntax.self), !others.isEmpty || rest != nil {
                return self.choice(choice, rest: next)
            }
            if others.isEmpty && rest == nil { return translate(expression) }
        default: break
        }
        return report(
            .unknownStatement, at: item,
            "a predicate consists of constants, 'if', 'guard' and the value that it returns")
    }

    private func block(_ block: CodeBlockSyntax, rest: (() -> PredicateTerm)?) -> PredicateTerm {
        scoped { body(ArraySlice(block.statements), end: block.rightBrace, rest: rest) }
    }

    /// Forgets the names that a block declares.
    private func scoped(_ body: () -> PredicateTerm) -> PredicateTerm {
        let outer = bindings
        defer { bindings = outer }
        return body()
    }

    // MARK: Constants

    private func declare(_ declaration: VariableDeclSyntax) {
        let specifier = declaration.bindingSpecifier
        guard specifier.tokenKind == .keyword(.let) else {
            var constant = specifier
            constant.tokenKind = .keyword(.let)
            report(
                .unknownStatement, at: specifier, "nothing varies in a predicate: declare a constant",
                fixIts: [.replace(specifier, with: constant, "make it a 'let'")])
            return
        }
        for binding in declaration.bindings {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
                let value = binding.initializer?.value
            else {
                report(.unknownStatement, at: binding, "a constant of a predicate has a name and a value")
                continue
            }
            if isDynamic(value) {
                var term = translate(value)
                if let type = binding.typeAnnotation?.type { term = call("typed", [term.text, type.selfText]) }
                bindings[name.plainText] = settled(term)
            } else {
                bindings[name.plainText] = nil
                declareCaptured(name, "let " + binding.with(\.trailingComma, nil).trimmedDescription)
            }
        }
    }

    /// Takes a constant over that does not depend on the model.
    private func declareCaptured(_ name: TokenSyntax, _ text: String) {
        let known = statements[statements.count - 1]
        // What follows several conditions is written once for each way that leads there.
        if known.contains(text) { return }
        let start = "let \(name.text)"
        if known.contains(where: { $0 == start || $0.hasPrefix(start + " ") || $0.hasPrefix(start + ":") }) {
            report(.unknownStatement, at: name, "a predicate needs another name for a second constant '\(name.text)'")
            return
        }
        statements[statements.count - 1].append(text)
    }

    // MARK: Choices

    /// `if … { … } else { … }`
    ///
    /// - Parameter rest: what follows a branch that gives no value; nil where all of them have to give one.
    func choice(_ choice: IfExprSyntax, rest: (() -> PredicateTerm)?) -> PredicateTerm {
        conditions(
            ArraySlice(choice.conditions),
            then: { self.block(choice.body, rest: rest) },
            otherwise: {
                switch choice.elseBody {
                case .ifExpr(let next): self.choice(next, rest: rest)
                case .codeBlock(let block): self.block(block, rest: rest)
                default:
                    rest.map { self.scoped($0) }
                        ?? self.report(.missingValue, at: choice, "an 'if' that gives a value needs an 'else'")
                }
            })
    }

    private func conditions(
        _ list: ArraySlice<ConditionElementSyntax>, then: @escaping () -> PredicateTerm,
        otherwise: @escaping () -> PredicateTerm
    ) -> PredicateTerm {
        guard let first = list.first else { return scoped(then) }
        var otherwise = otherwise
        if list.count > 1, list.contains(where: { isDynamic($0) }) {
            // Every condition leads there; it is written once.
            let fallback = settled(scoped(otherwise))
            otherwise = { fallback }
        }
        let others = list.dropFirst()
        func next() -> PredicateTerm { conditions(others, then: then, otherwise: otherwise) }
        switch first.condition {
        case .expression(let condition): return choice(condition, next, otherwise)
        case .optionalBinding(let binding):
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
                binding.bindingSpecifier.tokenKind == .keyword(.let)
            else { break }
            let value = binding.initializer?.value ?? ExprSyntax(DeclReferenceExprSyntax(baseName: name.trimmed))
            return unwrapping(value, name, next, otherwise)
        default: break
        }
        return report(
            .unknownStatement, at: first, "a condition of a predicate is a Boolean value or unwraps with 'if let'")
    }

    private func unwrapping(
        _ value: ExprSyntax, _ name: TokenSyntax, _ first: () -> PredicateTerm, _ second: () -> PredicateTerm
    ) -> PredicateTerm {
        guard isDynamic(value) else {
            let fallback = closure([]) { second() }
            let taken = closure([name.text]) {
                bindings[name.plainText] = nil
                return first()
            }
            return settled(call("pick", ["unwrapping: \(value.trimmedDescription)", taken, fallback]))
        }
        let optional = translate(value)
        let fallback = scoped(second)
        let variable = newName()
        let taken = closure([variable]) {
            bindings[name.plainText] = .name(variable)
            return first()
        }
        if fallback.isNil { return settled(call("chain", [optional.text, taken])) }
        return settled(call("ifLet", [optional.text, taken, fallback.text]))
    }

    /// One of two values, by a condition.
    func choice(
        _ condition: ExprSyntax, _ first: @escaping () -> PredicateTerm, _ second: @escaping () -> PredicateTerm
    ) -> PredicateTerm {
        if !isDynamic(condition) {
            // What the condition rules out must not even be evaluated: it may guard a captured value.
            var branches: [PredicateTerm] = []
            let texts = [first, second].map { branch in
                closure([]) {
                    branches.append(branch())
                    return branches[branches.count - 1]
                }
            }
            if !branches.contains(where: \.isNil) {
                var term = call("pick", [condition.trimmedDescription] + texts)
                term.isOpen = branches.allSatisfy(\.isOpen)
                return settled(term)
            }
        }
        let test = translate(condition)
        let (first, second) = (scoped(first), scoped(second))
        var term: PredicateTerm
        switch (first.isNil, second.isNil) {
        case (true, true): return .null
        case (false, true): term = call("orNil", test, first)
        case (true, false): term = call("orNil", call("not", test), second)
        case (false, false): term = call("choose", test, first, second)
        }
        term.isOpen = first.isOpen && second.isOpen
        return settled(term)
    }
}
