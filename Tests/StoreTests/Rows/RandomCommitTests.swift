import Coffer
import Foundation
import Testing

extension RowTests {
    /// Random saves, failing ones among them, against the same saves on dictionaries.
    @Suite("Rows: random saves") struct RandomCommitTests {
        /// A generator that can be seeded.
        struct Generator: RandomNumberGenerator {
            var state: UInt64
            mutating func next() -> UInt64 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return state ^ (state >> 31)
            }
        }

        /// What the store should hold.
        struct Model {
            var trips: [Int64: String] = [:]
            var stops: [Int64: (title: String, trip: Int64?)] = [:]
            var tags: [Int64: String] = [:]
            var pairs: Set<[Int64]> = []

            func dump() -> [String] {
                var lines = trips.map { "trip \($0) \($1)" } + tags.map { "tag \($0) \($1)" }
                lines += stops.map { "stop \($0) \($1.title) \($1.trip ?? 0)" }
                lines += pairs.map { "pair \($0)" }
                for trip in trips.keys {
                    lines.append("stops \(trip) \(stops.filter { $1.trip == trip }.map(\.key).sorted())")
                }
                return lines.sorted()
            }
        }

        func dump(_ shop: RowWorkshop) throws -> [String] {
            func text(_ value: StoredValue?) -> String {
                switch value {
                case .text(let text): text
                case .reference(let identifier): "\(identifier._key)"
                default: "0"
                }
            }
            let trips = try shop.rows("Trip")
            let tags = try shop.rows("Tag")
            var lines = trips.map { "trip \($0) \(text($1["name"]))" } + tags.map { "tag \($0) \(text($1["label"]))" }
            lines += try shop.rows("Stop").map { "stop \($0) \(text($1["title"])) \(text($1["trip"]))" }
            let stops = try shop.related("Trip", "stops", trips.keys.sorted())
            lines += trips.keys.map { "stops \($0) \(stops[$0] ?? [])" }
            let pairs = try shop.related("Trip", "tags", trips.keys.sorted())
            lines += pairs.flatMap { trip, tags in tags.map { "pair \([trip, $0])" } }
            let mirrored = try shop.related("Tag", "trips", tags.keys.sorted())
            #expect(
                Set(pairs.flatMap { trip, tags in tags.map { [trip, $0] } })
                    == Set(mirrored.flatMap { tag, trips in trips.map { [$0, tag] } }))
            return lines.sorted()
        }

        @Test(arguments: TestStore.rowStores, 1...4 as ClosedRange<UInt64>)
        func sameAsDictionaries(_ store: TestStore, _ seed: UInt64) throws {
            var random = Generator(state: seed &* 0x9E37_79B9)
            let shop = try RowWorkshop(store, Trip.self, Tag.self)
            var model = Model()
            for _ in 0..<120 {
                var next = model
                var delete: [(String, [Int64])] = []
                let deadTrips = model.trips.keys.sorted().filter { _ in Int.random(in: 0..<9, using: &random) == 0 }
                let deadStops = model.stops.keys.sorted().filter { _ in Int.random(in: 0..<9, using: &random) == 0 }
                let deadTags = model.tags.keys.sorted().filter { _ in Int.random(in: 0..<12, using: &random) == 0 }
                delete = [("Trip", deadTrips), ("Stop", deadStops), ("Tag", deadTags)]
                for key in deadTrips { next.trips[key] = nil }
                for key in deadStops { next.stops[key] = nil }
                for key in deadTags { next.tags[key] = nil }
                for key in next.stops.keys where next.stops[key]?.trip.map({ next.trips[$0] == nil }) == true {
                    next.stops[key]?.trip = nil
                }
                next.pairs = next.pairs.filter { next.trips[$0[0]] != nil && next.tags[$0[1]] != nil }

                // Stored rows change their titles, their trips and their lists.
                var stopUpdates: [(Int64, RowWorkshop.Row)] = []
                for key in next.stops.keys.sorted() where Int.random(in: 0..<6, using: &random) == 0 {
                    let trip = next.trips.keys.sorted().randomElement(using: &random)
                    next.stops[key] = ("moved", trip)
                    stopUpdates.append(
                        (key, ["title": .text("moved"), "trip": trip.map { shop.link($0, "Trip") } ?? .null]))
                }
                var tripUpdates: [(Int64, RowWorkshop.Row)] = []
                for key in next.trips.keys.sorted() where Int.random(in: 0..<6, using: &random) == 0 {
                    let tags = next.tags.keys.sorted().filter { _ in Bool.random(using: &random) }
                    next.pairs = next.pairs.filter { $0[0] != key }.union(tags.map { [key, $0] })
                    tripUpdates.append((key, ["tags": shop.list(tags, "Tag")]))
                }

                // New rows refer to each other by temporary keys; tags may be stored already.
                let tripCount = Int.random(in: 0..<6, using: &random)
                let newTags = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    "tag \(Int.random(in: 0..<25, using: &random))"
                }
                let newStops = (0..<Int.random(in: 0..<20, using: &random)).map { number in
                    (
                        Int64(-1 - number),
                        tripCount == 0 ? nil : Int64(-1 - Int.random(in: 0..<tripCount, using: &random))
                    )
                }
                let newTrips = (0..<tripCount).map { number in
                    (
                        Int64(-1 - number),
                        newTags.indices.filter { _ in Bool.random(using: &random) }.map { Int64(-1 - $0) }
                    )
                }
                let insert = [
                    shop.batch(
                        "Stop",
                        newStops.map {
                            ($0, ["title": .text("new"), "trip": $1.map { shop.link($0, "Trip") } ?? .null])
                        }),
                    shop.batch(
                        "Trip",
                        newTrips.map {
                            ($0, ["name": .text("t\($0)"), "tags": shop.list($1, "Tag")])
                        }),
                    shop.batch("Tag", newTags.enumerated().map { (Int64(-1 - $0), ["label": .text($1)]) }),
                ]
                let update = [shop.batch("Stop", stopUpdates), shop.batch("Trip", tripUpdates)]
                if Int.random(in: 0..<3, using: &random) == 0 {
                    let before = try shop.dump()
                    let broken = shop.batch("Trip", [(-99, ["name": .null])])
                    expect(.missingRequiredValue) {
                        try shop.save(insert: insert + [broken], update: update, delete: delete)
                    }
                    let dangling = shop.batch("Stop", [(-99, ["title": .text(""), "trip": shop.link(9999, "Trip")])])
                    expect(.invalidRelationship) {
                        try shop.save(insert: insert + [dangling], update: update, delete: delete)
                    }
                    #expect(try shop.dump() == before)
                }
                let keys = try shop.save(insert: insert, update: update, delete: delete)
                for (key, label) in zip(keys[2], newTags) {
                    if let known = next.tags.first(where: { $0.value == label })?.key { #expect(key == known) }
                    next.tags[key] = label
                }
                for (key, (_, tags)) in zip(keys[1], newTrips) {
                    #expect(model.trips[key] == nil)
                    next.trips[key] = "t\(newTrips[keys[1].firstIndex(of: key)!].0)"
                    next.pairs.formUnion(tags.map { [key, keys[2][Int(-1 - $0)]] })
                }
                for (key, (_, trip)) in zip(keys[0], newStops) {
                    next.stops[key] = ("new", trip.map { keys[1][Int(-1 - $0)] })
                }
                model = next
                #expect(try dump(shop) == model.dump())
            }
        }
    }
}
