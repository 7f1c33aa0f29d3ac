import Coffer
import Foundation
import Testing

@Suite("Every node of a predicate")
struct NodeTests {
    /// Foundation's nodes with the forms above them; a value and the variable are part of most.
    static let foundationNames: Set<String> = [
        "Arithmetic", "ClosedRange", "CollectionContainsCollection", "CollectionIndexSubscript",
        "CollectionRangeSubscript", "Comparison", "Conditional", "ConditionalCast", "Conjunction",
        "DictionaryKeyDefaultValueSubscript", "DictionaryKeySubscript", "Disjunction", "Equal", "ExpressionEvaluate",
        "Filter", "FloatDivision", "ForceCast", "ForcedUnwrap", "IntDivision", "IntRemainder", "KeyPath", "Negation",
        "NilCoalesce", "NilLiteral", "NotEqual", "OptionalFlatMap", "Range", "RangeExpressionContains",
        "SequenceAllSatisfy", "SequenceContains", "SequenceContainsWhere", "SequenceMaximum", "SequenceMinimum",
        "SequenceStartsWith", "StringContainsRegex", "TypeCheck", "UnaryMinus", "Value", "Variable",
    ]

    static func forms() throws -> [NodeForm] {
        let foundation = try foundationNodes().map { name, predicate in
            NodeForm(name, predicate, try #require(NodeForm.meanings[name], "\(name)"))
        }
        return foundation + NodeForm.casts + NodeForm.ours
    }

    @Test func isAmongTheForms() throws {
        let types = try Self.forms().map { String(describing: type(of: $0.predicate.expression)) }.joined()
        let found = Set(types.split { !$0.isLetter }.map(String.init))
        #expect(Self.foundationNames.subtracting(found) == [])
    }

    @Test("finds nothing by a captured range that ends before it begins", arguments: TestStore.all)
    func backwardRanges(_ store: TestStore) throws {
        let place = try TestPlace(store, Casket.self, Wharf.self, CasketItem.self)
        let context = place.context()
        for casket in Casket.make() { context.insert(casket) }
        func count(_ predicate: Predicate<Casket>) throws -> Int { try context.count(Casket.self, where: predicate) }
        for _ in 0..<2 {
            for (low, high) in [(0, -1), (3, 2), (Int.max, Int.min)] {
                #expect(try count(#Predicate { $0.nums[low..<high].contains(7) }) == 0)
                #expect(try count(#Predicate { (low...high).contains($0.n) }) == 0)
                #expect(try count(#Predicate { low..<high ~= $0.n }) == 0)
            }
            let all = Casket.make().count
            #expect(try count(#Predicate { (Int.min...Int.max).contains($0.n) }) == all)
            try context.save()
        }
    }

    @Test("gives the rows that Swift would, and none where Swift would stop", arguments: TestStore.all)
    func rows(_ store: TestStore) throws {
        let place = try TestPlace(store, Casket.self, Wharf.self, CasketItem.self)
        let context = place.context()
        for casket in Casket.make() { context.insert(casket) }
        let plain = Casket.make()
        for form in try Self.forms() {
            let expected = plain.filter { form.closure($0) == true }.map(\.code)
            let found = try context.all(Casket.self, by: SortDescriptor(\.code), where: form.predicate)
            #expect(found.map(\.code) == expected, "unsaved: \(form.name)")
        }
        try context.save()
        for form in try Self.forms() {
            let expected = plain.filter { form.closure($0) == true }.map(\.code)
            let fresh = place.context()
            let found = try fresh.all(Casket.self, by: SortDescriptor(\.code), where: form.predicate)
            #expect(found.map(\.code) == expected, "\(form.name)")
            #expect(try fresh.count(Casket.self, where: form.predicate) == expected.count, "count: \(form.name)")
        }
    }
}
