import CRawSQLite
import Foundation

/// The baseline of the SQLite store: the library's own functions, called from C on the same tables.
struct RawSQLite: Participant {
    let name = "raw sqlite3"
    let keepsFiles = true

    func open(_ folder: URL, for workload: Workload, _ data: BenchmarkData) throws -> any ParticipantSession {
        RawSQLiteSession(
            path: folder.appendingPathComponent("raw.sqlite").path, workload: workload, data: data)
    }
}

/// One raw database.
final class RawSQLiteSession: ParticipantSession {
    let path: String
    let table: String
    private let isFullyDurable: Bool
    private let isOneTransaction: Bool
    let data: BenchmarkData
    private var database: OpaquePointer?

    init(path: String, workload: Workload, data: BenchmarkData) {
        self.path = path
        self.data = data
        table = workload.isIndexed ? "IndexedTrip" : "Trip"
        isFullyDurable = workload.isFullyDurable
        isOneTransaction = workload.baselineIsOneTransaction
    }

    deinit { raw_close(database) }

    /// What SQLite refused.
    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    static func check(_ code: Int32, _ database: OpaquePointer?) throws {
        if code != 0 { throw Failure(description: "raw SQLite: \(code) \(String(cString: raw_error(database)))") }
    }

    /// The database, opened at the first call.
    private func opened() throws -> OpaquePointer? {
        if database != nil { return database }
        let isNew = !FileManager.default.fileExists(atPath: path)
        try Self.check(raw_open(path, table, isFullyDurable ? 1 : 0, &database), database)
        if isNew { try Self.check(raw_create(database), database) }
        return database
    }

    /// Writes all trips and all stops to a new file.
    static func write(_ data: BenchmarkData, to path: String) throws {
        var database: OpaquePointer?
        defer { raw_close(database) }
        try check(raw_open(path, "Trip", 0, &database), database)
        try check(raw_create(database), database)
        try check(
            raw_insert_graph(database, data.rawTrips, Int64(data.rows), data.rawStops, Int64(data.stops.count)),
            database)
    }

    func fill(_ dataset: Workload.Dataset) throws {
        let database = try opened()
        switch dataset {
        case .empty: break
        case .trips: try Self.check(raw_insert_trips(database, data.rawTrips, Int64(data.rows)), database)
        case .graph: _ = try insertGraph(database)()
        }
    }

    func totals() throws -> StoredTotals {
        let database = try opened()
        var totals = raw_totals()
        try Self.check(raw_read_totals(database, &totals), database)
        return StoredTotals(trips: Int(totals.trips), stops: Int(totals.stops), budget: totals.budget)
    }

    func prepare(_ task: Workload.Task) throws -> () throws -> Tally {
        if task == .open { return open() }
        let database = try opened()
        // Reads the schema before the clock runs.
        _ = try fetchTrips(database, limit: 1)
        let data = data
        switch task {
        case .insert:
            return {
                try Self.check(raw_insert_trips(database, data.rawTrips, Int64(data.rows)), database)
                return Tally(rows: data.rows)
            }
        case .fetchAll: return fetchAll(database)
        case .fetchByIdentifier: return fetchByIdentifier(database)
        case .fetchPage: return fetchPage(database)
        case .fetchRange: return fetchRange(database)
        case .count: return count(database)
        case .update, .delete: return try change(task, database)
        case .insertGraph: return insertGraph(database)
        case .fetchGraph: return fetchGraph(database)
        case .traverse: return traverse(database)
        case .smallSaves:
            return {
                for index in 0..<data.smallSaveCount {
                    try Self.check(raw_insert_trip(database, data.rawTrips + index % data.rows), database)
                }
                return Tally(rows: data.smallSaveCount)
            }
        case .batchDelete:
            return {
                try Self.check(raw_delete_favorites(database), database)
                return Tally()
            }
        case .close:
            try Self.check(raw_insert_trip(database, data.rawTrips), database)
            return { [self] in
                raw_close(self.database)
                self.database = nil
                return Tally()
            }
        case .open: return open()
        case .groups: return groups(database)
        case .refreshResults: return try refreshResults(database)
        case .readHistory: return try readHistory(database)
        case .readersAndWriter: return readersAndWriter(database)
        }
    }

    // MARK: The tasks

    private func fetchAll(_ database: OpaquePointer?) -> () throws -> Tally {
        {
            var trips = raw_trip_list()
            defer { raw_free_trips(&trips) }
            try Self.check(raw_fetch_trips(database, &trips), database)
            var tally = raw_tally()
            raw_tally_trips(&trips, &tally)
            Meter.mark()
            return Tally(tally)
        }
    }

    private func fetchByIdentifier(_ database: OpaquePointer?) -> () throws -> Tally {
        let keys = data.lookupOrder.map { Int64($0 + 1) }
        return { [isOneTransaction] in
            var trips = raw_trip_list()
            defer { raw_free_trips(&trips) }
            var tally = raw_tally()
            if isOneTransaction { try Self.check(raw_begin_reading(database), database) }
            for key in keys {
                try Self.check(raw_fetch_trip(database, key, &trips), database)
                raw_tally_trips(&trips, &tally)
            }
            if isOneTransaction { try Self.check(raw_end_reading(database), database) }
            return Tally(tally)
        }
    }

    private func fetchPage(_ database: OpaquePointer?) -> () throws -> Tally {
        { [data] in
            var trips = raw_trip_list()
            defer { raw_free_trips(&trips) }
            try Self.check(
                raw_fetch_page(
                    database, data.city, data.budgetLimit, Int64(data.pageLimit), Int64(data.pageOffset), &trips),
                database)
            var tally = raw_tally()
            raw_tally_trips(&trips, &tally)
            return Tally(tally)
        }
    }

    func fetchRange(_ database: OpaquePointer?) -> () throws -> Tally {
        { [data] in try Self.fetchRange(database, data) }
    }

    static func fetchRange(_ database: OpaquePointer?, _ data: BenchmarkData) throws -> Tally {
        var trips = raw_trip_list()
        defer { raw_free_trips(&trips) }
        let range = data.startRange
        try check(
            raw_fetch_range(
                database, data.city, range.lowerBound.timeIntervalSinceReferenceDate,
                range.upperBound.timeIntervalSinceReferenceDate, &trips), database)
        var tally = raw_tally()
        raw_tally_trips(&trips, &tally)
        return Tally(tally)
    }

    private func count(_ database: OpaquePointer?) -> () throws -> Tally {
        { [data] in
            var count: Int64 = 0
            try Self.check(
                raw_count_trips(database, data.city, data.earliestStart.timeIntervalSinceReferenceDate, &count),
                database)
            return Tally(rows: Int(count))
        }
    }

    private func fetchTrips(_ database: OpaquePointer?, limit: Int) throws -> RawTrips {
        let trips = RawTrips()
        try Self.check(raw_fetch_first(database, Int64(limit), &trips.list), database)
        return trips
    }

    private func change(_ task: Workload.Task, _ database: OpaquePointer?) throws -> () throws -> Tally {
        let trips = try fetchTrips(database, limit: data.changeCount)
        return {
            if task == .delete {
                try Self.check(raw_delete_trips(database, &trips.list), database)
            } else {
                for index in 0..<Int(trips.list.count) { trips.list.rows[index].budget += 1 }
                try Self.check(raw_update_budgets(database, &trips.list), database)
            }
            return Tally(rows: Int(trips.list.count))
        }
    }

    private func insertGraph(_ database: OpaquePointer?) -> () throws -> Tally {
        { [data] in
            try Self.check(
                raw_insert_graph(
                    database, data.rawTrips, Int64(data.graphTrips), data.rawStops, Int64(data.stops.count)),
                database)
            return Tally(rows: data.graphTrips + data.stops.count)
        }
    }

    private func fetchGraph(_ database: OpaquePointer?) -> () throws -> Tally {
        {
            var trips = raw_trip_list()
            var stops = raw_stop_list()
            defer {
                raw_free_trips(&trips)
                raw_free_stops(&stops)
            }
            try Self.check(raw_begin_reading(database), database)
            try Self.check(raw_fetch_trips(database, &trips), database)
            try Self.check(raw_fetch_stops(database, &stops), database)
            try Self.check(raw_end_reading(database), database)
            var tally = raw_tally()
            raw_tally_graph(&trips, &stops, &tally)
            Meter.mark()
            return Tally(tally)
        }
    }

    private func traverse(_ database: OpaquePointer?) -> () throws -> Tally {
        {
            var trips = raw_trip_list()
            var stops = raw_stop_list()
            defer {
                raw_free_trips(&trips)
                raw_free_stops(&stops)
            }
            try Self.check(raw_begin_reading(database), database)
            try Self.check(raw_fetch_trips(database, &trips), database)
            var tally = raw_tally()
            for index in 0..<Int(trips.count) {
                tally.text += Int64(trips.rows[index].name_length)
                try Self.check(raw_fetch_stops_of(database, trips.rows[index].id, &stops), database)
                raw_tally_stops(&stops, &tally)
                raw_clear_stops(&stops)
            }
            try Self.check(raw_end_reading(database), database)
            Meter.mark()
            return Tally(tally)
        }
    }

    private func open() -> () throws -> Tally {
        { [path, table, isFullyDurable] in
            var database: OpaquePointer?
            defer { raw_close(database) }
            try Self.check(raw_open(path, table, isFullyDurable ? 1 : 0, &database), database)
            var trips = raw_trip_list()
            defer { raw_free_trips(&trips) }
            try Self.check(raw_fetch_first(database, 1, &trips), database)
            return Tally(rows: Int(trips.count))
        }
    }
}

/// Rows in C structures.
private final class RawTrips {
    var list = raw_trip_list()

    deinit { raw_free_trips(&list) }
}

extension Tally {
    init(_ raw: raw_tally) {
        self.init(rows: Int(raw.rows), text: Int(raw.text), number: Int(raw.number))
    }
}
