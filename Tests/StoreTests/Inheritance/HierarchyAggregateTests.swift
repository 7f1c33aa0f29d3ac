import Coffer
import Foundation
import Testing

@Suite("Aggregates and pages over hierarchies")
struct HierarchyAggregateTests {
    @Test("count the rows of subclasses, and only those of a subclass", arguments: TestStore.all)
    func values(_ store: TestStore) throws {
        let place = try Travel.place(store)
        for context in try place.newContexts() {
            let (count, days, last) = try context.aggregate(
                FetchDescriptor<Travel.Trip>(), .count, .sum(\.days), .max(\.name))
            #expect(count == 4 && days == 10 && last == "plain")
            let (business, diem, first) = try context.aggregate(
                FetchDescriptor<Travel.BusinessTrip>(), .count, .sum(\.perDiem), .min(\.name))
            #expect(business == 2 && diem == 1080 && first == "business")
            #expect(try context.average(of: \Travel.PersonalTrip.purpose) == 2.5)
            #expect(try context.distinctValues(of: \Travel.BusinessTrip.name) == ["business", "luxury"])
            #expect(try context.distinctValues(of: \Travel.BusinessTrip.purpose) == [nil, "sell"])
        }
    }

    @Test("group by links to models of several classes", arguments: TestStore.all)
    func links(_ store: TestStore) throws {
        let place = try Travel.place(store)
        for context in try place.newContexts() {
            func groups() throws -> [String: Int] {
                let groups = try context.groups(FetchDescriptor<Travel.Trip>(), by: \.owner, giving: .count)
                #expect(groups.allSatisfy { ($0.key?.name == "acme") == ($0.key is Travel.Company) })
                return Dictionary(uniqueKeysWithValues: groups.map { ($0.key?.name ?? "none", $0.values) })
            }
            #expect(try groups() == ["none": 1, "ann": 1, "acme": 2])
            // An unsaved trip belongs to the same group as the stored ones.
            let trip = Travel.LuxuryTrip("new", butler: "jeeves")
            context.insert(trip)
            trip.owner = try context.only(Travel.Company.self)
            #expect(try groups() == ["none": 1, "ann": 1, "acme": 3])
            #expect(try context.sum(of: \Travel.BusinessTrip.perDiem) == 2080)
        }
    }

    @Test("are cut into pages", arguments: TestStore.all)
    func pages(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        for sort in [
            [], [SortDescriptor(\Travel.Trip.days)], [SortDescriptor(\Travel.Trip.owner?.name, order: .reverse)],
        ] {
            var descriptor = FetchDescriptor<Travel.Trip>(sortBy: sort)
            let all = try context.fetch(descriptor).map(\.name)
            descriptor.fetchLimit = 1
            var found: [String] = []
            var token: PageToken?
            repeat {
                let page = try context.fetchPage(descriptor, after: token)
                found += page.models.map(\.name)
                token = page.next
            } while token != nil && found.count < 10
            #expect(found == all)
        }
    }
}
