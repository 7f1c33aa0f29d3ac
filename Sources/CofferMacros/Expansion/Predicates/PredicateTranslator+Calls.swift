import SwiftSyntax

// Calls of methods and functions that a predicate knows.

extension PredicateTranslator {
    func call(_ call: FunctionCallExprSyntax) -> PredicateTerm {
        var arguments = call.arguments.map { (label: $0.label?.text, value: $0.expression) }
        if let closure = call.trailingClosure { arguments.append((nil, ExprSyntax(closure))) }
        if let extra = call.additionalTrailingClosures.first {
            return report(.unknownExpression, at: extra, "a predicate takes one closure at a time")
        }
        var callee = call.calledExpression
        if let member = callee.as(MemberAccessExprSyntax.self), let base = member.base, !isDynamic(base),
            base.trimmedDescription == "Swift" || member.declName.baseName.text == "init"
        {
            callee = base.trimmedDescription == "Swift" ? ExprSyntax(member.declName) : base
        }
        if let member = callee.as(MemberAccessExprSyntax.self), let base = member.base {
            return method(member.declName, base, arguments)
        }
        if let function = callee.as(DeclReferenceExprSyntax.self), bindings[function.plainName] == nil {
            return self.function(function, arguments)
        }
        return report(
            .unknownFunction, at: callee, "a predicate cannot make this value of a model's values")
    }

    private typealias Arguments = [(label: String?, value: ExprSyntax)]

    /// Methods without arguments, and what makes their nodes.
    private static let simple: Set = ["lowercased", "uppercased", "min", "max"]

    /// Methods of one argument.
    private static let binary: Set = [
        "hasPrefix", "hasSuffix", "localizedStandardContains", "localizedCaseInsensitiveContains",
        "caseInsensitiveCompare", "localizedCompare", "localizedStandardCompare", "matchesFullText",
    ]

    private func method(
        _ name: DeclReferenceExprSyntax, _ base: ExprSyntax, _ arguments: Arguments
    ) -> PredicateTerm {
        let first = arguments.first?.value
        switch (name.plainName, arguments.map(\.label), first) {
        case ("contains", [nil], let element?) where !element.is(ClosureExprSyntax.self):
            return mapped(base, contains: element) ?? containment(base, element)
        case ("contains", [nil], let test?), ("contains", ["where"], let test?):
            return quantifier("contains", base, "where: ", test)
        case ("allSatisfy", [nil], let test?), ("filter", [nil], let test?), ("map", [nil], let test?):
            return quantifier(name.plainName, base, "", test)
        case ("flatMap", [nil], let test?): return quantifier("chain", base, "", test)
        case ("first", ["where"], let test?), ("count", ["where"], let test?):
            return property(name.plainName, of: quantifier("filter", base, "", test))
        case ("starts", ["with"], let prefix?):
            return settled(call("starts", [translate(base).text, "with: \(translate(prefix).text)"]))
        case ("isMultiple", ["of"], let divisor?):
            return settled(call("isMultiple", translate(base), translate(divisor)))
        case ("timeIntervalSince", [nil], let date?):
            let (end, start) = (translate(base), translate(date))
            let seconds = "timeIntervalSinceReferenceDate"
            return settled(call("subtract", property(seconds, of: end), property(seconds, of: start)))
        case ("evaluate", _, _):
            return settled(call("evaluate", [translate(base).text] + arguments.map { translate($0.value).text }))
        case (let method, [], _) where Self.simple.contains(method):
            return settled(call(method, translate(base)))
        case (let method, [nil], let argument?) where Self.binary.contains(method):
            return settled(call(method, translate(base), translate(argument)))
        default:
            return report(.unknownMethod, at: name, Self.complaint(about: name.plainName))
        }
    }

    private func quantifier(
        _ function: String, _ base: ExprSyntax, _ label: String, _ test: ExprSyntax
    ) -> PredicateTerm {
        let elements = translate(base)
        return settled(call(function, [elements.text, label + self.test(test)]))
    }

    /// `elements.map { value }.contains(element)`, as one question.
    private func mapped(_ list: ExprSyntax, contains element: ExprSyntax) -> PredicateTerm? {
        guard let call = list.as(FunctionCallExprSyntax.self),
            let method = call.calledExpression.as(MemberAccessExprSyntax.self), let elements = method.base,
            ["map", "compactMap"].contains(method.declName.plainName),
            let transform = call.trailingClosure.map(ExprSyntax.init) ?? call.arguments.first?.expression
        else { return nil }
        let sequence = translate(elements)
        let value = settled(translate(element))
        let test = self.test(transform) { self.settled(self.call("equal", $0, value)) }
        return settled(self.call("contains", [sequence.text, "where: " + test]))
    }

    private static let numbers: Set = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
    ]

    private func function(_ name: DeclReferenceExprSyntax, _ arguments: Arguments) -> PredicateTerm {
        switch (name.plainName, arguments.map(\.label)) {
        case ("abs", [nil]): return settled(call("abs", translate(arguments[0].value)))
        case ("min", [nil, nil]), ("max", [nil, nil]):
            let function = name.plainName == "min" ? "smaller" : "larger"
            let (left, right) = (translate(arguments[0].value), translate(arguments[1].value))
            var term = call(function, left, right)
            term.isOpen = left.isOpen && right.isOpen
            return settled(term)
        case (let type, [nil]) where Self.numbers.contains(type):
            return settled(call("number", ["\(type).self", translate(arguments[0].value).text]))
        case ("String", [nil]): return property("description", of: translate(arguments[0].value))
        case (let function, _):
            let isType = function.first?.isUppercase == true
            return report(
                .unknownFunction, at: name,
                isType
                    ? "a predicate cannot make a '\(function)' of a model's values"
                    : "a predicate cannot call '\(function)' with a model's values: write its condition here, or "
                        + "make it a predicate of its own and 'evaluate' that")
        }
    }

    private static func complaint(about method: String) -> String {
        let hint =
            switch method {
            case "compactMap", "reduce", "sorted", "joined", "reversed", "prefix", "suffix", "dropFirst", "dropLast":
                ": of a collection it knows 'contains', 'allSatisfy', 'filter', 'count', 'isEmpty', 'min' and 'max'"
            case "addingTimeInterval", "advanced", "distance", "isDate", "isDateInToday", "formatted":
                ": work the bounds out before and compare the date with them"
            case "trimmingCharacters", "replacingOccurrences", "split", "components", "folding", "capitalized":
                ": of text it knows 'contains', 'hasPrefix', 'hasSuffix', 'lowercased', 'uppercased', 'count' and "
                    + "the localized searches and comparisons"
            default: "; store the result as a property, or filter what was fetched"
            }
        return "a predicate cannot call '\(method)'" + hint
    }
}
