import Coffer
import Foundation
import Testing

@Suite("Live results of a base class")
struct HierarchyLiveResultsTests {
    typealias Trip = Travel.Trip

    @Test("follow changes of subclasses, unsaved and saved elsewhere", arguments: TestStore.all)
    func follow(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        let observer = try ResultsObserver<Trip, Never>(
            filterBy: #Predicate { ($0 as? Travel.BusinessTrip)?.perDiem != 5 }, sortBy: [SortDescriptor(\.name)],
            modelContext: context)
        #expect(observer.results.map(\.name) == ["business", "luxury", "personal", "plain"])
        let luxury = try #require(observer.results[1] as? Travel.LuxuryTrip)
        context.insert(Travel.PersonalTrip("added"))
        #expect(observer.results.map(\.name) == ["added", "business", "luxury", "personal", "plain"])
        luxury.name = "a luxury"
        #expect(observer.results.map(\.name) == ["a luxury", "added", "business", "personal", "plain"])
        luxury.perDiem = 5
        #expect(observer.results.map(\.name) == ["added", "business", "personal", "plain"])
        try context.save()
        let other = place.context()
        let personal = try other.all(Travel.PersonalTrip.self, by: SortDescriptor(\.name))
        personal[1].name = "zzz"
        other.delete(personal[0])
        other.insert(Travel.LuxuryTrip("b", butler: "x"))
        try other.only(Travel.BusinessTrip.self, where: #Predicate { $0.name == "business" }).perDiem = 5
        try other.save()
        #expect(observer.results.map(\.name) == ["b", "plain", "zzz"])
        #expect(observer.results[0] is Travel.LuxuryTrip)
    }

    @Test("and let those sleep that a change of a sibling does not concern", arguments: TestStore.all)
    func sleep(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        let observer = try ResultsObserver<Travel.PersonalTrip, Never>(modelContext: context)
        #expect(observer.results.count == 1)
        let other = place.context()
        try other.only(Travel.LuxuryTrip.self).days = 9
        try other.save()
        #expect(!place.asks { _ = observer.results })
        try other.only(Travel.PersonalTrip.self).days = 9
        try other.save()
        #expect(observer.results[0].days == 9)
    }
}
