import SwiftSyntax

extension PredicateTranslator {
    func infix(_ operation: InfixOperatorExprSyntax) -> PredicateTerm {
        let (left, right) = (operation.leftOperand, operation.rightOperand)
        guard let symbol = operation.operator.as(BinaryOperatorExprSyntax.self)?.operator else {
            return report(.unknownOperator, at: operation.operator, "a predicate cannot change anything")
        }
        switch symbol.text {
        case "&&": return connective(left, right, "and", decidedBy: false)
        case "||": return connective(left, right, "or", decidedBy: true)
        case "==", "===": return equality(left, right, "equal", "isNil")
        case "!=", "!==": return equality(left, right, "notEqual", "isNotNil")
        case "??":
            let (optional, substitute) = (translate(left), translate(right))
            return substitute.isNil ? optional : settled(call("coalesce", optional, substitute))
        case "~=": return containment(left, right, "matches")
        default: break
        }
        if let function = Self.comparisons[symbol.text] {
            return settled(call(function, translate(left), translate(right)))
        }
        guard let function = Self.arithmetic[symbol.text] else {
            return report(
                .unknownOperator, at: symbol, "the operator '\(symbol.text)' cannot be part of a predicate")
        }
        let (first, second) = (translate(left), translate(right))
        var term = call(function, first, second)
        term.isOpen = first.isOpen && second.isOpen
        return settled(term)
    }

    private static let comparisons = [
        "<": "less", "<=": "lessOrEqual", ">": "greater", ">=": "greaterOrEqual",
    ]

    private static let arithmetic = [
        "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "remainder", "..<": "range",
        "...": "closedRange",
    ]

    /// `&&` or `||`.
    ///
    /// - Parameter decidedBy: the left side that decides alone. A captured left side does so when the predicate is made,
    ///   and the right side is then not evaluated, as in Swift.
    private func connective(
        _ left: ExprSyntax, _ right: ExprSyntax, _ function: String, decidedBy: Bool
    ) -> PredicateTerm {
        if isDynamic(left) { return call(function, translate(left), translate(right)) }
        let decided = "{ \(Self.build).arg(\(decidedBy)) }"
        let open = closure([]) { translate(right) }
        let branches = decidedBy ? [decided, open] : [open, decided]
        return settled(call("pick", [left.trimmedDescription] + branches))
    }

    private func equality(
        _ left: ExprSyntax, _ right: ExprSyntax, _ function: String, _ nilTest: String
    ) -> PredicateTerm {
        let (first, second) = (translate(left), translate(right))
        if second.isNil { return settled(call(nilTest, first)) }
        if first.isNil { return settled(call(nilTest, second)) }
        return settled(call(function, first, second))
    }

    func prefix(_ operation: PrefixOperatorExprSyntax) -> PredicateTerm {
        let operand = translate(operation.expression)
        switch operation.operator.text {
        case "!": return call("not", operand)
        case "+": return operand
        case "-":
            var term = call("negate", operand)
            term.isOpen = operand.isOpen
            return settled(term)
        case let symbol:
            return report(
                .unknownOperator, at: operation.operator, "the operator '\(symbol)' cannot be part of a predicate here")
        }
    }

    func cast(_ cast: AsExprSyntax) -> PredicateTerm {
        let function =
            switch cast.questionOrExclamationMark?.tokenKind {
            case .postfixQuestionMark: "cast"
            case .exclamationMark: "forceCast"
            default: "typed"
            }
        return settled(call(function, [translate(cast.expression).text, cast.type.selfText]))
    }

    // MARK: Containment

    /// `whole.contains(element)`; a range without one of its bounds is a comparison, an array literal several.
    func containment(_ whole: ExprSyntax, _ element: ExprSyntax, _ function: String = "contains") -> PredicateTerm {
        var inner = whole
        while let only = inner.as(TupleExprSyntax.self)?.onlyElement { inner = only }
        if isDynamic(inner) {
            if let range = inner.as(PostfixOperatorExprSyntax.self), range.operator.text == "..." {
                return settled(call("greaterOrEqual", translate(element), translate(range.expression)))
            }
            if let range = inner.as(PrefixOperatorExprSyntax.self),
                let function = ["...": "lessOrEqual", "..<": "less"][range.operator.text]
            {
                return settled(call(function, translate(element), translate(range.expression)))
            }
            if let list = inner.as(ArrayExprSyntax.self), let first = list.elements.first {
                let value = settled(translate(element))
                func test(_ element: ArrayElementSyntax) -> PredicateTerm {
                    settled(call("equal", translate(element.expression), value))
                }
                return list.elements.dropFirst().reduce(test(first)) { call("or", $0, test($1)) }
            }
        }
        return settled(call(function, translate(whole), translate(element)))
    }
}
