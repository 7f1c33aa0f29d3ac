import Coffer
import Foundation
import Testing

@testable import CofferCommand

@Suite struct SalvageCommandTests {
    @Test(arguments: SampleStore.allCases)
    func aStoreThatIsWholeLosesNothing(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            let run = coffer("salvage", path, folder + "/saved." + kind.rawValue)
            #expect(run.code == 0, "\(run)")
            #expect(run.output.hasSuffix("Nothing was lost.\n"))
            #expect(try digest(path) == digest(folder + "/saved." + kind.rawValue))
        }
    }

    /// Salvages a store, and expects the new one to be whole and the old one as it was.
    private func salvage(_ path: String, in folder: String) throws -> (run: CommandRun, saved: String) {
        let before = try contents(of: folder)
        let saved = folder + "/saved.json"
        let run = coffer("salvage", path, saved)
        #expect(run.code == 1, "\(run)")
        for (name, data) in before { #expect(try contents(of: folder)[name] == data, "\(name)") }
        let check = coffer("check", saved)
        #expect(check.code == 0, "\(check.output)")
        return (run, saved)
    }

    @Test func wrongValuesAndLinksOfAnSQLiteFileAreLeftOut() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            _ = try output(
                of: "sqlite3", path,
                """
                update Halt set voyage = 99 where rowid = 1; update Voyage set berth = '{' where rowid = 1;
                update Voyage set small = 1000 where rowid = 3
                """)
            let (run, saved) = try salvage(path, in: folder)
            #expect(run.output.contains("Halt 1, voyage: it led to Voyage 99, which is lost or was not there"))
            #expect(run.output.contains("Voyage 1, berth: the value’s coded form is no JSON"))
            #expect(run.output.contains("Voyage 3, small: the number is out of the range"))
            #expect(coffer("query", saved, "Halt", "-w", "voyage is null", "--count").output == "1\n")
            #expect(coffer("query", saved, "Voyage", "-w", "small = 0 and $id = 3", "--count").output == "1\n")
            #expect(coffer("query", saved, "Voyage", "-w", "berth is null and $id = 1", "--count").output == "1\n")
        }
    }

    /// Damage has given a row the id of another one; which of them is read is up to SQLite.
    @Test func aRowUnderTheIdOfAnotherIsNoRowLostInSilence() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            // The record of the third halt: the size of the header, that of the key's column, then the city's and so on.
            let city = try #require(bytes.range(of: Data("Aosta".utf8))?.lowerBound)
            let header = try #require((2...9).first { bytes[city - $0] == $0 })
            let key = city - header - 1
            try #require(bytes[key] == 3)
            bytes[key] = 2
            try bytes.write(to: URL(fileURLWithPath: path))
            let (run, _) = try salvage(path, in: folder)
            #expect(run.output.contains("Halt: corruptStore: rows come more than once"), "\(run.output)")
            #expect(coffer("check", path).output.components(separatedBy: "rows come more than once").count == 2)
        }
    }

    @Test(arguments: ["\"transaction\": 1", "\"time\"", "{\"transaction\""])
    func aDamagedHistoryOfAnArchiveDoesNotTakeTheRowsAlong(_ text: String) throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.json.make(in: folder)
            let whole = try digest(path)
            let document = try String(contentsOfFile: path, encoding: .utf8)
            let place = try #require(document.range(of: text))
            try document.replacingCharacters(in: place, with: "#").write(
                toFile: path, atomically: true, encoding: .utf8)
            let (_, saved) = try salvage(path, in: folder)
            #expect(try digest(saved) == whole)
        }
    }

    @Test func aDamagedHistoryOfAnSQLiteFileIsFoundAndLeftOut() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            _ = try output(of: "sqlite3", path, "update _coffer_history set changes = 'x' where number = 1")
            let check = coffer("check", path)
            #expect(check.code == 1 && check.output.contains("the history after transaction 0"), "\(check)")
            let (run, _) = try salvage(path, in: folder)
            #expect(run.output.contains("the history after transaction 0"))
        }
    }

    @Test func rowsOnDamagedPagesOfAnSQLiteFileAreListed() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder, of: [Halt.self]) { context in
                for number in 0..<400 { context.insert(Halt(String(repeating: "x", count: 80), nights: number)) }
            }
            var data = try Data(contentsOf: URL(fileURLWithPath: path))
            let number = try output(
                of: "sqlite3", path,
                "select max(pageno) from dbstat where name = 'Halt' and pagetype = 'leaf'")
            let page = try #require(Int(number.dropLast()))
            data.replaceSubrange(
                (page - 1) * 4096..<(page - 1) * 4096 + 8, with: [255, 255, 255, 255, 255, 255, 255, 255])
            try data.write(to: URL(fileURLWithPath: path))
            #expect(coffer("check", path).code == 1)
            let (run, saved) = try salvage(path, in: folder)
            #expect(run.output.contains("Halt "))
            let count = try #require(Int(coffer("query", saved, "Halt", "--count").output.dropLast()))
            #expect(count > 300 && count < 400)
        }
    }

    @Test func pagesOfAnSQLiteFileThatChangedPlacesLeadNowhereTwice() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder, of: [Halt.self]) { context in
                for number in 0..<2000 { context.insert(Halt(String(repeating: "x", count: 80), nights: number)) }
            }
            let list = try output(
                of: "sqlite3", path,
                "select pageno from dbstat where name = 'Halt' and pagetype = 'leaf' order by path limit 20")
            let pages = list.split(separator: "\n").compactMap { Int($0) }
            try #require(pages.count == 20)
            var data = try Data(contentsOf: URL(fileURLWithPath: path))
            func range(_ page: Int) -> Range<Int> { (page - 1) * 4096..<page * 4096 }
            let (first, second) = (data.subdata(in: range(pages[3])), data.subdata(in: range(pages[15])))
            data.replaceSubrange(range(pages[3]), with: second)
            data.replaceSubrange(range(pages[15]), with: first)
            try data.write(to: URL(fileURLWithPath: path))
            #expect(coffer("check", path).code == 1)
            let (_, saved) = try salvage(path, in: folder)
            let count = try #require(Int(coffer("query", saved, "Halt", "--count").output.dropLast()))
            #expect(count > 1800 && count < 2000)
        }
    }

    @Test func anSQLiteFileThatIsCutOffIsReadAsFarAsItGoes() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder, of: [Halt.self]) { context in
                for number in 0..<2000 { context.insert(Halt(String(repeating: "x", count: 80), nights: number)) }
            }
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            try data.prefix(data.count - 16384).write(to: URL(fileURLWithPath: path))
            let check = coffer("check", path)
            #expect(check.code == 1)
            #expect(check.output.contains("it is cut off"))
            let (_, saved) = try salvage(path, in: folder)
            let count = try #require(Int(coffer("query", saved, "Halt", "--count").output.dropLast()))
            #expect(count > 1000 && count < 2000)
        }
    }

    @Test func theRestOfADamagedLMDBFileIsSaved() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.lmdb.make(in: folder)
            try LMDBDamage.breakPage(of: path)
            let (run, saved) = try salvage(path, in: folder)
            #expect(run.output.contains("the table Halt: page "))
            #expect(coffer("query", saved, "Halt", "--count").output == "0\n")
            #expect(coffer("query", saved, "Voyage", "--count").output == "3\n")
            #expect(coffer("query", saved, "Vessel", "--count").output == "2\n")
        }
    }

    @Test func theRestOfADamagedArchiveIsSaved() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.json.make(in: folder)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // The last halt; then what follows is still read.
            let damaged = text.replacingOccurrences(of: "\"city\": \"Aosta\"", with: "\"city\": \"Aosta")
            try #require(damaged != text)
            try damaged.write(toFile: path, atomically: false, encoding: .utf8)
            let (run, saved) = try salvage(path, in: folder)
            #expect(run.output.contains("a row is lost"))
            #expect(run.output.contains(/Halt +2 +1\n/), "\(run.output)")
            #expect(coffer("query", saved, "Halt", "-c", "city").lines.count == 3)
            #expect(coffer("query", saved, "Voyage", "--count").output == "3\n")
            #expect(coffer("query", saved, "Voyage", "-w", "$id = 1", "-c", "halts").output.contains("[1]"))
        }
    }

    @Test func anArchiveThatIsCutOffIsReadAsFarAsItGoes() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.json.make(in: folder)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let end = try #require(text.range(of: "\"Islands\""))
            try String(text[..<end.lowerBound]).write(toFile: path, atomically: false, encoding: .utf8)
            let (_, saved) = try salvage(path, in: folder)
            #expect(coffer("query", saved, "Voyage", "--count").output == "2\n")
            #expect(coffer("query", saved, "Halt", "--count").output == "3\n")
            // Its halt has lost its voyage.
            #expect(coffer("query", saved, "Halt", "-w", "voyage is null", "-c", "city").output.contains("Chamonix"))
        }
    }

    @Test func savesBehindADamagedLineOfTheJournalAreLostAndNamed() throws {
        try withTemporaryFolder { folder in
            let path = SampleStore.json.path(folder)
            var (document, journal) = (Data(), Data())
            try SampleStore.json.make(in: folder, of: [Halt.self]) { context in
                // Only large archives have a journal.
                for number in 0..<1000 { context.insert(Halt(String(repeating: "x", count: 80), nights: number)) }
                try context.save()
                document = try Data(contentsOf: URL(fileURLWithPath: path))
                for number in 1...3 {
                    context.insert(Halt("late", nights: number))
                    try context.save()
                }
                journal = try Data(contentsOf: URL(fileURLWithPath: path + ".journal"))
            }
            // As a crash would have left it, but for a bit of the second save.
            var lines = journal.split(separator: UInt8(ascii: "\n")).map { Data($0) }
            try #require(lines.count == 4)
            lines[2][lines[2].startIndex] ^= 1
            try document.write(to: URL(fileURLWithPath: path))
            try Data(lines.joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "\n")])
                .write(to: URL(fileURLWithPath: path + ".journal"))
            let (run, saved) = try salvage(path, in: folder)
            #expect(run.output.contains("the saves from line 3 of the journal on are lost"), "\(run.output)")
            #expect(coffer("query", saved, "Halt", "--count").output == "1001\n")
        }
    }

    @Test func whatHasNoSchemaLeftCannotBeSaved() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.json.make(in: folder)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try String(text.prefix(200)).write(toFile: path, atomically: false, encoding: .utf8)
            expectFailure(coffer("salvage", path, folder + "/saved.json"), "corruptStore")
            #expect(!FileManager.default.fileExists(atPath: folder + "/saved.json"))
        }
    }
}
