import Foundation

/// The values of one trip.
public struct TripSeed {
    public var name: String
    public var destination: String
    public var startDate: Date
    public var endDate: Date
    public var budget: Double
    public var isFavorite: Bool
    public var rating: Int?
    public var notes: String?
    public var uuid: UUID
}

/// The values of one stop; `trip` counts trips from 0.
public struct StopSeed {
    public var title: String
    public var order: Int
    public var trip: Int
}
