import Foundation

// This file imports nothing of Coffer: `#Predicate` is Foundation's here, also for models. Types are named, and each
// predicate stands alone, since that macro is slow to check.

/// Predicates by Foundation's macro, by the names of ``PredicatePlanTests``.
func foundationPredicates(_ name: String, _ names: [String], _ mood: QueryMood) -> [String: Predicate<QueryTrip>] {
    var all: [String: Predicate<QueryTrip>] = [:]
    all["comparison"] = #Predicate { (trip: QueryTrip) in trip.days > 3 && trip.name != name && trip.isOpen }
    all["equality of an optional"] = #Predicate { (trip: QueryTrip) in trip.note == "a" }
    all["nil"] = #Predicate { (trip: QueryTrip) in trip.note == nil || trip.owner != nil }
    all["arithmetic"] = #Predicate { (trip: QueryTrip) in trip.days * 2 - 1 == 5 % trip.days }
    all["a literal of another type"] = #Predicate { (trip: QueryTrip) in trip.price == 5 }
    all["enumeration"] = #Predicate { (trip: QueryTrip) in trip.mood == mood }
    all["coalescing"] = #Predicate { (trip: QueryTrip) in (trip.note ?? "-") == "-" }
    all["chain"] = #Predicate { (trip: QueryTrip) in trip.owner?.name == "Ada" }
    all["chain of two"] = #Predicate { (trip: QueryTrip) in trip.owner?.city?.count == 3 }
    all["chain to a collection"] = #Predicate { (trip: QueryTrip) in trip.owner?.trips.isEmpty == true }
    all["unwrapping"] = #Predicate { (trip: QueryTrip) in trip.owner!.name == "Ada" }
    all["conditional"] = #Predicate { (trip: QueryTrip) in trip.note == nil ? trip.isOpen : trip.days > 1 }
    all["if let"] = #Predicate { (trip: QueryTrip) in if let note = trip.note { note == "a" } else { false } }
    all["flatMap"] = #Predicate { (trip: QueryTrip) in trip.owner.flatMap { $0.name == "a" } ?? true }
    all["quantifiers"] = #Predicate { (trip: QueryTrip) in
        trip.stops.contains { $0.nights > trip.days } && trip.stops.allSatisfy { $0.nights > 1 }
    }
    all["count of some"] = #Predicate { (trip: QueryTrip) in trip.stops.filter { $0.nights > 1 }.count == 1 }
    all["values"] = #Predicate { (trip: QueryTrip) in trip.tags.contains("a") && trip.tags.contains { $0.isEmpty } }
    all["captured list"] = #Predicate { (trip: QueryTrip) in names.contains(trip.name) }
    all["range"] = #Predicate { (trip: QueryTrip) in (1..<3).contains(trip.days) && (1...3).contains(trip.days) }
    all["text"] = #Predicate { (trip: QueryTrip) in trip.name.contains("%") && trip.name.starts(with: "R") }
    all["length"] = #Predicate { (trip: QueryTrip) in trip.name.count > 3 && !trip.name.isEmpty }
    all["member"] = #Predicate { (trip: QueryTrip) in trip.place?.x == 1 }
    all["truth"] = #Predicate { (trip: QueryTrip) in trip.isOpen == false }
    return all
}
