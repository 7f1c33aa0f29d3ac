import Foundation

// This file imports nothing of Coffer: `#Predicate` is Foundation's here, also for models.

/// Forms that Foundation's macro takes, by the names of ``PredicateFormTests/shared``.
func foundationForms(_ names: [String]) -> [String: Predicate<Voyage>] {
    var all: [String: Predicate<Voyage>] = [:]
    all["and or not"] = #Predicate { (v: Voyage) in v.days > 2 && v.isOpen || !(v.name != "Oslo") }
    all["chain"] = #Predicate { (v: Voyage) in v.skipper?.city == "Rome" }
    all["not in chain"] = #Predicate { (v: Voyage) in v.skipper?.city != "Rome" }
    all["if let"] = #Predicate { (v: Voyage) in if let note = v.note { note.isEmpty } else { v.isOpen } }
    all["conditional"] = #Predicate { (v: Voyage) in (v.isOpen ? v.days : v.code) == 3 }
    all["quantifier"] = #Predicate { (v: Voyage) in v.ports.contains { $0.nights == v.days } }
    all["count of some"] = #Predicate { (v: Voyage) in v.ports.filter { $0.nights > 1 }.count > 0 }
    all["list"] = #Predicate { (v: Voyage) in names.contains(v.name) }
    all["arithmetic"] = #Predicate { (v: Voyage) in v.miles / 2 - 1 > 0.25 }
    all["text"] = #Predicate { (v: Voyage) in v.name.contains("om") || v.name.starts(with: "C") }
    return all
}
