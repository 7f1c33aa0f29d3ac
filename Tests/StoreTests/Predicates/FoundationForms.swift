import Foundation

// This file imports nothing of Coffer: `#Predicate` is Foundation's here, also for models.

/// Forms that Foundation's macro takes, by the names of ``PredicateFormTests/shared``.
func foundationForms(_ names: [String]) -> [String: Predicate<Sailing>] {
    var all: [String: Predicate<Sailing>] = [:]
    all["and or not"] = #Predicate { (v: Sailing) in v.days > 2 && v.isOpen || !(v.name != "Oslo") }
    all["chain"] = #Predicate { (v: Sailing) in v.helmsman?.city == "Rome" }
    all["not in chain"] = #Predicate { (v: Sailing) in v.helmsman?.city != "Rome" }
    all["if let"] = #Predicate { (v: Sailing) in if let note = v.note { note.isEmpty } else { v.isOpen } }
    all["conditional"] = #Predicate { (v: Sailing) in (v.isOpen ? v.days : v.code) == 3 }
    all["quantifier"] = #Predicate { (v: Sailing) in v.havens.contains { $0.nights == v.days } }
    all["count of some"] = #Predicate { (v: Sailing) in v.havens.filter { $0.nights > 1 }.count > 0 }
    all["list"] = #Predicate { (v: Sailing) in names.contains(v.name) }
    all["arithmetic"] = #Predicate { (v: Sailing) in v.miles / 2 - 1 > 0.25 }
    all["text"] = #Predicate { (v: Sailing) in v.name.contains("om") || v.name.starts(with: "C") }
    return all
}
