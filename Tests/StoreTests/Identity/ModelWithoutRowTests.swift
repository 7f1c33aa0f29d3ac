import Coffer
import Foundation
import Testing

/// Cases that carry values, none of them plain, the first one holding itself.
indirect enum Tree: Codable, Equatable {
    case node(left: Tree, right: Tree)
    case leaf(value: Int, label: String)
}

enum Grade: Int, Codable { case low = 10, high = 20 }
enum Colour: String, Codable { case only }

struct Measure: Codable, Equatable {
    var grade: Grade
    var tree: Tree
    var when: Date
    var names: [String]
    var ratio: Ratio
    var zone: TimeZone
    var inner: [Int: Grade]
}

/// A class that is no model.
final class Handle: Codable {
    var number: Int
    init(_ number: Int) { self.number = number }
}

@Model final class Everything {
    var int: Int
    var small: UInt8
    var double: Double
    var text: String
    var flag: Bool
    var date: Date
    var data: Data
    var id: UUID
    var url: URL
    var amount: Decimal
    var letter: Character
    var suit: Suit
    var grade: Grade
    var colour: Colour
    var shape: Shape
    var tree: Tree
    var measure: Measure
    var range: Range<Int>
    var closed: ClosedRange<Double>
    var set: Set<Int>
    var dictionary: [String: Int]
    var keyed: [Grade: String]
    var handle: Handle
    var maybe: Measure?
    var mark = "default"
    @Attribute(.codable) var coded: Grade
    @Attribute(.ephemeral) var zoom: Grade
    @Attribute(.transformable(by: TintTransformer.self)) var tint: Tint?
    var home: Holder
    var others: [Card]

    init(_ home: Holder) {
        (int, small, double, text, flag) = (1, 2, 3, "t", true)
        (date, data, id, amount, letter) = (Date(), Data([1]), UUID(), 4, "c")
        url = URL(fileURLWithPath: "/tmp")
        (suit, grade, colour, shape) = (.hearts, .high, .only, .dot)
        tree = .leaf(value: 1, label: "l")
        measure = Measure(
            grade: .high, tree: .leaf(value: 1, label: ""), when: Date(), names: ["n"], ratio: Ratio(1, 2),
            zone: .gmt, inner: [1: .low])
        (range, closed, set, dictionary, keyed) = (0..<3, 0...1, [1], ["a": 1], [.low: "l"])
        handle = Handle(7)
        (coded, zoom) = (.high, .high)
        self.home = home
        others = []
    }
}

@Suite("A model without a row")
struct ModelWithoutRowTests {
    /// Reads every property of a model that has no values, and writes some.
    private func expectReadable(_ model: Everything) {
        #expect(model.int == 0 && model.small == 0 && model.double == 0 && model.text == "" && !model.flag)
        #expect(model.date == Date(timeIntervalSinceReferenceDate: 0) && model.data.isEmpty && model.amount == 0)
        _ = (model.id, model.url, model.letter)
        #expect(model.suit == .clubs && model.grade == .low && model.colour == .only && model.shape == .dot)
        #expect(model.tree == .leaf(value: 1, label: ""))
        #expect(model.measure.grade == .low && model.measure.names.isEmpty && model.measure.inner.isEmpty)
        #expect(model.range.isEmpty && model.set.isEmpty && model.dictionary.isEmpty && model.keyed.isEmpty)
        _ = (model.closed, model.handle.number)
        #expect(model.maybe == nil && model.mark == "default" && model.coded == .low && model.zoom == .low)
        #expect(model.tint == nil && model.others.isEmpty)
        // A required link gives a model without a row, too.
        #expect(model.home.name == "" && model.home.cards.isEmpty && model.home.modelContext == nil)
        #expect(model.modelContext == nil && !model.isDeleted)
        model.text = "x"
        model.home = Holder("h")
        #expect(model.text == "x" && model.home.name == "h")
    }

    private func make(_ store: TestStore) throws -> (place: TestPlace, identifier: PersistentIdentifier) {
        let place = try TestPlace(store, Everything.self)
        let context = place.context()
        let model = Everything(Holder("h"))
        context.insert(model)
        try context.save()
        return (place, model.persistentModelID)
    }

    @Test("whose row another context deleted gives empty values of every type", arguments: TestStore.all)
    func deletedElsewhere(_ store: TestStore) throws {
        let (place, identifier) = try make(store)
        let context = place.context()
        let unread = try #require(context.model(for: identifier) as? Everything)
        let other = place.context()
        other.delete(try other.only(Everything.self))
        try other.save()
        expectReadable(unread)
        #expect(!context.hasChanges)
        try context.save()
        #expect(try place.context().count(Everything.self) == 0)
    }

    @Test("that never had one does, too", arguments: TestStore.all)
    func unknownIdentifier(_ store: TestStore) throws {
        let (place, _) = try make(store)
        let foreign = try make(store)
        for identifier in [foreign.identifier, Everything(Holder("t")).persistentModelID] {
            let context = place.context()
            expectReadable(try #require(context.model(for: identifier) as? Everything))
            #expect(!context.hasChanges)
        }
    }

    @Test("whose container was erased does, too, whether its context has ended or not", arguments: TestStore.all)
    func erased(_ store: TestStore) throws {
        let (place, identifier) = try make(store)
        var context: ModelContext? = place.context()
        let ended = try #require(context?.model(for: identifier) as? Everything)
        context = nil
        let held = place.context()
        let unread = try #require(held.model(for: identifier) as? Everything)
        try place.container.erase()
        #expect(try held.count(Everything.self) == 0)
        expectReadable(unread)
        expectReadable(ended)
    }

    @Test("is none while the row is there, even if the context ended before it was read", arguments: TestStore.all)
    func ended(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let (place, identifier) = try make(store)
        var context: ModelContext? = place.context()
        let unread = try #require(context?.model(for: identifier) as? Everything)
        context = nil
        #expect(unread.int == 1 && unread.text == "t" && unread.grade == .high && unread.handle.number == 7)
        #expect(unread.modelContext == nil && unread.others.isEmpty && unread.home.name == "")
    }
}
