import Coffer
import Foundation

/// The workloads over ``Trip`` and ``Stop``, written once for all stores.
final class StoreSession: ParticipantSession {
    private let configuration: any DataStoreConfiguration
    private let data: BenchmarkData
    private lazy var container = Result { try Self.makeContainer(configuration) }

    init(_ configuration: any DataStoreConfiguration, _ data: BenchmarkData) {
        self.configuration = configuration
        self.data = data
    }

    private static func makeContainer(_ configuration: any DataStoreConfiguration) throws -> ModelContainer {
        try ModelContainer(for: Schema([Trip.self, Stop.self]), configurations: [configuration])
    }

    func fill(_ dataset: Workload.Dataset) throws {
        let container = try container.get()
        switch dataset {
        case .empty: break
        case .trips:
            var start = 0
            while start < data.rows {
                let context = ModelContext(container)
                for seed in data.trips[start..<min(start + 100_000, data.rows)] { context.insert(Trip(seed)) }
                try context.save()
                start += 100_000
            }
        case .graph: _ = try insertGraph(container)()
        }
    }

    func prepare(_ task: Workload.Task) throws -> () throws -> Tally {
        if task == .open { return open() }
        if task == .close { return try close() }
        let container = try container.get()
        // The files are opened and their schema is read before the clock runs, as for the baseline.
        _ = try ModelContext(container).fetchCount(FetchDescriptor<Stop>())
        switch task {
        case .insert: return insert(container)
        case .fetchAll: return fetchAll(container)
        case .fetchByIdentifier: return try fetchByIdentifier(container)
        case .fetchPage: return fetchPage(container)
        case .fetchRange, .refreshResults, .readersAndWriter: throw Unsupported("there is only the indexed variant")
        case .count: return count(container)
        case .groups: return groups(container)
        case .update: return try update(container)
        case .delete: return try delete(container)
        case .insertGraph: return insertGraph(container)
        case .fetchGraph: return fetchGraph(container, isPrefetched: true)
        case .traverse: return fetchGraph(container, isPrefetched: false)
        case .smallSaves: return smallSaves(container)
        case .batchDelete: return batchDelete(container)
        case .readHistory: return try readHistory(container)
        case .open: return open()
        case .close: return try close()
        }
    }

    func totals() throws -> StoredTotals {
        let context = ModelContext(try container.get())
        let trips = try context.fetch(FetchDescriptor<Trip>())
        return StoredTotals(
            trips: trips.count, stops: try context.fetchCount(FetchDescriptor<Stop>()),
            budget: trips.reduce(0) { $0 + $1.budget })
    }

    // MARK: Inserting

    private func insert(_ container: ModelContainer) -> () throws -> Tally {
        let context = ModelContext(container)
        return { [data] in
            for seed in data.trips { context.insert(Trip(seed)) }
            try context.save()
            return Tally(rows: data.rows)
        }
    }

    private func insertGraph(_ container: ModelContainer) -> () throws -> Tally {
        let context = ModelContext(container)
        return { [data] in
            var stop = 0
            for seed in data.trips.prefix(data.graphTrips) {
                let trip = Trip(seed)
                context.insert(trip)
                for _ in 0..<BenchmarkData.stopsPerTrip {
                    let seed = data.stops[stop]
                    context.insert(Stop(title: seed.title, order: seed.order, trip: trip))
                    stop += 1
                }
            }
            try context.save()
            return Tally(rows: data.graphTrips + stop)
        }
    }

    private func smallSaves(_ container: ModelContainer) -> () throws -> Tally {
        let context = ModelContext(container)
        return { [data] in
            for index in 0..<data.smallSaveCount {
                context.insert(Trip(data.trips[index % data.rows]))
                try context.save()
            }
            return Tally(rows: data.smallSaveCount)
        }
    }

    // MARK: Fetching

    private func fetchAll(_ container: ModelContainer) -> () throws -> Tally {
        {
            let context = ModelContext(container)
            func read() throws -> Tally {
                let trips = try context.fetch(FetchDescriptor<Trip>())
                var tally = Tally()
                for trip in trips { tally.add(trip) }
                withExtendedLifetime(trips) { Meter.mark() }
                return tally
            }
            // The context outlives what was fetched, as it does in a program.
            let tally = try read()
            return withExtendedLifetime(context) { tally }
        }
    }

    private func fetchByIdentifier(_ container: ModelContainer) throws -> () throws -> Tally {
        let sorted = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Trip>())
        guard sorted.count == data.rows else { return { Tally(rows: sorted.count) } }
        let identifiers = data.lookupOrder.map { sorted[$0] }
        return {
            let context = ModelContext(container)
            var tally = Tally()
            for identifier in identifiers {
                if let trip = try context.existingModel(for: identifier, as: Trip.self) { tally.add(trip) }
            }
            return tally
        }
    }

    private func fetchPage(_ container: ModelContainer) -> () throws -> Tally {
        { [data] in
            let (city, limit) = (data.city, data.budgetLimit)
            var descriptor = FetchDescriptor<Trip>(
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

    private func count(_ container: ModelContainer) -> () throws -> Tally {
        { [data] in
            let (city, start) = (data.city, data.earliestStart)
            let descriptor = FetchDescriptor<Trip>(
                predicate: #Predicate { $0.destination == city && $0.startDate >= start })
            return Tally(rows: try ModelContext(container).fetchCount(descriptor))
        }
    }

    private func groups(_ container: ModelContainer) -> () throws -> Tally {
        {
            var tally = Tally()
            let groups = try ModelContext(container).groups(
                FetchDescriptor<Trip>(), by: \.destination, giving: .count, .sum(\.budget))
            for group in groups { tally.add(group: group.key, count: group.values.0, sum: group.values.1) }
            return tally
        }
    }

    private func readHistory(_ container: ModelContainer) throws -> () throws -> Tally {
        let context = ModelContext(container)
        var newest = HistoryDescriptor<DefaultHistoryTransaction>(
            sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
        newest.fetchLimit = 1
        let last = try context.fetchHistory(newest).first?.token
        _ = try smallSaves(container)()
        return {
            var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
            if let last { descriptor.predicate = #Predicate { $0.token > last } }
            var tally = Tally()
            for transaction in try context.fetchHistory(descriptor) { tally.rows += transaction.changes.count }
            return tally
        }
    }

    private func fetchGraph(_ container: ModelContainer, isPrefetched: Bool) -> () throws -> Tally {
        {
            var descriptor = FetchDescriptor<Trip>()
            if isPrefetched { descriptor.relationshipKeyPathsForPrefetching = [\.stops] }
            let context = ModelContext(container)
            let trips = try context.fetch(descriptor)
            var tally = Tally()
            for trip in trips {
                tally.text += trip.name.utf8.count
                for stop in trip.stops { tally.add(title: stop.title, order: stop.order) }
            }
            if let error = context.loadError { throw error }
            withExtendedLifetime((context, trips)) { Meter.mark() }
            return tally
        }
    }

    private func open() -> () throws -> Tally {
        { [configuration] in
            let context = ModelContext(try Self.makeContainer(configuration))
            var descriptor = FetchDescriptor<Trip>()
            descriptor.fetchLimit = 1
            return Tally(rows: try context.fetch(descriptor).count)
        }
    }

    /// A store that has something to write to its file, or not, is let go of.
    private func close() throws -> () throws -> Tally {
        final class Holder { var container: ModelContainer? }
        let holder = Holder()
        holder.container = try Self.makeContainer(configuration)
        func save() throws {
            guard let container = holder.container else { return }
            let context = ModelContext(container)
            context.insert(Trip(data.trips[0]))
            try context.save()
        }
        try save()
        return {
            holder.container = nil
            return Tally()
        }
    }

    // MARK: Changing

    private func fetchFirst(_ context: ModelContext) throws -> [Trip] {
        var descriptor = FetchDescriptor<Trip>()
        descriptor.fetchLimit = data.changeCount
        return try context.fetch(descriptor)
    }

    private func update(_ container: ModelContainer) throws -> () throws -> Tally {
        let context = ModelContext(container)
        let trips = try fetchFirst(context)
        return {
            for trip in trips { trip.budget += 1 }
            try context.save()
            return Tally(rows: trips.count)
        }
    }

    private func delete(_ container: ModelContainer) throws -> () throws -> Tally {
        let context = ModelContext(container)
        let trips = try fetchFirst(context)
        return {
            for trip in trips { context.delete(trip) }
            try context.save()
            return Tally(rows: trips.count)
        }
    }

    private func batchDelete(_ container: ModelContainer) -> () throws -> Tally {
        let context = ModelContext(container)
        return {
            try context.delete(model: Trip.self, where: #Predicate { $0.isFavorite })
            try context.save()
            return Tally()
        }
    }
}
