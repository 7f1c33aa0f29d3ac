import Foundation

/// Sums over what a run has read: a participant that reads the wrong rows, or not all of them, cannot be fast.
public struct Tally: Equatable, Sendable, CustomStringConvertible {
    public var rows = 0
    /// Bytes of text.
    public var text = 0
    /// All numbers, truncated.
    public var number = 0

    public init(rows: Int = 0, text: Int = 0, number: Int = 0) {
        self.rows = rows
        self.text = text
        self.number = number
    }

    public var description: String { "\(rows) rows, text \(text), number \(number)" }

    /// Reads every property of a trip.
    @inline(__always)
    mutating func add(_ trip: Trip) {
        rows += 1
        text += trip.name.utf8.count + trip.destination.utf8.count + (trip.notes?.utf8.count ?? 0)
        number += Int(trip.startDate.timeIntervalSinceReferenceDate) + Int(trip.endDate.timeIntervalSinceReferenceDate)
        number += Int(trip.budget) + (trip.isFavorite ? 1 : 0) + (trip.rating ?? 0) + Int(trip.uuid.uuid.0)
    }

    @inline(__always)
    mutating func add(_ trip: IndexedTrip) {
        rows += 1
        text += trip.name.utf8.count + trip.destination.utf8.count + (trip.notes?.utf8.count ?? 0)
        number += Int(trip.startDate.timeIntervalSinceReferenceDate) + Int(trip.endDate.timeIntervalSinceReferenceDate)
        number += Int(trip.budget) + (trip.isFavorite ? 1 : 0) + (trip.rating ?? 0) + Int(trip.uuid.uuid.0)
    }

    @inline(__always)
    mutating func add(_ trip: TripSeed) {
        rows += 1
        text += trip.name.utf8.count + trip.destination.utf8.count + (trip.notes?.utf8.count ?? 0)
        number += Int(trip.startDate.timeIntervalSinceReferenceDate) + Int(trip.endDate.timeIntervalSinceReferenceDate)
        number += Int(trip.budget) + (trip.isFavorite ? 1 : 0) + (trip.rating ?? 0) + Int(trip.uuid.uuid.0)
    }

    /// Adds what another run has read.
    mutating func add(_ other: Tally) {
        rows += other.rows
        text += other.text
        number += other.number
    }

    /// Reads what is known of a group of trips.
    mutating func add(group: String, count: Int, sum: Double) {
        rows += count
        text += group.utf8.count
        number += Int(sum)
    }

    /// Reads every attribute of a stop.
    @inline(__always)
    mutating func add(title: String, order: Int) {
        rows += 1
        text += title.utf8.count
        number += order
    }
}

/// What a store holds after a run.
public struct StoredTotals: Equatable, Sendable, CustomStringConvertible {
    public var trips: Int
    public var stops: Int
    /// The sum of all trips' budgets.
    public var budget: Double

    public init(trips: Int, stops: Int = 0, budget: Double) {
        self.trips = trips
        self.stops = stops
        self.budget = budget
    }

    public var description: String { "\(trips) trips, \(stops) stops, budget \(budget)" }
}
