import Coffer
import Foundation
import Testing

@testable import CofferCommand

@Suite struct ConvertCommandTests {
    @Test(arguments: SampleStore.allCases, SampleStore.allCases)
    func aCopyHasTheDigestOfTheOriginalWhichStaysAsItIs(_ from: SampleStore, _ to: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try from.make(in: folder)
            let before = try contents(of: folder)
            let copy = to.path(folder, "copy")
            let run = coffer("convert", path, copy, "--json", progress: true)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("\rCopy "))
            #expect(run.errors.hasSuffix(" \r"))
            #expect(try run.json()["kind"]?.text == to.rawValue)
            #expect(try digest(path) == digest(copy))
            let after = try contents(of: folder)
            for (name, data) in before { #expect(after[name] == data, "\(name)") }
            #expect(coffer("diff", path, copy).code == 0)
        }
    }

    /// An SQLite file has one zero for dates, an archive two.
    @Test(arguments: SampleStore.allCases, SampleStore.allCases)
    func aDateOfMinusZeroSecondsIsOfZeroSeconds(_ from: SampleStore, _ to: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try from.make(in: folder) { context in
                let voyage = Voyage("Epoch")
                voyage.start = Date(timeIntervalSinceReferenceDate: -0.0)
                context.insert(voyage)
            }
            let copy = to.path(folder, "copy")
            let run = coffer("convert", path, copy)
            #expect(run.code == 0, "\(run.errors)")
            #expect(coffer("diff", path, copy).code == 0)
            #expect(coffer("dump", path, "-o", folder + "/dump.jsonl").code == 0)
            let load = coffer("load", folder + "/dump.jsonl", to.path(folder, "loaded"))
            #expect(load.code == 0, "\(load.errors)")
        }
    }

    @Test func aDumpIsConvertedToo() throws {
        try withTemporaryFolder { folder in
            let dump = folder + "/dump.jsonl"
            let original = try SampleStore.json.make(in: folder)
            #expect(coffer("dump", original, "-o", dump).code == 0)
            #expect(coffer("convert", dump, folder + "/copy", "--to-kind", "lmdb").code == 0)
            #expect(try digest(dump) == digest(folder + "/copy"))
        }
    }

    @Test func placesAndKindsThatCannotBeAreNamed() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            let other = try SampleStore.json.make(in: folder)
            let before = try contents(of: folder)
            expectFailure(coffer("convert", path, other), "storeExists")
            expectFailure(coffer("convert", path, folder + "/none/x.json"), "\(folder)/none")
            expectFailure(coffer("convert", path, folder + "/copy"), "tells no kind of store; say it with", code: 2)
            expectFailure(
                coffer("convert", path, folder + "/copy", "-k", "tape"),
                "option '--to-kind' takes one of sqlite, lmdb, json, not 'tape'", code: 2)
            #expect(try contents(of: folder) == before)
        }
    }
}

@Suite struct DiffCommandTests {
    @Test(arguments: SampleStore.allCases)
    func equalStoresOfAnyKindDoNotDiffer(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            for other in SampleStore.allCases {
                let copy = other.path(folder, "copy-of-\(kind)")
                #expect(coffer("convert", path, copy).code == 0)
                let run = coffer("diff", path, copy)
                #expect(run.code == 0)
                #expect(run.output.isEmpty)
            }
        }
    }

    @Test(arguments: SampleStore.allCases)
    func everyDifferenceIsALine(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            let other = SampleStore.json.path(folder, "other")
            #expect(coffer("convert", path, other).code == 0)
            try SampleStore.json.make(in: folder, named: "other") { context in
                let halts = try context.fetch(FetchDescriptor<Halt>(sortBy: [SortDescriptor(\.city)]))
                context.delete(halts[1])
                halts[2].nights = 8
                context.insert(Halt("Sion", nights: 5))
                let voyage = try context.fetch(FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)]))
                voyage[0].halts.reverse()
            }
            let run = coffer("diff", path, other)
            #expect(run.code == 1)
            // SQLite takes keys in advance.
            let added = kind == .sqlite ? 18 : 4
            #expect(
                run.lines == [
                    "~ Halt 1: nights", "- Halt 2", "+ Halt \(added)", "~ Voyage 1: halts", "~ Voyage 3: halts",
                ])
            #expect(!run.output.contains("Sion"))
            let values = coffer("diff", "--values", path, other)
            #expect(values.lines[0] == "~ Halt 1: nights 3 → 8")
            #expect(values.lines[3] == "~ Voyage 1: halts [3, 1] → [1, 3]")
            #expect(
                coffer("diff", "-j", path, other).lines[0]
                    == #"{"side": "~", "entity": "Halt", "id": 1, "properties": [{"name": "nights"}]}"#)
            let brief = coffer("diff", "-q", path, other)
            #expect(brief.code == 1)
            #expect(brief.output == "\(path) and \(other) differ\n")
            #expect(coffer("diff", other, path).lines.contains("+ Halt 2"))
        }
    }

    @Test func schemasAreComparedByName() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            let other = try SampleStore.lmdb.make(in: folder, of: [Vessel.self, Haven.self]) { _ in }
            let lines = coffer("diff", path, other).lines
            #expect(lines.contains("- Sailer"))
            #expect(lines.contains("+ Haven"))
        }
    }
}

@Model final class Haven {
    var title: String

    init(title: String) { self.title = title }
}
