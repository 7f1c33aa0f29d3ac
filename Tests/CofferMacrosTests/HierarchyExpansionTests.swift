import Testing

@Suite("Expansion of class hierarchies, generic and bound models")
struct HierarchyExpansionTests {
    @Test func topmostModel() {
        let lines = expand("@Model class Trip { var a = 1; init() {} }").lines
        #expect(lines.contains("class var _$descriptor: CofferCore._ModelDescriptor { _$ownDescriptor }"))
        #expect(
            lines.contains(
                "private static let _$ownDescriptor = CofferCore._ModelDescriptor(Trip.self, superclass: nil)"))
        // A subclass cannot know whether the superclass has constraints, so it always has the member.
        #expect(lines.contains("class var _$constraints: [any CofferCore.SchemaProperty] { [] }"))
        #expect(lines.contains("required init(_$blank: Swift.Void) {"))
    }

    @Test func submodel() {
        let expansion = expand(
            """
            @Model class Cruise: Trip {
                var ship: Ship?
                init(ship: Ship) { super.init(); self.ship = ship }
            }
            """, missing: [])
        let lines = expansion.lines
        #expect(!expansion.text.contains("_$flags") && !expansion.text.contains("extension"))
        #expect(!lines.contains { $0.hasPrefix("deinit") })
        #expect(
            lines.contains(
                "private static let _$ownDescriptor = CofferCore._ModelDescriptor(Cruise.self, superclass: Trip.self)"))
        #expect(lines.contains("private static let _$firstSlot = CofferCore._slotCount(Trip.self)"))
        #expect(lines.contains("override class var schemaMetadata: [CofferCore.Schema.PropertyMetadata] { ["))
        #expect(lines.contains("super.init(_$blank: ())"))
        #expect(
            expansion.text.contains(
                """
                    override func _$load(_ row: CofferCore._RowReader) throws {
                        try super._$load(row)
                        let first = Cruise._$firstSlot
                        if row.wants(first + 0) { _ship = try row.value(first + 0) }
                    }
                """))
        #expect(lines.contains("switch slot - Cruise._$firstSlot {"))
        #expect(lines.contains("default: super._$forget(slot)"))
    }

    @Test func submodelWithoutProperties() {
        let lines = expand("@Model final class Cruise: Trip { override init() { super.init() } }", missing: []).lines
        #expect(lines.contains("override func _$forget(_ slot: Swift.Int) { super._$forget(slot) }"))
    }

    @Test func aProtocolInFrontIsNoSuperclass() {
        let lines = expand("@Model final class Trip: Named { var a = 1; init() {} }").lines
        #expect(lines.contains("@inline(__always) private static var _$firstSlot: Swift.Int { 0 }"))
        // One that is known to be a protocol costs nothing.
        let known = expand("@Model final class Trip: Codable { var a = 1; init() {} }").text
        #expect(!known.contains("_$firstSlot"))
    }

    @Test func statedConformance() {
        let text = expand("@Model final class Trip: PersistentModel { var a = 1; init() {} }", missing: ["Observable"])
            .text
        #expect(text.contains("_$flags") && !text.contains("override"))
    }

    @Test func genericModel() {
        let lines = expand("@Model final class Box<T: Codable> { var a: T; init(a: T) { self.a = a } }").lines
        #expect(
            lines.contains(
                "static var _$descriptor: CofferCore._ModelDescriptor { CofferCore._ModelDescriptor.of(Box.self, superclass: nil) }"
            ))
    }

    @Test func nestedModel() {
        let text = expand("enum V1: VersionedSchema { @Model final class Trip { var a = 1; init() {} } }").text
        #expect(text.contains(#"_make("a", \Trip.a, default: 1)"#))
        #expect(text.contains("extension V1.Trip: CofferCore.PersistentModel {}"))
    }

    @Test(arguments: [true, false])
    func modelBoundToTheMainActor(byDefault: Bool) {
        let source = "\(byDefault ? "" : "@MainActor ")@Model final class Trip { var a: Point = .zero; init() {} }"
        let lines = expand(source, features: byDefault ? ["InferIsolatedConformances"] : []).lines
        #expect(lines.contains("@exclusivity(unchecked) nonisolated(unsafe) var _$flags: Swift.UInt64 = 0"))
        #expect(
            lines.contains(
                "nonisolated static var schemaMetadata: [CofferCore.Schema.PropertyMetadata] { CofferCore._unisolated { ["
            ))
        #expect(lines.contains("nonisolated init(_$blank: Swift.Void) {"))
        #expect(lines.contains("try CofferCore._unisolated(self, row) { model, row in"))
        #expect(lines.contains("if row.wants(0) { model._a = try row.value(0) }"))
        #expect(lines.contains("extension Trip: nonisolated CofferCore.PersistentModel {}"))
    }

    @Test func identityOfABoundModel() {
        let source = "@MainActor @Model final class Trip { var id = 1; init() {} }"
        #expect(expand(source).lines.contains("extension Trip: @preconcurrency CofferCore.PersistentModel {}"))
    }
}
