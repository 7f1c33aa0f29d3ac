import Coffer
import Foundation
import Testing

/// An expression that no filter knows.
struct Stranger: StandardPredicateExpression, Codable {
    typealias Output = Bool
    var answer = true
    func evaluate(_ bindings: PredicateBindings) throws -> Bool { answer }
}

@Suite("What a store does not do of a predicate")
struct HandedBackTests {
    private func place(_ store: TestStore) throws -> TestPlace {
        let place = try TestPlace(store, Casket.self, Wharf.self, CasketItem.self)
        let context = place.context()
        for casket in Casket.make() { context.insert(casket) }
        try context.save()
        return place
    }

    /// Forms that SQL leaves to the core, which reads the rows that the other conditions leave.
    static let handedBack: Set<String> = [
        "CollectionRangeSubscript", "index of a part", "part of the row", "count of unknown", "no unknown element",
        "min of another order", "max of another order", "deeply nested",
    ]

    @Test("is read no further than the result, where SQL does it") func rowsOfSQLite() throws {
        let place = try place(.sqlite)
        var handedBack: Set<String> = []
        for form in try NodeTests.forms() {
            let context = place.context()
            var found = 0
            let counts = try place.record.during { found = try context.all(Casket.self, where: form.predicate).count }
            if counts.rows != found { handedBack.insert(form.name) }
        }
        #expect(handedBack == Self.handedBack)
    }

    @Test("is narrowed by the rest, and paged afterwards", arguments: TestStore.all)
    func pages(_ store: TestStore) throws {
        let place = try place(store)
        var descriptor = FetchDescriptor(
            predicate: #Predicate<Casket> { $0.code > 2 && $0.nums[0..<1].contains { $0 > 1 } },
            sortBy: [SortDescriptor(\.code, order: .reverse)])
        let context = place.context()
        #expect(try context.fetch(descriptor).map(\.code) == [6, 5, 3])
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 1
        #expect(try context.fetch(descriptor).map(\.code) == [5])
        #expect(try context.fetchIdentifiers(descriptor).count == 1)
        #expect(try context.fetchCount(descriptor) == 1)
        // An unsaved change moves the page.
        try context.all(Casket.self).first { $0.code == 6 }?.nums = []
        #expect(try context.fetch(descriptor).map(\.code) == [3])
        try context.delete(model: Casket.self, where: descriptor.predicate)
        #expect(try context.all(Casket.self, by: SortDescriptor(\.code)).map(\.code) == [1, 2, 4, 6])
    }

    @Test func readsWhatItNeedsOnly() throws {
        let place = try place(.sqlite)
        let predicate = #Predicate<Casket> { $0.code > 4 && $0.nums[0..<1].contains(5) }
        let context = place.context()
        let counts = try place.record.during {
            let found = try context.all(Casket.self, where: predicate)
            #expect(found.count == 1)
        }
        // Two rows pass the first condition, one of them the second, which is read as a model.
        #expect(counts.rows == 3 && counts.requests == 2)
        #expect(try place.record.during { _ = try context.count(Casket.self, where: predicate) }.rows == 2)
    }

    @Test("may look at related rows", arguments: TestStore.all) func relatedRows(_ store: TestStore) throws {
        let place = try place(store)
        let predicate = #Predicate<Casket> { v in
            v.wharf!.caskets.filter { 6 / ($0.code - 2) > 0 }.count > 0
                || v.items[0..<1].contains { $0.weight == v.code }
        }
        let expected = Casket.make().filter { v in
            let isFirst = v.wharf.flatMap { wharf in
                wharf.caskets.contains { $0.code == 2 } ? nil : wharf.caskets.contains { 6 / ($0.code - 2) > 0 }
            }
            return isFirst == true || v.items.part(0, 1)?.contains { $0.weight == v.code } == true
        }
        #expect(
            try place.context().all(Casket.self, by: SortDescriptor(\.code), where: predicate).map(\.code)
                == expected.map(\.code))
    }

    @Test("is evaluated by itself where it is a stranger's", arguments: TestStore.all)
    func strangers(_ store: TestStore) throws {
        let place = try place(store)
        func predicate(_ answer: Bool) -> Predicate<Casket> {
            Predicate { v in
                PredicateExpressions.build_Conjunction(
                    lhs: PredicateExpressions.build_Comparison(
                        lhs: PredicateExpressions.build_KeyPath(root: v, keyPath: \.code),
                        rhs: PredicateExpressions.build_Arg(4), op: .greaterThan),
                    rhs: Stranger(answer: answer))
            }
        }
        let context = place.context()
        #expect(try context.all(Casket.self, by: SortDescriptor(\.code), where: predicate(true)).map(\.code) == [5, 6])
        #expect(try context.count(Casket.self, where: predicate(false)) == 0)
    }

    @Test("is refused by name where evaluating it could stop the program", arguments: TestStore.all)
    func hazards(_ store: TestStore) throws {
        let place = try place(store)
        let predicate = Predicate<Casket> { v in
            PredicateExpressions.build_Conjunction(
                lhs: PredicateExpressions.build_Equal(
                    lhs: PredicateExpressions.build_Division(
                        lhs: PredicateExpressions.build_Arg(10),
                        rhs: PredicateExpressions.build_KeyPath(root: v, keyPath: \.n)),
                    rhs: PredicateExpressions.build_Arg(5)),
                rhs: Stranger())
        }
        let error = #expect(throws: SwiftDataError.self) { try place.context().all(Casket.self, where: predicate) }
        #expect(error == .unsupportedPredicate)
        #expect(error?.detail?.contains("Stranger") == true && error?.detail?.contains("IntDivision") == true)
    }
}
