import Coffer
import Foundation
import Testing

enum Suit: String, Codable, CaseIterable { case clubs, hearts = "H", odd = "" }
enum Level: Int, Codable { case low = -1, zero, high = 9_223_372_036_854_775_807 }
enum Scale: Double, Codable { case half = 0.5, two = 2 }

struct Inner: Codable, Hashable {
    var name: String
    var values: [Double]
    var when: Date?
}

struct Outer: Codable, Hashable {
    var inner: Inner
    var more: [String: Inner]
    var suit: Suit
    var maybe: Level?
    var bytes: Data
    var link: URL
    var amount: Decimal
    var id: UUID
}

/// A struct that codes itself as one text.
struct Ratio: Codable, Hashable {
    var over: Int
    var under: Int

    init(_ over: Int, _ under: Int) {
        self.over = over
        self.under = under
    }

    struct Malformed: Error {}

    init(from decoder: any Decoder) throws {
        let parts = try decoder.singleValueContainer().decode(String.self).split(separator: "/").compactMap { Int($0) }
        guard parts.count == 2 else { throw Malformed() }
        self.init(parts[0], parts[1])
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(over)/\(under)")
    }
}

/// A raw-value struct, as option sets are.
struct Marks: OptionSet, Codable, Hashable {
    let rawValue: UInt16
    static let first = Marks(rawValue: 1)
    static let last = Marks(rawValue: 1 << 15)
}

@Model final class Shapes {
    var suit: Suit
    var level: Level
    var scale: Scale
    var maybeSuit: Suit?
    var maybeLevel: Level?
    var marks: Marks
    var maybeMarks: Marks?
    var outer: Outer
    var maybeOuter: Outer?
    var ratio: Ratio
    var maybeRatio: Ratio?
    var strings: Set<String>
    var numbers: Set<Int>
    var byName: [String: Int]
    var byNumber: [Int: String]
    var suits: [Suit]
    var spotsByName: [String: [Spot]]
    var maybeArray: [Int]?
    var optionalElements: [Int?]
    var nested: [[Double]]
    var dates: [Date]
    var blobs: [Data]
    var range: Range<Int>
    init(outer: Outer) {
        suit = .hearts
        level = .high
        scale = .half
        marks = [.first, .last]
        self.outer = outer
        ratio = Ratio(1, 3)
        strings = ["", "a", "é"]
        numbers = [.min, 0, .max]
        byName = ["": 0, "b": -1, "a": 2]
        byNumber = [1: "one", -1: ""]
        suits = [.odd, .clubs, .odd]
        spotsByName = ["s": [Spot(x: 1, label: nil)], "none": []]
        optionalElements = [1, nil, 3]
        nested = [[], [1.5, -0.0], [.infinity]]
        dates = [Date(timeIntervalSinceReferenceDate: 707796892.7651631), .distantPast]
        blobs = [Data(), Data([0, 255])]
        range = -3..<4
    }
}

@Suite("Codable values of every shape")
struct CodableShapeTests {
    static func outer() -> Outer {
        let inner = Inner(
            name: "cafe\u{301} \"q\" \\ \u{0}", values: [0.1, 1e-300, .greatestFiniteMagnitude], when: nil)
        return Outer(
            inner: inner, more: ["k": Inner(name: "", values: [], when: .distantFuture)], suit: .odd, maybe: .low,
            bytes: Data([0, 1, 254]), link: URL(fileURLWithPath: "/tmp/ü"),
            amount: Decimal(string: "123456789012345678901234567890.12345678")!, id: UUID())
    }

    @Test("are equal after a round trip", arguments: TestStore.all)
    func roundTrip(_ store: TestStore) throws {
        let place = try TestPlace(store, Shapes.self)
        let context = place.context()
        let outer = Self.outer()
        let model = Shapes(outer: outer)
        context.insert(model)
        try context.save()
        func check(_ read: Shapes, optionals: Bool) {
            #expect(read.suit == .hearts && read.level == .high && read.scale == .half)
            #expect(read.maybeSuit == (optionals ? .odd : nil))
            #expect(read.maybeLevel == (optionals ? .zero : nil))
            #expect(read.marks == [.first, .last])
            #expect(read.maybeMarks == (optionals ? [] : nil))
            #expect(read.outer == outer)
            #expect(read.maybeOuter == (optionals ? outer : nil))
            #expect(read.ratio == Ratio(1, 3))
            #expect(read.maybeRatio == (optionals ? Ratio(0, 1) : nil))
            #expect(read.strings == ["", "a", "é"])
            #expect(read.numbers == [.min, 0, .max])
            #expect(read.byName == ["": 0, "b": -1, "a": 2])
            #expect(read.byNumber == [1: "one", -1: ""])
            #expect(read.suits == [.odd, .clubs, .odd])
            #expect(read.spotsByName == ["s": [Spot(x: 1, label: nil)], "none": []])
            #expect(read.maybeArray == (optionals ? [] : nil))
            #expect(read.optionalElements == [1, nil, 3])
            #expect(read.nested == [[], [1.5, -0.0], [.infinity]])
            #expect(read.dates == [Date(timeIntervalSinceReferenceDate: 707796892.7651631), .distantPast])
            #expect(read.blobs == [Data(), Data([0, 255])])
            #expect(read.range == -3..<4)
        }
        for context in try place.newContexts() { check(try context.only(Shapes.self), optionals: false) }
        model.maybeSuit = .odd
        model.maybeLevel = .zero
        model.maybeMarks = []
        model.maybeOuter = outer
        model.maybeRatio = Ratio(0, 1)
        model.maybeArray = []
        try context.save()
        for context in try place.newContexts() { check(try context.only(Shapes.self), optionals: true) }
        model.maybeSuit = nil
        model.maybeLevel = nil
        model.maybeMarks = nil
        model.maybeOuter = nil
        model.maybeRatio = nil
        model.maybeArray = nil
        try context.save()
        for context in try place.newContexts() { check(try context.only(Shapes.self), optionals: false) }
    }

    @Test("set to an equal value are no change", arguments: TestStore.all)
    func equalAssignment(_ store: TestStore) throws {
        let place = try TestPlace(store, Shapes.self)
        let writer = place.context()
        writer.insert(Shapes(outer: Self.outer()))
        try writer.save()
        let context = place.context()
        let read = try context.only(Shapes.self)
        read.suit = read.suit
        read.maybeSuit = read.maybeSuit
        read.outer = read.outer
        read.ratio = read.ratio
        read.strings = read.strings
        read.byName = read.byName
        read.marks = read.marks
        read.nested = read.nested
        #expect(!context.hasChanges)
        #expect(try place.record.during { try context.save() }.commits == 0)
    }

    @Test("sets and dictionaries are noticed when they change in place", arguments: TestStore.all)
    func inPlace(_ store: TestStore) throws {
        let place = try TestPlace(store, Shapes.self)
        let writer = place.context()
        writer.insert(Shapes(outer: Self.outer()))
        try writer.save()
        let edits: [(String, (Shapes) -> Void, (Shapes) -> Bool)] = [
            ("set", { $0.strings.insert("new") }, { $0.strings.contains("new") }),
            ("dictionary", { $0.byName["c"] = 5 }, { $0.byName["c"] == 5 }),
            ("dictionary, removed", { $0.byName["c"] = nil }, { $0.byName["c"] == nil }),
            ("nested", { $0.spotsByName["s"]?[0].x = 9 }, { $0.spotsByName["s"]?[0].x == 9 }),
            ("deep member", { $0.outer.inner.values[0] = 4 }, { $0.outer.inner.values[0] == 4 }),
            ("dictionary in a struct", { $0.outer.more["k"]?.name = "n" }, { $0.outer.more["k"]?.name == "n" }),
            ("option", { $0.marks.remove(.last) }, { $0.marks == .first }),
            ("own coding", { $0.ratio.under = 4 }, { $0.ratio == Ratio(1, 4) }),
        ]
        for (name, edit, check) in edits {
            let context = place.context()
            edit(try context.only(Shapes.self))
            #expect(context.hasChanges, "\(name)")
            try context.save()
            for context in try place.newContexts() { #expect(try check(context.only(Shapes.self)), "\(name)") }
        }
    }
}
