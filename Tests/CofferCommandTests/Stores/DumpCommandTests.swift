import Coffer
import Foundation
import Testing

@testable import CofferCommand

@Suite struct DumpCommandTests {
    @Test(arguments: SampleStore.allCases, SampleStore.allCases)
    func aDumpLosesNothing(_ from: SampleStore, _ to: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try from.make(in: folder)
            let dump = folder + "/dump.jsonl"
            #expect(coffer("dump", path, "-o", dump).code == 0)
            let copy = to.path(folder, "copy")
            let run = coffer("load", dump, copy)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output == "\(copy): \(StoreKind(rawValue: to.rawValue)?.title ?? ""), 5 entities, 10 rows\n")
            #expect(try digest(path) == digest(copy))
            #expect(try digest(path) == digest(dump))
            #expect(try StorePlace(copy).open().identifier == StorePlace(path).open().identifier)
            #expect(try StorePlace(copy).open().schema == StorePlace(path).open().schema)
            #expect(coffer("dump", copy).output == coffer("dump", path).output)
            #expect(coffer("check", copy).code == 0)
        }
    }

    @Test(arguments: SampleStore.allCases)
    func aLoadedStoreOpensWithItsModels(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let dump = folder + "/dump.jsonl"
            let original = try kind.make(in: folder)
            #expect(coffer("dump", original, "-o", dump).code == 0)
            #expect(coffer("load", dump, kind.path(folder, "copy")).code == 0)
            try kind.make(in: folder, named: "copy") { context in
                let voyage = try #require(
                    context.fetch(FetchDescriptor<Voyage>(predicate: #Predicate { $0.name == "Alps" })).first)
                #expect(voyage.halts.map(\.city) == ["Aosta", "Zermatt"])
                #expect(voyage.guides.map(\.name) == ["Bo", "Ada"])
                #expect(voyage.photo?.count == 40_000)
                #expect((voyage.vessel as? Sailer)?.masts == 3)
                #expect(voyage.rating.sign == .minus)
                #expect(voyage.berth == Berth(deck: 2, letters: ["a", "\u{e9}\u{1F40B}"]))
                // A new row gets a new key.
                let halt = Halt("Sion", nights: 9)
                context.insert(halt)
                try context.save()
                #expect(try context.fetchCount(FetchDescriptor<Halt>()) == 4)
            }
        }
    }

    /// Nobody who stands at a place in the old store's history is told nothing where there may be something.
    @Test(arguments: SampleStore.allCases)
    func theHistoryOfALoadedStoreGoesOnBehindTheOldOne(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            #expect(coffer("dump", path, "--output", folder + "/dump.jsonl").code == 0)
            let copy = folder + "/copy." + kind.rawValue
            let run = coffer("load", folder + "/dump.jsonl", copy)
            #expect(run.code == 0, "\(run)")
            let old = try StorePlace(path).open().history(HistoryQuery())
            let new = try StorePlace(copy).open().history(HistoryQuery())
            #expect(old.latest > 0 && new.start == old.latest && new.latest == old.latest && new.transactions.isEmpty)
        }
    }

    @Test func linesAreInTheOrderOfTheirEntitiesAndIds() throws {
        try withTemporaryFolder { folder in
            let lines = coffer("dump", try SampleStore.json.make(in: folder)).lines
            #expect(lines[0].hasPrefix(#"{"coffer dump": 1, "identifier": ""#))
            #expect(lines[1].hasPrefix(#"{"schema": {"#))
            #expect(
                lines[2].hasPrefix(#"{"next keys": {"Guide": 3, "Halt": 4, "Vessel": 3, "Voyage": 4}, "history": "#))
            #expect(lines[3] == #"{"entity": "Guide", "id": 1, "values": {"name": "Ada", "voyages": [3, 1]}}"#)
            #expect(
                lines[5]
                    == #"{"entity": "Halt", "id": 1, "values": {"city": "Zermatt", "nights": 3, "voyage": 1}}"#)
            #expect(lines.last == #"{"coffer dump": "end"}"#)
            #expect(lines.count == 14)
        }
    }

    /// Changes to the text of a dump, and what is said of it.
    static let damage: [(from: String, to: String, message: String)] = [
        ("{\"coffer dump\": \"end\"}\n", "", "the dump is cut off: its last line is missing"),
        ("\"coffer dump\": 1", "\"coffer dump\": 9", ":1: it has the format 9, and this version of Coffer knows 1"),
        ("\"nights\": 3", "\"nights\": \"3\"", ":6: Halt.nights: the value is none of the property's type"),
        ("\"nights\": 3", "\"nights\": 3.5", ":6: Halt.nights: the value is none of the property's type"),
        ("\"nights\": 3", "\"nights\": 3,", ":6:"),
        ("\"nights\": 3", "\"knights\": 3", ":6: Halt has no property 'knights'"),
        ("\"nights\": 3, ", "", "Halt.nights"),
        ("\"guides\": [2, 1]", "\"guides\": [2, 1, 99]", "Voyage.guides: there is no Guide 99"),
        ("\"voyage\": 3", "\"voyage\": 1", "the list and the voyage of the rows in it say different things"),
        ("\"entity\": \"Halt\", \"id\": 2", "\"entity\": \"Halt\", \"id\": 1", ":7: Halt 1 comes twice"),
        ("\"entity\": \"Halt\", \"id\": 2", "\"entity\": \"Halt\", \"id\": 0", ":7: a row's id is a number above zero"),
        ("\"entity\": \"Halt\", \"id\": 2", "\"entity\": \"Port\", \"id\": 2", ":7: the schema has no entity 'Port'"),
        ("\"name\": \"Islands\"", "\"name\": \"Alps\"", "uniquenessConflict"),
        ("\"schema\": {", "\"schema\": {{", ":2:"),
        ("\"name\": \"Ada\"", "\"name\": \"\\ud800\"", ":4:"),
    ]

    @Test(arguments: damage)
    func whatDoesNotFitIsRefusedAndNothingIsMade(_ from: String, _ to: String, _ message: String) throws {
        try withTemporaryFolder { folder in
            let text = coffer("dump", try SampleStore.json.make(in: folder)).output
            let dump = folder + "/dump.jsonl"
            try #require(text.contains(from))
            // The first only: others stay as they are.
            let range = try #require(text.range(of: from))
            try text.replacingCharacters(in: range, with: to).write(toFile: dump, atomically: false, encoding: .utf8)
            let before = try contents(of: folder)
            for kind in SampleStore.allCases { expectFailure(coffer("load", dump, kind.path(folder, "new")), message) }
            #expect(try contents(of: folder) == before)
        }
    }

    @Test func aDumpThatWasEditedIsLoadedAsItIs() throws {
        try withTemporaryFolder { folder in
            let text = coffer("dump", try SampleStore.sqlite.make(in: folder)).output
            let dump = folder + "/dump.jsonl"
            let edited = text.replacingOccurrences(of: "\"Zermatt\"", with: "\"Zu\\u0308rich\"")
                .replacingOccurrences(of: "\"halts\": [3, 1]", with: "\"halts\": [1, 3]")
            try edited.write(toFile: dump, atomically: false, encoding: .utf8)
            let copy = folder + "/copy.sqlite"
            #expect(coffer("load", dump, copy).code == 0)
            #expect(coffer("query", copy, "Halt", "-w", "city = 'Zürich'", "--count").output == "1\n")
            #expect(coffer("query", copy, "Voyage", "-w", "$id = 1", "-c", "halts").output.contains("[1, 3]"))
        }
    }

    @Test func filesThatAreThereAreNotOverwritten() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            let dump = folder + "/dump.jsonl"
            #expect(coffer("dump", path, "--output", dump).code == 0)
            let before = try contents(of: folder)
            expectFailure(coffer("dump", path, "--output", dump), "\(dump): File exists")
            expectFailure(coffer("load", dump, path), "storeExists")
            expectFailure(
                coffer("load", dump, folder + "/new.thing"), "tells no kind of store; say it with '--kind'", code: 2)
            expectFailure(coffer("load", folder + "/none", folder + "/new.json"), "\(folder)/none: cannot be read")
            #expect(try contents(of: folder) == before)
        }
    }

    /// A name that means something to SQL, to paths, to HTML and to a terminal.
    private static let hostile = "x\"; drop table Halt;--'</script>/../\u{1b}[31m`é"

    @Test(arguments: SampleStore.allCases)
    func hostileNamesInASchemaAreNamesAndNothingElse(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let original = try SampleStore.sqlite.make(in: folder, named: "original")
            let quoted = JSONText.string(Self.hostile)
            let text = coffer("dump", original).output
                .replacingOccurrences(of: "\"Guide\"", with: quoted)
                .replacingOccurrences(of: "\"city\"", with: quoted)
            let dump = folder + "/dump.jsonl"
            try text.write(toFile: dump, atomically: false, encoding: .utf8)
            let path = kind.path(folder)
            let load = coffer("load", dump, path)
            #expect(load.code == 0, "\(load.errors)")
            #expect(coffer("check", path).code == 0)
            #expect(coffer("diff", dump, path).code == 0)
            #expect(coffer("query", path, Self.hostile, "--count").output == "2\n")
            let name = "`" + Self.hostile.replacingOccurrences(of: "`", with: "``") + "`"
            #expect(coffer("query", path, "Halt", "-w", "\(name) = 'Aosta'", "--count").output == "1\n")
            #expect(coffer("query", path, "Halt", "-s", Self.hostile, "-j").output.contains("Chamonix"))
            let shown = [
                coffer("inspect", path), coffer("inspect", "-j", path), coffer("query", path, Self.hostile),
                coffer("browse", path), coffer("query", path, "None"), coffer("query", path, "Halt", "-w", name),
            ]
            for run in shown { #expect(!(run.output + run.errors).contains("\u{1b}")) }
            #expect(coffer("browse", path).output.matches(of: /<\/script>/).count == 2)
        }
    }
}
