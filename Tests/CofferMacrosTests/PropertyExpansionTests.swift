import Testing

/// Expands one property of a model whose class is given as well.
private func property(_ declaration: String, in header: String = "final class Trip") -> Expansion {
    expand("\(header) {\n    @_PersistedProperty(0) \(declaration)\n}")
}

@Suite("Expansion of a property")
struct PropertyExpansionTests {
    @Test func scalar() {
        #expect(
            property("var name: String").contains(
                lines: #"""
                    var name: String {
                    @storageRestrictions(initializes: _name) init(initialValue) { _name = initialValue }
                    get {
                        if CofferCore._mustPrepare(_$flags) { CofferCore._willRead(self, 0, \Trip.name) }
                        if let value = _name { return value }
                        let value = CofferCore._absent(self, 0, \Trip.name)
                        _name = value
                        return value
                    }
                    set { CofferCore._set(self, 0, \Trip.name, _name, newValue) { _name = $0 } }
                    }
                    @exclusivity(unchecked) private final var _name: Swift.Optional<String>
                    """#))
    }

    @Test func collection() {
        #expect(
            property("var tags: [String] = []").contains(
                lines: #"""
                            _modify {
                                let before = (CofferCore._willModify(self, 0, \Trip.tags, _tags), 0)
                                if case Swift.Optional.none = _tags { _tags = CofferCore._absent(self, 0, \Trip.tags) }
                                defer { CofferCore._didModify(self, 0, \Trip.tags, before.0, _tags) }
                                yield &_tags!
                            }
                    """#))
    }

    @Test(arguments: [
        ("var a: [Int]", true), ("var a: [Int]?", true), ("var a: Set<Int>", true), ("var a: [String: Int]", true),
        ("var a: Point", true), ("var a = Point()", true), ("var a = [1]", true), ("var a: Point?", false),
        ("var a: Int?", false), ("var a = -1", false), ("var a = \"x\"", false), ("var a = Date.now", false),
        ("var a = UUID()", false), ("var a = 1 as Int64", false),
        ("@Attribute(.transformable(by: \"X\")) var a: [Int]", false),
    ])
    func changesInPlace(declaration: String, expected: Bool) {
        #expect(property(declaration).text.contains("_modify") == expected)
    }

    @Test(arguments: [
        ("var a: Int", "_a: Swift.Optional<Int>"), ("var a: Int?", "_a: Swift.Optional<Int?>"),
        ("var a: Int!", "_a: Swift.Optional<Int?>"), ("var a: [Int] = []", "_a: Swift.Optional<[Int]>"),
        ("var a = 1", "_a = Swift.Optional(1)"), ("var a = Point(x: 1)", "_a = Swift.Optional(Point(x: 1))"),
        ("var `in` = 1", "_in = Swift.Optional(1)"), ("private(set) var a: Int", "_a: Swift.Optional<Int>"),
    ])
    func storage(declaration: String, expected: String) {
        #expect(property(declaration).lines.contains("@exclusivity(unchecked) private final var \(expected)"))
    }

    @Test func constantsHaveNoSetter() {
        let text = property("let a: [Int]").text
        #expect(text.contains("init(initialValue)") && text.contains("get {"))
        #expect(!text.contains("set {") && !text.contains("_modify"))
    }

    @Test func transformed() {
        let lines = property("@Attribute(.transformable(by: \"X\")) var a: Shape?").lines
        #expect(lines.contains(#"let value = CofferCore._absentTransformed(self, 0, \Trip.a, by: "X")"#))
        #expect(lines.contains(#"set { CofferCore._setTransformed(self, 0, \Trip.a, _a, newValue) { _a = $0 } }"#))
    }

    @Test func codedAndEphemeral() {
        let coded = property("@Attribute(.codable) var a: Shape?").lines
        #expect(coded.contains(#"let value = CofferCore._absentCoded(self, 0, \Trip.a)"#))
        #expect(coded.contains(#"set { CofferCore._set(self, 0, \Trip.a, _a, newValue) { _a = $0 } }"#))
        let ephemeral = property("@Attribute(.spotlight, .ephemeral) var a = 1").lines
        #expect(ephemeral.contains(#"let value = CofferCore._absentEphemeral(self, 0, \Trip.a)"#))
        #expect(ephemeral.contains(#"set { CofferCore._set(self, 0, \Trip.a, _a, newValue) { _a = $0 } }"#))
    }

    @Test func slotOfAPossibleSubclass() {
        let lines = property("var a = 1", in: "class Cruise: Trip").lines
        #expect(
            lines.contains(
                #"set { CofferCore._set(self, Cruise._$firstSlot + 0, \Cruise.a, _a, newValue) { _a = $0 } }"#))
    }

    @Test func storageOfABoundModel() {
        let lines = property("var a: Int", in: "@MainActor final class Trip").lines
        #expect(
            lines.contains("@exclusivity(unchecked) nonisolated(unsafe) private final var _a: Swift.Optional<Int>"))
    }

    @Test func observers() {
        let expansion = property(
            """
            var a: Int = 0 {
                    willSet(next) { if next < 0 { return }; print(next) }
                    didSet { if oldValue != a { print(oldValue) } }
                }
            """)
        #expect(
            expansion.contains(
                lines: #"""
                            set {
                                if _$in_a { return CofferCore._set(self, 0, \Trip.a, _a, newValue) { _a = $0 } }
                                _$in_a = true
                                defer { _$in_a = false }
                                let next = newValue
                                func willSet() {
                                if next < 0 { return }; print(next)
                                }
                                willSet()
                                let oldValue = a
                                CofferCore._set(self, 0, \Trip.a, _a, newValue) { _a = $0 }
                                func didSet() {
                                if oldValue != a { print(oldValue) }
                                }
                                didSet()
                            }
                    """#))
        #expect(expansion.lines.contains("@exclusivity(unchecked) private final var _$in_a = false"))
        #expect(!expansion.text.contains("_modify"))
    }

    @Test func anObserverThatDoesNotAskForTheOldValueReadsNone() {
        #expect(!property("var a: Int = 0 { didSet { print(1) } }").text.contains("let oldValue"))
    }
}
