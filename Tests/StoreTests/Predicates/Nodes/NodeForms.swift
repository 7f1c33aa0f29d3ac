import Coffer
import Foundation

extension NodeForm {
    /// What the predicates of ``foundationNodes()`` mean.
    static var meanings: [String: (Casket) -> Bool?] {
        var all: [String: (Casket) -> Bool?] = [:]
        all["Arithmetic"] = { v in v.n.plus(1).map { $0 == 3 } }
        all["UnaryMinus"] = { v in v.n.times(-1).map { $0 == 1 } }
        all["IntDivision"] = { v in 14.over(v.n).map { $0 == 7 } }
        all["IntRemainder"] = { v in v.n.modulo(v.n).map { $0 == 0 } }
        all["FloatDivision"] = { v in v.real / 0.5 > 1 }
        all["Range"] = { v in v.low <= v.n ? (v.low..<v.n).contains(1) : nil }
        all["ClosedRange"] = { v in v.low <= v.n ? !(v.low...v.n).contains(3) : nil }
        all["RangeExpressionContains"] = { v in (1...3).contains(v.n) }
        all["CollectionContainsCollection"] = { v in v.text.contains("ab") }
        all["CollectionIndexSubscript"] = { v in v.nums.at(1).map { $0 == 2 } }
        all["CollectionRangeSubscript"] = { v in v.nums.part(0, 2).map { $0.contains(2) } }
        all["Comparison"] = { v in v.n < 3 }
        all["Conditional"] = { v in (v.isOpen ? v.n : v.low) > 0 }
        all["Conjunction"] = { v in v.isOpen && v.n > 0 }
        all["DictionaryKeySubscript"] = { v in v.counts["a"] == 1 }
        all["DictionaryKeyDefaultValueSubscript"] = { v in v.counts[v.text, default: 7] == 7 }
        all["Disjunction"] = { v in v.isOpen || v.n > 0 }
        all["Equal"] = { v in v.note == "red" }
        all["Filter"] = { v in v.items.filter { $0.weight > 0 }.count == 1 }
        all["ForcedUnwrap"] = { v in v.note.map { $0.count > 3 } }
        all["KeyPath"] = { v in v.isOpen }
        all["Negation"] = { v in !v.isOpen }
        all["NilCoalesce"] = { v in (v.note ?? "red") == "red" }
        all["NilLiteral"] = { v in v.note == nil }
        all["NotEqual"] = { v in v.note != "red" }
        all["OptionalFlatMap"] = { v in v.wharf?.name == "Kiel" }
        all["SequenceAllSatisfy"] = { v in v.nums.allSatisfy { $0 > 1 } }
        all["SequenceContains"] = { v in v.words.contains("a") }
        all["SequenceContainsWhere"] = { v in v.items.contains { $0.weight == v.n } }
        all["SequenceMaximum"] = { v in v.nums.max() == 3 }
        all["SequenceMinimum"] = { v in (v.nums.min() ?? 5) == v.low }
        all["SequenceStartsWith"] = { v in v.text.starts(with: "a") }
        all["StringContainsRegex"] = { v in v.text.contains(#/a+b/#) }
        return all
    }

    private typealias Property<Value> = PredicateExpressions.KeyPath<PredicateExpressions.Variable<Casket>, Value>

    /// Nodes that Foundation's macro does not write for values, or warns of.
    static var casts: [NodeForm] {
        let number = Predicate<Casket> { v in
            PredicateExpressions.TypeCheck<Property<Int>, Double>(
                PredicateExpressions.build_KeyPath(root: v, keyPath: \.n))
        }
        let text = Predicate<Casket> { v in
            PredicateExpressions.TypeCheck<Property<String?>, String>(
                PredicateExpressions.build_KeyPath(root: v, keyPath: \.note))
        }
        let conditional = Predicate<Casket> { v in
            PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.ConditionalCast<Property<String?>, String>(
                    PredicateExpressions.build_KeyPath(root: v, keyPath: \.note)),
                rhs: PredicateExpressions.build_Arg("red" as String?))
        }
        let other = Predicate<Casket> { v in
            PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.ConditionalCast<Property<Int>, Double>(
                    PredicateExpressions.build_KeyPath(root: v, keyPath: \.n)),
                rhs: PredicateExpressions.build_NilLiteral())
        }
        let forced = Predicate<Casket> { v in
            PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.ForceCast<Property<String?>, String>(
                    PredicateExpressions.build_KeyPath(root: v, keyPath: \.note)),
                rhs: PredicateExpressions.build_Arg("red"))
        }
        let wrong = Predicate<Casket> { v in
            PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.ForceCast<Property<Int>, String>(
                    PredicateExpressions.build_KeyPath(root: v, keyPath: \.n)),
                rhs: PredicateExpressions.build_Arg("red"))
        }
        return [
            NodeForm("TypeCheck", number) { _ in false },
            NodeForm("TypeCheck of an optional", text) { $0.note != nil },
            NodeForm("ConditionalCast", conditional) { $0.note == "red" },
            NodeForm("ConditionalCast to another type", other) { _ in true },
            NodeForm("ForceCast", forced) { v in v.note.map { $0 == "red" } },
            NodeForm("ForceCast to another type", wrong) { _ in nil },
        ]
    }

    /// Nodes of our own, and what they make of Foundation's.
    static var ours: [NodeForm] { text + elements + rows + captured }

    private static var text: [NodeForm] {
        let mark = "\u{301}"
        let square = #Expression<Casket, Int> { $0.n * $0.n }
        return [
            NodeForm("ExpressionEvaluate", #Predicate { (v: Casket) in square.evaluate(v) == 1 }) { v in
                v.n.times(v.n).map { $0 == 1 }
            },
            NodeForm("Concatenation", #Predicate { (v: Casket) in v.text + "!" == "aab!" }) { $0.text == "aab" },
            NodeForm("Concatenation of marks", #Predicate { (v: Casket) in (v.text + mark).count == v.text.count }) {
                ($0.text + mark).count == $0.text.count
            },
            NodeForm("Concatenation of lists", #Predicate { (v: Casket) in (v.words + ["z"]).count == 2 }) {
                $0.words.count == 1
            },
            NodeForm("Function", #Predicate { (v: Casket) in v.text.uppercased() == "AAB" }) { $0.text == "aab" },
            NodeForm("PartialFunction", #Predicate { (v: Casket) in Int(v.real) == 2 }) { v in
                Int(exactly: v.real.rounded(.towardZero)).map { $0 == 2 }
            },
            NodeForm("StringHasSuffix", #Predicate { (v: Casket) in v.text.hasSuffix("b") }) {
                $0.text.hasSuffix("b")
            },
            NodeForm(
                "StringLocalizedCaseInsensitiveContains",
                #Predicate { (v: Casket) in v.text.localizedCaseInsensitiveContains(v.note ?? "GR") }
            ) { $0.text.localizedCaseInsensitiveContains($0.note ?? "GR") },
            NodeForm("characters", #Predicate { (v: Casket) in v.text.allSatisfy { $0 == "a" || $0 == "b" } }) {
                $0.text.allSatisfy { $0 == "a" || $0 == "b" }
            },
            NodeForm("first character", #Predicate { (v: Casket) in v.text.first == "a" }) { $0.text.first == "a" },
        ]
    }

    private static var elements: [NodeForm] {
        [
            NodeForm("index of the row", #Predicate { (v: Casket) in v.nums[v.n] == 3 }) { v in
                v.nums.at(v.n).map { $0 == 3 }
            },
            NodeForm("index below zero", #Predicate { (v: Casket) in v.nums[v.n - 1] == 2 }) { v in
                v.n.plus(-1).flatMap { v.nums.at($0) }.map { $0 == 2 }
            },
            NodeForm("not an index", #Predicate { (v: Casket) in v.nums[1] != 2 }) { v in
                v.nums.at(1).map { $0 != 2 }
            },
            NodeForm("index of a part", #Predicate { (v: Casket) in v.nums[1..<3][1] == 2 }) { v in
                v.nums.part(1, 3).flatMap { $0.at(0) }.map { $0 == 2 }
            },
            NodeForm("part of the row", #Predicate { (v: Casket) in v.nums[v.low..<v.n].count == 1 }) { v in
                v.low <= v.n ? v.nums.part(v.low, v.n).map { $0.count == 1 } : nil
            },
            NodeForm("first", #Predicate { (v: Casket) in v.nums.first == v.low }) { $0.nums.first == $0.low },
            NodeForm("last", #Predicate { (v: Casket) in v.nums.last == 3 }) { $0.nums.last == 3 },
            NodeForm("first of some", #Predicate { (v: Casket) in v.nums.first(where: { $0 > 1 }) == 2 }) {
                $0.nums.first { $0 > 1 } == 2
            },
            NodeForm("last text", #Predicate { (v: Casket) in v.words.last?.isEmpty == false }) {
                $0.words.last?.isEmpty == false
            },
            NodeForm("max of some", #Predicate { (v: Casket) in v.nums.filter { $0 < 4 }.max() == 3 }) {
                $0.nums.filter { $0 < 4 }.max() == 3
            },
            NodeForm("min of another order", #Predicate { (v: Casket) in v.urgencies.min() == .express }) {
                $0.urgencies.min() == .express
            },
            NodeForm("max of another order", #Predicate { (v: Casket) in v.urgencies.max() == v.urgency }) {
                $0.urgencies.max() == $0.urgency
            },
            NodeForm("starts with a list", #Predicate { (v: Casket) in v.nums.starts(with: [1, 2]) }) {
                $0.nums.starts(with: [1, 2])
            },
            NodeForm("look-up by the row", #Predicate { (v: Casket) in (v.counts[v.words.first ?? "-"] ?? 0) > 0 }) {
                ($0.counts[$0.words.first ?? "-"] ?? 0) > 0
            },
            NodeForm("overflow is not equal", #Predicate { (v: Casket) in !(v.small + 100 == 1) }) { v in
                let (sum, overflow) = v.small.addingReportingOverflow(100)
                return overflow ? nil : sum != 1
            },
            NodeForm("an unknown element", #Predicate { (v: Casket) in v.nums.contains { 6 / ($0 - 1) == 6 } }) { v in
                v.nums.contains { $0 == 2 }
            },
            NodeForm("no unknown element", #Predicate { (v: Casket) in !v.nums.contains { 6 / ($0 - 2) == 9 } }) { v in
                v.nums.contains(2) || v.nums.contains(.min) ? nil : true
            },
            NodeForm("count of unknown", #Predicate { (v: Casket) in v.nums.filter { 6 / ($0 - 2) > 9 }.isEmpty }) {
                v in
                v.nums.contains(2) || v.nums.contains(.min) ? nil : true
            },
        ]
    }

    private static var rows: [NodeForm] {
        [
            NodeForm("first row", #Predicate { (v: Casket) in v.items.first?.label == "nut" }) {
                $0.items.first?.label == "nut"
            },
            NodeForm("last row", #Predicate { (v: Casket) in v.items.last?.weight == 2 }) {
                $0.items.last?.weight == 2
            },
            NodeForm("indexed row", #Predicate { (v: Casket) in v.items[1].weight > 0 }) { v in
                v.items.at(1).map { $0.weight > 0 }
            },
            NodeForm("row beyond a row", #Predicate { (v: Casket) in v.items.first?.casket?.wharf?.name == "Kiel" }) {
                $0.items.isEmpty ? false : $0.wharf?.name == "Kiel"
            },
            NodeForm(
                "rows beyond a row",
                #Predicate { (v: Casket) in v.items.last?.casket?.items.contains { $0.weight > 2 } == true }
            ) { v in v.items.contains { $0.weight > 2 } },
            NodeForm(
                "some first row", #Predicate { (v: Casket) in v.items.first(where: { $0.weight > 1 })!.label == "" }
            ) {
                v in v.items.first { $0.weight > 1 }.map { $0.label.isEmpty }
            },
            NodeForm("mapped", #Predicate { (v: Casket) in v.items.map { $0.weight }.max() == 3 }) {
                $0.items.map(\.weight).max() == 3
            },
            NodeForm("mapped key path", #Predicate { (v: Casket) in (v.items.map(\.label).min() ?? "x") < "d" }) {
                ($0.items.map(\.label).min() ?? "x") < "d"
            },
            NodeForm("not-a-number", #Predicate { (v: Casket) in (v.items.map { $0.price }.max() ?? 0) > 1 }) {
                ($0.items.map(\.price).max() ?? 0) > 1
            },
            NodeForm("unwrapped list", #Predicate { (v: Casket) in v.wharf!.caskets.count > 1 }) { v in
                v.wharf.map { $0.caskets.count > 1 }
            },
            NodeForm(
                "of two rows",
                #Predicate { (v: Casket) in (v.isOpen ? v.wharf : v.items.first?.casket?.wharf)?.name == "Bari" }
            ) { ($0.isOpen ? $0.wharf : $0.items.first?.casket?.wharf)?.name == "Bari" },
            NodeForm(
                "deeply nested",
                #Predicate { (v: Casket) in
                    v.wharf?.caskets.contains { other in
                        other.items.allSatisfy { item in other.nums.contains { $0 > item.weight + v.low } }
                    } ?? false
                }
            ) { v in
                v.wharf?.caskets.contains { other in
                    other.items.allSatisfy { item in
                        other.nums.contains { number in item.weight.plus(v.low).map { number > $0 } ?? false }
                    }
                } ?? false
            },
        ]
    }

    private static var captured: [NodeForm] {
        let wanted = ["red": 2, "blue": 7]
        let girths = [Girth(width: 1, tag: nil), Girth(width: 3, tag: "y")]
        let bounds: ClosedRange<Int>? = nil
        let short = "aabc".prefix(3)
        let wharves = [Wharf("Kiel", city: nil), Wharf("Rome", city: nil)]
        return [
            NodeForm("captured dictionary", #Predicate { (v: Casket) in wanted[v.note ?? ""] == v.n }) {
                wanted[$0.note ?? ""] == $0.n
            },
            NodeForm("captured keys", #Predicate { (v: Casket) in wanted.keys.contains(v.note ?? "") }) {
                wanted.keys.contains($0.note ?? "")
            },
            NodeForm("captured structures", #Predicate { (v: Casket) in girths.contains { $0.width == v.n - 1 } }) {
                v in
                v.n.plus(-1).map { n in girths.contains { $0.width == n } }
            },
            NodeForm("captured structure", #Predicate { (v: Casket) in girths.contains { v.girth == $0 } }) { v in
                girths.contains { v.girth == $0 }
            },
            NodeForm("captured nil", #Predicate { (v: Casket) in bounds?.contains(v.n) ?? v.isOpen }) { $0.isOpen },
            NodeForm("captured part of a text", #Predicate { (v: Casket) in v.text.hasPrefix(short) }) {
                $0.text.hasPrefix(short)
            },
            NodeForm("captured models", #Predicate { (v: Casket) in wharves.contains { $0.name == v.wharf?.name } }) {
                $0.wharf?.name == "Kiel"
            },
            NodeForm("composite", #Predicate { (v: Casket) in (v.girth?.width ?? 0) + 1 > 1 }) { v in
                (v.girth?.width ?? 0).plus(1).map { $0 > 1 }
            },
        ]
    }
}
