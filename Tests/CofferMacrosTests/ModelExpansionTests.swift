import Testing

@Suite("Expansion of a model")
struct ModelExpansionTests {
    @Test func wholeModel() {
        let expansion = expand(
            #"""
            @Model public final class Trip {
                @Attribute(.unique) var name: String
                var mood = "ok"
                @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
                @Transient var cache = 0
                #Index<Trip>([\.name], [\.name, \.mood])
                init(name: String) { self.name = name }
            }
            """#)
        #expect(expansion.findings.isEmpty)
        #expect(
            expansion.text == #"""
                public final class Trip {
                    @CofferCore._PersistedProperty(0) var name: String
                    @CofferCore._PersistedProperty(1)
                    var mood = "ok"
                    @CofferCore._PersistedProperty(2) var stops: [Stop] = []
                    var cache = 0
                    init(name: String) { self.name = name }

                    @exclusivity(unchecked) public var _$flags: Swift.UInt64 = 0

                    @exclusivity(unchecked) public var _$key: Swift.Int64 = 0

                    @exclusivity(unchecked) public var _$home: CofferCore._ModelHome? = nil

                    @exclusivity(unchecked) public var _$extras: CofferCore._ModelExtras? = nil

                    deinit { CofferCore._modelWillDie(self) }

                    public static let _$descriptor = CofferCore._ModelDescriptor(Trip.self, superclass: nil)

                    public static var _$isPlain: Swift.Bool { false }

                    public static var schemaMetadata: [CofferCore.Schema.PropertyMetadata] { [
                        CofferCore.Schema.PropertyMetadata._make("name", \Trip.name, metadata: CofferCore.Schema.Attribute(.unique)),
                        CofferCore.Schema.PropertyMetadata._make("mood", \Trip.mood, default: "ok"),
                        CofferCore.Schema.PropertyMetadata._make("stops", \Trip.stops, default: [], metadata: CofferCore.Schema.Relationship(deleteRule: .cascade, inverse: \Stop.trip)),
                    ] }

                    public static var _$constraints: [any CofferCore.SchemaProperty] { [CofferCore.Schema.Index<Trip>([\.name], [\.name, \.mood])] }

                    public init(_$blank: Swift.Void) {
                        _name = nil
                        _mood = nil
                        _stops = nil
                    }

                    public func _$load(_ row: CofferCore._RowReader) throws {
                        if row.wants(0) { _name = try row.value(0) }
                        if row.wants(1) { _mood = try row.value(1) }
                        if row.wants(2) { _stops = try row.value(2) }
                    }

                    public func _$store(_ row: inout CofferCore._RowWriter) throws {
                        if row.wants(0) { try row.put(0, _name) }
                        if row.wants(1) { try row.put(1, _mood) }
                        if row.wants(2) { try row.put(2, _stops) }
                    }

                    public func _$visit(_ visitor: inout CofferCore._RelatedVisitor) {
                        visitor.visit(2, _stops)
                    }

                    public func _$forget(_ slot: Swift.Int) {
                        switch slot {
                        case 0: _name = nil
                        case 1: _mood = nil
                        case 2: _stops = nil
                        default: break
                        }
                    }

                    public func _$edit(_ slot: Swift.Int, _ edit: CofferCore._RelationshipEdit) {
                        switch slot {
                        case 2: CofferCore._edit(&_stops, edit)
                        default: break
                        }
                    }
                }

                extension Trip: CofferCore.Observable {}

                extension Trip: CofferCore.PersistentModel {}

                @available(*, unavailable, message: "a model belongs to the context that made it: pass its persistentModelID, or work in a ModelActor")
                extension Trip: @unchecked Swift.Sendable {}
                """#)
    }

    @Test func onlyMissingConformancesAreAdded() {
        let text = expand("@Model final class Trip { init() {} }", missing: ["PersistentModel"]).text
        #expect(text.contains("extension Trip: CofferCore.PersistentModel {}"))
        #expect(!text.contains("CofferCore.Observable"))
        #expect(!text.contains("Swift.Sendable"))
    }

    @Test func whatIsNotPersisted() {
        let text = expand(
            """
            @Model final class Trip {
                let fixed = 1
                static var shared = 2
                @Transient lazy var late = 3
                @Transient weak var delegate: AnyObject?
                var computed: Int { 4 }
                var both: Int { get { 5 } set {} }
                init() {}
            }
            """
        ).text
        #expect(!text.contains("_PersistedProperty"))
        #expect(text.contains("schemaMetadata: [CofferCore.Schema.PropertyMetadata] { [] }"))
    }

    @Test func constantsArePersistedBeforeSwift6() {
        let lines = expand(
            "@Model final class Trip { let a: Int; let limit = 3; let b = UUID(); init() { a = 1 } }", mode: 5
        ).lines
        #expect(lines.contains("if row.wants(0) { _a = try row.value(0) }"))
        #expect(lines.contains("case 1: _b = nil"))
    }

    @Test func ownDeinitialiserStays() {
        let lines = expand("@Model final class Trip { var a = 1; init() {}; deinit { print(1) } }").lines
        #expect(!lines.contains("deinit { CofferCore._modelWillDie(self) }"))
        #expect(lines.contains("@exclusivity(unchecked) private final var _$token = CofferCore._LifeToken()"))
        #expect(lines.contains("var _$lifeToken: CofferCore._LifeToken? { _$token }"))
    }

    @Test func plainInitialiser() {
        // Swift would give both one, did the expansion not add another.
        #expect(expand("@Model final class Trip { var a = 1; var b: Int? }").lines.contains("init() {}"))
        #expect(!expand("@Model final class Trip { var a = 1; init(a: Int) {} }").lines.contains("init() {}"))
    }

    @Test func transformedValues() {
        let lines = expand(
            """
            @Model final class Trip {
                @Attribute(.transformable(by: "Colour")) var colour: Colour?
                @Attribute(.transformable(by: Route.self)) var route: Route
                init(route: Route) { self.route = route }
            }
            """
        ).lines
        #expect(lines.contains(#"if row.wants(0) { _colour = try row.transformed(0, by: "Colour") }"#))
        #expect(lines.contains("if row.wants(1) { try row.putTransformed(1, _route, by: Route.self) }"))
        #expect(!lines.contains { $0.hasPrefix("visitor.visit") })
    }

    @Test func codedAndEphemeralValues() {
        let lines = expand(
            """
            @Model final class Trip {
                @Attribute(.codable) var mood: Mood
                @Attribute(.ephemeral) var zoom = 1
                init(mood: Mood) { self.mood = mood }
            }
            """
        ).lines
        #expect(lines.contains("if row.wants(0) { _mood = try row.coded(0) }"))
        #expect(lines.contains("if row.wants(0) { try row.putCoded(0, _mood) }"))
        #expect(!lines.contains { $0.hasPrefix("if row.wants(1)") })
        #expect(lines.contains("case 1: _zoom = nil"))
    }

    @Test func relationshipsAreGuessedFromTheType() {
        let lines = expand(
            """
            @Model final class Trip {
                var a: Int?, b: [String] = []
                var owner: Person?
                var all: [Person] = []
                var some: Array<Person>?
                var when: Foundation.Date = .now
                var ids: Set<Int> = []
                var map: [String: Person] = [:]
                var lead = Person()
                var mood = Mood.calm
                @Attribute var point: Point
                init(point: Point) { self.point = point }
            }
            """
        ).lines.filter { $0.hasPrefix("visitor.visit") }
        #expect(
            lines == [
                "visitor.visit(0, _owner)", "visitor.visit(1, _all)", "visitor.visit(2, _some)",
                "visitor.visit(3, _when)", "visitor.visit(6, _lead)", "visitor.visit(7, _mood)",
            ])
    }

    @Test func defaultsAreTakenAsWritten() {
        let expansion = expand(
            #"""
            @Model final class Trip {
                var text = """
                    one
                      two \(1 + 1)
                    """
                var made: Int = {
                    let a = 1  // one
                    return a + 1
                }()
                var none: Int? = nil
                init() {}
            }
            """#)
        #expect(expansion.text.contains(#"_make("text", \Trip.text, default: """"#))
        #expect(expansion.text.contains("let a = 1  // one\n"))
        #expect(expansion.text.contains(#"_make("none", \Trip.none),"#))
    }

    @Test func namesInBackticks() {
        let lines = expand("@Model final class Trip { var `default` = 1; init() {} }").lines
        #expect(lines.contains(#"CofferCore.Schema.PropertyMetadata._make("default", \Trip.`default`, default: 1),"#))
        #expect(lines.contains("case 0: _default = nil"))
    }

    @Test(arguments: [
        ("public", "public var _$key"), ("open", "public final var _$key"), ("package", "package final var _$key"),
        ("fileprivate", "final var _$key"), ("", "final var _$key"),
    ])
    func accessOfMembers(word: String, member: String) {
        let kind = word == "public" ? "public final" : word
        let lines = expand("@Model \(kind) class Trip { var a = 1; init() {} }").lines
        #expect(lines.contains("@exclusivity(unchecked) \(member): Swift.Int64 = 0"))
    }

    @Test func openModelsCanBeOverriddenElsewhere() {
        let lines = expand("@Model open class Trip { var a = 1; init() {} }").lines
        #expect(lines.contains("open class var _$descriptor: CofferCore._ModelDescriptor { _$ownDescriptor }"))
        #expect(lines.contains("open func _$load(_ row: CofferCore._RowReader) throws {"))
        #expect(lines.contains("public required init(_$blank: Swift.Void) {"))
    }

    @Test func conditions() {
        let source = """
            @Model final class Trip {
                var a = 1
                #if TRACE
                var b = 2
                #else
                var c = 3
                #endif
                #if os(Linux)
                var d = 4
                #endif
                init() {}
            }
            """
        let cases = { (expansion: Expansion) in expansion.lines.filter { $0.hasPrefix("case ") } }
        #expect(cases(expand(source)) == ["case 0: _a = nil", "case 1: _c = nil", "case 2: _d = nil"])
        #expect(
            cases(expand(source, conditions: ["TRACE"])) == [
                "case 0: _a = nil", "case 1: _b = nil", "case 2: _d = nil",
            ])
    }
}
