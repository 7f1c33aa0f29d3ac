import CofferCore
import Foundation

/// Several contexts, and several containers, at one store.
enum ContextCases {
    static func add(_ cases: inout CaseList) {
        contexts(&cases)
        containers(&cases)
        states(&cases)
    }

    private static func contexts(_ cases: inout CaseList) {
        cases.add("seen", "What one context saves, every other sees") { trial in
            try trial.tell()
            let (first, second) = (try trial.context(), try trial.context())
            let mine = try first.only(Ship.self, where: #Predicate { $0.name == "Argo" })
            try second.only(Ship.self, where: #Predicate { $0.name == "Argo" }).tonnage = 1
            second.insert(Ship("Dory"))
            try second.save()
            try trial.equal(try first.count(Ship.self), 4, "the number of ships")
            try trial.equal(mine.tonnage, 1, "the tonnage of the model in memory")
            let light = try first.all(Ship.self, where: #Predicate { $0.tonnage < 50 })
            try trial.equal(light.map(\.name), ["Argo"], "the ships found by the new value")
        }
        cases.add("merged", "Changes of two contexts to different properties of a row are both kept") { trial in
            try trial.tell()
            let (first, second) = (try trial.context(), try trial.context())
            try first.only(Ship.self, where: #Predicate { $0.name == "Argo" }).tonnage = 1
            try second.only(Ship.self, where: #Predicate { $0.name == "Argo" }).nickname = "tiny"
            try first.save()
            try second.save()
            try trial.read { context in
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                try trial.equal(argo.tonnage, 1, "what the first changed")
                try trial.equal(argo.nickname, "tiny", "what the second changed")
            }
        }
        cases.add("last-wins", "Of two changes to one property, the later save stays") { trial in
            try trial.tell()
            let (first, second) = (try trial.context(), try trial.context())
            try first.only(Ship.self, where: #Predicate { $0.name == "Argo" }).tonnage = 1
            try second.only(Ship.self, where: #Predicate { $0.name == "Argo" }).tonnage = 2
            try second.save()
            try first.save()
            try trial.read { context in
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                try trial.equal(argo.tonnage, 1, "the tonnage")
            }
        }
        cases.add("both-insert", "Rows of two contexts never share an identifier") { trial in
            let (first, second) = (try trial.context(), try trial.context())
            var identifiers: Set<PersistentIdentifier> = []
            for round in 0..<10 {
                for context in [first, second] {
                    let ship = Ship("ship", tonnage: round)
                    context.insert(ship)
                    try context.save()
                    identifiers.insert(ship.persistentModelID)
                }
            }
            try trial.equal(identifiers.count, 20, "the number of identifiers")
            try trial.read { try trial.equal(try $0.count(Ship.self), 20, "the number of rows") }
        }
        cases.add("links", "A link to a row that another context saved is kept") { trial in
            try trial.tell()
            let (first, second) = (try trial.context(), try trial.context())
            first.insert(Ship("Dory"))
            try first.save()
            try second.only(Sailor.self, where: #Predicate { $0.name == "Hal" }).ship = try second.only(
                Ship.self, where: #Predicate { $0.name == "Dory" })
            try second.save()
            let dory = try first.only(Ship.self, where: #Predicate { $0.name == "Dory" })
            try trial.equal(dory.crew.map(\.name), ["Hal"], "the crew, in the first context")
            try trial.read { context in
                let dory = try context.only(Ship.self, where: #Predicate { $0.name == "Dory" })
                try trial.equal(dory.crew.map(\.name), ["Hal"], "the crew, read back")
            }
        }
        cases.add("deleted-elsewhere", "Changes to a row that another context deleted bring nothing back") { trial in
            try trial.write { $0.insert(Ship("Argo")) }
            let (first, second) = (try trial.context(), try trial.context())
            let mine = try first.only(Ship.self)
            mine.tonnage = 1
            second.delete(try second.only(Ship.self))
            try second.save()
            try first.save()
            try trial.equal(try first.count(Ship.self), 0, "the number of ships")
            try trial.read { try trial.equal(try $0.count(Ship.self), 0, "the number of ships, read back") }
        }
    }

    private static func containers(_ cases: inout CaseList) {
        cases.add(
            "two-containers", "What one container saves, another at the same place reads", needs: [.severalOpenings]
        ) {
            trial in
            let (first, second) = (try trial.openContainer(), try trial.openContainer())
            let (mine, theirs) = (ModelContext(first), ModelContext(second))
            try trial.expect(try theirs.all(Ship.self).isEmpty, "there are no ships before")
            mine.insert(Ship("Argo"))
            try mine.save()
            try trial.equal(try theirs.all(Ship.self).map(\.name), ["Argo"], "the ships after")
            let theirShip = try theirs.only(Ship.self)
            theirShip.name = "Beagle"
            try theirs.save()
            try trial.equal(try ModelContext(first).all(Ship.self).map(\.name), ["Beagle"], "the ships after a change")
            theirs.delete(theirShip)
            try theirs.save()
            try trial.expect(try ModelContext(first).all(Ship.self).isEmpty, "there are none after the deletion")
        }
        cases.add(
            "two-containers-insert", "Rows of two containers never share an identifier", needs: [.severalOpenings]
        ) { trial in
            let contexts = [ModelContext(try trial.openContainer()), ModelContext(try trial.openContainer())]
            var identifiers: Set<PersistentIdentifier> = []
            for round in 0..<10 {
                for context in contexts {
                    let ship = Ship("ship", tonnage: round)
                    context.insert(ship)
                    try context.save()
                    identifiers.insert(ship.persistentModelID)
                }
            }
            try trial.equal(identifiers.count, 20, "the number of identifiers")
            try trial.read { try trial.equal(try $0.count(Ship.self), 20, "the number of rows") }
        }
    }

    private static func states(_ cases: inout CaseList) {
        cases.add("states", "Each context has a state of its own, begun and ended once") { trial in
            let identifiers = try useContexts(trial)
            let begun = trial.record.calls.filter { $0.kind == .initializeState }.compactMap(\.editingState?.id)
            let ended = trial.record.calls.filter { $0.kind == .invalidateState }.compactMap(\.editingState?.id)
            try trial.equal(Set(identifiers).count, 3, "the number of states")
            try trial.equal(begun, identifiers, "the states begun")
            try trial.equal(Set(ended), Set(identifiers), "the states ended")
            try trial.equal(ended.count, 3, "the number of ends")
        }
        cases.add("let-go", "A store is let go with the last of its contexts, whatever the models are linked to") {
            trial in
            weak let layer = try useLayer(trial)
            trial.close()
            try trial.expect(layer == nil, "nothing keeps the store")
        }
        cases.add("state-ends", "A context that ends takes nothing with it that was saved") { trial in
            _ = try useContexts(trial)
            try trial.read { try trial.equal(try $0.count(Ship.self), 3, "the number of ships") }
        }
    }

    /// Saves and reads graphs with circles in them, through a layer that lives as long as the store.
    private static func useLayer(_ trial: ConformanceTrial) throws -> StoreRecord {
        let layer = StoreRecord()
        trial.layers = [layer]
        defer { trial.layers = [] }
        try trial.tell()
        try trial.write { context in
            let sailors = ["x", "y", "z"].map { Sailor($0) }
            sailors.forEach(context.insert)
            for index in 0..<3 { sailors[index].mentor = sailors[(index + 1) % 3] }
            sailors[0].passport = Passport("P-9")
        }
        _ = try ReopeningCases.picture(trial)
        let context = try trial.context()
        let unsaved = Sailor("unsaved")
        context.insert(unsaved)
        unsaved.passport = Passport("P-10")
        return layer
    }

    /// Saves with three contexts, one after the other, and lets them go.
    private static func useContexts(_ trial: ConformanceTrial) throws -> [UUID] {
        var identifiers: [UUID] = []
        for number in 0..<3 {
            let context = try trial.context()
            identifiers.append(context.editingState.id)
            context.insert(Ship("ship \(number)"))
            try context.save()
        }
        return identifiers
    }
}
