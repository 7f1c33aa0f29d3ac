import Coffer
import Foundation
import Testing

indirect enum Formula: Codable, Equatable {
    case number(Int)
    case minus(Formula)

    init(depth: Int) {
        self = .number(1)
        for _ in 0..<depth { self = .minus(self) }
    }
}

struct Bough: Codable, Equatable {
    var name = ""
    var twigs: [Bough] = []

    init(depth: Int) {
        for _ in 0..<depth {
            var above = Bough(depth: 0)
            above.twigs = [self]
            self = above
        }
    }
}

@Model final class Nested {
    var formula: Formula
    var branch: Bough?
    init(_ formula: Formula, _ branch: Bough? = nil) {
        self.formula = formula
        self.branch = branch
    }
}

@Suite("Values that hold values of their own type")
struct NestedValueTests {
    @Test("are kept to some depth", arguments: TestStore.all)
    func kept(_ store: TestStore) throws {
        let place = try TestPlace(store, Nested.self)
        let context = place.context()
        context.insert(Nested(Formula(depth: 80), Bough(depth: 80)))
        try context.save()
        let read = try #require(try place.context().fetch(FetchDescriptor<Nested>()).first)
        #expect(read.formula == Formula(depth: 80) && read.branch == Bough(depth: 80))
    }

    /// Deep enough to overflow the stack of whoever follows them all the way down.
    @Test("and are too deep are refused by name", arguments: TestStore.all, [600, 8_000])
    func refused(_ store: TestStore, _ depth: Int) throws {
        let place = try TestPlace(store, Nested.self)
        let context = place.context()
        let model = Nested(Formula(depth: 1), Bough(depth: 1))
        context.insert(model)
        try context.save()
        let broken: [(property: String, change: () -> Void)] = [
            ("formula", { model.formula = Formula(depth: depth) }), ("branch", { model.branch = Bough(depth: depth) }),
        ]
        for (property, change) in broken {
            change()
            let error = try #require(#expect(throws: SwiftDataError.self) { try context.save() })
            #expect(error.code == .valueEncoding && error.entity == "Nested" && error.property == property)
            context.rollback()
        }
        #expect(try place.context().fetch(FetchDescriptor<Nested>()).map(\.formula) == [Formula(depth: 1)])
    }

    @Test("and are too deep match nothing in a filter", arguments: TestStore.all)
    func filtered(_ store: TestStore) throws {
        let place = try TestPlace(store, Nested.self)
        let context = place.context()
        context.insert(Nested(Formula(depth: 1)))
        try context.save()
        let deep = Formula(depth: 8_000)
        try expectSame(context.fetchCount(FetchDescriptor<Nested>(predicate: #Predicate { $0.formula == deep })), 0)
    }
}
