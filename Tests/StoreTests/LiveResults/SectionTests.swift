import Coffer
import Foundation
import Testing

@Suite("Sections")
struct SectionTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext) {
        let (place, context) = try TestPlace.voyages(store)
        for (name, country) in [("a", "Peru"), ("b", "Chad"), ("c", "Peru"), ("d", "Chad"), ("e", "Oman")] {
            context.insert(Voyage(name, country, days: Int(name.unicodeScalars.first?.value ?? 0) % 2))
        }
        try context.save()
        return (place, context)
    }

    @Test("stand in the order of their titles, models in that of the fetch", arguments: TestStore.all)
    func fetch(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let descriptor = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name, order: .reverse)])
        let sections = try context.fetch(descriptor, sectionBy: \.country)
        #expect(sections.sectionTitles == ["Chad", "Oman", "Peru"])
        #expect(sections.map { $0.map(\.name) } == [["d", "b"], ["e"], ["c", "a"]])
        #expect(sections.map(\.range) == [0..<2, 2..<3, 3..<5])
        #expect(sections.elements.map(\.name) == ["d", "b", "e", "c", "a"])
        #expect(sections[2].id == "Peru" && sections[2].title == "Peru")
        #expect(sections[sectionTitle: "Oman"]?.elements.map(\.name) == ["e"])
        #expect(sections[sectionTitle: "Mali"] == nil)
        #expect(sections.contains(sectionTitle: "Chad") && !sections.contains(sectionTitle: ""))
        #expect(sections.index(ofSectionTitled: "Peru") == 2 && sections.index(ofSectionTitled: "Mali") == nil)
        #expect(try sections == context.fetch(descriptor, sectionBy: \.country))
        let other = place.context()
        #expect(try sections != other.fetch(descriptor, sectionBy: \.country))
    }

    @Test("may stand in reverse, or in the order of text as people read it", arguments: TestStore.all)
    func order(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        defer { withExtendedLifetime(place) {} }
        context.insert(Voyage("f", "chad"))
        let reverse = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.country, order: .reverse)])
        #expect(
            try context.fetch(reverse, sectionBy: \.country).sectionTitles == ["chad", "Peru", "Oman", "Chad"])
        let localized = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.country, comparator: .localizedStandard)])
        let titles = try context.fetch(localized, sectionBy: \.country).sectionTitles
        #expect(Set(titles.prefix(2)) == ["Chad", "chad"] && titles.suffix(2) == ["Oman", "Peru"])
    }

    @Test("of numbers, of nothing and of cases", arguments: TestStore.all)
    func titles(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store)
        defer { withExtendedLifetime(place) {} }
        context.insert(Deckhand("a", .bad, age: 30))
        context.insert(Deckhand("b", .good))
        context.insert(Deckhand("c", .bad, age: 4))
        context.insert(Ship("s"))
        context.insert(Ship("t", mate: "m"))
        context.insert(Ship("u", mate: ""))
        try context.save()
        let byName = FetchDescriptor<Deckhand>(sortBy: [SortDescriptor(\.name)])
        let byAge: SectionedResults<Deckhand, Int?> = try context.fetch(byName, sectionBy: \.age)
        #expect(byAge.map { $0.map(\.name) } == [["b"], ["c"], ["a"]])
        let byMood = try context.fetch(byName, sectionBy: \.mood)
        #expect(byMood.sectionTitles == [.bad, .good])
        #expect(byMood.elements.map(\.name) == ["a", "c", "b"])
        let byLength = try context.fetch(byName, sectionBy: \.name.count)
        #expect(byLength.sectionTitles == [1])
        let ships = FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.name)])
        let byMate = try context.fetch(ships, sectionBy: \.mate)
        #expect(byMate.sectionTitles == ["", "m"])
        #expect(byMate[0].map(\.name) == ["s", "u"])
        #expect(try context.fetch(FetchDescriptor<Voyage>(), sectionBy: \.country).isEmpty)
    }

    @Test("limit counts models", arguments: TestStore.all)
    func limit(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        defer { withExtendedLifetime(place) {} }
        var descriptor = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)])
        descriptor.fetchLimit = 2
        descriptor.fetchOffset = 1
        let sections = try context.fetch(descriptor, sectionBy: \.country)
        #expect(sections.map { $0.map(\.name) } == [["d"], ["e"]])
    }

    @Test("of an observer follow changes", arguments: TestStore.all)
    func observed(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let observer = try ResultsObserver<Voyage, String>(
            filterBy: #Predicate { $0.days >= 0 }, sortBy: [SortDescriptor(\.name)], sectionBy: \.country,
            modelContext: context)
        #expect(observer.sections?.sectionTitles == ["Chad", "Oman", "Peru"])
        #expect(observer.results.map(\.name) == ["b", "d", "e", "a", "c"])
        #expect(observer.sectionBy == \Voyage.country)
        #expect(observer.sortBy.count == 2)
        observer.results[2].country = "Mali"
        #expect(observer.sections?.sectionTitles == ["Chad", "Mali", "Peru"])
        observer.results[2].country = "Chad"
        #expect(observer.sections?.map(\.count) == [3, 2])
        observer.sortBy = [SortDescriptor(\.name, order: .reverse)]
        #expect(observer.sections?.map { $0.map(\.name) } == [["e", "d", "b"], ["c", "a"]])
        let other = place.context()
        other.insert(Voyage("z", "Peru"))
        try other.save()
        #expect(observer.sections?[sectionTitle: "Peru"]?.map(\.name) == ["z", "c", "a"])
        #expect(!place.asks { _ = observer.sections })
        #expect(try VoyageObserver(modelContext: context).sections == nil)
    }

    @Test("by something without an order follow changes of it", arguments: TestStore.all)
    func observedCases(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store)
        defer { withExtendedLifetime(place) {} }
        for (name, mood) in [("a", Mood.good), ("b", .bad), ("c", .good)] { context.insert(Deckhand(name, mood)) }
        let observer = try ResultsObserver(
            sortBy: [SortDescriptor(\Deckhand.name)], sectionBy: \.mood, modelContext: context)
        #expect(observer.sections?.map { $0.map(\.name) } == [["a", "c"], ["b"]])
        #expect(observer.results.map(\.name) == ["a", "c", "b"])
        observer.results[0].mood = .bad
        #expect(observer.sections?.map(\.title) == [.bad, .good])
        observer.results[0].mood = .good
        #expect(observer.sections?.map(\.title) == [.good, .bad])
    }
}
