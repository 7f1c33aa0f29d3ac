import Foundation
import Testing

@testable import CofferCommand

@Suite struct InspectCommandTests {
    @Test(arguments: SampleStore.allCases)
    func aStoreIsDescribedWithoutItsModels(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            let before = try contents(of: folder)
            let run = coffer("inspect", "--json", path)
            #expect(run.code == 0, "\(run.errors)")
            let json = try run.json()
            #expect(json["kind"]?.text == kind.rawValue)
            #expect(json["format"]?.integer == 1)
            #expect(json["schemaVersion"]?.text == "1.0.0")
            #expect(try #require(json["size"]?.integer) > 40_000)
            guard case .array(let entities)? = json["entities"] else { throw MissingJSON("no entities") }
            #expect(entities.map { $0["name"]?.text } == ["Guide", "Halt", "Sailer", "Vessel", "Voyage"])
            #expect(entities.map { $0["rows"]?.integer } == [2, 3, 1, 1, 3])
            #expect(entities[2]["superentity"]?.text == "Vessel")
            let voyage = entities[4]
            #expect(
                voyage["indexes"]
                    == .array([
                        .object(["kind": .string("unique"), "properties": .array([.string("name")])]),
                        .object(["kind": .string("index"), "properties": .array([.string("start")])]),
                        .object([
                            "kind": .string("index"), "properties": .array([.string("rating"), .string("name")]),
                        ]),
                    ]))
            guard case .array(let properties)? = voyage["properties"] else { throw MissingJSON("no properties") }
            let storage = Dictionary(
                uniqueKeysWithValues: properties.map { ($0["name"]?.text ?? "", $0["storage"]?.text ?? "") })
            #expect(storage["start"] == "date")
            #expect(storage["berth"] == "JSON")
            #expect(storage["weather"] == "text")
            #expect(storage["halts"] == "list")
            #expect(storage["vessel"] == "link")
            #expect(try contents(of: folder) == before)
        }
    }

    @Test(arguments: SampleStore.allCases)
    func theTextHasEntitiesPropertiesAndIndexes(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let run = coffer("inspect", try kind.make(in: folder))
            #expect(run.code == 0)
            #expect(run.output.contains("\nVoyage  3 rows\n"))
            #expect(run.output.contains("\nSailer: Vessel  1 row\n"))
            #expect(run.output.contains(/\n  halts +\[Halt\] +inverse voyage, cascade\n/))
            #expect(run.output.contains("  unique [name]\n"))
            #expect(run.output.contains("contents        5 entities, 10 rows\n"))
            #expect(!run.output.contains("Zermatt"))
        }
    }

    @Test(arguments: SampleStore.allCases)
    func anEmptyStoreHasEntitiesAndNoRows(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder, of: [Halt.self]) { _ in }
            #expect(coffer("inspect", path).output.contains("contents        4 entities, 0 rows\n"))
            #expect(coffer("query", path, "Halt", "--json").output == "[]\n")
            #expect(coffer("query", path, "Halt").output == "  id  city  nights  voyage\n")
            #expect(coffer("check", path).code == 0)
            #expect(coffer("dump", path).lines.count == 4)
        }
    }

    @Test func chosenEntitiesAreShownAlone() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            let run = coffer("inspect", path, "-e", "Guide", "-e", "Halt")
            #expect(run.output.hasPrefix("\nGuide  2 rows\n"))
            #expect(!run.output.contains("Voyage  3 rows"))
            expectFailure(coffer("inspect", path, "-e", "Nobody"), "there is no entity 'Nobody'; the store has Guide,")
        }
    }

    @Test func aStoreInUseIsInspectedBesideItsProgram() throws {
        try withTemporaryFolder { folder in
            for kind in SampleStore.allCases {
                try kind.make(in: folder, named: "open") { context in
                    context.insert(Halt("Bern", nights: 1))
                    try context.save()
                    let run = coffer("query", kind.path(folder, "open"), "Halt", "--count")
                    #expect(run.output == "1\n", "\(kind): \(run.errors)")
                }
            }
        }
    }
}

@Suite struct ForeignFileTests {
    /// Every command that opens a store, with the words behind its place.
    static let commands: [[String]] = [
        ["inspect"], ["query", "Trip"], ["check"], ["dump"], ["diff"], ["browse"], ["salvage"], ["convert"],
        ["migrate"],
    ]

    private func run(_ command: [String], _ path: String, _ folder: String) -> CommandRun {
        switch command[0] {
        case "query": coffer("query", path, "Trip")
        case "diff": coffer("diff", path, path)
        case "salvage": coffer("salvage", path, folder + "/new.sqlite")
        case "convert": coffer("convert", path, folder + "/new.sqlite")
        case "migrate": coffer("migrate", "--dry-run", "--to-schema", path, path)
        default: coffer(command[0], path)
        }
    }

    @Test(arguments: commands)
    func whatIsNoStoreIsNamedAndLeftAlone(_ command: [String]) throws {
        try withTemporaryFolder { folder in
            let files: [(name: String, text: String)] = [
                ("note.txt", "just a text\n"), ("empty", ""), ("other.json", "{\"a\": 1}"),
                ("half.json", "{\"coffer ar"),
            ]
            for file in files {
                try file.text.write(toFile: "\(folder)/\(file.name)", atomically: false, encoding: .utf8)
            }
            try FileManager.default.createDirectory(
                atPath: folder + "/folder", withIntermediateDirectories: false)
            _ = try output(
                of: "sqlite3", folder + "/other.sqlite", "create table Trip (a); insert into Trip values (1)")
            let before = try contents(of: folder)
            for name in files.map(\.name) + ["folder", "missing", "other.sqlite"] {
                let run = run(command, "\(folder)/\(name)", folder)
                if command[0] == "check", !run.output.isEmpty {
                    // Of what looks like a store the damage is the answer.
                    #expect(run.code == 1)
                    #expect(run.output.contains("1 problem in 0 entities"))
                } else {
                    expectFailure(run, "coffer \(command[0]): ")
                    #expect(run.errors.contains(name))
                }
            }
            #expect(try contents(of: folder) == before)
        }
    }

    @Test func hostileNamesOfFilesAreShownAsTheyAre() throws {
        try withTemporaryFolder { folder in
            let name = "a 'b' \"c\"; drop\u{1b}[2J?x=1#%20\u{e9}"
            for kind in SampleStore.allCases {
                let path = try kind.make(in: folder, named: name)
                #expect(coffer("check", path).code == 0, "\(coffer("check", path))")
                #expect(!coffer("inspect", path).output.contains("\u{1b}"))
                #expect(coffer("query", path, "Halt", "--count").output == "3\n")
                #expect(coffer("convert", "-k", kind.rawValue, path, folder + "/" + name + kind.rawValue).code == 0)
            }
            let run = coffer("inspect", folder + "/no\u{1b}[2Jthing")
            #expect(run.code == 1)
            #expect(run.errors.contains("no\\u{1b}[2Jthing"))
        }
    }
}
