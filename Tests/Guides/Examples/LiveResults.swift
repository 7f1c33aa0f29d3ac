import Coffer
import Foundation
import Observation
import Testing

/// The code of Docs/LiveResults.md.
enum LiveResultsGuide {
    @Model final class Trip {
        var name: String
        var country: String
        var isPlanned = true
        init(_ name: String, country: String) {
            self.name = name
            self.country = country
        }
    }

    @MainActor @Observable final class TripList: @MainActor ModelContextProviding {
        let modelContext: ModelContext
        @ObservationIgnored @Query(filter: #Predicate { $0.isPlanned }, sort: \.name) var trips: [Trip]
        @ObservationIgnored @Query(sort: \.name, sectionBy: \.country) var byCountry: SectionedResults<Trip, String>

        init(modelContext: ModelContext) { self.modelContext = modelContext }

        var problem: (any Error)? { _trips.fetchError }
    }

    @Suite struct Examples {
        private let container: ModelContainer
        private let context: ModelContext

        init() throws {
            container = try ModelContainer(for: Trip.self, configurations: InMemoryStoreConfiguration())
            context = ModelContext(container)
        }

        @Test func observer() throws {
            let observer = try ResultsObserver<Trip, Never>(
                filterBy: #Predicate { $0.isPlanned }, sortBy: [SortDescriptor(\.name)], modelContext: context)
            context.insert(Trip("Alps", country: "Chad"))
            print(observer.results.map(\.name))
            observer.filterBy = nil
            #expect(observer.results.count == 1)
        }

        @Test func sections() throws {
            context.insert(Trip("Tibesti", country: "Chad"))
            let observer = try ResultsObserver<Trip, String>(
                sortBy: [SortDescriptor(\.name)], sectionBy: \.country, modelContext: context)
            if let sections = observer.sections {
                for section in sections { print(section.title, section.map(\.name)) }
            }
            #expect(observer.sections?.sectionTitles == ["Chad"])
        }

        @Test func updates() async throws {
            let observer = try ResultsObserver<Trip, Never>(modelContext: context)
            for await update in observer.updates {
                for trip in update.removed { print("−", trip.name) }
                for trip in update.inserted { print("+", trip.name) }
                for trip in update.updated { print("~", trip.name) }
                if update.results.isEmpty { break }
            }
            #expect(observer.results.isEmpty)
        }

        @Test @MainActor func query() throws {
            let list = TripList(modelContext: context)
            context.insert(Trip("Andes", country: "Peru"))
            #expect(list.trips.count == 1 && list.byCountry.sectionTitles == ["Peru"] && list.problem == nil)
        }

        @Test func history() throws {
            let observer = try HistoryObserver(
                observedModels: [Trip.self], authors: ["import"], modelContainer: container)
            let importer = ModelContext(container)
            importer.author = "import"
            importer.insert(Trip("Andes", country: "Peru"))
            try importer.save()
            print(observer.eventCounter)
            #expect(observer.eventCounter == 1)
        }
    }
}
