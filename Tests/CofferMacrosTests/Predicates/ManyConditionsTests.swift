import CofferCore
import Foundation
import Testing

@Model final class Lodging {
    var name: String
    var note: String?
    var stars = 3
    var price = 50.0
    var opened: Date?
    var isOpen = true
    var owner: LodgingOwner?
    init(name: String) { self.name = name }
}

@Model final class LodgingOwner {
    var name: String
    var city: String?
    @Relationship(inverse: \Lodging.owner) var lodgings: [Lodging] = []
    init(name: String) { self.name = name }
}

@Suite("Predicates of many conditions")
struct ManyConditionsTests {
    /// That this compiles is the test: with Foundation's macro the compiler gives up far earlier.
    @Test func sixteenConditionsWithOptionals() throws {
        let name = "Inn"
        let least: Int? = 2
        let predicate = #Predicate<Lodging> {
            $0.name == name && $0.note != "full" && $0.stars > 1 && $0.stars <= 5 && $0.price >= 9.5 && $0.price < 100
                && $0.isOpen && $0.owner?.name == "Ada" && $0.owner?.city?.isEmpty != true
                && ($0.note ?? "none") == "none" && ($0.owner?.city ?? "") == "" && $0.stars != least
                && ($0.opened ?? .distantPast) < .now && $0.name.hasPrefix("I")
                && $0.owner?.lodgings.contains { $0.stars > 2 } == true && !$0.name.isEmpty
        }
        let inn = Lodging(name: "Inn")
        let owner = LodgingOwner(name: "Ada")
        inn.owner = owner
        owner.lodgings = [inn]
        #expect(try predicate.evaluate(inn))
        inn.stars = 2
        #expect(try !predicate.evaluate(inn))
    }
}
