import Testing

@Suite("The expansion of #Predicate")
struct PredicateExpansionTests {
    struct Case: CustomTestStringConvertible {
        let closure: String
        /// The statements, and last what is returned.
        let lines: [String]

        init(_ closure: String, _ lines: String...) {
            self.closure = closure
            self.lines = lines
        }

        var testDescription: String { closure }
    }

    /// The lines of an expansion between the closure's head and its end; the last one without `return` and `root`.
    private func body(_ closure: String) -> [String] {
        let expansion = expand("#Predicate<Trip> \(closure)")
        #expect(expansion.findings.isEmpty)
        let head = "CofferCore._predicate(Trip.self) { _$p, _$1 in"
        guard expansion.text.hasPrefix(head) else { return [expansion.text] }
        let text = expansion.text.dropFirst(head.count).dropLast()
        let lines = text.split(separator: "\n").map { String($0.trimmingPrefix(while: \.isWhitespace)) }
        return lines.map { line in
            let value = line.trimmingPrefix("return ")
            let start = "_$p.root("
            guard value.hasPrefix(start), let end = value.lastIndex(of: ")") else { return line }
            return String(value[..<end].dropFirst(start.count))
        }
    }

    @Test(arguments: [
        Case("{ $0.isOpen }", #"_$p.get(_$1, \.isOpen)"#),
        Case("{ trip in trip.isOpen }", #"_$p.get(_$1, \.isOpen)"#),
        Case("{ (trip: Trip) -> Bool in return (trip.isOpen) }", #"_$p.get(_$1, \.isOpen)"#),
        Case("{ _ in true }", "_$p.arg(true)"),
        Case("{ $0.days > 3 }", #"let _$2 = _$p.greater(_$p.get(_$1, \.days), _$p.arg(3))"#, "_$2"),
        Case("{ 3 == $0.days }", #"let _$2 = _$p.equal(_$p.arg(3), _$p.get(_$1, \.days))"#, "_$2"),
        Case("{ $0.days == limit + 2 }", #"let _$2 = _$p.equal(_$p.get(_$1, \.days), _$p.arg(limit + 2))"#, "_$2"),
        Case("{ $0.mood == .calm }", #"let _$2 = _$p.equal(_$p.get(_$1, \.mood), _$p.arg(.calm))"#, "_$2"),
        Case("{ $0.note == nil }", #"let _$2 = _$p.isNil(_$p.get(_$1, \.note))"#, "_$2"),
        Case("{ nil != $0.note }", #"let _$2 = _$p.isNotNil(_$p.get(_$1, \.note))"#, "_$2"),
        Case(
            "{ !$0.isOpen && $0.a || $0.b }",
            #"_$p.or(_$p.and(_$p.not(_$p.get(_$1, \.isOpen)), _$p.get(_$1, \.a)), _$p.get(_$1, \.b))"#),
        Case(
            "{ $0.days * 2 == 4 }",
            #"let _$2 = _$p.multiply(_$p.get(_$1, \.days), _$p.arg(2))"#, "let _$3 = _$p.equal(_$2, _$p.arg(4))",
            "_$3"),
        Case(
            "{ ($0.note ?? \"\") == name }",
            #"let _$2 = _$p.coalesce(_$p.get(_$1, \.note), _$p.arg(""))"#,
            "let _$3 = _$p.equal(_$2, _$p.arg(name))", "_$3"),
        Case("{ $0.name.hasPrefix(\"a\") }", #"let _$2 = _$p.hasPrefix(_$p.get(_$1, \.name), _$p.arg("a"))"#, "_$2"),
        Case(
            "{ ($0.first...).contains(5) }",
            #"let _$2 = _$p.greaterOrEqual(_$p.arg(5), _$p.get(_$1, \.first))"#, "_$2"),
        Case("{ try inner.evaluate($0) }", "let _$2 = _$p.evaluate(_$p.arg(inner), _$1)", "_$2"),
        Case(
            "{ $0.days == list.map { $0.count }.max() }",
            #"let _$2 = _$p.equal(_$p.get(_$1, \.days), _$p.arg(list.map { $0.count }.max()))"#, "_$2"),
    ])
    func operatorsAndCalls(_ test: Case) { #expect(body(test.closure) == test.lines) }

    @Test(arguments: [
        Case(
            "{ $0.owner?.name.count == 3 }",
            #"let _$3 = _$p.chain(_$p.get(_$1, \.owner), { _$2 in _$p.get(_$p.get(_$2, \.name), \.count) })"#,
            "let _$4 = _$p.equal(_$3, _$p.arg(3))", "_$4"),
        Case(
            "{ $0.owner?.city?.isEmpty == true }",
            #"let _$3 = _$p.chain(_$p.get(_$1, \.owner), { _$2 in _$p.get(_$2, \.city) })"#,
            #"let _$5 = _$p.chain(_$3, { _$4 in _$p.get(_$4, \.isEmpty) })"#,
            "let _$6 = _$p.equal(_$5, _$p.arg(true))", "_$6"),
        Case("{ $0.owner!.isOpen }", #"_$p.get(_$p.unwrap(_$p.get(_$1, \.owner)), \.isOpen)"#),
        Case(
            "{ $0.name == owner!.name }",
            #"let _$3 = _$p.equal(_$p.get(_$1, \.name), _$p.unwrap(_$p.arg((owner).map { _$2 in _$2.name })))"#,
            "_$3"),
        Case(
            "{ $0.stops.contains { $0.nights > 1 } }",
            #"let _$4 = _$p.contains(_$p.get(_$1, \.stops), where: { _$2 in"#,
            #"let _$3 = _$p.greater(_$p.get(_$2, \.nights), _$p.arg(1))"#, "return _$3", "})", "_$4"),
        Case(
            "{ trip in trip.stops.allSatisfy { trip in trip.isOpen } }",
            #"let _$3 = _$p.allSatisfy(_$p.get(_$1, \.stops), { _$2 in _$p.get(_$2, \.isOpen) })"#, "_$3"),
        Case(
            #"{ $0.stops.filter(\.trip.isOpen).isEmpty }"#,
            #"let _$3 = _$p.filter(_$p.get(_$1, \.stops), { _$2 in _$p.get(_$p.get(_$2, \.trip), \.isOpen) })"#,
            #"_$p.get(_$3, \.isEmpty)"#),
        Case(
            "{ $0.owner.flatMap { $0.isOpen } ?? false }",
            #"let _$3 = _$p.chain(_$p.get(_$1, \.owner), { _$2 in _$p.get(_$2, \.isOpen) })"#,
            "let _$4 = _$p.coalesce(_$3, _$p.arg(false))", "_$4"),
    ])
    func optionalsAndQuantifiers(_ test: Case) { #expect(body(test.closure) == test.lines) }

    @Test(arguments: [
        Case(
            "{ flag && $0.isOpen }",
            #"let _$2 = _$p.pick(flag, { _$p.get(_$1, \.isOpen) }, { _$p.arg(false) })"#, "_$2"),
        Case(
            "{ names.isEmpty || $0.name == names[0] }",
            #"let _$3 = _$p.pick(names.isEmpty, { _$p.arg(true) }, {"#,
            #"let _$2 = _$p.equal(_$p.get(_$1, \.name), _$p.arg(names[0]))"#, "return _$2", "})", "_$3"),
        Case(
            "{ $0.isOpen ? $0.days : nil }", #"let _$2 = _$p.orNil(_$p.get(_$1, \.isOpen), _$p.get(_$1, \.days))"#,
            "_$2"),
        Case(
            "{ if let note = $0.note { note.isEmpty } else { false } }",
            #"let _$3 = _$p.ifLet(_$p.get(_$1, \.note), { _$2 in _$p.get(_$2, \.isEmpty) }, _$p.arg(false))"#, "_$3"),
        Case(
            "{ if let name { $0.name == name } else { true } }",
            #"let _$3 = _$p.pick(unwrapping: name, { name in"#,
            #"let _$2 = _$p.equal(_$p.get(_$1, \.name), _$p.arg(name))"#, "return _$2", "}, { _$p.arg(true) })", "_$3"),
        Case(
            "{ trip in guard let owner = trip.owner else { return false }; let name = owner.name; return name == x }",
            #"let _$5 = _$p.ifLet(_$p.get(_$1, \.owner), { _$2 in"#,
            #"let _$3 = _$p.get(_$2, \.name)"#, "let _$4 = _$p.equal(_$3, _$p.arg(x))", "return _$4",
            "}, _$p.arg(false))", "_$5"),
        Case(
            "{ let limit = days + 1; return $0.days < limit }",
            "let limit = days + 1", #"let _$2 = _$p.less(_$p.get(_$1, \.days), _$p.arg(limit))"#, "_$2"),
        Case(
            "{ if $0.a { return $0.b }; return $0.c }",
            #"let _$2 = _$p.choose(_$p.get(_$1, \.a), _$p.get(_$1, \.b), _$p.get(_$1, \.c))"#, "_$2"),
    ])
    func statementsAndChoices(_ test: Case) { #expect(body(test.closure) == test.lines) }

    @Test(arguments: [
        ("#Predicate { $0.isOpen }", "CofferCore._predicate {"),
        ("#Predicate { (trip: Trip) in trip.isOpen }", "CofferCore._predicate(Trip.self) {"),
        ("#Predicate<Schema.Trip>({ $0.isOpen })", "CofferCore._predicate(Schema.Trip.self) {"),
        ("#Predicate<Trip, Owner> { $0.owner == $1 }", "CofferCore._predicateOfSeveral(Trip.self, Owner.self) {"),
        ("#Predicate { $0.owner == $1 }", "CofferCore._predicateOfSeveral {"),
        ("#Expression<Trip, [Int]> { $0.list }", "CofferCore._expression(Trip.self, ([Int]).self) {"),
        ("#Expression { (trip: Trip) -> Int in trip.days }", "CofferCore._expression(Trip.self, Int.self) {"),
    ])
    func types(source: String, head: String) {
        let expansion = expand(source)
        #expect(expansion.findings.isEmpty)
        #expect(expansion.text.hasPrefix(head))
    }
}
