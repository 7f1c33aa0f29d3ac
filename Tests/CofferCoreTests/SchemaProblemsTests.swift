import CofferCore
import Foundation
import Testing

@Suite struct SchemaProblemsTests {
    func codes(_ schema: Schema) -> [String: SwiftDataError.Code] {
        Dictionary(
            schema.problems.map { ("\($0.entity ?? "").\($0.property ?? "")", $0.code) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test func anEmptySchema() {
        #expect(throws: SwiftDataError.emptySchema) { try Schema().validate() }
        #expect(throws: SwiftDataError.emptySchema) { try Schema([any PersistentModel.Type]()).validate() }
    }

    @Test func aTreePairsWithItself() throws {
        let node = try #require(Schema([Node.self]).entity(for: Node.self))
        #expect(node.relationshipsByName["parent"]?.inverseName == "children")
        #expect(node.relationshipsByName["children"]?.inverseName == "parent")
    }

    @Test func ambiguousInversesAreNamed() throws {
        let schema = Schema([Match.self])
        #expect(schema.entity(for: Team.self)?.relationshipsByName["matches"]?.inverseName == nil)
        #expect(schema.problems.map(\.code) == [.ambiguousInverse])
        let error = #expect(throws: SwiftDataError.self) { try schema.validate() }
        #expect(error?.code == .ambiguousInverse && error?.entity == "Team" && error?.property == "matches")
        let text = try #require(error?.description)
        #expect(text.contains("Match.home") && text.contains("Match.away"))
    }

    @Test func aRequiredToOneIsNoInverseByItself() throws {
        let schema = Schema([Car.self])
        #expect(schema.entity(for: Car.self)?.relationshipsByName["wheels"]?.inverseName == nil)
        try schema.validate()
    }

    @Test func namesAreChecked() {
        let codes = codes(Schema([Wrong.Named.self]))
        #expect(codes == ["Named.hasChanges": .reservedPropertyName, "Named.text": .duplicateProperty])
    }

    @Test func typesAreChecked() {
        let codes = codes(Schema([Wrong.Typed.self]))
        #expect(codes["Typed.thing"] == .unsupportedValueType)
        #expect(codes["Typed.number"] == .invalidRelationship)
        #expect(codes["Typed.stops"] == .invalidUniqueness)
    }

    @Test func inversesOnWrongPropertiesAreChecked() {
        let codes = codes(Schema([Wrong.Inverted.self]))
        #expect(codes == ["Inverted.stop": .invalidRelationship, "Inverted.loose": .invalidRelationship])
    }

    @Test func equalNamesAreChecked() {
        let schema = Schema([Trip.self, Wrong.Trip.self])
        #expect(schema.problems.map(\.code) == [.duplicateEntity])
        #expect(throws: SwiftDataError.duplicateEntity) { try schema.validate() }
    }

    @Test func entitiesMadeByHandAreChecked() {
        let link = Schema.Relationship()
        link.name = "owner"
        link.destination = "Nobody"
        let schema = Schema(
            Schema.Entity("Thing", properties: link, Schema.Attribute(name: "a", valueType: Int.self)))
        #expect(schema.problems.map(\.code) == [.unknownModelType])
        let thing = Schema.Entity("Thing", properties: Schema.Attribute(name: "a", valueType: Int.self))
        thing.indices = [["b"]]
        thing.uniquenessConstraints = [["c"]]
        #expect(Schema(thing).problems.map(\.code) == [.invalidUniqueness, .invalidIndex])
    }

    @Test func superentitiesMadeByHandAreLinked() {
        let parent = Schema.Entity("Parent", properties: Schema.Attribute(name: "a", valueType: Int.self))
        let child = Schema.Entity("Child")
        child.superentityName = "Parent"
        _ = Schema(child, parent)
        #expect(child.superentity === parent && child.properties.map(\.name) == ["a"])
        let (one, other) = (Schema.Entity("One"), Schema.Entity("Other"))
        one.superentityName = "Other"
        other.superentityName = "One"
        #expect(Schema(one, other).problems.map(\.code) == [.invalidSchema])
    }
}
