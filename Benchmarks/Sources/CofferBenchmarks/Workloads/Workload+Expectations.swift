import Foundation

// What a right answer is, worked out from the data in plain Swift.

extension Workload {
    /// What one iteration must have read or written.
    func expectedTally(_ data: BenchmarkData) -> Tally {
        switch task {
        case .insert: return Tally(rows: data.rows)
        case .fetchAll, .fetchByIdentifier: return Self.tally(data.trips)
        case .fetchPage:
            let matching = data.trips.filter { $0.destination == data.city && $0.budget < data.budgetLimit }
            let sorted = matching.sorted { $0.startDate < $1.startDate }
            return Self.tally(sorted.dropFirst(data.pageOffset).prefix(data.pageLimit))
        case .fetchRange:
            return Self.tally(Self.rangeTrips(data))
        case .count:
            return Tally(
                rows: data.trips.count { $0.destination == data.city && $0.startDate >= data.earliestStart })
        case .update, .delete: return Tally(rows: data.changeCount)
        case .insertGraph: return Tally(rows: data.graphTrips + data.stops.count)
        case .fetchGraph, .traverse:
            var tally = Tally()
            for trip in data.trips.prefix(data.graphTrips) { tally.text += trip.name.utf8.count }
            for stop in data.stops { tally.add(title: stop.title, order: stop.order) }
            return tally
        case .smallSaves, .readHistory: return Tally(rows: data.smallSaveCount)
        case .groups:
            var tally = Tally()
            for (city, trips) in Dictionary(grouping: data.trips, by: \.destination) {
                tally.add(group: city, count: trips.count, sum: trips.reduce(0) { $0 + $1.budget })
            }
            return tally
        case .refreshResults:
            let range = Self.rangeTrips(data)
            var tally = Tally()
            for index in 0..<data.refreshCount {
                // Every other save takes one trip out of the range, and the next one puts it back.
                tally.add(Self.tally(index % 2 == 0 ? range.dropFirst() : range[...]))
            }
            return tally
        case .readersAndWriter:
            var tally = Tally(rows: data.savesOfWriter)
            let range = Self.tally(Self.rangeTrips(data))
            for _ in 0..<data.readerCount * data.readsOfReader { tally.add(range) }
            return tally
        case .batchDelete, .close: return Tally()
        case .open: return Tally(rows: 1)
        }
    }

    /// What the store must hold afterwards; nil where a run changes nothing.
    ///
    /// The budget is nil where it depends on which rows a store fetches first.
    func expectedTotals(_ data: BenchmarkData) -> (trips: Int, stops: Int, budget: Double?)? {
        let budget = data.trips.reduce(0) { $0 + $1.budget }
        switch task {
        case .insert: return (data.rows, 0, budget)
        case .update: return (data.rows, 0, budget + Double(data.changeCount))
        case .delete: return (data.rows - data.changeCount, 0, nil)
        case .insertGraph:
            return (data.graphTrips, data.stops.count, data.trips.prefix(data.graphTrips).reduce(0) { $0 + $1.budget })
        case .smallSaves, .readHistory:
            let added = (0..<data.smallSaveCount).reduce(0) { $0 + data.trips[$1 % data.rows].budget }
            return (data.rows + data.smallSaveCount, 0, budget + added)
        case .close: return (data.rows + 1, 0, budget + data.trips[0].budget)
        case .batchDelete:
            let kept = data.trips.filter { !$0.isFavorite }
            return (kept.count, 0, kept.reduce(0) { $0 + $1.budget })
        case .refreshResults: return (data.rows, 0, budget)
        case .readersAndWriter:
            let added = (0..<data.savesOfWriter).reduce(0) { $0 + data.trips[$1 % data.rows].budget }
            return (data.rows + data.savesOfWriter, 0, budget + added)
        case .fetchAll, .fetchByIdentifier, .fetchPage, .fetchRange, .count, .groups, .fetchGraph, .traverse, .open:
            return nil
        }
    }

    /// The trips to the city that start in the range.
    private static func rangeTrips(_ data: BenchmarkData) -> [TripSeed] {
        data.trips.filter { $0.destination == data.city && data.startRange.contains($0.startDate) }
            .sorted { $0.startDate < $1.startDate }
    }

    private static func tally(_ trips: some Sequence<TripSeed>) -> Tally {
        var tally = Tally()
        for trip in trips { tally.add(trip) }
        return tally
    }
}
