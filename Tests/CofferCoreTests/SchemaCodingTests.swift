import CofferCore
import Foundation
import Testing

@Suite struct SchemaCodingTests {
    func roundTrip<T: Codable>(_ value: T) throws -> T {
        try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
    }

    @Test func schemasSurvive() throws {
        for schema in [Schema([Trip.self], version: .init(3, 1, 4)), Schema([Dog.self]), Schema([Node.self])] {
            let copy = try roundTrip(schema)
            #expect(copy == schema)
            #expect(copy.hashValue == schema.hashValue)
            #expect(copy.problems.isEmpty)
            for entity in schema.entities {
                let other = try #require(copy.entitiesByName[entity.name])
                #expect(other == entity)
                #expect(other.properties.map(\.name) == entity.properties.map(\.name))
                #expect(other.superentity?.name == entity.superentity?.name)
            }
        }
    }

    @Test func scalarTypesComeBack() throws {
        let types: [any Any.Type] = [
            Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
            UInt32.self, UInt64.self, Double.self, Float.self, String.self, Character.self, Date.self, Data.self,
            UUID.self, URL.self, Decimal.self, Int?.self, Date?.self,
        ]
        for type in types {
            let attribute = Schema.Attribute(name: "a", valueType: type)
            let copy = try roundTrip(attribute)
            #expect(areSame(copy.valueType, type))
            #expect(copy.isOptional == attribute.isOptional)
            #expect(copy == attribute)
        }
    }

    @Test func otherTypesComeBackByName() throws {
        let attribute = Schema.Attribute(name: "a", valueType: Trip.Place?.self)
        let copy = try roundTrip(attribute)
        #expect(copy.valueTypeName == "Place" && copy.isOptional)
        #expect(areSame(copy.valueType, _UnknownType?.self))
        #expect(copy == attribute)
        #expect(try roundTrip(copy) == attribute, "what was read can be written again")
        #expect(copy != Schema.Attribute(name: "a", valueType: Trip.Place.self))
    }

    @Test func optionsAndDefaultsComeBack() throws {
        let attribute = Schema.Attribute(
            name: "a", originalName: "b", options: [.unique, .externalStorage, .transformable(by: "Colour"), .codable],
            valueType: Int.self, defaultValue: 7, hashModifier: "x")
        let copy = try roundTrip(attribute)
        #expect(copy == attribute)
        #expect(copy.options == attribute.options && copy.originalName == "b" && copy.hashModifier == "x")
        #expect(copy.defaultValue as? Int == 7)
        #expect(copy.isTransformable)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Schema.Attribute.Option].self, from: Data(#"["nonsense"]"#.utf8))
        }
    }

    @Test func compositesComeBack() throws {
        let composite = Schema.CompositeAttribute(name: "place", valueType: Trip.Place.self)
        composite.properties = [
            Schema.Attribute(name: "city", valueType: String.self), Schema.Attribute(name: "x", valueType: Double.self),
        ]
        let entity = Schema.Entity("Thing", properties: composite)
        let copy = try roundTrip(entity)
        #expect(copy == entity)
        let read = try #require(copy.attributesByName["place"] as? Schema.CompositeAttribute)
        #expect(read.properties.map(\.name) == ["city", "x"])
        read.properties.removeLast()
        #expect(copy != entity)
    }

    @Test func constraintsComeBackAsKeyPaths() throws {
        let index = Schema.Index<Trip>(.binary([\.name]), .rtree([\.days, \.rating]))
        #expect(try roundTrip(index) == index)
        let unique = Schema.Unique<Trip>([\.name], [\.days, \.mood])
        #expect(try roundTrip(unique).constraints == unique.constraints)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                Schema.Unique<Trip>.self, from: Data(#"{"constraints": [["nothing"]]}"#.utf8))
        }
    }

    @Test func theWrittenFormIsStable() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let one = try encoder.encode(Schema([Trip.self, Node.self]))
        let other = try encoder.encode(Schema([Node.self, Person.self, Trip.self]))
        #expect(one == other)
    }

    @Test func filesAreWrittenAndRead() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("schema.json")
        let schema = Schema([Trip.self])
        try schema.save(to: url)
        #expect(try Schema.load(from: url) == schema)
        try Data("{}".utf8).write(to: url)
        #expect(throws: DecodingError.self) { try Schema.load(from: url) }
    }

    @Test func newerFormsAreRefused() throws {
        var text = String(decoding: try JSONEncoder().encode(Schema([Node.self])), as: UTF8.self)
        text = text.replacing(#""encodingVersion":{"major":1"#, with: #""encodingVersion":{"major":9"#)
            .replacing(#""patch":0,"major":1"#, with: #""patch":0,"major":9"#)
        guard text.contains("9") else { return }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Schema.self, from: Data(text.utf8)) }
    }
}
