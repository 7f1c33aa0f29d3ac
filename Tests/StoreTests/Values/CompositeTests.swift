import Coffer
import Foundation
import Testing

struct Spot: Codable, Equatable, Hashable {
    var x: Int
    var label: String?
}

enum Shape: Codable, Equatable {
    case dot
    case box(w: Int, h: Int)
    case poly([Spot])
    case named(String, Spot?)
}

@Model final class Piece {
    var spot: Spot?
    var shape: Shape
    var tags: [String]
    var nums: [Int]
    var trail: [Spot]
    init() {
        shape = .box(w: 3, h: 4)
        tags = ["b", "a", "b", ""]
        nums = []
        trail = [Spot(x: 1, label: nil), Spot(x: 2, label: "k")]
    }
}

@Suite("Optional composites, enumerations with payloads and arrays of values")
struct CompositeTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext, piece: Piece) {
        let place = try TestPlace(store, Piece.self)
        let context = place.context()
        let piece = Piece()
        context.insert(piece)
        try context.save()
        return (place, context, piece)
    }

    @Test("are equal after a round trip, and nil stays nil", arguments: TestStore.all)
    func roundTrip(_ store: TestStore) throws {
        let (place, context, piece) = try Self.make(store)
        for context in try place.newContexts() {
            let read = try context.only(Piece.self)
            #expect(read.spot == nil)
            #expect(read.shape == .box(w: 3, h: 4))
            #expect(read.tags == ["b", "a", "b", ""])
            #expect(read.nums == [])
            #expect(read.trail == [Spot(x: 1, label: nil), Spot(x: 2, label: "k")])
        }
        for spot in [Spot(x: 0, label: nil), nil, Spot(x: -1, label: "é\0"), nil] {
            piece.spot = spot
            try context.save()
            for context in try place.newContexts() { #expect(try context.only(Piece.self).spot == spot) }
        }
        let shapes: [Shape] = [
            .poly([Spot(x: 0, label: "")]), .dot, .named("", nil), .named("n", Spot(x: 1, label: nil)), .poly([]),
        ]
        for shape in shapes {
            piece.shape = shape
            try context.save()
            for context in try place.newContexts() { #expect(try context.only(Piece.self).shape == shape) }
        }
    }

    /// Changes in place, each of which has to be noticed by itself.
    static var edits: [(String, (Piece) -> Void, (Piece) -> Bool)] {
        [
            ("append", { $0.tags.append("z") }, { $0.tags == ["b", "a", "b", "", "z"] }),
            ("swap", { $0.tags.swapAt(0, 1) }, { $0.tags == ["a", "b", "b", ""] }),
            ("append to an empty array", { $0.nums.append(9) }, { $0.nums == [9] }),
            (
                "member of an element", { $0.trail[1].x = 7 },
                { $0.trail == [Spot(x: 1, label: nil), Spot(x: 7, label: "k")] }
            ),
            ("optional member of an element", { $0.trail[1].label = nil }, { $0.trail[1].label == nil }),
            ("remove", { $0.trail.removeFirst() }, { $0.trail == [Spot(x: 2, label: "k")] }),
            ("remove all", { $0.tags.removeAll() }, { $0.tags.isEmpty }),
            ("sort", { $0.tags.sort() }, { $0.tags == ["", "a", "b", "b"] }),
            ("subscript", { $0.tags[3] = "d" }, { $0.tags == ["b", "a", "b", "d"] }),
            ("assign", { $0.shape = .dot }, { $0.shape == .dot }),
        ]
    }

    @Test("are noticed when they change in place", arguments: TestStore.all)
    func inPlace(_ store: TestStore) throws {
        for (name, edit, check) in Self.edits {
            let (place, _, _) = try Self.make(store)
            let context = place.context()
            let piece = try context.only(Piece.self)
            #expect(!context.hasChanges, "\(name)")
            edit(piece)
            #expect(context.hasChanges && piece.hasChanges, "\(name)")
            try context.save()
            for context in try place.newContexts() { #expect(try check(context.only(Piece.self)), "\(name)") }
        }
    }

    @Test("can be searched", arguments: TestStore.all)
    func predicates(_ store: TestStore) throws {
        let (place, context, piece) = try Self.make(store)
        piece.spot = Spot(x: 0, label: "o")
        try context.save()
        let other = Piece()
        other.tags = ["x"]
        context.insert(other)
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.all(Piece.self, where: #Predicate { $0.tags.contains("a") }).map(\.tags.count) == [4])
            #expect(try context.count(Piece.self, where: #Predicate { $0.tags.contains("") }) == 1)
            #expect(try context.count(Piece.self, where: #Predicate { $0.tags.count == 4 }) == 1)
            #expect(try context.count(Piece.self, where: #Predicate { $0.nums.isEmpty }) == 2)
            #expect(try context.count(Piece.self, where: #Predicate { $0.spot?.x == 0 }) == 1)
            #expect(try context.count(Piece.self, where: #Predicate { $0.spot?.label == "o" }) == 1)
            #expect(try context.count(Piece.self, where: #Predicate { $0.spot == nil }) == 1)
            #expect(try context.count(Piece.self, where: #Predicate { $0.trail.contains { $0.x == 2 } }) == 2)
        }
    }
}
