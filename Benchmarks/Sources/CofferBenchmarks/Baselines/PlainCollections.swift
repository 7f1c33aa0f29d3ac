import Foundation

/// The baseline of the in-memory store: dictionaries of structures, and sorted arrays where there is an index.
struct PlainCollections: Participant {
    let name = "collections"
    let keepsFiles = false

    func open(_ folder: URL, for workload: Workload, _ data: BenchmarkData) throws -> any ParticipantSession {
        PlainCollectionsSession(data, isIndexed: workload.isIndexed)
    }
}

/// One set of collections.
final class PlainCollectionsSession: ParticipantSession {
    private struct StopRecord {
        var title: String
        var order: Int
        var trip: Int
    }
    private struct StartEntry {
        var start: Date
        var key: Int
    }

    private let data: BenchmarkData
    private let isIndexed: Bool
    private var trips: [Int: TripSeed] = [:]
    private var stops: [Int: StopRecord] = [:]
    private var stopsByTrip: [Int: [Int]] = [:]
    private var startsByDestination: [String: [StartEntry]] = [:]
    private var keysByName: [String: [Int]] = [:]
    private var lastTrip = 0
    private var lastStop = 0

    init(_ data: BenchmarkData, isIndexed: Bool) {
        self.data = data
        self.isIndexed = isIndexed
    }

    func fill(_ dataset: Workload.Dataset) throws {
        switch dataset {
        case .empty: break
        case .trips: insert()
        case .graph: insertGraph()
        }
    }

    func totals() throws -> StoredTotals {
        StoredTotals(trips: trips.count, stops: stops.count, budget: trips.values.reduce(0) { $0 + $1.budget })
    }

    func prepare(_ task: Workload.Task) throws -> () throws -> Tally {
        switch task {
        case .insert:
            return { [self] in
                insert()
                return Tally(rows: data.rows)
            }
        case .fetchAll: return fetchAll
        case .fetchByIdentifier: return fetchByIdentifier
        case .fetchPage: return fetchPage
        case .fetchRange: return fetchRange
        case .count: return count
        case .update:
            let keys = Array(trips.keys.sorted().prefix(data.changeCount))
            return { [self] in
                for key in keys { trips[key]?.budget += 1 }
                return Tally(rows: keys.count)
            }
        case .delete:
            let keys = Array(trips.keys.sorted().prefix(data.changeCount))
            return { [self] in
                for key in keys {
                    trips[key] = nil
                    for stop in stopsByTrip.removeValue(forKey: key) ?? [] { stops[stop] = nil }
                }
                return Tally(rows: keys.count)
            }
        case .insertGraph:
            return { [self] in
                insertGraph()
                return Tally(rows: data.graphTrips + data.stops.count)
            }
        case .fetchGraph, .traverse: return traverse
        case .smallSaves:
            return { [self] in
                for index in 0..<data.smallSaveCount { insert(data.trips[index % data.rows]) }
                return Tally(rows: data.smallSaveCount)
            }
        case .batchDelete:
            return { [self] in
                trips = trips.filter { !$0.value.isFavorite }
                return Tally()
            }
        case .groups: return groups
        case .refreshResults: return try refreshResults()
        case .readersAndWriter: return readersAndWriter()
        case .readHistory: throw Unsupported("collections keep no history")
        case .open, .close: throw Unsupported("memory cannot be opened again")
        }
    }

    // MARK: The tasks

    private func insert(_ seed: TripSeed) {
        lastTrip += 1
        trips[lastTrip] = seed
    }

    private func insert() {
        for seed in data.trips {
            insert(seed)
            if isIndexed {
                let entry = StartEntry(start: seed.startDate, key: lastTrip)
                startsByDestination[seed.destination, default: []].append(entry)
                keysByName[seed.name, default: []].append(lastTrip)
            }
        }
        for key in startsByDestination.keys { startsByDestination[key]?.sort { $0.start < $1.start } }
    }

    private func insertGraph() {
        var next = 0
        for seed in data.trips.prefix(data.graphTrips) {
            insert(seed)
            var keys: [Int] = []
            keys.reserveCapacity(BenchmarkData.stopsPerTrip)
            for _ in 0..<BenchmarkData.stopsPerTrip {
                let stop = data.stops[next]
                next += 1
                lastStop += 1
                stops[lastStop] = StopRecord(title: stop.title, order: stop.order, trip: lastTrip)
                keys.append(lastStop)
            }
            stopsByTrip[lastTrip] = keys
        }
    }

    private func fetchAll() -> Tally {
        let rows = Array(trips.values)
        var tally = Tally()
        for trip in rows { tally.add(trip) }
        withExtendedLifetime(rows) { Meter.mark() }
        return tally
    }

    private func fetchByIdentifier() -> Tally {
        var tally = Tally()
        for index in data.lookupOrder {
            if let trip = trips[index + 1] { tally.add(trip) }
        }
        return tally
    }

    private func fetchPage() -> Tally {
        var tally = Tally()
        if isIndexed {
            var skipped = 0
            for entry in startsByDestination[data.city] ?? [] {
                guard let trip = trips[entry.key], trip.budget < data.budgetLimit else { continue }
                skipped += 1
                if skipped <= data.pageOffset { continue }
                tally.add(trip)
                if tally.rows == data.pageLimit { break }
            }
            return tally
        }
        let matching = trips.values.filter { $0.destination == data.city && $0.budget < data.budgetLimit }
        let sorted = matching.sorted { $0.startDate < $1.startDate }
        for trip in sorted.dropFirst(data.pageOffset).prefix(data.pageLimit) { tally.add(trip) }
        return tally
    }

    private func count() -> Tally {
        guard isIndexed else {
            return Tally(
                rows: trips.values.count { $0.destination == data.city && $0.startDate >= data.earliestStart })
        }
        let entries = startsByDestination[data.city] ?? []
        return Tally(rows: entries.count - Self.place(of: data.earliestStart, in: entries))
    }

    private func fetchRange() -> Tally {
        let entries = startsByDestination[data.city] ?? []
        var tally = Tally()
        for entry in entries[Self.place(of: data.startRange.lowerBound, in: entries)...] {
            if entry.start >= data.startRange.upperBound { break }
            if let trip = trips[entry.key] { tally.add(trip) }
        }
        return tally
    }

    private func groups() -> Tally {
        var sums: [String: (count: Int, budget: Double)] = [:]
        for trip in trips.values {
            let sum = sums[trip.destination] ?? (0, 0)
            sums[trip.destination] = (sum.count + 1, sum.budget + trip.budget)
        }
        var tally = Tally()
        for (city, sum) in sums { tally.add(group: city, count: sum.count, sum: sum.budget) }
        return tally
    }

    private func refreshResults() throws -> () throws -> Tally {
        guard let moving = data.moving else { throw Unsupported("no trip starts in the range") }
        let inside = data.trips[moving].startDate
        return { [self] in
            var tally = Tally()
            for index in 0..<data.refreshCount {
                move(moving + 1, to: index % 2 == 0 ? data.outsideStart : inside)
                tally.add(fetchRange())
            }
            return tally
        }
    }

    private func move(_ key: Int, to start: Date) {
        guard let trip = trips[key] else { return }
        trips[key]?.startDate = start
        let city = trip.destination
        var old = Self.place(of: trip.startDate, in: startsByDestination[city] ?? [])
        while startsByDestination[city]?[old].key != key { old += 1 }
        startsByDestination[city]?.remove(at: old)
        let new = Self.place(of: start, in: startsByDestination[city] ?? [])
        startsByDestination[city]?.insert(StartEntry(start: start, key: key), at: new)
    }

    /// One lock keeps the threads apart, and each fetch takes it once.
    private func readersAndWriter() -> () throws -> Tally {
        let collections = Locked(self)
        return { [data] in
            try ReadersAndWriter.run(data) {
                collections.with { $0.fetchRange() }
            } writing: {
                { index in
                    collections.with { session in
                        let seed = data.seedOfWriter(index)
                        session.insert(seed)
                        session.startsByDestination[seed.destination, default: []].append(
                            StartEntry(start: seed.startDate, key: session.lastTrip))
                        session.keysByName[seed.name, default: []].append(session.lastTrip)
                    }
                }
            }
        }
    }

    private final class Locked: @unchecked Sendable {
        private let session: PlainCollectionsSession
        private let lock = NSLock()

        init(_ session: PlainCollectionsSession) { self.session = session }

        func with<T>(_ body: (PlainCollectionsSession) -> T) -> T { lock.withLock { body(session) } }
    }

    /// The first entry that does not start before a date.
    private static func place(of start: Date, in entries: [StartEntry]) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].start < start { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func traverse() -> Tally {
        var tally = Tally()
        for (key, trip) in trips {
            tally.text += trip.name.utf8.count
            for stop in stopsByTrip[key] ?? [] {
                if let stop = stops[stop] { tally.add(title: stop.title, order: stop.order) }
            }
        }
        return tally
    }
}
