import CofferCore
import Foundation

/// Entities: the rows of one never show among those of another.
enum EntityCases {
    static func add(_ cases: inout CaseList) {
        cases.add("apart", "A fetch gives rows of the requested entity only") { trial in
            try trial.tell()
            try trial.read { context in
                try trial.equal(try context.all(Harbour.self).count, 3, "harbours")
                try trial.equal(try context.all(Berth.self).count, 5, "berths")
                try trial.equal(try context.all(Ship.self).count, 3, "ships")
                try trial.equal(try context.all(Sailor.self).count, 8, "sailors")
                try trial.equal(try context.all(Skill.self).count, 3, "skills")
                try trial.equal(try context.all(Passport.self).count, 2, "passports")
                try trial.equal(try context.all(Voyage.self).count, 1, "voyages")
            }
        }
        cases.add("same-values", "Rows of two entities with the same values and keys stay apart") { trial in
            try trial.write { context in
                for name in ["a", "b", "c"] {
                    context.insert(Skill(name))
                    context.insert(Passport(name))
                }
            }
            let context = try trial.context()
            for passport in try context.all(Passport.self) where passport.number == "b" { context.delete(passport) }
            for skill in try context.all(Skill.self) where skill.label == "c" { skill.label = "z" }
            try context.save()
            try trial.read { context in
                try trial.equal(try context.all(Skill.self).map(\.label).sorted(), ["a", "b", "z"], "the skills")
                try trial.equal(try context.all(Passport.self).map(\.number).sorted(), ["a", "c"], "the passports")
            }
        }
        cases.add("empty", "An entity without rows gives none, whatever is asked") { trial in
            try trial.write { $0.insert(Ship("Argo")) }
            try trial.read { context in
                try trial.expect(try context.all(Voyage.self).isEmpty, "no voyage is fetched")
                try trial.equal(try context.count(Voyage.self), 0, "the count")
                let sorted = FetchDescriptor<Voyage>(
                    predicate: #Predicate { $0.day > 3 }, sortBy: [SortDescriptor(\.title)])
                try trial.expect(try context.fetch(sorted).isEmpty, "nor is one with filter and order")
                try trial.expect(try context.fetchIdentifiers(sorted).isEmpty, "there are no identifiers either")
            }
        }
        cases.add("one-save", "One save may touch every entity at once") { trial in
            try trial.tell()
            let context = try trial.context()
            for ship in try context.all(Ship.self) { ship.tonnage += 1 }
            for sailor in try context.all(Sailor.self) { sailor.age += 1 }
            for berth in try context.all(Berth.self) where berth.number == 1 { context.delete(berth) }
            context.insert(Skill("chess"))
            try context.save()
            try trial.read { context in
                try trial.equal(try context.all(Ship.self).map(\.tonnage).sorted(), [241, 301, 961], "the tonnages")
                try trial.equal(
                    try context.all(Sailor.self).map(\.age).sorted(), [20, 20, 28, 34, 34, 42, 53, 65], "the ages")
                try trial.equal(try context.all(Berth.self).map(\.number).sorted(), [2, 2, 3], "the berths")
                try trial.equal(try context.count(Skill.self), 4, "the number of skills")
            }
        }
        cases.add("identifiers", "The identifiers that are fetched are those of the requested entity") { trial in
            try trial.tell()
            try trial.read { context in
                let skills = try context.fetchIdentifiers(FetchDescriptor<Skill>())
                try trial.equal(Set(skills.map(\.entityName)), ["Skill"], "the entities of the identifiers")
                try trial.equal(skills.count, 3, "their number")
            }
        }
    }
}
