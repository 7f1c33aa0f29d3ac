import CofferCore
import CofferRecords
import Foundation
import Testing

@testable import CofferJSON

/// Whatever is saved: the store that has saved it, one that follows the journal, and one that reads the files anew have
/// the same tables.
@Suite struct RandomSaveTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func allSeeTheSame(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let writer = try shop.open(.alone)
        let follower = try shop.open(.alone, allowsSave: false)
        let padding = String(repeating: "x", count: 70_000)
        try shop.save(writer, insert: [shop.batch("Trip", [(-1, ["name": .text(padding)])])])
        var refusals = 0
        for _ in 0..<60 {
            do {
                try save(writer, &random)
            } catch let error as SwiftDataError {
                // Random changes may collide, and may lead to what the same save deletes.
                #expect([.uniquenessConflict, .invalidRelationship, .modelNotFound].contains(error.code), "\(error)")
                refusals += 1
            }
            let tables = try shop.tables(writer)
            #expect(try shop.tables(follower) == tables)
            #expect(try shop.tables(try shop.open(.dying, allowsSave: false)) == tables)
            if random.next() % 12 == 0 {
                try writer.fold()
                #expect(try shop.tables(writer) == tables)
                #expect(try shop.tables(try shop.open(.dying, allowsSave: false)) == tables)
            }
        }
        #expect(refusals < 30)
    }

    /// Saves a few random changes.
    private func save(_ store: JSONArchiveStore, _ random: inout SeededGenerator) throws {
        let trips = try shop.rows(store, "Trip").keys.sorted()
        let stops = try shop.rows(store, "Stop").keys.sorted()
        let tags = try shop.rows(store, "Tag").keys.sorted()
        func some(_ keys: [Int64], _ most: Int) -> [Int64] {
            Array(keys.shuffled(using: &random).prefix(Int(random.next() % UInt64(most + 1))))
        }
        let newTrips = (0..<Int64(random.next() % 3)).map { -1 - $0 }
        let newStops = (0..<Int64(random.next() % 4)).map { -11 - $0 }
        let newTags = (0..<Int64(random.next() % 2)).map { -21 - $0 }
        let deleted: [(entityName: String, keys: [Int64])] =
            random.next() % 3 == 0
            ? [("Trip", some(Array(trips.dropFirst()), 1)), ("Stop", some(stops, 2)), ("Tag", some(tags, 1))] : []
        let gone = deleted.map { Set($0.keys) }
        func left(_ keys: [Int64], _ index: Int) -> [Int64] {
            keys.filter { gone.isEmpty || !gone[index].contains($0) }
        }
        let (allTrips, allTags) = (left(trips, 0) + newTrips, left(tags, 2) + newTags)
        var inserted: [RowBatch] = []
        var updated: [RowBatch] = []
        inserted.append(
            shop.batch(
                "Trip",
                newTrips.map {
                    ($0, ["name": .text("t\(random.next() % 9)"), "tags": shop.keys(some(allTags, 3), of: "Tag")])
                }))
        inserted.append(
            shop.batch(
                "Stop",
                newStops.map { key in
                    (
                        key,
                        [
                            "title": .text("s"),
                            "trip": allTrips.randomElement(using: &random).map { shop.key($0, of: "Trip") } ?? .null,
                        ]
                    )
                }))
        inserted.append(shop.batch("Tag", newTags.map { ($0, ["label": .text("l\(random.next() % 30)")]) }))
        for key in some(left(trips, 0), 2) {
            var values: [String: StoredValue] = [
                "days": random.next() % 3 == 0 ? .null : .integer(Int64(random.next() % 5))
            ]
            if random.next() % 2 == 0 { values["tags"] = shop.keys(some(allTags, 4), of: "Tag") }
            if random.next() % 2 == 0 { values["friends"] = shop.keys(some(left(trips, 0), 3), of: "Trip") }
            if random.next() % 2 == 0 {
                let members = try shop.list(store, "Trip", "stops", key).filter { left(stops, 1).contains($0) }
                values["stops"] = shop.keys(members.shuffled(using: &random), of: "Stop")
            }
            updated.append(shop.batch("Trip", [(key, values)]))
        }
        for key in some(left(stops, 1), 2) {
            let trip = allTrips.randomElement(using: &random).map { shop.key($0, of: "Trip") } ?? .null
            updated.append(shop.batch("Stop", [(key, ["trip": random.next() % 4 == 0 ? .null : trip])]))
        }
        for key in some(left(tags, 2), 1) {
            let values: [String: StoredValue] =
                random.next() % 2 == 0
                ? ["label": .text("l\(random.next() % 30)")]
                : [
                    "trips": shop.keys(
                        try shop.list(store, "Tag", "trips", key).filter { left(trips, 0).contains($0) }.shuffled(
                            using: &random), of: "Trip")
                ]
            updated.append(shop.batch("Tag", [(key, values)]))
        }
        try shop.save(store, insert: inserted.filter { $0.count > 0 }, update: updated, delete: deleted)
    }
}

/// Random numbers that are the same each time.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
