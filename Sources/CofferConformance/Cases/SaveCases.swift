import CofferCore
import Foundation

/// What a save stores, and what one that fails leaves.
enum SaveCases {
    static func add(_ cases: inout CaseList) {
        updates(&cases)
        failures(&cases)
    }

    private static func updates(_ cases: inout CaseList) {
        cases.add("update", "An update changes the properties that were changed, and no others") { trial in
            try trial.tell()
            try trial.write { try $0.only(Ship.self, where: #Predicate { $0.name == "Argo" }).tonnage = 333 }
            try trial.read { context in
                let ships = try context.all(Ship.self, by: SortDescriptor(\.name))
                try trial.equal(ships.map(\.tonnage), [333, 240, 960], "the tonnages")
                try trial.equal(ships.map(\.nickname), ["the Old Lady", nil, "Sark"], "the nicknames")
                try trial.equal(ships.map { $0.home?.name }, ["Brest", "Brest", "Cadiz"], "the homes")
                try trial.equal(
                    ships.map { Int($0.launched.timeIntervalSinceReferenceDate / 86400) }, [300, 240, 960], "the dates")
            }
        }
        cases.add("to-nil", "A value becomes nil, and nil a value") { trial in
            try trial.tell()
            try trial.write { context in
                try context.only(Ship.self, where: #Predicate { $0.name == "Argo" }).nickname = nil
                try context.only(Ship.self, where: #Predicate { $0.name == "Beagle" }).nickname = "Darwin's"
            }
            try trial.read { context in
                let ships = try context.all(Ship.self, by: SortDescriptor(\.name))
                try trial.equal(ships.map(\.nickname), [nil, "Darwin's", "Sark"], "the nicknames")
                let without = try context.count(Ship.self, where: #Predicate { $0.nickname == nil })
                try trial.equal(without, 1, "the number of ships without a nickname, as the store counts them")
            }
        }
        cases.add(
            "permanent-links", "Links from changed rows to new ones are stored as permanent ones", needs: [.reopening]
        ) { trial in
            try trial.tell()
            try trial.write { context in
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                argo.home = Harbour("Eidsvik")
                argo.crew.append(Sailor("Ida"))
                let gus = try context.only(Sailor.self, where: #Predicate { $0.name == "Gus" })
                gus.skills.append(Skill("ropes"))
                gus.passport?.sailor = Sailor("Jo")
                let voyage = try context.only(Voyage.self)
                voyage.ship = Ship("Dory")
                voyage.calls.append(Harbour("Faro"))
            }
            trial.close()
            let requests = try trial.requests()
            try requests.expectPermanent(trial, Ship.self)
            try requests.expectPermanent(trial, Sailor.self)
            try requests.expectPermanent(trial, Voyage.self)
            try requests.expectPermanent(trial, Passport.self)
            try requests.expectPermanent(trial, Skill.self)
            try requests.expectPermanent(trial, Harbour.self)
        }
        cases.add("again", "A row is updated again and again; the last value stays") { trial in
            let context = try trial.context()
            let ship = Ship("Argo")
            context.insert(ship)
            for round in 0..<10 {
                ship.tonnage = round
                ship.nickname = round % 2 == 0 ? "round \(round)" : nil
                try context.save()
            }
            try trial.read { context in
                let read = try context.only(Ship.self)
                try trial.equal(read.tonnage, 9, "the tonnage")
                try trial.equal(read.nickname, nil, "the nickname")
            }
        }
        cases.add("longer-shorter", "A text becomes longer and shorter, without leftovers") { trial in
            let context = try trial.context()
            let ship = Ship("Argo")
            let neighbour = Ship("Beagle", nickname: "untouched")
            context.insert(ship)
            context.insert(neighbour)
            for length in [1, 300, 2, 5000, 0, 40] {
                ship.name = String(repeating: "x", count: length)
                try context.save()
                try trial.read { context in
                    let names = try context.all(Ship.self).map(\.name.count).sorted()
                    try trial.equal(names, [length, 6].sorted(), "the lengths of the names")
                    let other = try context.only(Ship.self, where: #Predicate { $0.name == "Beagle" })
                    try trial.equal(other.nickname, "untouched", "the row beside it")
                }
            }
        }
        cases.add("mixed", "One save inserts, updates and deletes rows of one entity") { trial in
            try trial.write { context in for number in 0..<9 { context.insert(Berth(number)) } }
            try trial.write { context in
                for berth in try context.all(Berth.self) {
                    if berth.number % 3 == 0 { context.delete(berth) }
                    if berth.number % 3 == 1 { berth.length = berth.number * 10 }
                }
                for number in 20..<23 { context.insert(Berth(number, length: 1)) }
            }
            try trial.read { context in
                let read = try context.all(Berth.self, by: SortDescriptor(\.number))
                try trial.equal(read.map(\.number), [1, 2, 4, 5, 7, 8, 20, 21, 22], "the numbers")
                try trial.equal(read.map(\.length), [10, nil, 40, nil, 70, nil, 1, 1, 1], "the lengths")
            }
        }
        cases.add("large", "A save of two thousand rows is read back whole") { trial in
            try trial.write { context in
                for number in 0..<2000 { context.insert(Ship("ship \(number)", tonnage: number)) }
            }
            try trial.read { context in
                let read = try context.all(Ship.self, by: SortDescriptor(\.tonnage))
                try trial.equal(read.map(\.tonnage), Array(0..<2000), "the tonnages")
                try trial.expect(read.allSatisfy { $0.name == "ship \($0.tonnage)" }, "each row has its own name")
            }
        }
        cases.add("nothing", "A save without changes reaches no store") { trial in
            try trial.tell()
            let context = try trial.context()
            let ship = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
            let name = ship.name
            ship.name = name
            trial.record.reset()
            try context.save()
            try trial.equal(trial.record.counts.saves, 0, "the number of saves")
        }
        cases.add("once", "A save reaches the store once, with what changed") { trial in
            try trial.tell()
            let context = try trial.context()
            try context.only(Ship.self, where: #Predicate { $0.name == "Argo" }).tonnage = 1
            context.insert(Skill("chess"))
            context.delete(try context.only(Sailor.self, where: #Predicate { $0.name == "Hal" }))
            trial.record.reset()
            try context.save()
            let counts = trial.record.counts
            try trial.equal(
                [counts.saves, counts.inserted, counts.updated, counts.deleted], [1, 1, 1, 1],
                "saves, and rows inserted, updated and deleted")
        }
        cases.add("author", "A save carries its context's editing state") { trial in
            let context = try trial.context()
            context.author = "the kit"
            context.insert(Ship("Argo"))
            try context.save()
            let call = try trial.unwrap(trial.record.calls.last { $0.kind == .save }, "the save")
            try trial.equal(call.editingState?.id, context.editingState.id, "the state's identifier")
            try trial.equal(call.editingState?.author, "the kit", "the author")
        }
    }

    private static func failures(_ cases: inout CaseList) {
        cases.add("fails-before", "A save that the store never got changes nothing, and the next one succeeds") {
            trial in
            let faults = StoreFaults()
            trial.layers = [faults]
            try trial.tell()
            let context = try trial.context()
            let ship = Ship("Dory")
            context.insert(ship)
            try context.only(Ship.self, where: #Predicate { $0.name == "Argo" }).tonnage = 7
            context.delete(try context.only(Sailor.self, where: #Predicate { $0.name == "Hal" }))
            faults.fail(.save)
            try expectFault(trial) { try context.save() }
            try trial.expect(context.hasChanges, "the context still has its changes")
            try trial.expect(ship.persistentModelID.storeIdentifier == nil, "the new model is still unsaved")
            let other = try trial.context()
            try trial.equal(try other.count(Ship.self), 3, "the number of ships that another context sees")
            try context.save()
            try trial.expect(!context.hasChanges, "after the second try it has none")
            try trial.read { context in
                let ships = try context.all(Ship.self, by: SortDescriptor(\.name))
                try trial.equal(ships.map(\.tonnage), [7, 240, 960, 100], "the tonnages")
                try trial.equal(try context.count(Sailor.self), 7, "the number of sailors")
            }
        }
        cases.add("fetch-fails", "A fetch that fails throws the store's own error, and the next one succeeds") {
            trial in
            let faults = StoreFaults()
            trial.layers = [faults]
            try trial.tell()
            let context = try trial.context()
            faults.fail(.fetch)
            try expectFault(trial) { _ = try context.all(Ship.self) }
            try trial.equal(try context.all(Ship.self).count, 3, "the number of ships")
        }
        cases.add("missing-value", "A row that lacks a required link is refused before the store is asked") { trial in
            trial.use(Keel.self, Hull.self)
            let context = try trial.context()
            let keel = Keel("oak")
            let hull = Hull("clinker", keel)
            context.insert(hull)
            try context.save()
            context.delete(keel)
            let error = try trial.fails(
                .modelValidationFailure, .missingRequiredValue, .invalidRelationship,
                when: "deleting what a row requires"
            ) { try context.save() }
            try trial.equal(error.entity, "Hull", "the entity that the error names")
            try trial.equal(error.property, "keel", "the property that the error names")
            try trial.read { context in
                try trial.equal(try context.only(Hull.self).keel.wood, "oak", "the link")
            }
        }
        cases.add("rollback", "After a rollback the models have what the store has") { trial in
            try trial.tell()
            let context = try trial.context()
            let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
            argo.tonnage = 1
            argo.crew = []
            context.insert(Ship("Dory"))
            context.rollback()
            try trial.equal(argo.tonnage, 300, "the tonnage")
            try trial.equal(argo.crew.map(\.name).sorted(), ["Ada", "Bo", "Cem"], "the crew")
            try trial.equal(try context.count(Ship.self), 3, "the number of ships")
            try context.save()
            try trial.read { try trial.equal(try $0.count(Ship.self), 3, "the number of ships stored") }
        }
    }

    static func expectFault(_ trial: ConformanceTrial, line: Int = #line, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch is StoreFaults.Fault {
            return
        }
        throw trial.failure(
            "a call that fails below the context", expected: "the store's error", came: "no error", #fileID, line)
    }
}

@Model final class Keel {
    var wood: String
    @Relationship(inverse: \Hull.keel) var hull: Hull?

    init(_ wood: String) { self.wood = wood }
}

@Model final class Hull {
    var kind: String
    var keel: Keel

    init(_ kind: String, _ keel: Keel) {
        self.kind = kind
        self.keel = keel
    }
}
