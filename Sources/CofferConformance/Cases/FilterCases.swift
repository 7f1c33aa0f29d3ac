import CofferCore
import Foundation

/// Filters, each held to what the predicate gives for the models themselves.
enum FilterCases {
    static func add(_ cases: inout CaseList) {
        values(&cases)
        text(&cases)
        links(&cases)
    }

    private static func values(_ cases: inout CaseList) {
        cases.add("equal", "== and != on values") { trial in
            try check(trial, [#Predicate { $0.age == 33 }, #Predicate { $0.age != 33 }, #Predicate { $0.age == -1 }])
        }
        cases.add("order", "<, <=, > and >= on values") { trial in
            try check(
                trial,
                [
                    #Predicate { $0.age < 33 }, #Predicate { $0.age <= 33 }, #Predicate { $0.age > 33 },
                    #Predicate { $0.age >= 33 },
                ])
        }
        cases.add("nil", "== nil and != nil") { trial in
            try check(trial, [#Predicate { $0.rank == nil }, #Predicate { $0.rank != nil }])
        }
        cases.add("nil-is-different", "!= a value is true for nil, as in Swift") { trial in
            try check(
                trial,
                [
                    #Predicate { $0.rank != "captain" }, #Predicate { !($0.rank == "captain") },
                    #Predicate { $0.rank == "captain" },
                ])
        }
        cases.add("default", "?? takes the other value for nil") { trial in
            try check(trial, [#Predicate { ($0.rank ?? "hand") == "hand" }, #Predicate { ($0.rank ?? "") > "d" }])
        }
        cases.add("and-or-not", "&&, || and ! combine") { trial in
            try check(
                trial,
                [
                    #Predicate { $0.age > 20 && $0.rank == "mate" }, #Predicate { $0.age < 20 || $0.age > 60 },
                    #Predicate { !($0.age > 20 || $0.rank == nil) },
                ])
        }
        cases.add("true-false", "A constant condition matches all rows, or none") { trial in
            try check(trial, [#Predicate { _ in true }, #Predicate { _ in false }])
        }
        cases.add("arithmetic", "Arithmetic on values") { trial in
            try check(trial, [#Predicate { $0.age + 7 > 40 }, #Predicate { $0.age * 2 == 66 }])
        }
        cases.add("captured-list", "contains on a captured list") { trial in
            let ages = [19, 64, 1000]
            let names: Set<String> = ["Ada", "Zoe"]
            let none: [Int] = []
            try check(
                trial,
                [
                    #Predicate { ages.contains($0.age) }, #Predicate { names.contains($0.name) },
                    #Predicate { none.contains($0.age) },
                ])
        }
        cases.add("identity", "A row by its identifier, and rows by a list of them") { trial in
            try trial.tell()
            let known = try trial.context().all(Sailor.self, by: SortDescriptor(\.name)).map(\.persistentModelID)
            let one = known[2]
            let some = [known[5], known[1]]
            let context = try trial.context()
            try trial.equal(
                try context.all(Sailor.self, where: #Predicate { $0.persistentModelID == one }).map(\.name), ["Cem"],
                "the row of an identifier")
            try trial.equal(
                try context.all(Sailor.self, where: #Predicate { some.contains($0.persistentModelID) }).map(\.name)
                    .sorted(), ["Bo", "Fay"], "the rows of a list of identifiers")
        }
    }

    private static func text(_ cases: inout CaseList) {
        cases.add("text-equal", "Text is equal and ordered as in Swift") { trial in
            try check(
                trial,
                [
                    #Predicate { $0.name == "Ada" }, #Predicate { $0.name == "ada" }, #Predicate { $0.name > "Dot" },
                    #Predicate { $0.name <= "Bo" },
                ])
        }
        cases.add("text-search", "contains, starts(with:) and the empty text") { trial in
            try check(
                trial,
                [
                    #Predicate { $0.name.contains("a") }, #Predicate { $0.name.starts(with: "E") },
                    #Predicate { $0.name.contains("%") }, #Predicate { $0.name.contains("") },
                    #Predicate { $0.name.contains("_") },
                ])
        }
        cases.add("text-count", "The number of characters") { trial in
            try check(trial, [#Predicate { $0.name.count == 2 }, #Predicate { $0.name.isEmpty }])
        }
    }

    private static func links(_ cases: inout CaseList) {
        cases.add("to-one", "A value behind a to-one link, and behind one that is nil") { trial in
            try check(
                trial,
                [
                    #Predicate { $0.ship?.name == "Argo" }, #Predicate { $0.ship?.name != "Argo" },
                    #Predicate { $0.ship == nil }, #Predicate { $0.ship != nil },
                    #Predicate { ($0.ship?.tonnage ?? 0) > 250 },
                ])
        }
        cases.add("two-links", "A value behind two to-one links") { trial in
            try check(
                trial,
                [#Predicate { $0.ship?.home?.name == "Brest" }, #Predicate { $0.mentor?.ship?.name == "Argo" }])
        }
        cases.add("link-identity", "The identifier behind a link") { trial in
            try trial.tell()
            let context = try trial.context()
            let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" }).persistentModelID
            let crew = try context.all(Sailor.self, where: #Predicate { $0.ship?.persistentModelID == argo })
            try trial.equal(crew.map(\.name).sorted(), ["Ada", "Bo", "Cem"], "the crew by identifier")
        }
        cases.add("to-many-some", "contains(where:) on a to-many relationship") { trial in
            try check(
                trial,
                [
                    #Predicate { sailor in sailor.skills.contains { $0.label == "stars" } },
                    #Predicate { sailor in !sailor.skills.contains { $0.label == "stars" } },
                    #Predicate { sailor in sailor.pupils.contains { $0.age < 20 } },
                ])
        }
        cases.add("to-many-every", "allSatisfy on a to-many relationship, empty ones included") { trial in
            try check(trial, [#Predicate { sailor in sailor.pupils.allSatisfy { $0.age > 20 } }])
        }
        cases.add("to-many-count", "The number of related rows") { trial in
            try check(
                trial,
                [
                    #Predicate { $0.skills.count == 2 }, #Predicate { $0.pupils.isEmpty },
                    #Predicate { $0.skills.count > 0 },
                ])
        }
    }

    /// Compares what the store finds with what the predicates give for the models.
    private static func check(_ trial: ConformanceTrial, _ predicates: [Predicate<Sailor>], line: Int = #line) throws {
        try trial.tell()
        try trial.read { context in
            let all = try context.all(Sailor.self)
            for (index, predicate) in predicates.enumerated() {
                let expected = try all.filter { try predicate.evaluate($0) }
                let names = expected.map(\.name).sorted()
                let which = "predicate \(index + 1)"
                let fresh = ModelContext(context.container)
                let found = try fresh.all(Sailor.self, where: predicate).map(\.name).sorted()
                try trial.equal(found, names, "the rows of \(which)", line: line)
                let descriptor = FetchDescriptor(predicate: predicate)
                try trial.equal(try fresh.fetchCount(descriptor), names.count, "the count of \(which)", line: line)
                try trial.equal(
                    Set(try fresh.fetchIdentifiers(descriptor)), Set(expected.map(\.persistentModelID)),
                    "the identifiers of \(which)", line: line)
            }
        }
    }
}
