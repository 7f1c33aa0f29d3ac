import CofferCore
import Foundation

/// What is there when a place is opened again. (Cases of other areas read everything after reopening, too.)
enum ReopeningCases {
    static func add(_ cases: inout CaseList) {
        func add(_ id: String, _ claim: String, _ body: @escaping @Sendable (ConformanceTrial) throws -> Void) {
            cases.add(id, claim, needs: [.reopening], body)
        }
        add("empty", "A place that was opened and closed without a save is an empty store") { trial in
            for _ in 0..<3 {
                try trial.equal(try trial.context().count(Ship.self), 0, "the number of ships")
                trial.close()
            }
        }
        add("everything", "A whole graph is there again") { trial in
            try trial.tell()
            let before = try picture(trial)
            trial.close()
            try trial.equal(try picture(trial), before, "the graph")
        }
        add("in-steps", "Each opening goes on where the one before ended") { trial in
            for round in 0..<5 {
                try trial.write { context in
                    for ship in try context.all(Ship.self) { ship.tonnage += 1 }
                    context.insert(Ship("ship \(round)", tonnage: 0))
                }
                trial.close()
            }
            let tonnages = try trial.context().all(Ship.self, by: SortDescriptor(\.name)).map(\.tonnage)
            try trial.equal(tonnages, [4, 3, 2, 1, 0], "the tonnages")
        }
        add("deletions", "What was deleted stays deleted") { trial in
            try trial.tell()
            try trial.write { context in
                for sailor in try context.all(Sailor.self) where sailor.age > 30 { context.delete(sailor) }
            }
            trial.close()
            let context = try trial.context()
            try trial.equal(
                try context.all(Sailor.self).map(\.name).sorted(), ["Bo", "Dot", "Fay"], "the sailors")
            try trial.equal(try context.count(Passport.self), 0, "the number of passports")
        }
        add("links-across", "A new row may be linked to one of an earlier opening") { trial in
            try trial.write { $0.insert(Ship("Argo")) }
            trial.close()
            try trial.write { context in
                let sailor = Sailor("Ada")
                context.insert(sailor)
                sailor.ship = try context.only(Ship.self)
            }
            trial.close()
            let context = try trial.context()
            try trial.equal(try context.only(Ship.self).crew.map(\.name), ["Ada"], "the crew")
        }
        add("failed-save", "A save that failed has left nothing behind") { trial in
            let faults = StoreFaults()
            trial.layers = [faults]
            try trial.tell()
            let before = try picture(trial)
            try failingSave(trial, faults)
            trial.close()
            try trial.equal(try picture(trial), before, "the graph")
        }
        cases.add(
            "read-only", "A place opened for reading only gives its rows and refuses to save",
            needs: [.reopening, .readOnly]
        ) { trial in
            try trial.tell()
            trial.close()
            let configuration = try trial.unwrap(
                trial.subject.readOnlyConfiguration(at: trial.place), "the configuration")
            let container = try ModelContainer(for: trial.schema, configurations: [configuration])
            let context = ModelContext(container)
            try trial.equal(try context.count(Ship.self), 3, "the number of ships")
            context.insert(Ship("Dory"))
            try trial.fails(.storeNotWritable, when: "saving to a place opened for reading only") { try context.save() }
            try trial.equal(
                try ModelContext(container).count(Ship.self), 3, "the number of ships after the refused save")
        }
    }

    private static func failingSave(_ trial: ConformanceTrial, _ faults: StoreFaults) throws {
        let context = try trial.context()
        context.insert(Ship("Dory"))
        context.delete(try context.only(Sailor.self, where: #Predicate { $0.name == "Hal" }))
        faults.fail(.save)
        try SaveCases.expectFault(trial) { try context.save() }
    }

    /// The story, a line a model; a link or a list that cannot be read is an error.
    static func picture(_ trial: ConformanceTrial) throws -> [String] {
        let context = try trial.context()
        var lines = try context.all(Ship.self).map {
            "\($0.name) \($0.tonnage) \($0.nickname ?? "-") \($0.home?.name ?? "-") \($0.crew.map(\.name).sorted())"
        }
        lines += try context.all(Sailor.self).map {
            "\($0.name) \($0.age) \($0.rank ?? "-") \($0.mentor?.name ?? "-") \($0.skills.map(\.label).sorted()) "
                + ($0.passport?.number ?? "-")
        }
        lines += try context.all(Harbour.self).map { "\($0.name) \($0.depth) \($0.berths.map(\.number).sorted())" }
        lines += try context.all(Voyage.self).map {
            "\($0.title) \($0.day) \($0.ship?.name ?? "-") \($0.calls.map(\.name).sorted())"
        }
        lines += try context.all(Berth.self).map {
            "\($0.number) \($0.length ?? 0) \($0.harbour?.name ?? "-")"
        }
        lines += try context.all(Skill.self).map { "\($0.label) \($0.sailors.map(\.name).sorted())" }
        lines += try context.all(Passport.self).map { "\($0.number) \($0.sailor?.name ?? "-")" }
        if let error = context.loadError { throw error }
        return lines.sorted()
    }
}
