import Foundation
import Testing

@testable import CofferCore

/// Predicates and what they become.
@Suite struct QueryLoweringTests {
    private func text(_ predicate: Predicate<QueryTrip>) throws -> String {
        try PredicateLowering.filter(predicate).description
    }

    @Test func comparisonsAndConnectives() throws {
        let name = "Ro\"me"
        let mood = QueryMood.wild
        #expect(try text(#Predicate { $0.days > 3 }) == "$0.days > 3")
        #expect(
            try text(#Predicate { $0.name == name && $0.days <= 2 && $0.isOpen })
                == "$0.name == \"Ro\\\"me\" && $0.days <= 2 && $0.isOpen")
        #expect(
            try text(#Predicate { $0.days > 1 && ($0.isOpen || $0.days == 9) })
                == "$0.days > 1 && ($0.isOpen || $0.days == 9)")
        #expect(try text(#Predicate { !($0.name != name) }) == "!($0.name != \"Ro\\\"me\")")
        #expect(try text(#Predicate { $0.mood == mood }) == "$0.mood == \"wild\"")
        #expect(try text(#Predicate { $0.mood.rawValue == "calm" }).hasPrefix("$0.mood"))
        #expect(try text(#Predicate { $0.isOpen == false }) == "!$0.isOpen")
        #expect(try text(#Predicate { $0.days * 2 - 1 == 5 % $0.days }) == "(($0.days * 2) - 1) == (5 % $0.days)")
        #expect(try text(#Predicate { (1..<3).contains($0.days) }) == "$0.days >= 1 && $0.days < 3")
        #expect(try text(#Predicate { _ in true }) == "true")
    }

    @Test func optionalsAndLinks() throws {
        #expect(try text(#Predicate { $0.note == nil }) == "$0.note == nil")
        #expect(try text(#Predicate { ($0.note ?? "-") == "-" }) == "($0.note ?? \"-\") == \"-\"")
        #expect(try text(#Predicate { $0.owner == nil }) == "$0.owner == nil")
        #expect(try text(#Predicate { $0.owner?.name == "Ada" }) == "$0.owner.name == \"Ada\"")
        #expect(try text(#Predicate { $0.owner!.name == "Ada" }) == "require($0.owner, $0.owner.name) == \"Ada\"")
        #expect(try text(#Predicate { $0.note!.isEmpty }) == "$0.note! == \"\"")
        #expect(try text(#Predicate { $0.note?.count == 2 }) == "ifPresent($0.note, $0.note.count) == 2")
        let nested = try text(#Predicate { $0.owner?.trips.isEmpty == true })
        #expect(nested == "ifPresent($0.owner, !exists($0.owner.trips)) == true")
        #expect(
            try text(#Predicate { $0.note == nil ? $0.isOpen : $0.days > 1 })
                == "($0.note == nil) ? $0.isOpen : ($0.days > 1)")
        #expect(
            try text(#Predicate { if let note = $0.note { note == "a" } else { false } })
                == "ifPresent($0.note, $0.note == \"a\") ?? false")
    }

    @Test func quantifiers() throws {
        #expect(try text(#Predicate { $0.stops.isEmpty }) == "!exists($0.stops)")
        #expect(try text(#Predicate { $0.stops.count > 2 }) == "count($0.stops) > 2")
        #expect(try text(#Predicate { $0.stops.contains { $0.nights > 1 } }) == "exists($0.stops{$1.nights > 1})")
        #expect(try text(#Predicate { $0.stops.allSatisfy { $0.nights > 1 } }) == "every($0.stops, $1.nights > 1)")
        #expect(
            try text(#Predicate { trip in trip.stops.filter { $0.nights > trip.days }.count == 1 })
                == "count($0.stops{$1.nights > $0.days}) == 1")
        #expect(try text(#Predicate { $0.tags.contains("a") }) == "$0.tags.contains(\"a\")")
        #expect(try text(#Predicate { $0.tags.contains { $0.isEmpty } }) == "exists($0.tags{$1 == \"\"})")
        let names = ["a", "b"]
        #expect(try text(#Predicate { names.contains($0.name) }) == "[\"a\", \"b\"].contains($0.name)")
        let many = Array(0..<1000)
        let shown = try text(#Predicate { many.contains($0.days) })
        #expect(shown == "[0, 1, 2, 3, 4, 5, 6, 7, … 1000].contains($0.days)")
    }

    @Test func textAndMembers() throws {
        let same = ComparisonResult.orderedSame
        #expect(try text(#Predicate { $0.name.contains("%") }) == "$0.name.contains(\"%\")")
        #expect(try text(#Predicate { $0.name.starts(with: "R") }) == "$0.name.startsWith(\"R\")")
        #expect(
            try text(#Predicate { $0.name.localizedStandardContains("r") })
                == "$0.name.localizedStandardContains(\"r\")")
        #expect(
            try text(#Predicate { $0.name.caseInsensitiveCompare("R") == same })
                == "$0.name.caseInsensitiveCompare(\"R\") == 0")
        #expect(try text(#Predicate { $0.name.count > 3 }) == "$0.name.count > 3")
        #expect(try text(#Predicate { $0.name == "e\u{301}" }) == text(#Predicate { $0.name == "\u{E9}" }))
        #expect(try text(#Predicate { $0.place?.x == 1 }).hasPrefix("$0.place."))
    }

    @Test func identities() throws {
        let key = try PersistentIdentifier.identifier(for: "S", entityName: "QueryTrip", primaryKey: 4)
        #expect(try text(#Predicate { $0.persistentModelID == key }) == "$0 == QueryTrip(4)")
        #expect(try text(#Predicate { $0.owner?.persistentModelID == key }) == "$0.owner == QueryTrip(4)")
    }

    @Test func typesAreKept() throws {
        let predicate: Predicate<QueryTrip> = #Predicate { $0.owner?.city == "x" }
        guard
            case .compare(.equal, .property(let path), .constant(let value, _)) = try PredicateLowering.filter(
                predicate)
        else {
            Issue.record("no comparison of a property")
            return
        }
        #expect(path.type == FilterType(.scalar(.text), isOptional: true))
        #expect(path.steps.map(\.name) == ["owner", "city"])
        #expect(path.steps.map(\.destination) == ["QueryOwner", nil])
        #expect(value == .text("x"))
    }

    @Test func slotsAndLinks() throws {
        let own = try PredicateLowering.filter(#Predicate<QueryTrip> { $0.days > 3 && $0.note == nil })
        #expect(!own.followsLinks)
        #expect(own.slots == [1, 3])
        let linked = try PredicateLowering.filter(#Predicate<QueryTrip> { $0.owner?.city == nil })
        #expect(linked.followsLinks)
        #expect(linked.slots == [9])
        #expect(try PredicateLowering.filter(#Predicate<QueryTrip> { $0.stops.isEmpty }).followsLinks)
        #expect(try !PredicateLowering.filter(#Predicate<QueryTrip> { $0.owner == nil }).followsLinks)
    }

    @Test func whatCannotBeLoweredIsNamed() throws {
        func detail(_ predicate: Predicate<QueryTrip>) -> String {
            do {
                return try "lowered to \(text(predicate))"
            } catch let error as SwiftDataError where error == .unsupportedPredicate {
                return error.detail ?? ""
            } catch {
                return "\(error)"
            }
        }
        #expect(detail(#Predicate { $0.stops == $0.stops }).contains("as a value"))
        #expect(detail(#Predicate { $0.title == "ROME" }).contains("leads to no persisted property"))
        #expect(detail(#Predicate { $0.scratch == 0 }).contains("leads to no persisted property"))
        #expect(detail(#Predicate { $0.shown }).contains("not stored"))
        #expect(try text(#Predicate { $0.sameName == "a" }) == "$0.name == \"a\"")
    }

    @Test func elements() throws {
        #expect(try text(#Predicate { $0.stops.first!.nights > 1 }) == "$0.stops.first!{$1.nights} > 1")
        #expect(try text(#Predicate { $0.stops.last?.city == "a" }) == "$0.stops.last{$1.city} == \"a\"")
        #expect(try text(#Predicate { ($0.tags.max() ?? "") == "a" }) == "($0.tags.max{$1} ?? \"\") == \"a\"")
        #expect(try text(#Predicate { $0.stops.map(\.nights).min() == 3 }) == "$0.stops.min{$1.nights} == 3")
        #expect(try text(#Predicate { $0.tags[1] == "a" }) == "$0.tags.at(1){$1} == \"a\"")
        #expect(try text(#Predicate { $0.name.contains(#/a+/#) }).hasPrefix("contains("))
        #expect(try text(#Predicate { $0.name + "!" == "a!" }) == "joined($0.name, \"!\") == \"a!\"")
    }

    @Test func descriptorsBecomePlans() throws {
        var descriptor = FetchDescriptor<QueryTrip>(
            predicate: #Predicate { $0.days > 3 },
            sortBy: [
                SortDescriptor(\.name, comparator: .localizedStandard), SortDescriptor(\.owner?.city, order: .reverse),
            ])
        descriptor.fetchLimit = 5
        descriptor.fetchOffset = 10
        descriptor.propertiesToFetch = [\.days, \.name]
        let lowered = try descriptor._plan()
        #expect(!lowered.needsFilter && !lowered.needsSort)
        #expect(
            lowered.plan.sort == [
                SortKey(path: [0], comparison: .localizedStandard), SortKey(path: [9, 1], isDescending: true),
            ])
        #expect(lowered.plan.slots == [0, 1])
        #expect(
            lowered.plan.description
                == "QueryTrip where $0.days > 3 sort 0 localizedStandard, -9.1 limit 5 offset 10 slots 0, 1")
        descriptor.predicate = #Predicate { $0.title == "A" }
        descriptor.sortBy = [SortDescriptor(\.title)]
        let partial = try descriptor._plan()
        #expect(partial.needsFilter && partial.needsSort)
        #expect(partial.plan.filter == nil && partial.plan.sort.isEmpty)
        descriptor.propertiesToFetch = [\.title]
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try descriptor._plan() }
    }
}
