import CofferCore
import Foundation

/// Places that an older version of the models has left.
enum MigrationCases {
    private typealias Old = FirstFleet
    private typealias New = GrownFleet

    static func add(_ cases: inout CaseList) {
        taking(&cases)
        refusing(&cases)
        renaming(&cases)
        staging(&cases)
    }

    // MARK: What is new

    private static func taking(_ cases: inout CaseList) {
        func add(_ id: String, _ claim: String, _ body: @escaping @Sendable (ConformanceTrial) throws -> Void) {
            cases.add(id, claim, needs: [.reopening, .additions], body)
        }
        add("kept", "Rows, their identifiers and their links stay when models get something new") { trial in
            let old = try leave(trial)
            try open(trial, New.self) { context in
                let barges = try context.all(New.Barge.self, by: SortDescriptor(\.name))
                try trial.equal(barges.map { "\($0.name) \($0.load) \($0.owner ?? "-")" }, old.values, "the values")
                try trial.equal(barges.map(\.persistentModelID), old.identifiers, "the identifiers")
                try trial.equal(
                    barges.map { $0.hands.map(\.name).sorted() }, [["Jo", "Kim"], ["Lee"]], "the hands of each barge")
            }
        }
        add("new-optional", "A new optional property is nil in the rows that are there, and takes values") { trial in
            _ = try leave(trial)
            try open(trial, New.self) { context in
                try trial.expect(try context.all(New.Barge.self).allSatisfy { $0.motto == nil }, "there are no mottos")
                try context.only(New.Barge.self, where: #Predicate { $0.name == "Anna" }).motto = "slowly"
                try context.save()
            }
            try open(trial, New.self) { context in
                let found = try context.all(New.Barge.self, where: #Predicate { $0.motto == "slowly" })
                try trial.equal(found.map(\.name), ["Anna"], "the barges with the motto")
            }
        }
        add("new-default", "A new property with a default value has it in the rows that are there") { trial in
            _ = try leave(trial)
            for _ in 0..<2 {
                try open(trial, New.self) { context in
                    try trial.equal(try context.all(New.Barge.self).map(\.rating), [3, 3], "the ratings")
                    try trial.equal(
                        try context.count(New.Barge.self, where: #Predicate { $0.rating == 3 }), 2,
                        "the number of barges with the rating")
                    let barge = New.Barge("Cora", load: 1)
                    context.insert(barge)
                    barge.rating = 5
                    try context.save()
                    context.delete(barge)
                    try context.save()
                }
            }
        }
        add("new-model", "A new model has no rows, takes some, and old rows can be linked to them") { trial in
            _ = try leave(trial)
            try open(trial, New.self) { context in
                try trial.equal(try context.count(New.Quay.self), 0, "the number of quays")
                let quay = New.Quay("north")
                context.insert(quay)
                for barge in try context.all(New.Barge.self) { barge.quay = quay }
                try context.save()
            }
            try open(trial, New.self) { context in
                let quay = try context.only(New.Quay.self)
                try trial.equal(quay.barges.map(\.name).sorted(), ["Anna", "Bert"], "the barges at the quay")
            }
        }
        add("goes-on", "Keys go on where they were") { trial in
            let old = try leave(trial)
            try open(trial, New.self) { context in
                let barge = New.Barge("Cora", load: 1)
                context.insert(barge)
                try context.save()
                try trial.expect(!old.identifiers.contains(barge.persistentModelID), "the identifier is a new one")
                try trial.equal(try context.count(New.Barge.self), 3, "the number of barges")
            }
        }
    }

    // MARK: What is refused

    private static func refusing(_ cases: inout CaseList) {
        func add(_ id: String, _ claim: String, _ body: @escaping @Sendable (ConformanceTrial) throws -> Void) {
            cases.add(id, claim, needs: [.reopening, .additions]) { trial in
                let old = try leave(trial)
                try body(trial)
                try asItWas(trial, old)
            }
        }
        add("refused", "Values that do not fit are refused by name, and everything is as it was") { trial in
            try refuses(trial, NumberedFleet.self, [.unknownSchema, .migrationFailure])
        }
        add("foreign", "Models that have nothing in common with the place are refused") { trial in
            try refuses(trial, OtherFleet.self, [.unknownSchema])
        }
        cases.add(
            "backward", "Older models are refused where newer ones were", needs: [.reopening, .additions]
        ) { trial in
            _ = try leave(trial)
            // Some stores note the new models with the first save.
            try open(trial, New.self) { context in
                context.insert(New.Quay("north"))
                try context.save()
            }
            try refuses(trial, Old.self, [.backwardMigration, .unknownSchema])
            try open(trial, New.self) { context in
                try trial.equal(try context.count(New.Quay.self), 1, "the number of quays")
                try trial.equal(try context.count(New.Barge.self), 2, "the number of barges")
            }
        }
    }

    // MARK: What changes

    private static func renaming(_ cases: inout CaseList) {
        cases.add(
            "renamed", "Values are found under the new name of their property", needs: [.reopening, .renames]
        ) { trial in
            _ = try leave(trial)
            for _ in 0..<2 {
                try open(trial, RenamedFleet.self) { context in
                    let barges = try context.all(RenamedFleet.Barge.self, by: SortDescriptor(\.name))
                    try trial.equal(barges.map(\.cargo), [10, 20], "the cargoes")
                    try trial.equal(
                        try context.all(RenamedFleet.Barge.self, where: #Predicate { $0.cargo > 10 }).map(\.name),
                        ["Bert"], "the barges with much cargo")
                }
            }
        }
        cases.add(
            "removed", "Rows outlive a property that is gone, with their links", needs: [.reopening, .renames]
        ) { trial in
            let old = try leave(trial)
            try open(trial, RenamedFleet.self) { context in
                for barge in try context.all(RenamedFleet.Barge.self) { barge.cargo += 1 }
                try context.save()
            }
            try open(trial, RenamedFleet.self) { context in
                let barges = try context.all(RenamedFleet.Barge.self, by: SortDescriptor(\.name))
                try trial.equal(barges.map(\.cargo), [11, 21], "the cargoes")
                try trial.equal(barges.map(\.persistentModelID), old.identifiers, "the identifiers")
                try trial.equal(
                    barges.map { $0.hands.map(\.name).sorted() }, [["Jo", "Kim"], ["Lee"]], "the hands of each barge")
            }
        }
        cases.add(
            "converted", "Numbers become those of the new type, and missing values the default one",
            needs: [.reopening, .conversions]
        ) { trial in
            let old = try leave(trial)
            try open(trial, ConvertedFleet.self) { context in
                let barges = try context.all(ConvertedFleet.Barge.self, by: SortDescriptor(\.name))
                try trial.equal(barges.map(\.load), [10, 20], "the loads")
                try trial.equal(barges.map(\.owner), ["Mr Smith", "the town"], "the owners")
                try trial.equal(barges.map(\.persistentModelID), old.identifiers, "the identifiers")
                barges[0].load = 0.5
                try context.save()
            }
            try open(trial, ConvertedFleet.self) { context in
                try trial.equal(
                    try context.count(ConvertedFleet.Barge.self, where: #Predicate { $0.load < 1 }), 1,
                    "the number of barges with less than one")
            }
        }
    }

    // MARK: Plans

    private static func staging(_ cases: inout CaseList) {
        func add(_ id: String, _ claim: String, _ body: @escaping @Sendable (ConformanceTrial) throws -> Void) {
            cases.add(id, claim, needs: [.reopening, .stages], body)
        }
        add("stage", "The code of a stage runs, before and after, and runs once") { trial in
            _ = try leave(trial)
            for _ in 0..<2 {
                try open(trial, New.self, FleetPlan.self) { context in
                    let barges = try context.all(New.Barge.self, by: SortDescriptor(\.name))
                    try trial.equal(barges.map(\.load), [11, 21], "the loads, to which the stage has added one")
                    try trial.equal(barges.map(\.rating), [110, 210], "the ratings, which the stage has made of them")
                }
            }
        }
        add("stage-throws", "What a stage throws comes out as it is, and everything is as it was") { trial in
            let old = try leave(trial)
            do {
                try open(trial, New.self, FailingFleetPlan.self) { _ in }
                throw trial.failure("opening", expected: "the stage's error", came: "no error", #fileID, #line)
            } catch is FailingFleetPlan.Fault {}
            try asItWas(trial, old)
        }
        add("unknown-version", "A place that is none of the plan's versions is refused, and stays as it was") { trial in
            let old = try leave(trial)
            try refuses(trial, ConvertedFleet.self, [.unknownSchema], OtherFleetPlan.self)
            try asItWas(trial, old)
        }
        cases.add(
            "preview", "A look at what would be done changes nothing", needs: [.reopening, .stages, .damage]
        ) { trial in
            let old = try leave(trial)
            trial.close()
            let files = try trial.subject.files(at: trial.place)
            let before = try files.map { try Data(contentsOf: $0) }
            let reports = try ModelContainer.previewMigration(
                for: Schema(versionedSchema: RenamedFleet.self),
                configurations: [try trial.subject.configuration(at: trial.place)])
            try trial.equal(reports.map(\.losesData), [true], "whether the migration would lose data")
            try trial.equal(try files.map { try Data(contentsOf: $0) }, before, "the files")
            try asItWas(trial, old)
        }
    }

    // MARK: Opening

    /// What the first fleet has left.
    private struct Left {
        let values: [String]
        let identifiers: [PersistentIdentifier]
    }

    private static func leave(_ trial: ConformanceTrial) throws -> Left {
        try open(trial, Old.self) { context in
            for (name, load, owner, hands) in [
                ("Anna", 10, "Mr Smith", ["Jo", "Kim"]), ("Bert", 20, nil, ["Lee"]),
            ] as [(String, Int, String?, [String])] {
                let barge = Old.Barge(name, load: load, owner: owner)
                context.insert(barge)
                barge.hands = hands.map { Old.Hand($0) }
            }
            try context.save()
        }
        return try look(trial)
    }

    private static func look(_ trial: ConformanceTrial) throws -> Left {
        try open(trial, Old.self) { context in
            let barges = try context.all(Old.Barge.self, by: SortDescriptor(\.name))
            return Left(
                values: barges.map { "\($0.name) \($0.load) \($0.owner ?? "-")" },
                identifiers: barges.map(\.persistentModelID))
        }
    }

    /// Opens the place with the models of a version, and closes it.
    private static func open<T>(
        _ trial: ConformanceTrial, _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil,
        _ body: (ModelContext) throws -> T
    ) throws -> T {
        trial.close()
        let container = try ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: plan,
            configurations: [try trial.subject.configuration(at: trial.place)])
        return try body(ModelContext(container))
    }

    private static func refuses(
        _ trial: ConformanceTrial, _ version: any VersionedSchema.Type, _ codes: [SwiftDataError.Code],
        _ plan: (any SchemaMigrationPlan.Type)? = nil
    ) throws {
        do {
            try open(trial, version, plan) { _ in }
        } catch let error as SwiftDataError where codes.contains(error.code) {
            return
        } catch {
            throw trial.failure(
                "opening with other models", expected: codes.map(\.rawValue).joined(separator: " or "),
                came: "\(error)", #fileID, #line)
        }
        throw trial.failure(
            "opening with other models", expected: codes.map(\.rawValue).joined(separator: " or "), came: "no error",
            #fileID, #line)
    }

    private static func asItWas(_ trial: ConformanceTrial, _ old: Left) throws {
        let now = try look(trial)
        try trial.equal(now.values, old.values, "the values afterwards")
        try trial.equal(now.identifiers, old.identifiers, "the identifiers afterwards")
    }
}
