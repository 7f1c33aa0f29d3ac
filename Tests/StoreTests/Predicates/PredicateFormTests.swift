import Coffer
import Foundation
import Testing

@Suite("What a predicate says")
struct PredicateFormTests {
    /// Forms that both macros take.
    static func shared(_ names: [String]) -> [PredicateForm] {
        [
            PredicateForm(
                "and or not", #Predicate { (v: Voyage) in v.days > 2 && v.isOpen || !(v.name != "Oslo") }
            ) { $0.days > 2 && $0.isOpen || $0.name == "Oslo" },
            PredicateForm("chain", #Predicate { (v: Voyage) in v.skipper?.city == "Rome" }) {
                $0.skipper?.city == "Rome"
            },
            PredicateForm("not in chain", #Predicate { (v: Voyage) in v.skipper?.city != "Rome" }) {
                $0.skipper?.city != "Rome"
            },
            PredicateForm(
                "if let", #Predicate { (v: Voyage) in if let note = v.note { note.isEmpty } else { v.isOpen } }
            ) { $0.note?.isEmpty ?? $0.isOpen },
            PredicateForm("conditional", #Predicate { (v: Voyage) in (v.isOpen ? v.days : v.code) == 3 }) {
                ($0.isOpen ? $0.days : $0.code) == 3
            },
            PredicateForm("quantifier", #Predicate { (v: Voyage) in v.ports.contains { $0.nights == v.days } }) { v in
                v.ports.contains { $0.nights == v.days }
            },
            PredicateForm("count of some", #Predicate { (v: Voyage) in v.ports.filter { $0.nights > 1 }.count > 0 }) {
                $0.ports.contains { $0.nights > 1 }
            },
            PredicateForm("list", #Predicate { (v: Voyage) in names.contains(v.name) }) { names.contains($0.name) },
            PredicateForm("arithmetic", #Predicate { (v: Voyage) in v.miles / 2 - 1 > 0.25 }) {
                $0.miles / 2 - 1 > 0.25
            },
            PredicateForm("text", #Predicate { (v: Voyage) in v.name.contains("om") || v.name.starts(with: "C") }) {
                $0.name.contains("om") || $0.name.hasPrefix("C")
            },
        ]
    }

    /// The codes of the voyages a predicate is true for; a force-unwrapped nil is not.
    private func codes(_ predicate: Predicate<Voyage>, _ voyages: [Voyage]) throws -> Set<Int> {
        let found = try voyages.filter { voyage in
            do {
                return try predicate.evaluate(voyage)
            } catch let error as PredicateError where error == .forceUnwrapFailure {
                return false
            }
        }
        return Set(found.map(\.code))
    }

    @Test("is what the closure says, over plain objects")
    func plainObjects() throws {
        let voyages = Voyage.make()
        for form in PredicateForm.ours + Self.shared(["Oslo", ""]) {
            let expected = Set(voyages.filter(form.closure).map(\.code))
            #expect(try codes(form.predicate, voyages) == expected, "\(form.name)")
        }
    }

    @Test("is what Foundation's macro makes of it")
    func foundation() throws {
        let voyages = Voyage.make()
        let theirs = foundationForms(["Oslo", ""])
        for form in Self.shared(["Oslo", ""]) {
            let predicate = try #require(theirs[form.name])
            #expect(try codes(form.predicate, voyages) == codes(predicate, voyages), "\(form.name)")
        }
    }

    @Test("finds the same rows in every store", arguments: TestStore.all)
    func rows(_ store: TestStore) throws {
        let place = try TestPlace(store, Voyage.self, Skipper.self, Port.self)
        let context = place.context()
        for voyage in Voyage.make() { context.insert(voyage) }
        let plain = Voyage.make()
        try context.save()
        for form in PredicateForm.ours + Self.shared(["Oslo", ""]) {
            let expected = Set(plain.filter(form.closure).map(\.code))
            let found = try place.context().all(Voyage.self, where: form.predicate)
            #expect(Set(found.map(\.code)) == expected, "\(form.name)")
            #expect(try place.context().count(Voyage.self, where: form.predicate) == expected.count, "\(form.name)")
        }
    }

    @Test("may capture models", arguments: TestStore.all)
    func capturedModels(_ store: TestStore) throws {
        let place = try TestPlace(store, Voyage.self, Skipper.self, Port.self)
        let context = place.context()
        for voyage in Voyage.make() { context.insert(voyage) }
        let skippers = try context.all(Skipper.self, by: SortDescriptor(\.name))
        let ada = try #require(skippers.first { $0.name == "Ada" })
        let port = try #require(try context.all(Port.self).first { $0.name == "Faro" })
        func check(_ name: String, _ predicate: Predicate<Voyage>, _ codes: Set<Int>) throws {
            #expect(try Set(context.all(Voyage.self, where: predicate).map(\.code)) == codes, "\(name)")
        }
        for _ in 0..<2 {
            try check("equal", #Predicate { $0.skipper == ada }, [1, 4, 7])
            try check("not equal", #Predicate { $0.skipper != ada }, [2, 3, 5, 6, 8])
            try check("contained", #Predicate { $0.ports.contains(port) }, [5])
            try check(
                "one of", #Predicate { (v: Voyage) in skippers.contains { $0 == v.skipper } }, [1, 3, 4, 5, 7, 8])
            try check("member", #Predicate { $0.skipper?.name == ada.name }, [1, 4, 7])
            try context.save()
        }
    }

    @Test("may be an expression", arguments: TestStore.all)
    func expressions(_ store: TestStore) throws {
        let place = try TestPlace(store, Voyage.self, Skipper.self, Port.self)
        let context = place.context()
        for voyage in Voyage.make() { context.insert(voyage) }
        try context.save()
        let nights = #Expression<Voyage, Int> { $0.ports.filter { $0.nights > 2 }.count }
        let fresh = place.context()
        let found = try fresh.all(Voyage.self, where: #Predicate { nights.evaluate($0) > 1 })
        #expect(found.map(\.code) == [5])
        #expect(try nights.evaluate(found[0]) == 2)
    }
}
