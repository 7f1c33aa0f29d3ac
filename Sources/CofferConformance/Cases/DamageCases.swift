import CofferCore
import Foundation

/// Files that are damaged, foreign, or missing: a named error, and nothing is touched.
enum DamageCases {
    static func add(_ cases: inout CaseList) {
        func add(
            _ id: String, _ claim: String, mayBeWhole: Bool = false, _ damage: @escaping @Sendable (Data) -> Data
        ) {
            cases.add(id, claim, needs: [.reopening, .damage]) { trial in
                try trial.tell()
                let before = try ReopeningCases.picture(trial)
                trial.close()
                for file in try trial.subject.files(at: trial.place) {
                    let whole = try Data(contentsOf: file)
                    let damaged = damage(whole)
                    try damaged.write(to: file)
                    // Of some files the end holds nothing.
                    if mayBeWhole, let found = try? ReopeningCases.picture(trial), found == before {
                        trial.close()
                        try whole.write(to: file)
                        continue
                    }
                    trial.close()
                    try failsAsDamaged(trial, when: "opening and reading \(file.lastPathComponent)") {
                        try openAndRead(trial)
                    }
                    trial.close()
                    try trial.expect(try Data(contentsOf: file) == damaged, "the damaged file was not touched")
                    try whole.write(to: file)
                }
                try trial.equal(try ReopeningCases.picture(trial), before, "what is read once the file is whole again")
            }
        }
        add("cut-in-half", "A file that was cut in half is refused") { $0.prefix($0.count / 2) }
        add("cut-short", "A file that lacks its last byte is refused, or has lost nothing", mayBeWhole: true) {
            $0.dropLast()
        }
        add("first-bytes", "A file whose first bytes are others is refused") { data in
            Data(repeating: 0xA5, count: min(16, data.count)) + data.dropFirst(16)
        }
        add("foreign", "A file of something else is refused") { _ in Data("This is a letter, and no store.\n".utf8) }
        add("overwritten", "A file whose inside was overwritten is refused") { data in
            let head = data.count / 8
            return data.prefix(head) + Data(repeating: 0xA5, count: data.count - head)
        }
    }

    /// Checks that a call fails with one of the errors by which a store says that its files are not whole.
    static func failsAsDamaged(_ trial: ConformanceTrial, when subject: String, _ body: () throws -> Void) throws {
        try trial.fails(
            .corruptStore, .newerStoreFormat, .storeFailure, .ioFailure, .unknownSchema, .unknownDataStoreSchema,
            .valueDecoding, when: subject, body)
    }

    /// Reads every entity of the story and every link: a store may keep each in a file of its own.
    static func openAndRead(_ trial: ConformanceTrial) throws {
        let context = try trial.context()
        _ = try context.all(Ship.self).map { "\($0.name) \($0.crew.map(\.name))" }
        _ = try context.all(Sailor.self).map { "\($0.name) \($0.skills.map(\.label)) \($0.passport?.number ?? "-")" }
        _ = try context.all(Harbour.self).map { "\($0.name) \($0.berths.map(\.number))" }
        _ = try context.all(Voyage.self).map { "\($0.title) \($0.ship?.name ?? "-") \($0.calls.map(\.name))" }
        _ = try context.all(Berth.self).map { "\($0.number) \($0.harbour?.name ?? "-")" }
        _ = try context.all(Skill.self).map { "\($0.label) \($0.sailors.map(\.name))" }
        _ = try context.all(Passport.self).map { "\($0.number) \($0.sailor?.name ?? "-")" }
        if let error = context.loadError { throw error }
    }
}
