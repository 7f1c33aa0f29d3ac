import CofferCore
import Foundation
import Testing

@Suite struct SchemaTests {
    let schema = Schema([Trip.self])

    @Test func takesInWhatTheModelsLeadTo() throws {
        #expect(schema.entities.map(\.name) == ["Trip", "Stop", "Person"])
        #expect(schema.entity(for: Person.self)?.name == "Person")
        #expect(schema.entity(for: Node.self) == nil)
        #expect(Schema.entityName(for: Wrong.Trip.self) == "Trip")
        #expect(Schema(Trip.self, version: .init(2, 0, 0)).version == Schema.Version(2, 0, 0))
        try schema.validate()
    }

    @Test func propertiesKeepTheirOrder() throws {
        let trip = try #require(schema.entity(for: Trip.self))
        let names = ["name", "days", "rating", "stops", "owner", "mood", "place", "tags"]
        #expect(trip.storedProperties.map(\.name) == names)
        #expect(trip.properties.map(\.name) == names)
        #expect(Set(trip.attributesByName.keys) == ["name", "days", "rating", "mood", "place", "tags"])
        #expect(Set(trip.relationships.map(\.name)) == ["stops", "owner"])
    }

    @Test func attributesKnowTheirType() throws {
        let trip = try #require(schema.entity(for: Trip.self))
        let name = try #require(trip.attributesByName["name"])
        #expect(name.isUnique && name.isAttribute && !name.isOptional && name.originalName == "title")
        #expect(areSame(name.valueType, String.self))
        let rating = try #require(trip.attributesByName["rating"])
        #expect(rating.isOptional && areSame(rating.valueType, Double?.self) && rating.defaultValue == nil)
        #expect(trip.attributesByName["days"]?.defaultValue as? Int == 3)
        #expect(trip.attributesByName["mood"]?.valueTypeName == "Mood")
        guard case .rawValue(_, let raw) = trip.attributesByName["mood"]?._valueShape.kind else {
            Issue.record("an enumeration with a raw value is kept as that")
            return
        }
        #expect(areSame(raw, String.self))
        guard case .codable = trip.attributesByName["tags"]?._valueShape.kind else {
            Issue.record("an array of strings is a coded value")
            return
        }
    }

    @Test func relationshipsKnowTheirOtherEnd() throws {
        let trip = try #require(schema.entity(for: Trip.self))
        let stops = try #require(trip.relationshipsByName["stops"])
        #expect(stops.destination == "Stop" && !stops.isToOneRelationship && stops.deleteRule == .cascade)
        #expect(stops.inverseName == "trip" && stops.keypath == \Trip.stops)
        let back = try #require(schema.entity(for: Stop.self)?.relationshipsByName["trip"])
        #expect(back.inverseName == "stops" && back.inverseKeyPath == \Trip.stops && back.isToOneRelationship)
        #expect(trip.relationshipsByName["owner"]?.inverseName == "trips")
        #expect(schema.entity(for: Person.self)?.relationshipsByName["trips"]?.inverseName == "owner")
        #expect(schema.entity(for: Person.self)?.relationshipsByName["friend"]?.inverseName == nil)
    }

    @Test func constraintsAreNamedByProperty() throws {
        let trip = try #require(schema.entity(for: Trip.self))
        #expect(trip.uniquenessConstraints == [["name"], ["days", "mood"]])
        #expect(trip.indices == [["name"], ["days", "name"]])
    }

    @Test func subclassesInherit() throws {
        let schema = Schema([Dog.self])
        #expect(schema.entities.map(\.name) == ["Dog", "Animal", "Keeper"])
        let dog = try #require(schema.entity(for: Dog.self))
        let animal = try #require(schema.entity(for: Animal.self))
        #expect(dog.superentityName == "Animal" && dog.superentity === animal)
        #expect(animal.subentities.map(\.name) == ["Dog"])
        #expect(dog.storedProperties.map(\.name) == ["tricks"])
        #expect(dog.inheritedProperties.map(\.name) == ["name", "keeper"])
        #expect(dog.properties.map(\.name) == ["name", "keeper", "tricks"])
        #expect(dog.attributesByName["name"] != nil)
        #expect(schema.entity(for: Keeper.self)?.relationshipsByName["animals"]?.inverseName == "keeper")
        try schema.validate()
        #expect(Schema([Animal.self]).entity(for: Dog.self) == nil, "subclasses are not reached")
    }

    @Test func defaultsAreEvaluatedWhenRead() {
        nonisolated(unsafe) var count = 0
        func make() -> Int {
            count += 1
            return count
        }
        let metadata = Schema.PropertyMetadata._make("days", \Trip.days, default: make())
        #expect(count == 0)
        #expect(Mirror(reflecting: metadata).children.map(\.label).starts(with: ["name", "keypath"]))
        #expect(count == 0)
    }

    @Test func versionsAreOrdered() throws {
        #expect(Schema.Version(1, 2, 3) < Schema.Version(1, 10, 0))
        #expect(Schema.Version(2, 0, 0) > Schema.Version(1, 99, 99))
        #expect(Schema.Version(1, 0, 1).description == "1.0.1")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Schema.Version.self, from: Data(#"{"major": -1, "minor": 0, "patch": 0}"#.utf8))
        }
    }

    @Test func entitiesCanBeChangedByHand() throws {
        let entity = Schema.Entity(
            "Thing",
            properties:
                Schema.Attribute(name: "a", options: [.unique], valueType: String.self),
            Schema.Attribute(name: "b", valueType: Int?.self))
        #expect(entity.uniquenessConstraints == [["a"]])
        var byName = entity.attributesByName
        byName["c"] = Schema.Attribute(name: "c", valueType: Date.self)
        byName["a"] = nil
        entity.attributesByName = byName
        #expect(entity.storedProperties.map(\.name) == ["b", "c"])
        let child = Schema.Entity("Child")
        child.superentity = entity
        #expect(entity.subentities == [child] && child.properties.map(\.name) == ["b", "c"])
        child.superentity = nil
        #expect(entity.subentities.isEmpty && child.properties.isEmpty && child.superentityName == nil)
    }
}
