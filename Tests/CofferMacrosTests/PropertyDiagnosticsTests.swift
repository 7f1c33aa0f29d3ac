import Testing

/// Expands a model with one property on its second line, from the fifth column on.
private func model(_ property: String) -> Expansion {
    expand("@Model final class Trip {\n    \(property)\n    init() {}\n}")
}

/// The property after each correction.
private func corrections(_ expansion: Expansion) -> [String] {
    expansion.corrections.map { source in
        source.split(separator: "\n").dropFirst().dropLast(2).map { $0.trimmingPrefix("    ") }.joined(separator: "\n")
    }
}

@Suite("Diagnostics of a property")
struct PropertyDiagnosticsTests {
    struct Case: CustomTestStringConvertible {
        let property: String
        let finding: String
        var corrections: [String] = []

        var testDescription: String { property }
    }

    @Test(arguments: [
        Case(
            property: "lazy var a = 1", finding: "2:5: error: a 'lazy' property cannot be persisted",
            corrections: ["@Transient lazy var a = 1"]),
        Case(
            property: "@Published var a = 1",
            finding: "2:5: error: a property with the wrapper '@Published' cannot be persisted",
            corrections: ["@Transient @Published var a = 1"]),
        Case(
            property: "weak var a: Trip?",
            finding: "2:5: error: a 'weak' property cannot be persisted; relationships hold their models without it",
            corrections: ["var a: Trip?", "@Transient weak var a: Trip?"]),
        Case(
            property: "private unowned(unsafe) var a: Trip",
            finding:
                "2:13: error: an 'unowned' property cannot be persisted; relationships hold their models without it",
            corrections: ["private var a: Trip", "@Transient private unowned(unsafe) var a: Trip"]),
        Case(
            property: "var a = 0, b: Int = 1",
            finding: "2:16: error: a model declares one persisted property at a time",
            corrections: ["var a = 0\nvar b: Int = 1"]),
        Case(
            property: "var (a, b) = (0, 1)",
            finding:
                "2:9: error: a model cannot declare persisted properties with a tuple pattern: declare them one at a time"
        ),
        Case(property: "var a", finding: "2:9: error: the persisted property 'a' needs a type or an initial value"),
        Case(
            property: "public let a: Int",
            finding:
                "2:12: error: a stored 'let' of a model needs an initial value and is not persisted: a fetched model could not be given its value",
            corrections: ["public private(set) var a: Int"]),
        Case(
            property: "@Transient var a: Int",
            finding:
                "2:20: error: the '@Transient' property 'a' needs an initial value or an optional type: a fetched model has no other source for it"
        ),
        Case(
            property: "var a: () -> Void = {}", finding: "2:12: error: a function cannot be persisted",
            corrections: ["@Transient var a: () -> Void = {}"]),
        Case(
            property: "var a: ((Int) -> Int)?", finding: "2:12: error: a function cannot be persisted",
            corrections: ["@Transient var a: ((Int) -> Int)?"]),
        Case(
            property: "var a: (Int, Int) = (1, 2)", finding: "2:12: error: a tuple cannot be persisted",
            corrections: ["@Transient var a: (Int, Int) = (1, 2)"]),
        Case(
            property: "var a: [any Codable] = []", finding: "2:12: error: a value of any type cannot be persisted",
            corrections: ["@Transient var a: [any Codable] = []"]),
    ])
    func formsThatCannotBePersisted(_ test: Case) {
        let expansion = model(test.property)
        #expect(expansion.findings == [test.finding])
        #expect(corrections(expansion) == test.corrections)
        #expect(!expansion.text.contains("_PersistedProperty"))
    }

    @Test(arguments: [
        Case(
            property: "@Attribute(.unique) @Relationship var a: Trip?",
            finding: "2:25: error: a property is an '@Attribute' or a '@Relationship', not both",
            corrections: ["@Relationship var a: Trip?", "@Attribute(.unique) var a: Trip?"]),
        Case(
            property: "@Attribute(.unique) var a: Int { 1 }",
            finding: "2:5: error: '@Attribute' has no meaning on a computed property, which is not persisted",
            corrections: ["var a: Int { 1 }"]),
        Case(
            property: "@Relationship static let a: [Trip] = []",
            finding: "2:5: error: '@Relationship' has no meaning on a static property, which is not persisted",
            corrections: ["static let a: [Trip] = []"]),
        Case(
            property: "@Attribute(.unique) let a = UUID()",
            finding:
                "2:25: warning: a 'let' of a model is not persisted: each fetched model makes its initial value anew",
            corrections: [
                "@Attribute(.unique) private(set) var a = UUID()", "@Transient @Attribute(.unique) let a = UUID()",
            ]),
        Case(
            property: "@Transient @Attribute var a = 1",
            finding: "2:16: warning: '@Attribute' has no meaning on a '@Transient' property, which is not persisted",
            corrections: ["@Transient var a = 1"]),
        Case(
            property: "@Relationship var a: Int = 0",
            finding: "2:26: error: a relationship leads to a model, not to a plain value",
            corrections: ["var a: Int = 0"]),
        Case(
            property: "@Relationship var a: [String] = []",
            finding: "2:26: error: a relationship leads to models, not to plain values",
            corrections: ["var a: [String] = []"]),
        Case(
            property: "@Relationship var a: Set<Trip> = []",
            finding: "2:26: error: a relationship to many models is an array",
            corrections: ["@Relationship var a: [Trip] = []"]),
        Case(
            property: "@Relationship var a: [String: Trip] = [:]",
            finding: "2:26: error: a relationship to many models is an array"),
        Case(
            property: "@Attribute(.externalStorage, .unique) var a: [Int] = []",
            finding: "2:34: error: a collection cannot be unique: nothing compares whole collections"),
        Case(
            property: "@Relationship(inverse: path) var a: Trip?",
            finding: #"2:28: error: the inverse is given as a key path literal, such as \Type.property"#),
    ])
    func marksThatDoNotFit(_ test: Case) {
        let expansion = model(test.property)
        #expect(expansion.findings == [test.finding])
        #expect(corrections(expansion) == test.corrections)
    }

    @Test func constantsBeforeSwift6() {
        let source = "@Model final class Trip { let a: Int; let b = UUID(); init() { a = 1 } }"
        #expect(expand(source, mode: 5).findings.isEmpty)
        #expect(expand(source, mode: 6).findings.count == 2)
        #expect(expand("@Model final class Trip { let a = 1, b = 2; init() {} }", mode: 5).findings.isEmpty)
    }

    @Test(arguments: [
        "var a: (Int) = 1", "let a = 1", "@Transient var a: Int?", "@Transient var a: (() -> Void)?",
        "static let a = 1", "override var a: Int { didSet {} }", "@Relationship var a: Trip?",
        "@Relationship(inverse: nil) var a: [Trip]?", "@Attribute(.unique) var a: String", "var a: Trip.ID?",
        "@Custom var a = 1", "@available(*, deprecated) var a = 1",
    ])
    func formsThatAreFine(property: String) {
        #expect(model(property).findings.isEmpty)
    }
}
