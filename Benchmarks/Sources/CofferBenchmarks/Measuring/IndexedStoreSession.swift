import Coffer
import Foundation

/// The workloads over ``IndexedTrip``, written once for all stores.
///
/// Predicates name a class and its key paths, so they cannot be shared with ``StoreSession``.
final class IndexedStoreSession: ParticipantSession {
    private let configuration: any DataStoreConfiguration
    private let data: BenchmarkData
    private lazy var container = Result {
        try ModelContainer(for: Schema([IndexedTrip.self]), configurations: [configuration])
    }

    init(_ configuration: any DataStoreConfiguration, _ data: BenchmarkData) {
        self.configuration = configuration
        self.data = data
    }

    func fill(_ dataset: Workload.Dataset) throws {
        if dataset == .trips { _ = try insert(try container.get())() }
    }

    func prepare(_ task: Workload.Task) throws -> () throws -> Tally {
        let container = try container.get()
        if task != .insert {
            var descriptor = FetchDescriptor<IndexedTrip>()
            descriptor.fetchLimit = 1
            _ = try ModelContext(container).fetch(descriptor)
        }
        switch task {
        case .insert: return insert(container)
        case .fetchPage: return fetchPage(container)
        case .fetchRange: return fetchRange(container)
        case .count: return count(container)
        case .refreshResults: return try refreshResults(container)
        case .readersAndWriter: return readersAndWriter(container)
        default: throw Unsupported("there is no indexed variant")
        }
    }

    func totals() throws -> StoredTotals {
        let trips = try ModelContext(try container.get()).fetch(FetchDescriptor<IndexedTrip>())
        return StoredTotals(trips: trips.count, budget: trips.reduce(0) { $0 + $1.budget })
    }

    private func insert(_ container: ModelContainer) -> () throws -> Tally {
        let context = ModelContext(container)
        return { [data] in
            for seed in data.trips { context.insert(IndexedTrip(seed)) }
            try context.save()
            return Tally(rows: data.rows)
        }
    }

    private func fetchPage(_ container: ModelContainer) -> () throws -> Tally {
        { [data] in
            let (city, limit) = (data.city, data.budgetLimit)
            var descriptor = FetchDescriptor<IndexedTrip>(
                predicate: #Predicate { $0.destination == city && $0.budget < limit },
                sortBy: [SortDescriptor(\.startDate)])
            descriptor.fetchLimit = data.pageLimit
            descriptor.fetchOffset = data.pageOffset
            let context = ModelContext(container)
            var tally = Tally()
            for trip in try context.fetch(descriptor) { tally.add(trip) }
            return withExtendedLifetime(context) { tally }
        }
    }

    private func fetchRange(_ container: ModelContainer) -> @Sendable () throws -> Tally {
        { [data] in
            let (city, start, end) = (data.city, data.startRange.lowerBound, data.startRange.upperBound)
            let descriptor = FetchDescriptor<IndexedTrip>(
                predicate: #Predicate { $0.destination == city && $0.startDate >= start && $0.startDate < end },
                sortBy: [SortDescriptor(\.startDate)])
            let context = ModelContext(container)
            var tally = Tally()
            for trip in try context.fetch(descriptor) { tally.add(trip) }
            return withExtendedLifetime(context) { tally }
        }
    }

    /// An observer of one context reads what another context's saves leave it.
    private func refreshResults(_ container: ModelContainer) throws -> () throws -> Tally {
        let (city, start, end) = (data.city, data.startRange.lowerBound, data.startRange.upperBound)
        let observer = try ResultsObserver<IndexedTrip, Never>(
            filterBy: #Predicate { $0.destination == city && $0.startDate >= start && $0.startDate < end },
            sortBy: [SortDescriptor(\.startDate)], modelContext: ModelContext(container))
        guard let inside = data.moving.map({ data.trips[$0].startDate }), observer.results.first?.startDate == inside,
            let identifier = observer.results.first?.persistentModelID
        else { throw Unsupported("no trip starts in the range") }
        let writer = ModelContext(container)
        guard let moving = try writer.existingModel(for: identifier, as: IndexedTrip.self) else { return { Tally() } }
        return { [data] in
            var tally = Tally()
            for index in 0..<data.refreshCount {
                moving.startDate = index % 2 == 0 ? data.outsideStart : inside
                try writer.save()
                for trip in observer.results { tally.add(trip) }
                if let error = observer.fetchError { throw error }
            }
            return tally
        }
    }

    private func readersAndWriter(_ container: ModelContainer) -> () throws -> Tally {
        let fetch = fetchRange(container)
        return { [data] in
            try ReadersAndWriter.run(data) {
                try fetch()
            } writing: {
                let context = ModelContext(container)
                return { index in
                    context.insert(IndexedTrip(data.seedOfWriter(index)))
                    try context.save()
                }
            }
        }
    }

    private func count(_ container: ModelContainer) -> () throws -> Tally {
        { [data] in
            let (city, start) = (data.city, data.earliestStart)
            let descriptor = FetchDescriptor<IndexedTrip>(
                predicate: #Predicate { $0.destination == city && $0.startDate >= start })
            return Tally(rows: try ModelContext(container).fetchCount(descriptor))
        }
    }
}
