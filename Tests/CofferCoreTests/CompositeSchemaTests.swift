import CofferCore
import Foundation
import Testing

private struct Coordinate: Codable, Hashable {
    var latitude: Double
    var longitude: Double
    private var altitude: Double?
    enum CodingKeys: String, CodingKey { case latitude = "lat", longitude = "lon", altitude }
    init() { (latitude, longitude) = (1, 2) }
}

private struct Address: Codable, Hashable {
    var street: String
    var place: Coordinate
    var former: [Coordinate] = []
    init() {
        street = "s"
        place = Coordinate()
    }
}

private enum Kind: Codable, Hashable { case a, b(Int) }

/// Stops the program when it is decoded.
private struct Fragile: Codable, Hashable {
    var text: String
    init() { text = "x" }
    init(from decoder: any Decoder) throws { fatalError("No schema decodes anything.") }
    func encode(to encoder: any Encoder) throws {}
}

@Model private final class Landmark {
    var address: Address
    var second: Address?
    var tags: [String] = []
    var counts: [String: Int] = [:]
    var set: Set<Int> = []
    var kind: Kind
    var size: Measurement<UnitLength>?
    var corner: CGPoint = CGPoint.zero
    var fragile: Fragile = Fragile()
    @Attribute(.codable) var coded: Address
    @Attribute(originalName: "old", hashModifier: "h") var renamed: Coordinate = Coordinate()
    init() {
        address = Address()
        coded = Address()
        kind = .a
    }
}

@Suite("Structures as values, in a schema")
struct CompositeSchemaTests {
    private let entity = Schema([Landmark.self]).entitiesByName["Landmark"]

    @Test("are composites with their stored properties, at any depth")
    func members() throws {
        let address = try #require(entity?.attributesByName["address"] as? Schema.CompositeAttribute)
        #expect(address.properties.map(\.name) == ["street", "place", "former"])
        #expect(address.properties[0].valueType == String.self && !address.isOptional)
        let place = try #require(address.properties[1] as? Schema.CompositeAttribute)
        #expect(place.properties.map(\.name) == ["latitude", "longitude", "altitude"])
        #expect(place.properties.map(\.isOptional) == [false, false, true])
        #expect(!(address.properties[2] is Schema.CompositeAttribute))
        let second = try #require(entity?.attributesByName["second"] as? Schema.CompositeAttribute)
        #expect(second.isOptional && second.properties == address.properties)
        let renamed = try #require(entity?.attributesByName["renamed"] as? Schema.CompositeAttribute)
        #expect(renamed.originalName == "old" && renamed.hashModifier == "h")
        #expect((renamed.defaultValue as? Coordinate)?.latitude == 1)
    }

    @Test("and nothing else is a composite")
    func others() throws {
        let composites = try #require(entity).attributes.filter { $0 is Schema.CompositeAttribute }.map(\.name)
        #expect(Set(composites) == ["address", "second", "renamed", "fragile"])
    }

    @Test("are told apart by their members, and equal a description that does not know them")
    func equality() throws {
        let schema = Schema([Landmark.self])
        let text = String(decoding: try JSONEncoder().encode(schema), as: UTF8.self)
        #expect(try JSONDecoder().decode(Schema.self, from: Data(text.utf8)) == schema)
        let other = try JSONDecoder().decode(Schema.self, from: Data(text.replacing("longitude", with: "width").utf8))
        #expect(other != schema)
        let earlier = try JSONDecoder().decode(
            Schema.self, from: Data(text.replacing(#""kind":"composite""#, with: #""kind":"attribute""#).utf8))
        #expect(earlier == schema && schema == earlier)
    }
}
