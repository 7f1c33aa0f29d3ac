import Testing

@Suite("Diagnostics of a model")
struct ModelDiagnosticsTests {
    @Test(arguments: [
        ("struct", "a struct", "final class"), ("actor", "an actor", "final class"), ("enum", "an enum", nil),
        ("extension", "an extension", nil),
    ])
    func onlyClasses(keyword: String, kind: String, correction: String?) {
        let expansion = expand("@Model \(keyword) Trip {}")
        #expect(expansion.findings == ["1:8: error: '@Model' can only be attached to a class, not to \(kind)"])
        #expect(expansion.corrections == (correction.map { ["@Model \($0) Trip {}"] } ?? []))
        #expect(expansion.text == "\(keyword) Trip {}")
    }

    @Test func missingInitialiser() {
        let expansion = expand(
            """
            @Model final class Trip {
                var name: String
                var days = 3
                var end: Date
            }
            """)
        #expect(
            expansion.findings == [
                "1:20: error: the model 'Trip' needs an initialiser: 'name', 'end' have no initial value"
            ])
        #expect(
            expansion.corrections == [
                """
                @Model final class Trip {
                    var name: String
                    var days = 3
                    var end: Date

                    init(name: String, end: Date) {
                        self.name = name
                        self.end = end
                    }
                }
                """
            ])
    }

    @Test func submodelsInheritNoInitialiser() {
        let expansion = expand("@Model public class Cruise: Trip {\n    var ship = 1\n}", missing: [])
        #expect(
            expansion.findings == [
                "1:21: error: the model 'Cruise' needs an initialiser: the class inherits none, because '@Model' adds initialisers"
            ])
        #expect(
            expansion.corrections == [
                "@Model public class Cruise: Trip {\n    var ship = 1\n\n    public init() {\n    }\n}"
            ])
    }

    @Test func nameOfAStorage() {
        let expansion = expand("@Model final class Trip { var a = 1; @Transient var _a = 2; init() {} }")
        #expect(
            expansion.findings == ["1:53: error: '_a' is the name of the storage of the persisted property 'a'"])
        #expect(!expansion.text.contains("_PersistedProperty"))
    }

    @Test func privateNestedModels() {
        let expansion = expand("enum Schema { @Model private final class Trip { init() {} } }")
        #expect(
            expansion.findings == [
                "1:22: error: a nested model cannot be 'private', since its conformances stand outside"
            ])
        #expect(expansion.corrections == ["enum Schema { @Model fileprivate final class Trip { init() {} } }"])
        #expect(expand("@Model private final class Trip { init() {} }").findings.isEmpty)
    }

    @Test func otherActors() {
        #expect(
            expand("@StoreActor @Model final class Trip { init() {} }").findings == [
                "1:1: error: a model can be bound to the main actor, but not to '@StoreActor'"
            ])
        #expect(expand("@MainActor @Model final class Trip { init() {} }").findings.isEmpty)
    }

    @Test func conditionsThatAMacroCannotEvaluate() {
        let expansion = expand(
            """
            @Model final class Trip {
                #if canImport(Photos)
                var photo: Int?
                #endif
                #if canImport(Photos)
                func show() {}
                init() {}
                #endif
            }
            """)
        #expect(
            expansion.findings == [
                "2:9: error: a macro cannot evaluate 'canImport(Photos)': persisted properties cannot depend on it"
            ])
    }

    @Test(arguments: ["Unique", "Index", "FullText"])
    func constraints(name: String) {
        #expect(
            expand("#\(name)<Trip>([\\.a])").findings == [
                "1:1: error: '#\(name)' belongs into a class marked '@Model'"
            ])
        #expect(
            expand("class Trip {\n    #\(name)<Trip>()\n}").findings == [
                "2:6: error: '#\(name)' needs at least one array of key paths"
            ])
        #expect(
            expand("class Trip {\n    #\(name)<Trip>([\\.a], [])\n}").findings == [
                "2:\(20 + name.count): error: an empty group of key paths says nothing: name a property"
            ])
        #expect(expand("class Trip {\n    #\(name)<Trip>([\\.a], [\\.b, \\.c])\n}").findings.isEmpty)
    }

    @Test func kindsOfIndexes() {
        #expect(expand("class Trip { #Index<Trip>(.binary([\\.a]), .rtree([\\.b])) }").findings.isEmpty)
        #expect(expand("class Trip { #Index<Trip>(.binary([])) }").findings.count == 1)
    }

    @Test(arguments: ["Attribute", "Relationship", "Transient"])
    func marksOnOtherThanProperties(name: String) {
        #expect(
            expand("@\(name) func f() {}").findings == ["1:1: error: '@\(name)' can only be attached to a property"])
    }
}
