import CRawSQLite
import Foundation

/// The rows that every participant of a run stores, made before anything is timed.
///
/// A data set of `n` rows has `n` trips; the graph has `n / 10` trips with ten stops each.
public final class BenchmarkData: @unchecked Sendable {
    let rows: Int
    let trips: [TripSeed]
    let stops: [StopSeed]
    /// The same as ``trips`` and ``stops`` in C structures.
    let rawTrips: UnsafeMutablePointer<raw_trip>
    let rawStops: UnsafeMutablePointer<raw_stop>

    static let stopsPerTrip = 10
    static let cities = [
        "Amsterdam", "Barcelona", "Copenhagen", "Dublin", "Edinburgh", "Florence", "Geneva", "Helsinki", "Istanbul",
        "Kraków", "Lisbon", "Marseille", "Naples", "Oslo", "Prague", "Rome", "Stockholm", "Tallinn", "Vienna", "Zürich",
    ]

    /// The city, date and budget that filters ask for.
    let city = "Rome"
    let budgetLimit = 5000.0
    let earliestStart: Date
    /// A range that has as many starts in every data set.
    let startRange: Range<Date>
    /// How many trips lead to the city and start in the range.
    let rangeCount: Int
    /// The first of them, which live results lose and get back; nil where there is none.
    let moving: Int?
    /// The page that is fetched.
    let pageLimit = 50
    let pageOffset: Int
    /// How many objects are changed or deleted one by one.
    var changeCount: Int { max(rows / 10, 1) }
    var graphTrips: Int { max(rows / Self.stopsPerTrip, 1) }
    /// How many saves of one object are made, and how many a history is read of. Small data sets are for quick looks, and
    /// saves that wait for a disk are not quick.
    var smallSaveCount: Int { isSmall ? 100 : 1000 }
    /// How many saves change live results; an even number, so that every object is in the end what it was.
    var refreshCount: Int { isSmall ? 100 : 400 }
    /// How many threads read beside one that writes, how often each of them fetches, and how many saves there are meanwhile.
    var readerCount: Int { 2 }
    var readsOfReader: Int { isSmall ? 100 : 400 }
    var savesOfWriter: Int { isSmall ? 50 : 200 }
    private var isSmall: Bool { rows < 100_000 }
    /// The order of single lookups: every row once, far from the one before.
    let lookupOrder: [Int]

    init(rows: Int) {
        self.rows = rows
        var random = RandomNumbers(seed: 42)
        let firstStart = 500_000_000.0
        trips = (0..<rows).map { index in
            // Every start is another one, so that a page is the same whatever breaks ties.
            let start = firstStart + Double(Self.shuffled(index, of: rows)) * 600
            return TripSeed(
                name: Self.text(length: 12 + Int(random.next() % 9), &random),
                destination: Self.cities[Int(random.next() % UInt64(Self.cities.count))],
                startDate: Date(timeIntervalSinceReferenceDate: start),
                endDate: Date(timeIntervalSinceReferenceDate: start + Double(random.next() % 20) * 86400),
                budget: Double(random.next() % 10000), isFavorite: random.next() % 2 == 0,
                rating: random.next() % 3 == 0 ? nil : Int(random.next() % 5) + 1,
                notes: random.next() % 4 == 0 ? nil : Self.text(length: 50 + Int(random.next() % 21), &random),
                uuid: Self.uuid(&random))
        }
        let graphTrips = max(rows / Self.stopsPerTrip, 1)
        stops = (0..<graphTrips * Self.stopsPerTrip).map { index in
            StopSeed(
                title: Self.text(length: 12 + Int(random.next() % 9), &random), order: index % Self.stopsPerTrip,
                trip: index / Self.stopsPerTrip)
        }
        earliestStart = Date(timeIntervalSinceReferenceDate: firstStart + Double(rows / 4) * 600)
        let middle = firstStart + Double(max(0, rows / 2 - 500)) * 600
        let range =
            Date(timeIntervalSinceReferenceDate: middle)..<Date(timeIntervalSinceReferenceDate: middle + 600_000)
        startRange = range
        let all = trips
        let inRange = all.indices.filter { all[$0].destination == "Rome" && range.contains(all[$0].startDate) }
        rangeCount = inRange.count
        moving = inRange.min { all[$0].startDate < all[$1].startDate }
        pageOffset = min(500, rows / 200)
        lookupOrder = (0..<rows).map { Self.shuffled($0, of: rows) }
        rawTrips = .allocate(capacity: rows)
        rawStops = .allocate(capacity: stops.count)
        for (index, trip) in trips.enumerated() { rawTrips[index] = Self.raw(trip, index) }
        for (index, stop) in stops.enumerated() { rawStops[index] = Self.raw(stop, index) }
    }

    deinit {
        for index in 0..<rows {
            free(rawTrips[index].name)
            free(rawTrips[index].destination)
            free(rawTrips[index].notes)
        }
        for index in stops.indices { free(rawStops[index].title) }
        rawTrips.deallocate()
        rawStops.deallocate()
    }

    /// When the trip that moves starts while it is out of the range.
    var outsideStart: Date { startRange.lowerBound.addingTimeInterval(-300) }

    /// The trip that a writer adds beside readers, who do not find it.
    func seedOfWriter(_ index: Int) -> TripSeed {
        var seed = trips[index % rows]
        seed.destination = "Elsewhere"
        return seed
    }

    /// The bytes that the values of all trips take without any structure around them.
    var tripBytes: Int {
        trips.reduce(0) { sum, trip in
            sum + trip.name.utf8.count + trip.destination.utf8.count + (trip.notes?.utf8.count ?? 0) + 8 * 5 + 1 + 16
        }
    }

    /// Puts `0..<count` into another order, which looks random but has no repetition.
    private static func shuffled(_ index: Int, of count: Int) -> Int {
        // A prime far from the sizes that are used, so that it has no divisor in common with them.
        (index * 611_953 + 7) % count
    }

    /// Words of small letters.
    private static func text(length: Int, _ random: inout RandomNumbers) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        while bytes.count < length {
            let isGap = bytes.count % 7 == 6 && bytes.count + 1 < length
            bytes.append(isGap ? UInt8(ascii: " ") : UInt8(ascii: "a") + UInt8(random.next() % 26))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func uuid(_ random: inout RandomNumbers) -> UUID {
        var bits = (random.next(), random.next())
        return withUnsafeBytes(of: &bits) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private static func raw(_ trip: TripSeed, _ index: Int) -> raw_trip {
        var raw = raw_trip()
        raw.id = Int64(index + 1)
        (raw.name, raw.name_length) = copy(trip.name)
        (raw.destination, raw.destination_length) = copy(trip.destination)
        if let notes = trip.notes { (raw.notes, raw.notes_length) = copy(notes) }
        raw.start_date = trip.startDate.timeIntervalSinceReferenceDate
        raw.end_date = trip.endDate.timeIntervalSinceReferenceDate
        raw.budget = trip.budget
        raw.is_favorite = trip.isFavorite ? 1 : 0
        raw.has_rating = trip.rating == nil ? 0 : 1
        raw.rating = Int64(trip.rating ?? 0)
        raw.uuid = trip.uuid.uuid
        return raw
    }

    private static func raw(_ stop: StopSeed, _ index: Int) -> raw_stop {
        var raw = raw_stop()
        raw.id = Int64(index + 1)
        raw.trip = Int64(stop.trip + 1)
        (raw.title, raw.title_length) = copy(stop.title)
        raw.order = Int64(stop.order)
        return raw
    }

    private static func copy(_ text: String) -> (UnsafeMutablePointer<CChar>?, Int32) {
        (strdup(text), Int32(text.utf8.count))
    }
}
