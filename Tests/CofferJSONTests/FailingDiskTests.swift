import CofferCore
import CofferRecords
import Foundation
import Testing

@testable import CofferJSON

/// A save whose line is in the journal though the save has failed, because the disk would not take it back either.
@Suite struct FailingDiskTests {
    private let shop: Workshop
    private let store: JSONArchiveStore
    private let archive: Archive

    init() throws {
        let shop = try Workshop(Trip.self)
        let archive = Archive(ArchivePlace(shop.url))
        var configuration = JSONArchiveConfiguration("test", schema: shop.schema, url: shop.url)
        configuration.busyTimeout = .milliseconds(20)
        store = try JSONArchiveStore(configuration) { _ in ArchiveHold(archive, allowSave: {}, release: {}) }
        (self.shop, self.archive) = (shop, archive)
        // So large that saves go to the journal.
        try insert(String(repeating: "x", count: 70_000))
    }

    private func insert(_ name: String) throws {
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(name)])])])
    }

    private func names(_ store: JSONArchiveStore) throws -> Set<String> {
        Set(
            try shop.rows(store, "Trip").values.compactMap { row in
                if case .text(let name)? = row["name"], name.utf8.count < 100 { name } else { nil }
            })
    }

    /// The line of one more save, as it would be if that save had succeeded.
    private func nextLine() throws -> Data {
        let before = (try? Data(contentsOf: shop.journalURL)) ?? Data()
        let copy = try shop.open(.dying)
        try shop.save(copy, insert: [shop.batch("Trip", [(-1, ["name": .text("failed")])])])
        let after = try Data(contentsOf: shop.journalURL)
        if before.isEmpty { unlink(shop.journalURL.path) } else { truncate(shop.journalURL.path, off_t(before.count)) }
        return after.dropFirst(before.count)
    }

    /// The state in which a failed save leaves archive and file when nothing can be taken back.
    private func leave(_ line: Data) throws {
        _ = try names(store)
        if !shop.hasJournal { try Data().write(to: shop.journalURL) }
        let file = try FileHandle(forWritingTo: shop.journalURL)
        try file.seekToEnd()
        try file.write(contentsOf: line)
        try file.close()
        archive.refuseTail()
    }

    @Test(arguments: [0, 1]) func theNextSaveTakesItsPlace(_ saves: Int) throws {
        if saves > 0 { try insert("before") }
        let before = try names(store)
        try leave(try nextLine())
        #expect(try names(store) == before)
        try insert("after")
        #expect(try names(store) == before.union(["after"]))
        #expect(try names(shop.open(.dying)) == before.union(["after"]))
        try insert("later")
        #expect(try names(shop.open(.dying)) == before.union(["after", "later"]))
    }

    @Test(arguments: [0, 1]) func halfALineIsCutOffToo(_ saves: Int) throws {
        if saves > 0 { try insert("before") }
        let before = try names(store)
        let line = try nextLine()
        try leave(line.prefix(line.count / 2))
        #expect(try names(store) == before)
        #expect(try names(shop.open(.dying)) == before)
        try insert("after")
        #expect(try names(shop.open(.dying)) == before.union(["after"]))
    }

    /// Whoever opened the archive meanwhile has seen the save, and may have built on it.
    @Test func whatSomebodyElseHasGoneOnWithStays() throws {
        try insert("before")
        try leave(try nextLine())
        let other = try shop.open(.dying)
        try shop.save(other, insert: [shop.batch("Trip", [(-1, ["name": .text("theirs")])])])
        #expect(try names(store) == ["before", "failed", "theirs"])
        try insert("after")
        #expect(try names(shop.open(.dying)) == ["before", "failed", "theirs", "after"])
    }
}
