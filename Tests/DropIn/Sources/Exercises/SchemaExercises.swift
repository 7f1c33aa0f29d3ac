import DropInLedger
import Foundation
import SwiftData

@MainActor
func exerciseSchemas(_ ledger: ParityLedger) async {
    await ledger.works(
        "schemas are made of types, entities and versions",
        [
            "Schema.init()", "Schema.init(_:version:) of entities", "Schema.init(_:version:) of types one by one",
            "Schema.init(_:version:) of an array of types", "Schema.init(versionedSchema:)", "Schema.version",
            "Schema.entities", "Schema.entitiesByName", "Schema.entity(for:)", "Schema.entityName(for:)",
        ]
    ) { check in
        check.expect(Schema().entities.isEmpty)
        let one = Schema(Club.self, Trophy.self)
        let other = Schema([Club.self])
        check.equal(one.version, Schema.Version(1, 0, 0))
        check.equal(Set(other.entities.map(\.name)).isSuperset(of: ["Club", "Pupil", "Mark", "School"]), true)
        check.equal(Schema([Lamp.self], version: .init(2, 1, 0)).version, .init(2, 1, 0))
        check.equal(Schema(Schema.Entity("A"), Schema.Entity("B")).entitiesByName.keys.sorted(), ["A", "B"])
        let versioned = Schema(versionedSchema: RecipesV2.self)
        check.equal(versioned.version, Schema.Version(2, 0, 0))
        check.equal(versioned.entities.map(\.name), ["Recipe", "Step"])
        check.equal(versioned.entity(for: Recipe.self)?.name, "Recipe")
        check.equal(Schema.entityName(for: RecipesV1.Recipe.self), "Recipe")
        check.expect(versioned.entity(for: Lamp.self) == nil)
    }
    await ledger.works(
        "schemas are written and read",
        [
            "Schema.save(to:)", "Schema.load(from:)", "Schema.schemaEncodingVersion", "Schema.encodingVersion",
            "conformance of Schema to Codable, Hashable, CustomDebugStringConvertible and Sendable",
        ]
    ) { check in
        let schema = Schema([School.self, Poster.self])
        let file = check.file("schema")
        try schema.save(to: file)
        let read = try Schema.load(from: file)
        check.equal(read, schema)
        check.equal(read.encodingVersion, Schema.schemaEncodingVersion)
        check.equal(schema.encodingVersion, Schema.schemaEncodingVersion)
        let copy = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
        check.expect(Set([schema, copy]).count == 1)
        check.expect(schema.debugDescription.contains("School"))
        func send<S: Sendable>(_ value: S) -> S { value }
        check.expect(send(schema) === schema)
    }
    await ledger.works(
        "versions are ordered",
        [
            "Schema.Version.init(_:_:_:)", "Schema.Version.major", "Schema.Version.minor", "Schema.Version.patch",
            "conformance of Schema.Version to Codable, Comparable, CustomStringConvertible, Hashable and Sendable",
        ]
    ) { check in
        let version = Schema.Version(1, 10, 2)
        check.expect(version.major == 1 && version.minor == 10 && version.patch == 2)
        check.expect(Schema.Version(1, 9, 9) < version && version < .init(2, 0, 0))
        check.equal("\(version)", "1.10.2")
        check.equal(try JSONDecoder().decode(Schema.Version.self, from: JSONEncoder().encode(version)), version)
        check.equal(Set([version, .init(1, 10, 2)]).count, 1)
    }
    await ledger.works(
        "metadata can be made, and be read with a mirror",
        [
            "Schema.PropertyMetadata.init(name:keypath:defaultValue:metadata:)",
            "labels of a mirror of Schema.PropertyMetadata",
        ]
    ) { check in
        let metadata = Schema.PropertyMetadata(
            name: "name", keypath: \Lamp.name, defaultValue: "x", metadata: Schema.Attribute(.unique))
        let labels = Mirror(reflecting: metadata).children.map(\.label)
        check.expect(labels.contains("name") && labels.contains("keypath"))
        check.equal(keyPaths(of: Mark.self).keys.sorted(), ["pupil", "subject", "value"])
    }
}

@MainActor
func exerciseEntities(_ ledger: ParityLedger) async {
    await ledger.works(
        "properties of any kind answer alike",
        [
            "SchemaProperty.name", "SchemaProperty.originalName", "SchemaProperty.valueType",
            "SchemaProperty.isAttribute", "SchemaProperty.isRelationship", "SchemaProperty.isTransient",
            "SchemaProperty.isOptional", "SchemaProperty.isUnique",
        ]
    ) { check in
        let entity = try check.require(Schema([Pupil.self]).entity(for: Pupil.self))
        var found: [String] = []
        for property in entity.properties {
            check.equal(property.originalName, property.name)
            check.expect(property.isAttribute != property.isRelationship && !property.isTransient)
            let marks = (property.isOptional ? "?" : "") + (property.isUnique ? "!" : "")
            found.append(property.name + marks + (property.isRelationship ? ">" : ""))
        }
        check.equal(found, ["id!", "name", "school?>", "marks>", "clubs>", "locker?>"])
        check.expect(entity.properties[0].valueType == String.self)
        var property: any SchemaProperty = Schema.Attribute(name: "a", valueType: Int.self)
        property.name = "b"
        property.originalName = "c"
        property.valueType = String?.self
        check.expect(property.name == "b" && property.originalName == "c" && property.isOptional)
    }
    await ledger.works(
        "entities list what a class declares and inherits",
        [
            "Schema.Entity.name", "Schema.Entity.subentities", "Schema.Entity.superentityName",
            "Schema.Entity.superentity", "Schema.Entity.storedProperties", "Schema.Entity.inheritedProperties",
            "Schema.Entity.properties", "Schema.Entity.attributes", "Schema.Entity.relationships",
            "Schema.Entity.attributesByName", "Schema.Entity.relationshipsByName",
            "Schema.Entity.storedPropertiesByName", "Schema.Entity.inheritedPropertiesByName",
            "Schema.Entity.uniquenessConstraints", "Schema.Entity.indices",
        ]
    ) { check in
        let schema = Schema([Vehicle.self, Bus.self])
        let vehicle = try check.require(schema.entitiesByName["Vehicle"])
        let bus = try check.require(schema.entitiesByName["Bus"])
        check.equal(vehicle.subentities.map(\.name), ["Bus"])
        check.expect(bus.superentity === vehicle && bus.superentityName == "Vehicle" && vehicle.superentity == nil)
        check.equal(bus.storedProperties.map(\.name), ["seats"])
        check.equal(bus.inheritedProperties.map(\.name), ["name", "wheels", "tyres"])
        check.equal(bus.properties.map(\.name), ["name", "wheels", "tyres", "seats"])
        check.equal(Set(bus.attributes.map(\.name)), ["name", "wheels", "seats"])
        check.equal(bus.relationships.map(\.name), ["tyres"])
        check.equal(bus.attributesByName["wheels"]?.name, "wheels")
        check.equal(bus.relationshipsByName["tyres"]?.destination, "Tyre")
        check.equal(bus.storedPropertiesByName.keys.sorted(), ["seats"])
        check.equal(bus.inheritedPropertiesByName.keys.sorted(), ["name", "tyres", "wheels"])
        let entity = Schema.Entity("Thing")
        entity.name = "Item"
        entity.attributes = [Schema.Attribute(name: "a", valueType: Int.self)]
        entity.attributesByName["b"] = Schema.Attribute(name: "b", valueType: String.self)
        entity.relationships = [Schema.Relationship()]
        entity.uniquenessConstraints = [["a"]]
        entity.indices = [["a", "b"]]
        check.equal(entity.storedProperties.count, 3)
        check.equal(entity.uniquenessConstraints, [["a"]])
        check.equal(entity.indices, [["a", "b"]])
        entity.superentity = vehicle
        check.equal(entity.superentityName, "Vehicle")
    }
    await ledger.works(
        "entities are made by hand",
        [
            "Schema.Entity.init(_:)", "Schema.Entity.init(_:subentities:properties:)",
            "Schema.Entity.init(_:properties:)",
            "conformance of Schema.Entity to Codable, Hashable and CustomDebugStringConvertible",
        ]
    ) { check in
        let below = Schema.Entity("Below", properties: Schema.Attribute(name: "b", valueType: Int.self))
        let above = Schema.Entity(
            "Above", subentities: below, properties: Schema.Attribute(name: "a", valueType: String.self))
        check.equal(below.properties.map(\.name), ["a", "b"])
        check.expect(Schema.Entity("Above") != above)
        let copy = try JSONDecoder().decode(Schema.Entity.self, from: JSONEncoder().encode(above))
        check.equal(copy.storedProperties.map(\.name), ["a"])
        check.equal(copy.hashValue, above.hashValue)
        check.expect(above.debugDescription.hasPrefix("Above"))
    }
}

@MainActor
func exerciseAttributes(_ ledger: ParityLedger) async {
    await ledger.works(
        "attributes are made and read",
        [
            "Schema.Attribute.name", "Schema.Attribute.originalName", "Schema.Attribute.options",
            "Schema.Attribute.valueType", "Schema.Attribute.defaultValue", "Schema.Attribute.isOptional",
            "Schema.Attribute.hashModifier", "Schema.Attribute.isAttribute", "Schema.Attribute.isRelationship",
            "Schema.Attribute.isTransient", "Schema.Attribute.isUnique", "Schema.Attribute.isTransformable",
            "Schema.Attribute.init(_:originalName:hashModifier:)",
            "Schema.Attribute.init(name:originalName:options:valueType:defaultValue:hashModifier:)",
            "Schema.Attribute.init(from:)",
        ]
    ) { check in
        let marker = Schema.Attribute(.unique, .spotlight, originalName: "old", hashModifier: "2")
        check.expect(marker.originalName == "old" && marker.options == [.unique, .spotlight] && marker.isUnique)
        let attribute = Schema.Attribute(
            name: "size", originalName: "length", options: [.ephemeral], valueType: Int?.self, defaultValue: 3,
            hashModifier: "x")
        check.expect(attribute.name == "size" && attribute.originalName == "length" && attribute.isTransient)
        check.expect(attribute.isAttribute && !attribute.isRelationship && attribute.isOptional)
        check.expect(attribute.defaultValue as? Int == 3 && attribute.hashModifier == "x")
        attribute.valueType = String.self
        attribute.options = [.transformable(by: TintTransformer.self)]
        check.expect(!attribute.isOptional && attribute.isTransformable && attribute.valueType == String.self)
        attribute.isOptional = true
        attribute.defaultValue = nil
        check.expect(attribute.isOptional && attribute.defaultValue == nil)
        let copy = try JSONDecoder().decode(Schema.Attribute.self, from: JSONEncoder().encode(marker))
        check.equal(copy, marker)
        let read = Schema([Station.self]).entitiesByName["Station"]?.attributesByName["visits"]
        check.equal(read?.defaultValue as? Int, 0)
    }
    await ledger.works(
        "options of attributes are told apart and written",
        [
            "Schema.Attribute.Option.unique", "Schema.Attribute.Option.transformable(by:) of a type",
            "Schema.Attribute.Option.transformable(by:) of a name", "Schema.Attribute.Option.externalStorage",
            "Schema.Attribute.Option.allowsCloudEncryption", "Schema.Attribute.Option.preserveValueOnDeletion",
            "Schema.Attribute.Option.ephemeral", "Schema.Attribute.Option.spotlight", "Schema.Attribute.Option.codable",
            "conformance of Schema.Attribute.Option to Codable, Hashable, CustomDebugStringConvertible and Sendable",
        ]
    ) { check in
        let options: [Schema.Attribute.Option] = [
            .unique, .transformable(by: TintTransformer.self), .transformable(by: "Other"), .externalStorage,
            .allowsCloudEncryption, .preserveValueOnDeletion, .ephemeral, .spotlight, .codable,
        ]
        check.equal(Set(options).count, options.count)
        let copies = try JSONDecoder().decode([Schema.Attribute.Option].self, from: JSONEncoder().encode(options))
        check.equal(copies, options)
        check.equal(options[0].debugDescription, "unique")
        // What they do: Poster has each of them.
        let container = try check.container(Poster.self)
        let context = ModelContext(container)
        let poster = makePoster("a", 7)
        poster.image = Data(repeating: 5, count: 100_000)
        poster.isOpen = true
        poster.size = Postal(street: "s")
        poster.tint = Tint(red: 8, green: 9)
        poster.shade = Tint(red: 1, green: 2)
        context.insert(poster)
        try context.save()
        let other = ModelContext(container)
        let found = try check.require(other.all(Poster.self).first)
        check.equal(found.image?.count, 100_000)
        check.expect(!found.isOpen, "an ephemeral value is not kept")
        check.equal(found.tint, Tint(red: 8, green: 9))
        check.equal(found.shade, Tint(red: 1, green: 2))
        check.equal(found.size, Postal(street: "s"))
        check.throwing(.unsupportedPredicate) {
            _ = try other.fetch(FetchDescriptor<Poster>(predicate: #Predicate { $0.size?.street == "s" }))
        }
    }
    await ledger.works(
        "composites have members",
        [
            "Schema.CompositeAttribute.properties",
            "Schema.CompositeAttribute.init(name:originalName:options:valueType:defaultValue:hashModifier:)",
            "Schema.CompositeAttribute.==(_:_:)",
        ]
    ) { check in
        let composite = Schema.CompositeAttribute(name: "place", valueType: Postal.self)
        let other = Schema.CompositeAttribute(
            name: "place", originalName: nil, options: [], valueType: Postal.self, defaultValue: nil, hashModifier: nil)
        check.expect(composite == other)
        composite.properties = [Schema.Attribute(name: "street", valueType: String.self)]
        check.expect(composite != other && composite.properties.count == 1)
    }
    await ledger.works("a structure is a composite", ["the composite attribute of a structure"]) { check in
        let lines = outline(Schema([Station.self]))
        check.expect(lines.contains("Station.address {street,town,spot}"))
        let station = try check.require(Schema([Station.self]).entity(for: Station.self))
        let address = try check.require(station.attributesByName["address"] as? Schema.CompositeAttribute)
        check.expect(address.properties[2] is Schema.CompositeAttribute && address.properties[1].isOptional)
        check.expect(!(station.attributesByName["tags"] is Schema.CompositeAttribute))
    }
}

@MainActor
func exerciseRelationships(_ ledger: ParityLedger) async {
    await ledger.works(
        "relationships are made and read",
        [
            "Schema.Relationship.name", "Schema.Relationship.originalName", "Schema.Relationship.keypath",
            "Schema.Relationship.options", "Schema.Relationship.valueType", "Schema.Relationship.destination",
            "Schema.Relationship.deleteRule", "Schema.Relationship.inverseName", "Schema.Relationship.inverseKeyPath",
            "Schema.Relationship.minimumModelCount", "Schema.Relationship.maximumModelCount",
            "Schema.Relationship.hashModifier", "Schema.Relationship.isToOneRelationship",
            "Schema.Relationship.isUnique", "Schema.Relationship.isAttribute", "Schema.Relationship.isTransient",
            "Schema.Relationship.init(_:deleteRule:minimumModelCount:maximumModelCount:originalName:inverse:hashModifier:)",
            "Schema.Relationship.Option.unique",
        ]
    ) { check in
        let schema = Schema([Ticket.self, Pupil.self])
        let ticket = try check.require(schema.entity(for: Ticket.self))
        let parts = try check.require(ticket.relationshipsByName["parts"])
        check.expect(parts.name == "parts" && parts.originalName == "stubs" && parts.hashModifier == "2")
        check.expect(parts.minimumModelCount == 1 && parts.maximumModelCount == 2 && !parts.isToOneRelationship)
        check.expect(
            parts.destination == "TicketPart" && parts.isUnidirectional && parts.valueType == [TicketPart].self)
        let badge = try check.require(ticket.relationshipsByName["badge"])
        check.expect(badge.options == [.unique] && badge.isUnique && !badge.isAttribute && !badge.isTransient)
        check.expect(badge.keypath == \Ticket.badge && badge.isToOneRelationship)
        let pupil = try check.require(schema.entity(for: Pupil.self))
        let clubs = try check.require(pupil.relationshipsByName["clubs"])
        check.expect(clubs.inverseName == "members" && clubs.inverseKeyPath == \Club.members)
        check.expect(schema.isManyToMany(clubs))
        let made = Schema.Relationship(
            .unique, deleteRule: .deny, minimumModelCount: 2, maximumModelCount: nil, originalName: "o",
            inverse: \Club.members, hashModifier: "h")
        check.expect(made.deleteRule == .deny && made.minimumModelCount == 2 && made.maximumModelCount == nil)
        made.deleteRule = .cascade
        made.destination = "Club"
        check.expect(made.deleteRule == .cascade && made.destination == "Club")
        check.equal(Schema.Relationship().deleteRule, .nullify)
    }
    await ledger.works(
        "delete rules do what they say",
        [
            "Schema.Relationship.DeleteRule.noAction", "Schema.Relationship.DeleteRule.nullify",
            "Schema.Relationship.DeleteRule.cascade", "Schema.Relationship.DeleteRule.deny",
        ]
    ) { check in
        check.equal(
            [Schema.Relationship.DeleteRule.noAction, .nullify, .cascade, .deny].map(\.rawValue),
            ["noAction", "nullify", "cascade", "deny"])
        let container = try check.container(Pupil.self, Trophy.self, Ticket.self)
        let context = ModelContext(container)
        let pupil = Pupil(name: "Ada", marks: [Mark(.maths, 1), Mark(.music, 2)])
        pupil.locker = Locker(number: 4)
        let school = School(name: "North", town: "Kiel", pupils: [pupil])
        let club = Club(title: "Chess")
        club.trophies = [Trophy(year: 2020)]
        let ticket = Ticket(1, parts: [TicketPart("a")])
        ticket.seat = Seat()
        [school, club, ticket].forEach { (model: any PersistentModel) in context.insert(model) }
        try context.save()
        context.delete(pupil)
        try context.save()
        check.equal(try context.fetchCount(FetchDescriptor<Mark>()), 0)
        check.equal(try context.fetchCount(FetchDescriptor<Locker>()), 1)
        check.expect(school.pupils.isEmpty)
        context.delete(club)
        check.expect((try? context.save()) == nil, "deny")
        context.rollback()
        context.delete(ticket)
        try context.save()
        check.equal(try context.fetchCount(FetchDescriptor<Seat>()), 1)
    }
    await ledger.differs(
        "an inverse that could be several is named, not guessed",
        ["an inverse that several relationships could be"],
        because: "the container does not open and names the relationships; SwiftData leaves open which one it takes"
    ) { check in
        check.throwing(.ambiguousInverse) { _ = try check.container(Memory.self) }
    }
}

@Model
final class Memory {
    var items: [MemoryItem] = []
    var drafts: [MemoryItem] = []
    init() {}
}

@Model
final class MemoryItem {
    var memory: Memory?
    init() {}
}

@MainActor
func exerciseConstraints(_ ledger: ParityLedger) async {
    await ledger.works(
        "indexes and constraints are values, too",
        [
            "Schema.Index.Types.binary(_:)", "Schema.Index.Types.rtree(_:)", "Schema.Index.indices",
            "Schema.Index.name", "Schema.Index.originalName", "Schema.Index.valueType", "Schema.Index.isUnique",
            "Schema.Index.init(_:) of kinds", "Schema.Index.init(_:) of key paths", "Schema.Index.CodingKeys.indices",
            "Schema.Unique.constraints", "Schema.Unique.name", "Schema.Unique.originalName",
            "Schema.Unique.valueType", "Schema.Unique.isUnique", "Schema.Unique.init(_:)",
            "Schema.Unique.CodingKeys.constraints",
        ]
    ) { check in
        let kinds = Schema.Index<Beacon>(.binary([\.name]), .rtree([\.height]))
        check.equal(kinds.indices.count, 2)
        if case .rtree(let paths) = kinds.indices[1] { check.equal(paths, [\Beacon.height]) }
        let plain = Schema.Index<Beacon>([\.name], [\.height, \.name])
        check.equal(plain.indices.count, 2)
        plain.name = "a"
        plain.originalName = "b"
        check.expect(plain.name == "a" && plain.originalName == "b" && !plain.isUnique)
        check.expect(plain.valueType == Beacon.self)
        let copy = try JSONDecoder().decode(Schema.Index<Beacon>.self, from: JSONEncoder().encode(kinds))
        check.equal(copy, kinds)
        check.equal(Schema.Index<Beacon>.CodingKeys.indices.stringValue, "indices")
        let unique = Schema.Unique<Beacon>([\.name], [\.name, \.height])
        check.equal(unique.constraints, [[\Beacon.name], [\Beacon.name, \Beacon.height]])
        unique.name = "u"
        unique.originalName = "v"
        check.expect(unique.isUnique && unique.name == "u" && unique.originalName == "v")
        check.expect(unique.valueType == Beacon.self)
        check.equal(Schema.Unique<Beacon>.CodingKeys.constraints.stringValue, "constraints")
        let again = try JSONDecoder().decode(Schema.Unique<Beacon>.self, from: JSONEncoder().encode(unique))
        check.expect(again == unique && again.hashValue == unique.hashValue)
    }
}
