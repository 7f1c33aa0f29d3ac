import Foundation
import Testing

@testable import CofferCommand

@Suite struct CheckCommandTests {
    @Test(arguments: SampleStore.allCases)
    func aStoreThatIsWholeHasNoProblems(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            let before = try contents(of: folder)
            let run = coffer("check", path)
            #expect(run.code == 0)
            #expect(run.output == "\(path): no problems in 5 entities, 10 rows\n")
            #expect(try contents(of: folder) == before)
            #expect(try coffer("check", "-j", path).json()["problems"] == .array([]))
        }
    }

    /// Changes to the tables of an SQLite file, and what is said of them.
    static let changes: [(sql: String, problem: String)] = [
        ("update Halt set voyage = 99 where rowid = 1", "Halt 1, voyage: it leads to Voyage 99, which is not there"),
        ("update Halt set nights = 'many' where rowid = 2", "Halt 2, nights: "),
        ("update Voyage set small = 1000 where rowid = 1", "Voyage 1, small: the number is out of the range"),
        ("update Voyage set code = x'01' where rowid = 1", "Voyage 1, code: an identifier has 1 bytes"),
        ("update Voyage set berth = '{' where rowid = 1", "Voyage 1, berth: the value’s coded form is no JSON"),
        ("update Voyage set price = '1.5' where rowid = 1", "Voyage 1, price: the text is no decimal number"),
        (
            "update Halt set city = 'a' || char(776) where rowid = 3",
            "Halt 3, city: the text is not in normalisation form C"
        ),
        ("update Halt set city = cast(x'ff' as text) where rowid = 3", "Halt 3, city: the text is no UTF-8"),
        ("update Voyage set isDone = 7 where rowid = 3", "Voyage 3, isDone: the value is none of the property’s type"),
    ]

    @Test(arguments: changes)
    func rowsThatAreWrongAreNamed(_ sql: String, _ problem: String) throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            _ = try output(of: "sqlite3", path, "pragma ignore_check_constraints = on; " + sql)
            let run = coffer("check", path)
            #expect(run.code == 1)
            #expect(run.output.contains(problem), "\(run.output)")
            #expect(run.output.hasSuffix(" in 5 entities, 10 rows\n"))
            #expect(!run.output.contains("Zermatt"))
            #expect(!run.output.contains("many"))
        }
    }

    @Test func aFileOfALargeValueThatIsGoneIsNamed() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            let files = folder + "/.voyages.sqlite_SUPPORT/_EXTERNAL_DATA"
            let name = try #require(FileManager.default.contentsOfDirectory(atPath: files).first)
            try FileManager.default.removeItem(atPath: files + "/" + name)
            let run = coffer("check", path)
            #expect(run.code == 1)
            #expect(run.output.contains("Voyage 1, photo: externalFileMissing: "))
            #expect(run.output.hasSuffix(": 1 problem in 5 entities, 10 rows\n"))
        }
    }

    @Test func aDamagedPageOfAnLMDBFileIsNamed() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.lmdb.make(in: folder)
            try LMDBDamage.breakPage(of: path)
            let run = coffer("check", path)
            #expect(run.code == 1)
            #expect(run.output.contains("data.mdb: page "))
        }
    }

    @Test func anArchiveThatDoesNotFitIsNamedByItsLine() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.json.make(in: folder)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try text.replacingOccurrences(of: "\"nights\": 3", with: "\"nights\": ")
                .write(toFile: path, atomically: false, encoding: .utf8)
            let run = coffer("check", path, "--json")
            #expect(run.code == 1)
            #expect(try run.json()["problemCount"]?.integer == 1)
            #expect(run.output.contains("line "))
        }
    }

    @Test func problemsBeyondTheLimitAreCounted() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            _ = try output(of: "sqlite3", path, "update Halt set voyage = 99")
            let run = coffer("check", path, "--limit", "2")
            #expect(run.lines.count == 4)
            #expect(run.lines[2].hasPrefix("… and "))
        }
    }
}

/// Damage to the pages of an LMDB file.
enum LMDBDamage {
    /// Breaks the page with the rows of an entity: the one that holds a text.
    static func breakPage(of path: String, with text: String = "Zermatt") throws {
        let file = path + "/data.mdb"
        var data = try Data(contentsOf: URL(fileURLWithPath: file))
        var start = data.startIndex
        // Older copies of a page hold the text too.
        while let found = data.range(of: Data(text.utf8), in: start..<data.endIndex) {
            let page = found.lowerBound / 4096 * 4096
            data[page + 10] = 0xFD
            start = page + 4096
            if start >= data.endIndex { break }
        }
        try data.write(to: URL(fileURLWithPath: file))
    }
}
