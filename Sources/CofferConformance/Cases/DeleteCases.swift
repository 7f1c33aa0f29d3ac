import CofferCore
import Foundation

/// Deletions and their rules.
enum DeleteCases {
    static func add(_ cases: inout CaseList) {
        cases.add("one", "A deleted row is gone, and no other") { trial in
            try trial.tell()
            try trial.write { context in
                context.delete(try context.only(Sailor.self, where: #Predicate { $0.name == "Hal" }))
            }
            try trial.read { context in
                let names = try context.all(Sailor.self).map(\.name).sorted()
                try trial.equal(names, ["Ada", "Bo", "Cem", "Dot", "Eli", "Fay", "Gus"], "the sailors")
            }
        }
        cases.add("many", "Many rows are deleted in one save") { trial in
            try trial.write { context in for number in 0..<200 { context.insert(Berth(number)) } }
            try trial.write { context in
                for berth in try context.all(Berth.self) where berth.number % 3 != 0 { context.delete(berth) }
            }
            try trial.read { context in
                try trial.equal(
                    try context.all(Berth.self).map(\.number).sorted(), (0..<200).filter { $0 % 3 == 0 }, "what is left"
                )
            }
        }
        cases.add("nullify", "The rule nullify clears the links of what is left") { trial in
            try trial.tell()
            try trial.write { context in
                context.delete(try context.only(Ship.self, where: #Predicate { $0.name == "Argo" }))
            }
            try trial.read { context in
                try trial.equal(try context.count(Sailor.self), 8, "the number of sailors")
                let ada = try context.only(Sailor.self, where: #Predicate { $0.name == "Ada" })
                try trial.expect(ada.ship == nil, "the sailor has no ship")
                let free = try context.count(Sailor.self, where: #Predicate { $0.ship == nil })
                try trial.equal(free, 5, "the number of sailors without a ship, as the store counts them")
            }
        }
        cases.add("cascade", "The rule cascade deletes what belongs to the row") { trial in
            try trial.tell()
            try trial.write { context in
                context.delete(try context.only(Sailor.self, where: #Predicate { $0.name == "Ada" }))
            }
            try trial.read { context in
                try trial.equal(try context.all(Passport.self).map(\.number), ["P-2"], "the passports")
                try trial.equal(try context.count(Sailor.self), 7, "the number of sailors")
            }
        }
        cases.add("cascade-list", "The rule cascade deletes whole lists") { trial in
            try trial.tell()
            try trial.write { context in
                for ship in try context.all(Ship.self, where: #Predicate { $0.name == "Cutty" }) {
                    context.delete(ship)
                }
                context.delete(try context.only(Harbour.self, where: #Predicate { $0.name == "Cadiz" }))
            }
            try trial.read { context in
                let berths = try context.all(Berth.self)
                try trial.equal(berths.count, 3, "the number of berths")
                try trial.expect(berths.allSatisfy { $0.harbour?.name == "Brest" }, "they are those of Brest")
            }
        }
        cases.add("deny", "The rule deny refuses, and leaves everything as it was") { trial in
            try trial.tell()
            let context = try trial.context()
            context.delete(try context.only(Harbour.self, where: #Predicate { $0.name == "Brest" }))
            context.insert(Skill("chess"))
            let error = try trial.fails(.deleteDenied, when: "deleting a harbour with ships") { try context.save() }
            try trial.equal(error.entity, "Harbour", "the entity that the error names")
            try trial.equal(error.property, "fleet", "the property that the error names")
            try trial.read { context in
                try trial.equal(try context.count(Harbour.self), 3, "the number of harbours")
                try trial.equal(try context.count(Berth.self), 5, "the number of berths")
                try trial.equal(try context.count(Skill.self), 3, "the number of skills")
            }
        }
        cases.add("pairs", "Deleting one side of pairs takes it out of the other side's lists") { trial in
            try trial.tell()
            try trial.write { context in
                context.delete(try context.only(Skill.self, where: #Predicate { $0.label == "stars" }))
            }
            try trial.read { context in
                let ada = try context.only(Sailor.self, where: #Predicate { $0.name == "Ada" })
                try trial.equal(ada.skills.map(\.label), ["knots"], "the skills that are left")
                let eli = try context.only(Sailor.self, where: #Predicate { $0.name == "Eli" })
                try trial.expect(eli.skills.isEmpty, "Eli has none left")
            }
        }
        cases.add("one-way", "Deleting a row clears links that it knows nothing of") { trial in
            try trial.tell()
            try trial.write { context in
                context.delete(try context.only(Ship.self, where: #Predicate { $0.name == "Argo" }))
                context.delete(try context.only(Harbour.self, where: #Predicate { $0.name == "Dover" }))
            }
            try trial.read { context in
                let voyage = try context.only(Voyage.self)
                try trial.expect(voyage.ship == nil, "the one-way link is cleared")
                try trial.equal(voyage.calls.map(\.name).sorted(), ["Brest", "Cadiz"], "the one-way list")
            }
        }
        cases.add("self", "Deleting a row clears the links of its own entity") { trial in
            try trial.tell()
            try trial.write { context in
                context.delete(try context.only(Sailor.self, where: #Predicate { $0.name == "Ada" }))
            }
            try trial.read { context in
                let bo = try context.only(Sailor.self, where: #Predicate { $0.name == "Bo" })
                try trial.expect(bo.mentor == nil, "the pupil has no mentor")
            }
        }
        cases.add("unsaved", "A row that is inserted and deleted before a save never comes into being") { trial in
            let context = try trial.context()
            let ship = Ship("Flying Dutchman")
            context.insert(ship)
            context.delete(ship)
            context.insert(Ship("Argo"))
            try context.save()
            try trial.read { context in
                try trial.equal(try context.all(Ship.self).map(\.name), ["Argo"], "the ships")
            }
        }
        cases.add("with-insertion", "One save deletes some rows and inserts others") { trial in
            try trial.tell()
            try trial.write { context in
                for skill in try context.all(Skill.self) { context.delete(skill) }
                for label in ["chess", "cards"] { context.insert(Skill(label)) }
            }
            try trial.read { context in
                try trial.equal(try context.all(Skill.self).map(\.label).sorted(), ["cards", "chess"], "the skills")
            }
        }
        cases.add("by-predicate", "A deletion by predicate deletes what the predicate matches, rules included") {
            trial in
            try trial.tell()
            let context = try trial.context()
            try context.delete(model: Sailor.self, where: #Predicate { $0.age > 40 })
            try context.save()
            try trial.read { context in
                let names = try context.all(Sailor.self).map(\.name).sorted()
                try trial.equal(names, ["Bo", "Cem", "Dot", "Fay", "Hal"], "the sailors that are left")
                try trial.equal(try context.count(Passport.self), 0, "the number of passports")
                let pupils = try context.count(Sailor.self, where: #Predicate { $0.mentor != nil })
                try trial.equal(pupils, 0, "the number of sailors with a mentor")
            }
        }
        cases.add("everything", "All rows of an entity are deleted, those of others stay") { trial in
            try trial.tell()
            let context = try trial.context()
            try context.delete(model: Sailor.self)
            try context.save()
            try trial.read { context in
                try trial.equal(try context.count(Sailor.self), 0, "the number of sailors")
                try trial.equal(try context.count(Ship.self), 3, "the number of ships")
                try trial.expect(try context.all(Ship.self).allSatisfy { $0.crew.isEmpty }, "the crews are empty")
            }
        }
        cases.add("twice", "A row that another context has deleted may be deleted again") { trial in
            try trial.write { $0.insert(Ship("Argo")) }
            let (first, second) = (try trial.context(), try trial.context())
            first.delete(try first.only(Ship.self))
            second.delete(try second.only(Ship.self))
            try first.save()
            try second.save()
            try trial.read { try trial.equal(try $0.count(Ship.self), 0, "the number of ships") }
        }
    }
}
