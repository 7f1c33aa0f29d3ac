import Coffer
import Foundation
import Testing

@Suite("Full-text search")
struct FullTextTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext) {
        let place = try TestPlace(store, Essayist.self, Snippet.self)
        let maker = place.context()
        let woolf = Essayist("Woolf")
        maker.insert(woolf)
        let essays = [
            Essay(0, "A Room of One's Own", "Money and a room", note: "draft", year: 1929),
            Essay(1, "Zürich im Regen", nil, year: 1920),
            Essay(2, "東京タワー", "the tower of Tokyo", year: 1958),
            Essay(3, "Rooms", "Persistence of rooms", year: 1929),
            Essay(4, "", "", year: 2000),
        ]
        for essay in essays { maker.insert(essay) }
        essays[0].writer = woolf
        essays[3].writer = woolf
        maker.insert(Snippet("first scrap", "with more"))
        maker.insert(Snippet("second", nil))
        try maker.save()
        return (place, try place.reopen())
    }

    func codes(_ context: ModelContext, _ predicate: Predicate<Essay>) throws -> [Int] {
        let found = try context.all(Essay.self, by: SortDescriptor(\.code), where: predicate).map(\.code)
        #expect(try context.count(Essay.self, where: predicate) == found.count)
        return found
    }

    @Test("tells that an index of words serves it", arguments: TestStore.rowStores)
    func explained(_ store: TestStore) throws {
        let context = try Self.make(store).context
        let found = try context.explain(
            FetchDescriptor<Essay>(predicate: #Predicate { $0.matchesFullText("room") && $0.year > 1900 }))
        #expect(found.store?.access != .scan && found.store?.access != .unknown, "\(found)")
        let scanned = try context.explain(FetchDescriptor<Essay>(predicate: #Predicate { $0.matchesFullText("-room") }))
        if store.name != "sqlite" { #expect(scanned.store?.access == .scan, "\(scanned)") }
    }

    @Test("looks into the declared texts, taken together", arguments: TestStore.all)
    func wholeModels(_ store: TestStore) throws {
        let context = try Self.make(store).context
        for (query, found) in [
            ("room", [0]), ("room*", [0, 3]), ("ROOM money", [0]), ("own money", [0]), ("\"own money\"", []),
            ("\"one's own\"", [0]), ("zurich", [1]), ("regen OR tower", [1, 2]), ("東京", [2]), ("京東", []), ("draft", []),
            ("-room -rooms", [1, 2, 4]), ("room* -persist*", [0]), ("", [0, 1, 2, 3, 4]), ("?!", [0, 1, 2, 3, 4]),
            ("-tokyo OR room", [0, 1, 3, 4]), ("nothing", []), ("\"a room\" of -money", []),
        ] as [(String, [Int])] {
            #expect(try codes(context, #Predicate { $0.matchesFullText(query) }) == found, "\(query)")
            #expect(
                try codes(context, #Predicate { !$0.matchesFullText(query) })
                    == (0...4).filter { !found.contains($0) }, "not \(query)")
        }
    }

    @Test("looks into one text, declared or not", arguments: TestStore.all)
    func singleTexts(_ store: TestStore) throws {
        let context = try Self.make(store).context
        #expect(try codes(context, #Predicate { $0.title.matchesFullText("room*") }) == [0, 3])
        #expect(try codes(context, #Predicate { $0.title.matchesFullText("room") }) == [0])
        #expect(try codes(context, #Predicate { $0.title.matchesFullText("money") }) == [])
        #expect(try codes(context, #Predicate { $0.title.matchesFullText("-room") }) == [1, 2, 3, 4])
        #expect(try codes(context, #Predicate { $0.note.matchesFullText("draft") }) == [0])
        #expect(try codes(context, #Predicate { $0.body?.matchesFullText("room*") == true }) == [0, 3])
        #expect(try codes(context, #Predicate { $0.body?.matchesFullText("-room") ?? false }) == [2, 3, 4])
        #expect(try codes(context, #Predicate { ($0.body ?? "regen").matchesFullText("regen") }) == [1])
        #expect(
            try codes(
                context,
                #Predicate {
                    if let body = $0.body { body.matchesFullText("persistence") } else { false }
                }) == [3])
    }

    @Test("is part of any condition", arguments: TestStore.all)
    func composed(_ store: TestStore) throws {
        let context = try Self.make(store).context
        let query = "room*"
        #expect(try codes(context, #Predicate { $0.year == 1929 && $0.matchesFullText(query) && $0.code > 0 }) == [3])
        #expect(try codes(context, #Predicate { $0.year == 1920 || $0.matchesFullText(query) }) == [0, 1, 3])
        #expect(try codes(context, #Predicate { $0.code == 3 && $0.matchesFullText(query) }) == [3])
        #expect(
            try codes(
                context, #Predicate { $0.matchesFullText("own") && $0.body?.matchesFullText("money") == true }) == [0])
        let inner = #Predicate<Essay> { $0.matchesFullText(query) }
        #expect(try codes(context, Predicate(all: [inner, #Predicate { $0.note.isEmpty }])) == [3])
        #expect(try codes(context, #Predicate { $0.title.matchesFullText($0.note) }) == [1, 2, 3, 4])
        var sorted = FetchDescriptor(predicate: inner, sortBy: [SortDescriptor(\Essay.year), SortDescriptor(\.title)])
        sorted.fetchLimit = 1
        #expect(try context.fetch(sorted).map(\.code) == [0])
        sorted.fetchOffset = 1
        #expect(try context.fetch(sorted).map(\.code) == [3])
    }

    @Test("goes along links", arguments: TestStore.all)
    func links(_ store: TestStore) throws {
        let context = try Self.make(store).context
        #expect(
            try context.count(Essayist.self, where: #Predicate { $0.essays.contains { $0.matchesFullText("money") } })
                == 1)
        #expect(
            try context.count(
                Essayist.self, where: #Predicate { $0.essays.contains { $0.title.matchesFullText("money") } }) == 0)
        #expect(try codes(context, #Predicate { $0.writer?.matchesFullText("woolf") == true }) == [0, 3])
        #expect(try codes(context, #Predicate { $0.writer?.name.matchesFullText("-woolf") ?? true }) == [1, 2, 4])
        #expect(try codes(context, #Predicate { $0.writer!.matchesFullText("wool*") }) == [0, 3])
    }

    @Test("of a class that declares nothing looks into all of its text", arguments: TestStore.all)
    func undeclared(_ store: TestStore) throws {
        let context = try Self.make(store).context
        #expect(try context.count(Snippet.self, where: #Predicate { $0.matchesFullText("scrap more") }) == 1)
        #expect(try context.count(Snippet.self, where: #Predicate { $0.matchesFullText("-more") }) == 1)
    }

    @Test("finds what is stored by every kind of change", arguments: TestStore.all)
    func inStep(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        func found(_ query: String) throws -> [Int] {
            let contexts = try place.newContexts()
            let lists = try contexts.map { try codes($0, #Predicate { $0.matchesFullText(query) }) }
            #expect(lists.allSatisfy { $0 == lists[0] })
            return lists[0]
        }
        let essays = try context.all(Essay.self, by: SortDescriptor(\.code))
        essays[0].title = "Own"
        essays[1].body = "umbrella"
        essays[4].note = "umbrella"
        try context.save()
        #expect(try found("room") == [0] && found("\"own money\"") == [] && found("umbrella zurich") == [1])
        essays[1].body = nil
        context.delete(essays[2])
        try context.save()
        #expect(try found("umbrella") == [] && found("東") == [] && found("regen") == [1])
        try context.update(model: Essay.self, where: #Predicate { $0.year == 1929 }) { $0.title = "Gezeiten" }
        try context.save()
        #expect(try found("gezeiten") == [0, 3] && found("own") == [])
        if store.lacks[.uniqueness] == nil {
            context.insert(Essay(3, "Ersatz"))
            try context.save()
            #expect(try found("ersatz") == [3] && found("persistence") == [] && found("gezeiten") == [0])
        }
        try context.delete(model: Essay.self, where: #Predicate { $0.matchesFullText("regen") })
        try context.save()
        #expect(try found("zurich") == [])
        context.delete(try context.only(Essayist.self))
        try context.save()
        #expect(try found("gezeiten OR ersatz") == [])
    }

    @Test("sees unsaved changes", arguments: TestStore.all)
    func pending(_ store: TestStore) throws {
        let context = try Self.make(store).context
        let essays = try context.all(Essay.self, by: SortDescriptor(\.code))
        essays[1].title = "Room"
        essays[0].title = "Own"
        essays[0].body = nil
        context.delete(essays[3])
        context.insert(Essay(9, "Another room"))
        #expect(try codes(context, #Predicate { $0.matchesFullText("room*") }) == [1, 9])
        #expect(try codes(context, #Predicate { $0.title.matchesFullText("own") }) == [0])
        context.rollback()
        #expect(try codes(context, #Predicate { $0.matchesFullText("room*") }) == [0, 3])
    }

    @Test("knows the texts of superclasses", arguments: TestStore.all)
    func hierarchies(_ store: TestStore) throws {
        let place = try TestPlace(store, Library.Document.self, Library.Letter.self, Library.Map.self)
        let maker = place.context()
        maker.insert(Library.Document("sea chart", shelf: "sun"))
        maker.insert(Library.Letter("to the sea", text: "sun and wind", shelf: "rain"))
        maker.insert(Library.Map("sea", text: "sun"))
        try maker.save()
        for context in try place.newContexts() {
            #expect(try context.count(Library.Document.self, where: #Predicate { $0.matchesFullText("sea") }) == 3)
            #expect(try context.count(Library.Document.self, where: #Predicate { $0.matchesFullText("sun") }) == 0)
            #expect(
                try context.count(Library.Letter.self, where: #Predicate { $0.matchesFullText("sea rain sun") }) == 1)
            #expect(try context.count(Library.Letter.self, where: #Predicate { $0.matchesFullText("-chart") }) == 1)
            #expect(try context.count(Library.Map.self, where: #Predicate { $0.matchesFullText("sun") }) == 0)
            #expect(try context.count(Library.Map.self, where: #Predicate { $0.text.matchesFullText("sun") }) == 1)
            #expect(
                try context.count(
                    Library.Document.self,
                    where: #Predicate { ($0 as? Library.Letter)?.text.matchesFullText("wind") == true }) == 1)
        }
    }

    @Test("of a store that has it reads no other rows", arguments: TestStore.all)
    func rowsRead(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let (place, _) = try Self.make(store)
        let context = place.context()
        var found: [Int] = []
        let counts = try place.record.during {
            found = try codes(context, #Predicate { $0.matchesFullText("persist* room*") })
        }
        #expect(found == [3] && counts.rows == 1)
    }
}
