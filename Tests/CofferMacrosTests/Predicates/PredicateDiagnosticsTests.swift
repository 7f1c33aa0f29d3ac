import Testing

@Suite("Diagnostics of #Predicate")
struct PredicateDiagnosticsTests {
    struct Case: CustomTestStringConvertible {
        let closure: String
        let findings: [String]

        init(_ closure: String, _ findings: String...) {
            self.closure = closure
            self.findings = findings.map { "2:" + $0.replacing(/^(\d+):/) { "\($0.1): error:" } }
        }

        var testDescription: String { closure }
    }

    @Test(arguments: [
        Case(
            "{ isGood($0) }",
            "3: a predicate cannot call 'isGood' with a model's values: write its condition here, or make it a predicate of its own and 'evaluate' that"
        ),
        Case("{ Date($0.day) == x }", "3: a predicate cannot make a 'Date' of a model's values"),
        Case(
            "{ $0.name.trimmed() == x }",
            "11: a predicate cannot call 'trimmed'; store the result as a property, or filter what was fetched"),
        Case(
            "{ $0.list.reduce(0, +) == x }",
            "11: a predicate cannot call 'reduce': of a collection it knows 'contains', 'allSatisfy', 'filter', 'count', 'isEmpty', 'min' and 'max'"
        ),
        Case(
            "{ $0.list.contains(where: test) }",
            "27: a predicate cannot look into a function that it was given: write its condition as a closure"),
        Case("{ $0.days & 1 == 1 }", "11: the operator '&' cannot be part of a predicate"),
        Case("{ ~$0.days == 1 }", "3: the operator '~' cannot be part of a predicate here"),
        Case(
            "{ ($0.a, 1) == (2, $0.b) }", "3: a predicate has no tuples: compare the values one by one",
            "16: a predicate has no tuples: compare the values one by one"),
        Case(
            "{ \"\\($0.a)\" == x }",
            "3: a predicate cannot make text of a model's values: compare the values themselves, or join them with '+'"),
        Case(
            "{ switch $0.a { default: true } }",
            "3: a predicate has no 'switch': write it with 'if' and 'else', or with '||'"),
        Case(
            "{ for a in $0.list { }; return true }",
            "3: a predicate consists of constants, 'if', 'guard' and the value that it returns"),
        Case("{ if $0.a { return true } }", "3: an 'if' that gives a value needs an 'else'"),
        Case(
            "{ if case .a = $0.b { true } else { false } }",
            "6: a condition of a predicate is a Boolean value or unwraps with 'if let'"),
        Case(
            "{ $0[keyPath: path] == 1 }",
            "15: a predicate cannot look into a key path that it was given: write the property itself"),
        Case("{ a, b in true }", "1: this closure of a predicate takes one value"),
        Case(
            "{ $0.a.b(1) && f($0) }",
            "8: a predicate cannot call 'b'; store the result as a property, or filter what was fetched",
            "16: a predicate cannot call 'f' with a model's values: write its condition here, or make it a predicate of its own and 'evaluate' that"
        ),
    ])
    func whatAPredicateCannotTake(_ test: Case) {
        // The closure begins a line of its own, so that columns are those in the closure.
        let expansion = expand("#Predicate<Trip>(\n\(test.closure))")
        #expect(expansion.findings == test.findings)
    }

    @Test func aConstantInsteadOfAVariable() {
        let expansion = expand("#Predicate<Trip> { var a = $0.days; return a == 1 }")
        #expect(expansion.findings == ["1:20: error: nothing varies in a predicate: declare a constant"])
        #expect(expansion.corrections == ["#Predicate<Trip> { let a = $0.days; return a == 1 }"])
    }

    @Test func aClosureThatIsNotInPlace() {
        #expect(
            expand("#Predicate<Trip>(isGood)").findings == [
                "1:18: error: '#Predicate' takes its condition as a closure that is written in place"
            ])
    }
}
