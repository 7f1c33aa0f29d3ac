import CofferCore
import Foundation

/// Saves that a crash may have caught: what is found afterwards is a state that some save has left.
enum InterruptionCases {
    static func add(_ cases: inout CaseList) {
        cases.add(
            "copied", "What a save has stored is in the files once the save returns",
            needs: [.reopening, .durable, .damage]
        ) { trial in
            try trial.tell()
            try change(trial)
            let before = try ReopeningCases.picture(trial)
            // As a process leaves the files that is killed now: nothing was closed.
            let container = try trial.container()
            try withCopy(trial) { copy in
                try trial.equal(try ReopeningCases.picture(copy), before, "what a copy of the files holds")
            }
            withExtendedLifetime(container) {}
        }
        cases.add(
            "several", "So it is after each of several saves", needs: [.reopening, .durable, .damage]
        ) { trial in
            for round in 1...6 {
                try trial.write { context in
                    for ship in try context.all(Ship.self) { ship.tonnage += round }
                    context.insert(Ship("ship \(round)", tonnage: 0))
                }
                try withCopy(trial) { copy in
                    try trial.equal(
                        try ReopeningCases.picture(copy), try ReopeningCases.picture(trial),
                        "what a copy of the files holds after save \(round)")
                }
            }
        }
        cases.add(
            "goes-on", "Files that nobody closed can be saved to, and nothing is lost or given out twice",
            needs: [.reopening, .durable, .damage]
        ) { trial in
            try trial.tell()
            let container = try trial.container()
            try withCopy(trial) { copy in
                let known = Set(try copy.context().all(Sailor.self).map(\.persistentModelID))
                try copy.write { context in
                    let sailor = Sailor("Ida")
                    context.insert(sailor)
                    sailor.ship = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                }
                try copy.read { context in
                    let sailors = try context.all(Sailor.self)
                    try trial.equal(sailors.count, 9, "the number of sailors")
                    try trial.expect(
                        known.isSubset(of: sailors.map(\.persistentModelID))
                            && Set(sailors.map(\.persistentModelID)).count == 9,
                        "each sailor has an identifier of its own")
                    let argo = try context.only(Ship.self, where: #Predicate { $0.name == "Argo" })
                    try trial.equal(argo.crew.map(\.name).sorted(), ["Ada", "Bo", "Cem", "Ida"], "the crew")
                }
            }
            withExtendedLifetime(container) {}
        }
        cases.add(
            "torn", "A file that lacks the end of a save is read as before it, as after it, or refused",
            needs: [.reopening, .damage]
        ) { trial in
            try trial.tell()
            let before = try ReopeningCases.picture(trial)
            trial.close()
            let old = try contents(trial)
            try change(trial)
            let after = try ReopeningCases.picture(trial)
            trial.close()
            for (file, whole) in try contents(trial) {
                let shared = zip(whole, old[file] ?? Data()).prefix { $0 == $1 }.count
                let sizes = Set((0..<8).map { shared + (whole.count - shared) * $0 / 8 } + [whole.count - 1])
                for size in sizes.sorted() where size < whole.count {
                    try whole.prefix(size).write(to: file)
                    let what = "\(file.lastPathComponent), cut to \(size) of \(whole.count) bytes"
                    do {
                        let found = try ReopeningCases.picture(trial)
                        try trial.expect(
                            found == before || found == after, "\(what) holds one of the two states",
                            came: "\(found.count) rows of another")
                    } catch let error as ConformanceFailure {
                        throw error
                    } catch {
                        try DamageCases.failsAsDamaged(trial, when: "reading \(what)") { throw error }
                    }
                    trial.close()
                    try whole.write(to: file)
                }
            }
            try trial.equal(try ReopeningCases.picture(trial), after, "what is read once the files are whole again")
        }
    }

    /// One save that inserts, updates and deletes.
    private static func change(_ trial: ConformanceTrial) throws {
        try trial.write { context in
            context.insert(Ship("Dory", tonnage: 7))
            try context.only(Ship.self, where: #Predicate { $0.name == "Argo" }).tonnage = 301
            context.delete(try context.only(Sailor.self, where: #Predicate { $0.name == "Hal" }))
        }
    }

    private static func contents(_ trial: ConformanceTrial) throws -> [URL: Data] {
        var contents: [URL: Data] = [:]
        for file in try trial.subject.files(at: trial.place) { contents[file] = try Data(contentsOf: file) }
        return contents
    }

    /// Runs a block with a trial at a place of its own that has copies of all files.
    private static func withCopy(_ trial: ConformanceTrial, _ body: (ConformanceTrial) throws -> Void) throws {
        let copy = try ConformanceTrial(trial.subject, facilities: trial.facilities)
        defer {
            copy.close()
            try? copy.subject.remove(copy.place)
        }
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: trial.place.folder.path) {
            try files.copyItem(
                at: trial.place.folder.appendingPathComponent(name), to: copy.place.folder.appendingPathComponent(name))
        }
        try body(copy)
    }
}
