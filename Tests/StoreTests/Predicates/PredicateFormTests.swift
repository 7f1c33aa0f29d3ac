import Coffer
import Foundation
import Testing

@Suite("What a predicate says")
struct PredicateFormTests {
    /// Forms that both macros take.
    static func shared(_ names: [String]) -> [PredicateForm] {
        [
            PredicateForm(
                "and or not", #Predicate { (v: Sailing) in v.days > 2 && v.isOpen || !(v.name != "Oslo") }
            ) { $0.days > 2 && $0.isOpen || $0.name == "Oslo" },
            PredicateForm("chain", #Predicate { (v: Sailing) in v.helmsman?.city == "Rome" }) {
                $0.helmsman?.city == "Rome"
            },
            PredicateForm("not in chain", #Predicate { (v: Sailing) in v.helmsman?.city != "Rome" }) {
                $0.helmsman?.city != "Rome"
            },
            PredicateForm(
                "if let", #Predicate { (v: Sailing) in if let note = v.note { note.isEmpty } else { v.isOpen } }
            ) { $0.note?.isEmpty ?? $0.isOpen },
            PredicateForm("conditional", #Predicate { (v: Sailing) in (v.isOpen ? v.days : v.code) == 3 }) {
                ($0.isOpen ? $0.days : $0.code) == 3
            },
            PredicateForm("quantifier", #Predicate { (v: Sailing) in v.havens.contains { $0.nights == v.days } }) { v in
                v.havens.contains { $0.nights == v.days }
            },
            PredicateForm("count of some", #Predicate { (v: Sailing) in v.havens.filter { $0.nights > 1 }.count > 0 }) {
                $0.havens.contains { $0.nights > 1 }
            },
            PredicateForm("list", #Predicate { (v: Sailing) in names.contains(v.name) }) { names.contains($0.name) },
            PredicateForm("arithmetic", #Predicate { (v: Sailing) in v.miles / 2 - 1 > 0.25 }) {
                $0.miles / 2 - 1 > 0.25
            },
            PredicateForm("text", #Predicate { (v: Sailing) in v.name.contains("om") || v.name.starts(with: "C") }) {
                $0.name.contains("om") || $0.name.hasPrefix("C")
            },
        ]
    }

    /// The codes of the sailings a predicate is true for; a force-unwrapped nil is not.
    private func codes(_ predicate: Predicate<Sailing>, _ sailings: [Sailing]) throws -> Set<Int> {
        let found = try sailings.filter { sailing in
            do {
                return try predicate.evaluate(sailing)
            } catch let error as PredicateError where error == .forceUnwrapFailure {
                return false
            }
        }
        return Set(found.map(\.code))
    }

    @Test("is what the closure says, over plain objects")
    func plainObjects() throws {
        let sailings = Sailing.make()
        for form in PredicateForm.ours + Self.shared(["Oslo", ""]) {
            let expected = Set(sailings.filter(form.closure).map(\.code))
            #expect(try codes(form.predicate, sailings) == expected, "\(form.name)")
        }
    }

    @Test("is what Foundation's macro makes of it")
    func foundation() throws {
        let sailings = Sailing.make()
        let theirs = foundationForms(["Oslo", ""])
        for form in Self.shared(["Oslo", ""]) {
            let predicate = try #require(theirs[form.name])
            #expect(try codes(form.predicate, sailings) == codes(predicate, sailings), "\(form.name)")
        }
    }

    @Test("finds the same rows in every store", arguments: TestStore.all)
    func rows(_ store: TestStore) throws {
        let place = try TestPlace(store, Sailing.self, Helmsman.self, Haven.self)
        let context = place.context()
        for sailing in Sailing.make() { context.insert(sailing) }
        let plain = Sailing.make()
        try context.save()
        for form in PredicateForm.ours + Self.shared(["Oslo", ""]) {
            let expected = Set(plain.filter(form.closure).map(\.code))
            let found = try place.context().all(Sailing.self, where: form.predicate)
            #expect(Set(found.map(\.code)) == expected, "\(form.name)")
            #expect(try place.context().count(Sailing.self, where: form.predicate) == expected.count, "\(form.name)")
        }
    }

    @Test("may capture models", arguments: TestStore.all)
    func capturedModels(_ store: TestStore) throws {
        let place = try TestPlace(store, Sailing.self, Helmsman.self, Haven.self)
        let context = place.context()
        for sailing in Sailing.make() { context.insert(sailing) }
        let helmsmen = try context.all(Helmsman.self, by: SortDescriptor(\.name))
        let ada = try #require(helmsmen.first { $0.name == "Ada" })
        let haven = try #require(try context.all(Haven.self).first { $0.name == "Faro" })
        func check(_ name: String, _ predicate: Predicate<Sailing>, _ codes: Set<Int>) throws {
            #expect(try Set(context.all(Sailing.self, where: predicate).map(\.code)) == codes, "\(name)")
        }
        for _ in 0..<2 {
            try check("equal", #Predicate { $0.helmsman == ada }, [1, 4, 7])
            try check("not equal", #Predicate { $0.helmsman != ada }, [2, 3, 5, 6, 8])
            try check("contained", #Predicate { $0.havens.contains(haven) }, [5])
            try check(
                "one of", #Predicate { (v: Sailing) in helmsmen.contains { $0 == v.helmsman } }, [1, 3, 4, 5, 7, 8])
            try check("member", #Predicate { $0.helmsman?.name == ada.name }, [1, 4, 7])
            try context.save()
        }
    }

    @Test("may be an expression", arguments: TestStore.all)
    func expressions(_ store: TestStore) throws {
        let place = try TestPlace(store, Sailing.self, Helmsman.self, Haven.self)
        let context = place.context()
        for sailing in Sailing.make() { context.insert(sailing) }
        try context.save()
        let nights = #Expression<Sailing, Int> { $0.havens.filter { $0.nights > 2 }.count }
        let fresh = place.context()
        let found = try fresh.all(Sailing.self, where: #Predicate { nights.evaluate($0) > 1 })
        #expect(found.map(\.code) == [5])
        #expect(try nights.evaluate(found[0]) == 2)
    }
}
