import CofferCore
import Foundation

/// Identifiers: given once, complete, and stable.
enum IdentityCases {
    static func add(_ cases: inout CaseList) {
        cases.add("permanent", "A saved model has a permanent identifier with store and entity") { trial in
            // A model that is held keeps its store open.
            func save() throws -> PersistentIdentifier {
                let ship = Ship("Argo")
                let temporary = ship.persistentModelID
                try trial.write { $0.insert(ship) }
                try trial.expect(
                    temporary.storeIdentifier == nil, "an identifier before the first save names no store")
                try trial.expect(ship.persistentModelID.storeIdentifier != nil, "after the save it names the store")
                try trial.equal(ship.persistentModelID.entityName, "Ship", "the entity of the identifier")
                try trial.expect(ship.persistentModelID != temporary, "the permanent identifier is another")
                return ship.persistentModelID
            }
            let identifier = try save()
            try trial.read { context in
                try trial.equal(try context.only(Ship.self).persistentModelID, identifier, "the identifier read back")
            }
        }
        cases.add("distinct", "The rows of one save have identifiers of their own, each its own values") { trial in
            var names: [PersistentIdentifier: String] = [:]
            let context = try trial.context()
            let ships = (0..<300).map { Ship("ship \($0)", tonnage: $0) }
            ships.forEach(context.insert)
            try context.save()
            for ship in ships { names[ship.persistentModelID] = ship.name }
            try trial.equal(names.count, 300, "the number of identifiers")
            try trial.read { context in
                let read = try context.all(Ship.self)
                try trial.equal(
                    Dictionary(uniqueKeysWithValues: Set(read).map { ($0.persistentModelID, $0.name) }), names,
                    "names by identifier")
            }
        }
        cases.add("stable", "An update keeps the identifier") { trial in
            let context = try trial.context()
            let ship = Ship("Argo")
            context.insert(ship)
            try context.save()
            let identifier = ship.persistentModelID
            for name in ["Beagle", "Cutty"] {
                ship.name = name
                try context.save()
            }
            try trial.equal(ship.persistentModelID, identifier, "the identifier in memory")
            try trial.read { context in
                let read = try context.only(Ship.self)
                try trial.equal(read.persistentModelID, identifier, "the identifier read back")
                try trial.equal(read.name, "Cutty", "the name")
            }
        }
        cases.add("one-object", "A context has one object for each row, however it is reached") { trial in
            try trial.tell()
            try trial.read { context in
                let all = try context.all(Ship.self)
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                try trial.expect(all.contains { $0 === argo }, "two fetches give the same object")
                let sailor = try context.only(Sailor.self, where: #Predicate { $0.name == "Ada" })
                try trial.expect(sailor.ship === argo, "a link leads to the same object")
                let model = context.model(for: argo.persistentModelID)
                try trial.expect(model === argo, "so does the identifier")
            }
        }
        cases.add("links-follow", "Links between new rows lead to the rows' permanent identifiers") { trial in
            try trial.tell()
            try trial.read { context in
                let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                let ada = try context.only(Sailor.self, where: #Predicate { $0.name == "Ada" })
                try trial.equal(ada.ship?.persistentModelID, argo.persistentModelID, "the identifier behind the link")
                try trial.expect(ada.ship?.persistentModelID.storeIdentifier != nil, "it is permanent")
            }
        }
        cases.add("cycle-of-two", "Two new rows may refer to each other") { trial in
            try trial.write { context in
                let ada = Sailor("Ada")
                let passport = Passport("P-1")
                context.insert(ada)
                ada.passport = passport
            }
            try trial.read { context in
                let ada = try context.only(Sailor.self)
                try trial.equal(ada.passport?.number, "P-1", "the passport of the sailor")
                try trial.expect(ada.passport?.sailor === ada, "the sailor of the passport")
            }
        }
        cases.add("cycle-of-three", "Three new rows of one entity may refer to each other in a circle") { trial in
            try trial.write { context in
                let sailors = ["a", "b", "c"].map { Sailor($0) }
                sailors.forEach(context.insert)
                for index in 0..<3 { sailors[index].mentor = sailors[(index + 1) % 3] }
            }
            try trial.read { context in
                let read = try context.all(Sailor.self, by: SortDescriptor(\.name))
                try trial.equal(read.map { $0.mentor?.name }, ["b", "c", "a"], "the mentors of a, b and c")
                try trial.equal(read.map { $0.pupils.map(\.name) }, [["c"], ["a"], ["b"]], "their pupils")
            }
        }
        cases.add("self-link", "A new row may refer to itself") { trial in
            try trial.write { context in
                let sailor = Sailor("Narcissus")
                context.insert(sailor)
                sailor.mentor = sailor
            }
            try trial.read { context in
                let sailor = try context.only(Sailor.self)
                try trial.expect(sailor.mentor === sailor, "the link leads to the row itself")
                try trial.equal(sailor.pupils.count, 1, "the number of pupils")
            }
        }
        cases.add("not-reused", "The identifier of a deleted row is never given to another") { trial in
            let context = try trial.context()
            var seen: Set<PersistentIdentifier> = []
            for round in 0..<5 {
                let ship = Ship("ship \(round)")
                context.insert(ship)
                try context.save()
                try trial.expect(
                    seen.insert(ship.persistentModelID).inserted, "the identifier is new in round \(round)")
                context.delete(ship)
                try context.save()
            }
        }
        cases.add(
            "not-reused-later", "Nor is it after the store was closed and opened again", needs: [.reopening]
        ) { trial in
            var seen: Set<PersistentIdentifier> = []
            for round in 0..<3 {
                let identifier = try insertAndDelete(trial)
                try trial.expect(seen.insert(identifier).inserted, "the identifier is new in round \(round)")
                trial.close()
            }
        }
        cases.add("coded", "An identifier that was encoded and decoded finds its model") { trial in
            try trial.tell()
            let coded = try trial.context().all(Ship.self).map { try JSONEncoder().encode($0.persistentModelID) }
            try trial.read { context in
                for data in coded {
                    let identifier = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
                    let found = try context.all(Ship.self, where: #Predicate { $0.persistentModelID == identifier })
                    try trial.equal(found.map(\.persistentModelID), [identifier], "the models of a decoded identifier")
                }
            }
        }
        cases.add("unknown", "An identifier without a row finds nothing, and hurts nothing") { trial in
            let context = try trial.context()
            let ship = Ship("Argo")
            context.insert(ship)
            try context.save()
            let identifier = ship.persistentModelID
            context.delete(ship)
            try context.save()
            try trial.read { context in
                let found = try context.all(Ship.self, where: #Predicate { $0.persistentModelID == identifier })
                try trial.expect(found.isEmpty, "no model is found")
                let model = context.model(for: identifier) as? Ship
                _ = model?.name
                try trial.expect(model?.modelContext == nil, "the model of the identifier has no context")
            }
        }
        cases.add("store", "All identifiers carry the store's own identifier, the same at each opening") { trial in
            try trial.tell()
            var identifiers: Set<String?> = []
            try trial.read { context in
                for model in try context.all(Ship.self) { identifiers.insert(model.persistentModelID.storeIdentifier) }
                for model in try context.all(Sailor.self) {
                    identifiers.insert(model.persistentModelID.storeIdentifier)
                }
            }
            try trial.equal(identifiers.count, 1, "the number of store identifiers")
        }
        cases.add("places", "Stores at two places have different identifiers") { trial in
            let other = try ConformancePlace()
            defer { try? trial.subject.remove(other) }
            let first = try trial.store().identifier
            let second = try StoreOpening.open(trial.subject.configuration(at: other), schema: trial.schema).identifier
            try trial.expect(first != second, "the identifiers differ")
        }
    }

    private static func insertAndDelete(_ trial: ConformanceTrial) throws -> PersistentIdentifier {
        let context = try trial.context()
        let ship = Ship("Argo")
        context.insert(ship)
        try context.save()
        let identifier = ship.persistentModelID
        context.delete(ship)
        try context.save()
        return identifier
    }
}
