import CofferCore
import Foundation
import Testing

// This target is compiled with the main actor as its default isolation.

struct Place: Codable, Hashable { var x = 0 }
enum Weather: String, Codable { case sunny }

@Model final class Journey {
    var id: UUID = UUID()
    var name: String
    var place = Place()
    var weather: Weather = .sunny
    @Attribute(.transformable(by: "Place")) var shape: Place?
    @Relationship(deleteRule: .cascade, inverse: \Leg.journey) var legs: [Leg] = []
    #Unique<Journey>([\.name])
    init(name: String) { self.name = name }
    func rename() { name += "!" }
}
@Model class Leg: CustomStringConvertible {
    var journey: Journey?
    var description: String { "leg" }
    init() {}
    deinit { print("gone") }
}
@Model final class LongLeg: Leg {
    var places: [Place] = []
    override init() { super.init() }
}
@Model nonisolated final class Free { var number = 1; init() {} }

@ModelActor actor Worker { func one() -> Int { 1 } }

struct MainActorModelTests {
    @Test func useOnTheMainActor() {
        let journey = Journey(name: "a")
        journey.rename()
        journey.place.x = 3
        journey.legs.append(LongLeg())
        #expect(journey.name == "a!" && journey.place.x == 3 && journey.legs.count == 1)
    }

    @Test func descriptionElsewhere() async {
        let count = await Task.detached {
            Journey.schemaMetadata.count + Journey._$constraints.count + LongLeg.schemaMetadata.count
        }.value
        #expect(count == 8)
    }
}
