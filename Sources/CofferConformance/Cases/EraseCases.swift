import CofferCore
import Foundation

/// Erasing a store.
enum EraseCases {
    static func add(_ cases: inout CaseList) {
        func add(_ id: String, _ claim: String, _ body: @escaping @Sendable (ConformanceTrial) throws -> Void) {
            cases.add(id, claim, needs: [.erasing], body)
        }
        add("empties", "An erased store has no rows of any entity") { trial in
            try trial.tell()
            try trial.container().erase()
            try trial.read { context in
                let counts = [
                    try context.count(Harbour.self), try context.count(Berth.self), try context.count(Ship.self),
                    try context.count(Sailor.self), try context.count(Skill.self), try context.count(Passport.self),
                    try context.count(Voyage.self),
                ]
                try trial.equal(counts, Array(repeating: 0, count: 7), "the counts")
            }
        }
        add("usable", "An erased store takes new rows, with links") { trial in
            try trial.tell()
            try trial.container().erase()
            try trial.tell()
            try trial.read { context in
                try trial.equal(try context.count(Sailor.self), 8, "the number of sailors")
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                try trial.equal(argo.crew.map(\.name).sorted(), ["Ada", "Bo", "Cem"], "the crew")
                try trial.equal(try context.only(Voyage.self).calls.count, 3, "the number of ports of call")
            }
        }
        add("contexts", "Contexts that are open see that nothing is left") { trial in
            try trial.tell()
            let context = try trial.context()
            let ship = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
            try trial.container().erase()
            try trial.equal(try context.count(Ship.self), 0, "the number of ships")
            try trial.equal(ship.name, "Argo", "the name of a model that was in memory")
        }
        add("identifiers", "Identifiers of erased rows are not given out again") { trial in
            let context = try trial.context()
            let ship = Ship("Argo")
            context.insert(ship)
            try context.save()
            let identifier = ship.persistentModelID
            try trial.container().erase()
            let other = try trial.context()
            let newcomer = Ship("Beagle")
            other.insert(newcomer)
            try other.save()
            try trial.expect(newcomer.persistentModelID != identifier, "the identifier is another")
        }
        cases.add("uniqueness", "Values of erased rows are free", needs: [.erasing, .uniqueness]) { trial in
            trial.use(Flag.self, Pennant.self)
            try trial.write { $0.insert(Flag("alpha", 1)) }
            try trial.container().erase()
            try trial.write { $0.insert(Flag("alpha", 2)) }
            try trial.read { try trial.equal(try $0.only(Flag.self).points, 2, "the points") }
        }
        cases.add(
            "reopened", "An erased store is empty when it is opened again", needs: [.erasing, .reopening]
        ) { trial in
            try trial.tell()
            try trial.container().erase()
            trial.close()
            try trial.equal(try trial.context().count(Sailor.self), 0, "the number of sailors")
        }
    }
}
