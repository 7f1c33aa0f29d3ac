import CofferCore
import Foundation

/// Relationships of every shape, changed from either side.
enum LinkCases {
    static func add(_ cases: inout CaseList) {
        toOne(&cases)
        toMany(&cases)
    }

    private static func toOne(_ cases: inout CaseList) {
        cases.add("one-to-one", "A link between one and one is seen from both sides") { trial in
            try trial.tell()
            try trial.read { context in
                let ada = try context.only(Sailor.self, where: #Predicate { $0.name == "Ada" })
                let passport = try context.only(Passport.self, where: #Predicate { $0.number == "P-1" })
                try trial.expect(ada.passport === passport, "the passport of the sailor")
                try trial.expect(passport.sailor === ada, "the sailor of the passport")
            }
        }
        cases.add("one-to-one-moves", "A row that is linked one to one moves from one owner to another") { trial in
            try trial.tell()
            let context = try trial.context()
            let bo = try context.only(Sailor.self, where: #Predicate { $0.name == "Bo" })
            bo.passport = try context.only(Passport.self, where: #Predicate { $0.number == "P-1" })
            try context.save()
            try trial.read { context in
                let passport = try context.only(Passport.self, where: #Predicate { $0.number == "P-1" })
                try trial.equal(passport.sailor?.name, "Bo", "the owner of the passport")
                let ada = try context.only(Sailor.self, where: #Predicate { $0.name == "Ada" })
                try trial.expect(ada.passport == nil, "its former owner has none")
                try trial.equal(try context.count(Passport.self), 2, "the number of passports")
            }
        }
        cases.add("one-way", "A link without an inverse is kept, changed and cleared") { trial in
            try trial.tell()
            try trial.read { context in
                try trial.equal(try context.only(Voyage.self).ship?.name, "Argo", "the ship")
            }
            let context = try trial.context()
            try context.only(Voyage.self).ship = try context.only(Ship.self, where: #Predicate { $0.name == "Cutty" })
            try context.save()
            try trial.read { context in
                try trial.equal(try context.only(Voyage.self).ship?.name, "Cutty", "the ship after the change")
            }
            try trial.write { try $0.only(Voyage.self).ship = nil }
            try trial.read { context in
                try trial.expect(try context.only(Voyage.self).ship == nil, "the link is cleared")
            }
        }
        cases.add("clear", "A link that is set to nil is gone from both sides") { trial in
            try trial.tell()
            try trial.write { try $0.only(Sailor.self, where: #Predicate { $0.name == "Bo" }).ship = nil }
            try trial.read { context in
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                try trial.equal(argo.crew.map(\.name).sorted(), ["Ada", "Cem"], "the crew")
                let bo = try context.only(Sailor.self, where: #Predicate { $0.name == "Bo" })
                try trial.expect(bo.ship == nil, "the sailor has no ship")
            }
        }
        cases.add("unchanged", "Saving another property leaves a row's links as they are") { trial in
            try trial.tell()
            try trial.write { context in
                for sailor in try context.all(Sailor.self) { sailor.age += 1 }
                for ship in try context.all(Ship.self) { ship.tonnage += 1 }
            }
            try trial.read { context in
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                try trial.equal(argo.crew.map(\.name).sorted(), ["Ada", "Bo", "Cem"], "the crew")
                let ada = try context.only(Sailor.self, where: #Predicate { $0.name == "Ada" })
                try trial.equal(ada.skills.map(\.label).sorted(), ["knots", "stars"], "the skills")
                try trial.equal(ada.passport?.number, "P-1", "the passport")
                try trial.equal(ada.pupils.map(\.name).sorted(), ["Bo", "Cem"], "the pupils")
            }
        }
    }

    private static func toMany(_ cases: inout CaseList) {
        cases.add("one-to-many", "A link set on the many side is seen on the one side") { trial in
            try trial.tell()
            try trial.read { context in
                let crews = try context.all(Ship.self, by: SortDescriptor(\.name)).map { $0.crew.map(\.name).sorted() }
                try trial.equal(crews, [["Ada", "Bo", "Cem"], ["Dot", "Eli"], ["Fay"]], "the crews")
            }
        }
        cases.add("one-to-many-list", "A list set on the one side is seen on the many side") { trial in
            try trial.tell()
            try trial.read { context in
                let berths = try context.all(Berth.self)
                let names = berths.map { "\($0.harbour?.name ?? "none") \($0.number)" }.sorted()
                try trial.equal(names, ["Brest 1", "Brest 2", "Brest 3", "Cadiz 1", "Cadiz 2"], "berths by harbour")
            }
        }
        cases.add("one-to-many-moves", "A row moves from one list to another") { trial in
            try trial.tell()
            let context = try trial.context()
            let cutty = try context.only(Ship.self, where: #Predicate { $0.name == "Cutty" })
            cutty.crew.append(try context.only(Sailor.self, where: #Predicate { $0.name == "Bo" }))
            try context.only(Sailor.self, where: #Predicate { $0.name == "Dot" }).ship = cutty
            try context.save()
            try trial.read { context in
                let crews = try context.all(Ship.self, by: SortDescriptor(\.name)).map { $0.crew.map(\.name).sorted() }
                try trial.equal(crews, [["Ada", "Cem"], ["Eli"], ["Bo", "Dot", "Fay"]], "the crews")
            }
        }
        cases.add("one-to-many-removed", "A row taken out of a list loses its link") { trial in
            try trial.tell()
            try trial.write { context in
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                argo.crew.removeAll { $0.name != "Cem" }
            }
            try trial.read { context in
                let free = try context.all(Sailor.self, where: #Predicate { $0.ship == nil }).map(\.name).sorted()
                try trial.equal(free, ["Ada", "Bo", "Gus", "Hal"], "sailors without a ship")
            }
        }
        cases.add("many-to-many", "Pairs are seen from both sides") { trial in
            try trial.tell()
            try trial.read { context in
                let skills = try context.all(Skill.self, by: SortDescriptor(\.label))
                try trial.equal(
                    skills.map { $0.sailors.map(\.name).sorted() }, [["Ada"], ["Ada", "Eli"], ["Dot"]],
                    "who has knots, stars and stew")
            }
        }
        cases.add("many-to-many-changes", "Pairs are added and removed from either side") { trial in
            try trial.tell()
            try trial.write { context in
                let stars = try context.only(Skill.self, where: #Predicate { $0.label == "stars" })
                stars.sailors.append(try context.only(Sailor.self, where: #Predicate { $0.name == "Hal" }))
                let ada = try context.only(Sailor.self, where: #Predicate { $0.name == "Ada" })
                ada.skills.removeAll { $0.label == "knots" }
            }
            try trial.read { context in
                let skills = try context.all(Skill.self, by: SortDescriptor(\.label))
                try trial.equal(
                    skills.map { $0.sailors.map(\.name).sorted() }, [[], ["Ada", "Eli", "Hal"], ["Dot"]],
                    "who has knots, stars and stew")
                let hal = try context.only(Sailor.self, where: #Predicate { $0.name == "Hal" })
                try trial.equal(hal.skills.map(\.label), ["stars"], "the skills of Hal")
            }
        }
        cases.add("one-way-list", "A list without an inverse may hold rows that others hold, too") { trial in
            try trial.tell()
            try trial.write { context in
                let voyage = Voyage("There and back", day: 3)
                context.insert(voyage)
                voyage.calls = try context.all(Harbour.self, by: SortDescriptor(\.name))
            }
            try trial.read { context in
                let voyages = try context.all(Voyage.self, by: SortDescriptor(\.day))
                try trial.equal(
                    voyages.map { $0.calls.map(\.name).sorted() },
                    [["Brest", "Cadiz", "Dover"], ["Brest", "Cadiz", "Dover"]], "the ports of call")
            }
        }
        cases.add("tree", "A relationship of an entity with itself keeps its two sides apart") { trial in
            try trial.tell()
            try trial.read { context in
                let sailors = try context.all(Sailor.self, by: SortDescriptor(\.name))
                try trial.equal(
                    sailors.map { $0.mentor?.name ?? "-" }, ["-", "Ada", "Ada", "-", "-", "Eli", "-", "-"], "mentors")
                try trial.equal(
                    sailors.map { $0.pupils.count }, [2, 0, 0, 0, 1, 0, 0, 0], "the numbers of pupils")
            }
        }
        cases.add("empty-list", "A list that is emptied is empty, and its rows remain") { trial in
            try trial.tell()
            try trial.write { context in
                try context.only(Voyage.self).calls = []
                try context.only(Ship.self, where: #Predicate { $0.name == "Argo" }).crew = []
            }
            try trial.read { context in
                try trial.expect(try context.only(Voyage.self).calls.isEmpty, "the one-way list is empty")
                try trial.equal(try context.count(Harbour.self), 3, "the number of harbours")
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                try trial.expect(argo.crew.isEmpty, "the crew is empty")
                try trial.equal(try context.count(Sailor.self), 8, "the number of sailors")
            }
        }
        cases.add("long-list", "A list of five hundred rows is read whole") { trial in
            try trial.write { context in
                let harbour = Harbour("Long Quay")
                context.insert(harbour)
                harbour.berths = (0..<500).map { Berth($0) }
            }
            try trial.read { context in
                let harbour = try context.only(Harbour.self)
                try trial.equal(harbour.berths.map(\.number).sorted(), Array(0..<500), "the berths' numbers")
            }
        }
        cases.add("prefetched", "Relationships that are fetched along hold what they hold otherwise") { trial in
            try trial.tell()
            try trial.read { context in
                var descriptor = FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.name)])
                descriptor.relationshipKeyPathsForPrefetching = [\.crew, \.home]
                let ships = try context.fetch(descriptor)
                try trial.equal(
                    ships.map { $0.crew.map(\.name).sorted() }, [["Ada", "Bo", "Cem"], ["Dot", "Eli"], ["Fay"]], "crews"
                )
                try trial.equal(ships.map { $0.home?.name }, ["Brest", "Brest", "Cadiz"], "homes")
            }
        }
    }
}
