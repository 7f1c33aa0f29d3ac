import Coffer
import Foundation
import Testing

@Suite("Predicates over classes")
struct CastPredicateTests {
    typealias Trip = Travel.Trip
    typealias Business = Travel.BusinessTrip
    typealias Personal = Travel.PersonalTrip
    typealias Luxury = Travel.LuxuryTrip
    typealias Company = Travel.Company

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let predicate: Predicate<Trip>
        let expected: [String]
        var testDescription: String { name }
        init(_ name: String, _ expected: [String], _ predicate: Predicate<Trip>) {
            (self.name, self.predicate, self.expected) = (name, predicate, expected)
        }
    }

    static let cases: [Case] = [
        Case("is Sub", ["business", "luxury"], #Predicate { $0 is Business }),
        Case("is not Sub", ["personal", "plain"], #Predicate { !($0 is Business) }),
        Case("is Leaf", ["luxury"], #Predicate { $0 is Luxury }),
        Case("or", ["luxury", "personal"], #Predicate { $0 is Luxury || $0 is Personal }),
        Case("with a condition", ["luxury"], #Predicate { $0 is Business && $0.days < 2 }),
        Case("property", ["business"], #Predicate { ($0 as? Business)?.perDiem == 80 }),
        Case("property, not", ["luxury", "personal", "plain"], #Predicate { ($0 as? Business)?.perDiem != 80 }),
        Case("order with a default", ["luxury"], #Predicate { (($0 as? Business)?.perDiem ?? 0) > 100 }),
        Case("default for others", ["personal", "plain"], #Predicate { (($0 as? Business)?.perDiem ?? -1) < 0 }),
        Case("optional property", ["business"], #Predicate { ($0 as? Business)?.purpose == "sell" }),
        Case("the siblings' property of one name", ["personal"], #Predicate { ($0 as? Personal)?.purpose == 2.5 }),
        Case("inherited property", ["business"], #Predicate { ($0 as? Business)?.name == "business" }),
        Case("inherited property of others", ["personal", "plain"], #Predicate { ($0 as? Business)?.name == nil }),
        Case("cast and nil", ["business", "luxury"], #Predicate { ($0 as? Business) != nil }),
        Case("cast and no nil", ["personal", "plain"], #Predicate { ($0 as? Business) == nil }),
        Case("forced", ["luxury"], #Predicate { $0 is Business && ($0 as! Business).perDiem > 100 }),
        Case("link of a class", ["business", "luxury"], #Predicate { $0.owner is Company }),
        Case("link of another class", ["personal", "plain"], #Predicate { !($0.owner is Company) }),
        Case("link's property", ["business", "luxury"], #Predicate { ($0.owner as? Company)?.vat == "v1" }),
        Case(
            "link's inherited property", ["business", "luxury"], #Predicate { ($0.owner as? Company)?.name == "acme" }),
        Case("link of a cast", ["business"], #Predicate { ($0 as? Business)?.company != nil }),
        Case("property of a link of a cast", ["business"], #Predicate { ($0 as? Business)?.company?.vat == "v1" }),
        Case("link to its own hierarchy", ["plain"], #Predicate { $0.next is Personal }),
        Case(
            "many of a cast", ["business"],
            #Predicate { ($0 as? Business)?.receipts.contains { $0.amount > 6 } == true }),
        Case(
            "many of the base of a cast", ["luxury"],
            #Predicate { ($0 as? Business)?.stops.contains { $0.number == 3 } == true }),
        Case("a count of the base's", ["luxury", "personal"], #Predicate { $0.stops.count > 2 }),
        Case(
            "many, by class", ["business", "luxury"], #Predicate { $0.owner?.trips.contains { $0 is Luxury } == true }),
        Case(
            "let", ["luxury"],
            #Predicate { if let trip = $0 as? Business { return trip.perDiem > 100 } else { return false } }),
    ]

    @Test("give what Swift gives, in every store", arguments: TestStore.all)
    func stored(_ store: TestStore) throws {
        let place = try Travel.place(store)
        for context in try place.newContexts() {
            let all = try context.all(Trip.self)
            for one in Self.cases {
                let found = try context.all(Trip.self, by: SortDescriptor(\.name), where: one.predicate).map(\.name)
                #expect(found == one.expected, "\(one.name)")
                let plain = try all.filter { try one.predicate.evaluate($0) }.map(\.name).sorted()
                #expect(plain == one.expected, "the expectation of \(one.name)")
                #expect(try context.count(Trip.self, where: one.predicate) == one.expected.count, "\(one.name)")
            }
        }
    }

    @Test("and over unsaved models", arguments: TestStore.all)
    func pending(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        for trip in try context.all(Trip.self) { trip.days += 0 }
        for owner in try context.all(Travel.Owner.self) { owner.name += "" }
        for trip in try context.all(Trip.self) { trip.name = trip.name + ""; trip.days = trip.days * 2; trip.days /= 2 }
        #expect(context.hasChanges)
        for one in Self.cases {
            let found = try context.all(Trip.self, by: SortDescriptor(\.name), where: one.predicate).map(\.name)
            #expect(found == one.expected, "\(one.name)")
        }
    }

    @Test("run in the store", arguments: TestStore.all)
    func inTheStore(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let place = try Travel.place(store)
        let context = place.context()
        for one in Self.cases {
            let cost = try place.record.during { _ = try context.count(Trip.self, where: one.predicate) }
            #expect(cost.requests == 1 && cost.rows == 0, "\(one.name)")
        }
    }

    @Test("identity does not depend on the class that a link is declared with", arguments: TestStore.all)
    func identity(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        let acme: Travel.Owner = try context.only(Company.self)
        let id = acme.persistentModelID
        #expect(try context.count(Trip.self, where: #Predicate { $0.owner?.persistentModelID == id }) == 2)
        let ids = [id]
        #expect(try context.count(Travel.Owner.self, where: #Predicate { ids.contains($0.persistentModelID) }) == 1)
        #expect(try context.count(Travel.Owner.self, where: #Predicate { $0.persistentModelID == id }) == 1)
        let luxury = try context.trip("luxury").persistentModelID
        #expect(
            try context.count(Travel.Owner.self, where: #Predicate { $0.favourite?.persistentModelID == luxury }) == 1)
        #expect(
            try context.count(
                Travel.Tag.self, where: #Predicate { $0.trips.contains { $0.persistentModelID == luxury } }) == 1)
        let names = ["nobody"]
        // A part that needs the rows themselves does not change that.
        let predicate = #Predicate<Trip> {
            $0.owner?.persistentModelID == id && !names.contains($0.name) && $0.name.localizedStandardContains("LUX")
        }
        #expect(try context.count(Trip.self, where: predicate) == 1)
    }
}
