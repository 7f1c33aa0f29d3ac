import Foundation

// This file imports nothing of Coffer: `#Predicate` is Foundation's here, also for models.

/// One predicate for each node of Foundation's, by the node's name.
func foundationNodes() -> [(String, Predicate<Casket>)] {
    var all: [(String, Predicate<Casket>)] = []
    func add(_ name: String, _ predicate: Predicate<Casket>) { all.append((name, predicate)) }
    let three = 3
    add("Arithmetic", #Predicate { (v: Casket) in v.n + 1 == three })
    add("UnaryMinus", #Predicate { (v: Casket) in -v.n == 1 })
    add("IntDivision", #Predicate { (v: Casket) in 14 / v.n == 7 })
    add("IntRemainder", #Predicate { (v: Casket) in v.n % v.n == 0 })
    add("FloatDivision", #Predicate { (v: Casket) in v.real / 0.5 > 1 })
    add("Range", #Predicate { (v: Casket) in (v.low..<v.n).contains(1) })
    add("ClosedRange", #Predicate { (v: Casket) in !(v.low...v.n).contains(3) })
    add("RangeExpressionContains", #Predicate { (v: Casket) in (1...three).contains(v.n) })
    add("CollectionContainsCollection", #Predicate { (v: Casket) in v.text.contains("ab") })
    add("CollectionIndexSubscript", #Predicate { (v: Casket) in v.nums[1] == 2 })
    add("CollectionRangeSubscript", #Predicate { (v: Casket) in v.nums[0..<2].contains(2) })
    add("Comparison", #Predicate { (v: Casket) in v.n < three })
    add("Conditional", #Predicate { (v: Casket) in (v.isOpen ? v.n : v.low) > 0 })
    add("Conjunction", #Predicate { (v: Casket) in v.isOpen && v.n > 0 })
    add("DictionaryKeySubscript", #Predicate { (v: Casket) in v.counts["a"] == 1 })
    add(
        "DictionaryKeyDefaultValueSubscript",
        #Predicate { (v: Casket) in v.counts[v.text, default: 7] == 7 })
    add("Disjunction", #Predicate { (v: Casket) in v.isOpen || v.n > 0 })
    add("Equal", #Predicate { (v: Casket) in v.note == "red" })
    add("Filter", #Predicate { (v: Casket) in v.items.filter { $0.weight > 0 }.count == 1 })
    add("ForcedUnwrap", #Predicate { (v: Casket) in v.note!.count > 3 })
    add("KeyPath", #Predicate { (v: Casket) in v.isOpen })
    add("Negation", #Predicate { (v: Casket) in !v.isOpen })
    add("NilCoalesce", #Predicate { (v: Casket) in (v.note ?? "red") == "red" })
    add("NilLiteral", #Predicate { (v: Casket) in v.note == nil })
    add("NotEqual", #Predicate { (v: Casket) in v.note != "red" })
    add("OptionalFlatMap", #Predicate { (v: Casket) in v.wharf?.name == "Kiel" })
    add("SequenceAllSatisfy", #Predicate { (v: Casket) in v.nums.allSatisfy { $0 > 1 } })
    add("SequenceContains", #Predicate { (v: Casket) in v.words.contains("a") })
    add("SequenceContainsWhere", #Predicate { (v: Casket) in v.items.contains { $0.weight == v.n } })
    add("SequenceMaximum", #Predicate { (v: Casket) in v.nums.max() == three })
    add("SequenceMinimum", #Predicate { (v: Casket) in (v.nums.min() ?? 5) == v.low })
    add("SequenceStartsWith", #Predicate { (v: Casket) in v.text.starts(with: "a") })
    add("StringContainsRegex", #Predicate { (v: Casket) in v.text.contains(#/a+b/#) })
    return all
}
