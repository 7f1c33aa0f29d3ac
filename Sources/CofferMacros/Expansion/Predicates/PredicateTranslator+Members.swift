import SwiftSyntax

// What is read from values: properties, elements, links that may be nil.

extension PredicateTranslator {
    /// A property, a call, a subscript or a force unwrap, with optional chaining where there is some.
    func postfix(_ expression: ExprSyntax) -> PredicateTerm {
        let spine = expression.spine.prefix { replacements[$0.id] == nil }
        if let link = spine.lazy.compactMap({ $0.as(OptionalChainingExprSyntax.self) }).first {
            // The last `?`: what stands before it is a chain by itself, and what follows happens to its value.
            let optional = translate(link.expression)
            let variable = newName()
            let rest = closure([variable]) {
                replacements[link.id] = .name(variable)
                return translate(expression)
            }
            return settled(call("chain", [optional.text, rest]))
        }
        switch expression.as(ExprSyntaxEnum.self) {
        case .memberAccessExpr(let member): return self.member(member)
        case .functionCallExpr(let call): return self.call(call)
        case .subscriptCallExpr(let access): return element(access)
        case .forceUnwrapExpr(let unwrap): return call("unwrap", translate(unwrap.expression))
        default: return translate(expression)
        }
    }

    private func member(_ member: MemberAccessExprSyntax) -> PredicateTerm {
        guard let base = member.base else {
            return report(.unknownExpression, at: member, "a predicate cannot make this value of a model's values")
        }
        let name = member.declName
        if case .integerLiteral = name.baseName.tokenKind {
            return report(.unknownExpression, at: name, "a predicate has no tuples")
        }
        if name.baseName.tokenKind == .keyword(.self) { return translate(base) }
        return property(name.trimmedDescription, of: translate(base))
    }

    func property(_ name: String, of base: PredicateTerm) -> PredicateTerm {
        call("get", [base.text, "\\.\(name)"])
    }

    private func element(_ access: SubscriptCallExprSyntax) -> PredicateTerm {
        let arguments = Array(access.arguments)
        switch arguments.map({ $0.label?.text }) {
        case ["keyPath"]:
            let path = arguments[0].expression
            if let path = path.as(KeyPathExprSyntax.self) { return follow(path, translate(access.calledExpression)) }
            return report(
                .unknownExpression, at: path,
                "a predicate cannot look into a key path that it was given: write the property itself")
        case [nil]:
            return settled(
                call("at", translate(access.calledExpression), translate(arguments[0].expression)))
        case [nil, "default"]:
            let (base, key) = (translate(access.calledExpression), translate(arguments[0].expression))
            return settled(
                call("at", [base.text, key.text, "default: \(translate(arguments[1].expression).text)"]))
        default:
            return report(.unknownExpression, at: access.arguments, "a predicate cannot use this subscript")
        }
    }

    /// The properties of a key path literal, one after the other.
    func follow(_ path: KeyPathExprSyntax, _ base: PredicateTerm) -> PredicateTerm {
        path.components.reduce(base) { value, component in
            guard case .property(let property) = component.component else {
                return report(
                    .unknownExpression, at: component,
                    "a key path in a predicate consists of properties: write this one as a closure")
            }
            if property.declName.baseName.tokenKind == .keyword(.self) { return value }
            return self.property(property.declName.trimmedDescription, of: value)
        }
    }

    /// A closure that is handed to a quantifier, or a key path in its place.
    ///
    /// - Parameter use: what is asked about the closure's value.
    func test(_ argument: ExprSyntax, use: (PredicateTerm) -> PredicateTerm = { $0 }) -> String {
        let variable = newName()
        if let path = argument.as(KeyPathExprSyntax.self) {
            return closure([variable]) { use(follow(path, .name(variable))) }
        }
        guard let function = argument.as(ClosureExprSyntax.self) else {
            report(
                .unknownFunction, at: argument,
                "a predicate cannot look into a function that it was given: write its condition as a closure")
            return "_"
        }
        return closure([variable]) {
            bindParameters(of: function, to: [.name(variable)])
            return use(body(function))
        }
    }
}
