import DropInLedger
import Foundation
import Observation
import SwiftData

/// A model that tells Observation of a property of its own, as code written for SwiftData's expansion does.
@Model
final class Lamp {
    var name: String
    @Transient private var stored = 0
    init(name: String) { self.name = name }

    var brightness: Int {
        get {
            access(keyPath: \.brightness)
            return stored
        }
        set {
            withMutation(keyPath: \.brightness) { stored = newValue }
        }
    }
}

nonisolated final class Flag: @unchecked Sendable { var isUp = false }

@MainActor
func exerciseMacros(_ ledger: ParityLedger) async {
    await ledger.works(
        "models, attributes and relationships are stored as declared",
        [
            "@Model", "@Attribute(_:originalName:hashModifier:)",
            "@Relationship(_:deleteRule:minimumModelCount:maximumModelCount:originalName:inverse:hashModifier:)",
            "@Transient",
        ]
    ) { check in
        // @Model, @Attribute, @Relationship and @Transient stand at Station, Poster and Ticket.
        let container = try check.container(Station.self, Poster.self, Ticket.self)
        let context = ModelContext(container)
        let station = Station(
            code: "KL", link: URL(string: "https://example.org/kl")!, address: Postal(street: "Dock", town: nil))
        station.isSelected = true
        station.visitors = ["a"]
        context.insert(station)
        context.insert(makePoster())
        context.insert(Ticket(1, parts: [TicketPart("stub")]))
        try context.save()
        let other = ModelContext(container)
        let found = try check.require(other.all(Station.self).first)
        check.equal(found.code, "KL")
        check.equal(found.address, Postal(street: "Dock", town: nil))
        check.expect(!found.isSelected && found.visitors == nil, "transient values are not stored")
        let poster = try check.require(container.schema.entitiesByName["Poster"])
        check.equal(poster.attributesByName["color"]?.originalName, "colour")
        check.equal(poster.attributesByName["color"]?.hashModifier, "v2")
        check.equal(try other.all(Ticket.self).first?.parts.map(\.text), ["stub"])
        let empty = Ticket(2, parts: [])
        context.insert(empty)
        check.expect((try? context.save()) == nil, "a least number of models is held to")
    }
    await ledger.works(
        "constraints and indexes reach the schema",
        ["#Unique(_:)", "#Index(_:) of key paths", "#Index(_:) of kinds"]
    ) { check in
        // #Unique and #Index stand at School and Beacon.
        let schema = Schema([School.self, Beacon.self])
        check.equal(schema.entity(for: School.self)?.uniquenessConstraints, [["name", "town"]])
        check.equal(schema.entity(for: School.self)?.indices, [["name"], ["town", "name"]])
        check.equal(schema.entity(for: Beacon.self)?.indices, [["height"], ["height", "name"]])
    }
    await ledger.works("an actor gets a context", ["@ModelActor"]) { check in
        // @ModelActor stands at ReadingActor.
        let actor = ReadingActor(modelContainer: try check.container(Reading.self))
        check.equal(try await actor.load([1, 2]).map(\.value), [1, 2])
    }
    await ledger.works(
        "predicates and expressions of models", ["#Predicate for models", "#Expression for models"]
    ) { check in
        let context = ModelContext(try check.container(School.self))
        let pupil = Pupil(name: "Ada", marks: [Mark(.maths, 5), Mark(.music, 1)])
        context.insert(pupil)
        let least = #Predicate<Pupil> { $0.name == "Ada" && $0.marks.count == 2 }
        check.equal(try context.fetchCount(FetchDescriptor(predicate: least)), 1)
        let count = #Expression<Pupil, Int> { $0.marks.filter { $0.value > 3 }.count }
        check.equal(try count.evaluate(pupil), 1)
        check.equal(try heavyMarks(0).evaluate(pupil), 2)
    }
    await ledger.works("the metadata lists the persisted properties", ["schemaMetadata"]) { check in
        check.equal(Lamp.schemaMetadata.count, 1)
        check.equal(keyPaths(of: Lamp.self), ["name": \Lamp.name])
    }
    await ledger.works(
        "a model is made from backing data", ["init(backingData:)", "persistentBackingData"]
    ) { check in
        let lamp = Lamp(name: "desk")
        let copy = Lamp(backingData: lamp.persistentBackingData)
        check.equal(copy.name, "desk")
        check.expect(copy !== lamp)
    }
    await ledger.works(
        "a property that is no persisted one can be observed", ["access(keyPath:)", "withMutation(keyPath:_:)"]
    ) { check in
        let lamp = Lamp(name: "desk")
        let flag = Flag()
        let read = SwiftData.withObservationTracking {
            lamp.brightness
        } onChange: {
            flag.isUp = true
        }
        check.equal(read, 0)
        check.expect(!flag.isUp)
        lamp.brightness = 3
        check.expect(flag.isUp && lamp.brightness == 3)
        lamp.access(keyPath: \.name)
        check.equal(lamp.withMutation(keyPath: \.name) { 7 }, 7)
    }
    await ledger.works(
        "classes conform as the macro says", ["conformance to PersistentModel and Observable"]
    ) { check in
        func takes<M: PersistentModel & Observable>(_ type: M.Type) -> String { Schema.entityName(for: type) }
        check.equal(takes(Lamp.self), "Lamp")
    }
    await ledger.differs(
        "storage is not SwiftData's", ["the storage behind a property"],
        because: "a class has typed storage in place of `_$backingData`, which makes reads many times faster; "
            + "`_$observationRegistrar` and `_SwiftDataNoType` do not exist, and peers have other names"
    ) { check in
        check.expect(Mirror(reflecting: Lamp(name: "a")).children.allSatisfy { $0.label != "_$backingData" })
    }
}

@Model
final class Beacon {
    #Index<Beacon>(.binary([\.height]), .binary([\.height, \.name]))
    var height: Double
    var name: String
    init(height: Double, name: String) {
        self.height = height
        self.name = name
    }
}
