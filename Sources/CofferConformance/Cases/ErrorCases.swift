import CofferCore
import Foundation

/// What fails, fails with an error that says what and where.
enum ErrorCases {
    static func add(_ cases: inout CaseList) {
        cases.add("unknown-model", "A fetch of a model that the schema lacks is refused by name") { trial in
            let context = try trial.context()
            let error = try trial.fails(.unknownModelType, when: "fetching a model of another schema") {
                _ = try context.all(Cargo.self)
            }
            try trial.equal(error.entity, "Cargo", "the entity that the error names")
        }
        cases.add("unsupported-predicate", "A predicate that cannot be evaluated is refused, by name or by result") {
            trial in
            try trial.tell()
            let context = try trial.context()
            // Computed values are no stored properties; a store may still evaluate them over the models.
            do {
                let found = try context.all(Ship.self, where: #Predicate { $0.loud == "ARGO" })
                try trial.equal(found.map(\.name), ["Argo"], "the ships found by a computed value")
            } catch SwiftDataError.unsupportedPredicate {
                // So it says.
            }
        }
        cases.add("context-survives", "After an error the context fetches and saves as before") { trial in
            let faults = StoreFaults()
            trial.layers = [faults]
            try trial.tell()
            let context = try trial.context()
            for kind in [StoreCall.Kind.fetch, .count, .identifiers, .save] {
                faults.fail(kind)
                context.insert(Skill("\(kind)"))
                _ = try? context.all(Sailor.self, where: #Predicate { $0.age > 30 })
                _ = try? context.count(Sailor.self)
                _ = try? context.fetchIdentifiers(FetchDescriptor<Sailor>())
                try? context.save()
            }
            try context.save()
            // A context may count by fetching.
            try trial.expect(faults.count >= 2, "a fetch and a save have failed", came: "\(faults.count) calls")
            try trial.read { try trial.equal(try $0.count(Skill.self), 7, "the number of skills") }
        }
        cases.add("no-values", "An error's text holds no values of the user's", needs: [.uniqueness]) { trial in
            trial.use(Flag.self, Pennant.self)
            try trial.write { context in
                context.insert(Flag("s3cret-one", 1))
                context.insert(Flag("s3cret-two", 2))
            }
            let context = try trial.context()
            try context.only(Flag.self, where: #Predicate { $0.points == 2 }).code = "s3cret-one"
            let error = try trial.fails(.uniquenessConflict, when: "taking another row's value") { try context.save() }
            try trial.expect(
                !error.description.contains("s3cret"), "the text is free of values", came: error.description)
        }
        cases.add("names-the-store", "A store's error names the store", needs: [.uniqueness]) { trial in
            trial.use(Flag.self, Pennant.self)
            try trial.write { context in
                context.insert(Flag("one", 1))
                context.insert(Flag("two", 2))
            }
            let context = try trial.context()
            try context.only(Flag.self, where: #Predicate { $0.points == 2 }).code = "one"
            let error = try trial.fails(.uniquenessConflict, when: "taking another row's value") { try context.save() }
            let name = try trial.subject.configuration(at: trial.place).name
            try trial.equal(error.store, name, "the store that the error names")
            try trial.equal(error.operation, .save, "the operation that the error names")
        }
    }
}

extension Ship {
    /// Not stored.
    var loud: String { name.uppercased() }
}
