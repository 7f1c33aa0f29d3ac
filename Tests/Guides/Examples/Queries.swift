import Coffer
import Foundation
import Testing

/// The code of Docs/Queries.md.
enum QueriesGuide {
    @Model final class Trip {
        #Index<Trip>([\.name])
        var name: String
        var city: String
        var country: String
        var start: Date
        var end: Date
        var budget: Decimal
        var visits = 0
        var isOver = false
        var owner: Person?
        var guide: String?
        @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
        init(_ name: String, in country: String, start: Date = .distantFuture, budget: Decimal = 0) {
            self.name = name
            self.city = name
            self.country = country
            self.start = start
            end = start
            self.budget = budget
        }
    }

    @Model final class Stop {
        var nights: Int
        var trip: Trip?
        init(nights: Int) { self.nights = nights }
    }

    @Model final class Person {
        var name: String
        init(name: String) { self.name = name }
    }

    @Model final class Article {
        #FullText<Article>([\.title, \.body])
        var title: String
        var body: String?
        var isDraft: Bool
        var date: Date
        init(title: String, body: String? = nil, isDraft: Bool = false, date: Date) {
            self.title = title
            self.body = body
            self.isDraft = isDraft
            self.date = date
        }
    }

    @Suite struct Examples {
        private let container: ModelContainer
        private let context: ModelContext
        private let filter = (initial: "A", ())

        init() throws {
            container = try ModelContainer(
                for: Trip.self, Article.self, configurations: InMemoryStoreConfiguration())
            context = ModelContext(container)
            for (place, name) in ["Rome", "Siena", "Turin"].enumerated() {
                let trip = Trip(name, in: "Italy", budget: Decimal(place * 100))
                trip.owner = Person(name: "Ada")
                trip.stops = [Stop(nights: place + 1)]
                context.insert(trip)
            }
            context.insert(Trip("Lima", in: "Peru", start: .distantPast, budget: 50))
            try context.save()
        }

        @Test func predicates() throws {
            let coming = #Predicate<Trip> { trip in
                guard let owner = trip.owner else { return false }
                return trip.start > .now && owner.name.hasPrefix(filter.initial)
                    && trip.stops.contains { $0.nights > 1 }
            }
            let trips = try context.fetch(FetchDescriptor(predicate: coming, sortBy: [SortDescriptor(\.start)]))
            #expect(trips.map(\.name) == ["Siena", "Turin"])
        }

        @Test func capturedConditions() throws {
            let names: [String] = []
            let city: String? = "Lima"
            let named = #Predicate<Trip> { names.isEmpty || $0.name == names[0] }
            let there = #Predicate<Trip> { if let city { $0.city == city } else { true } }
            #expect(try context.fetchCount(FetchDescriptor(predicate: named)) == 4)
            #expect(try context.fetchCount(FetchDescriptor(predicate: there)) == 1)
        }

        @Test func fullText() throws {
            let searchField = "guide"
            context.insert(Article(title: "A guide", body: "Swift, persisted", date: .now))
            context.insert(Article(title: "Swift", body: "persistence, obsolete", date: .now))
            let found = #Predicate<Article> { !$0.isDraft && $0.matchesFullText("swift persist* -obsolete") }
            let titles = #Predicate<Article> { $0.title.matchesFullText(searchField) }
            for predicate in [found, titles] {
                #expect(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title) == ["A guide"])
            }
            let printed = try printed {
                var recent = FetchDescriptor<Article>(sortBy: [SortDescriptor(\.date, order: .reverse)])
                recent.fetchLimit = 20
                for hit in try context.search(recent, for: "swift persist*") { print(hit.score, hit.model.title) }
            }
            #expect(printed.hasSuffix("A guide") || printed.hasSuffix("Swift"))
        }

        @Test func deletingAndChanging() throws {
            let lastYear = Date.now
            try context.delete(model: Trip.self, where: #Predicate { $0.end < lastYear })
            try context.update(model: Trip.self, where: #Predicate { $0.isOver }) {
                $0.guide = nil
                $0.set(\.visits, to: #Expression { $0.visits + 1 })
            }
            try context.save()
            #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 3)
        }

        @Test func valuesOfManyModels() throws {
            let coming = #Predicate<Trip> { $0.start > .now && $0.owner != nil }
            let printed = try printed {
                let (count, total, last) = try context.aggregate(
                    FetchDescriptor<Trip>(predicate: coming), .count, .sum(\.budget), .max(\.start))
                let budget = try context.sum(of: \Trip.budget, where: coming)
                for group in try context.groups(
                    FetchDescriptor<Trip>(), by: \.country, giving: .count, .average(\.budget),
                    order: [.value(.count, order: .reverse)], limit: 10)
                {
                    print(group.key, group.values.0, group.values.1 ?? 0)
                }
                let countries = try context.distinctValues(of: \Trip.country)
                #expect(count == 3 && total == 300 && budget == total && last == .distantFuture)
                #expect(countries == ["Italy", "Peru"])
            }
            #expect(
                printed == """
                    Italy 3 100
                    Peru 1 50
                    """)
        }

        @Test func pages() throws {
            for number in 1...60 { context.insert(Trip("Trip \(number)", in: "Norway", start: .distantPast)) }
            try context.save()

            var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.start, order: .reverse)])
            descriptor.fetchLimit = 50
            let page = try context.fetchPage(descriptor)
            let next = try context.fetchPage(descriptor, after: page.next)
            #expect(page.models.count == 50 && next.models.count == 14 && next.next == nil)
        }

        @Test func strictness() throws {
            let descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name.count)])
            #expect(throws: SwiftDataError.inMemoryFallback) {
                context.allowsInMemoryFallback = false
                _ = try context.fetch(descriptor)  // SwiftDataError.inMemoryFallback: which piece, and why
            }
        }
    }
}

/// The part of Docs/Queries.md on what a fetch does.
enum ExplanationGuide {
    @Model final class Trip {
        #Index<Trip>([\.name])
        var name: String
        var start: Date
        init(_ name: String, start: Date) {
            self.name = name
            self.start = start
        }
    }

    @Suite struct Examples {
        @Test func explaining() throws {
            try withFolder { folder in
                let container = try ModelContainer(
                    for: Trip.self, configurations: SQLiteStoreConfiguration(url: folder.appending(path: "trips")))
                let context = ModelContext(container)
                let printed = try printed {
                    var descriptor = FetchDescriptor<Trip>(
                        predicate: #Predicate { $0.name == "Rome" }, sortBy: [SortDescriptor(\.start, order: .reverse)])
                    descriptor.fetchLimit = 10
                    print(try context.explain(descriptor))
                }
                #expect(
                    printed == """
                        Trip in "default"
                          filter    store   $0.name == "Rome"
                          sort      store   -start
                          page      store   limit 10
                          runs      SELECT t0."_pk", t0."name", t0."start" FROM "Trip" AS t0 WHERE t0."name" = ?1 ORDER BY t0."start" DESC, t0."_pk" LIMIT ?2
                          access    index Trip_name_index
                          order     sorted
                                    SEARCH t0 USING INDEX Trip_name_index (name=?)
                                    USE TEMP B-TREE FOR ORDER BY
                          requests  the matching rows of Trip
                        """)
            }
        }
    }
}
