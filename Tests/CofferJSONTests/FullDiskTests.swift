#if os(Linux)
import CofferCore
import Foundation
import Testing

@testable import CofferJSON

/// A disk without room: the save says so, and everything is as it was.
@Suite struct FullDiskTests {
    /// A disk of 256 KiB, in place of a workshop's folder.
    private final class SmallDisk {
        let shop: Workshop

        /// Nil where this process may not mount one.
        init?(_ shop: Workshop) throws {
            self.shop = shop
            guard mount("tmpfs", shop.folder.path, "tmpfs", 0, "size=256k") == 0 else { return nil }
        }

        deinit { umount2(shop.folder.path, 2) }

        /// Takes all room that is left.
        func fill() throws {
            let file = try #require(fopen(shop.folder.appendingPathComponent("filler").path, "w"))
            defer { fclose(file) }
            while fputs(String(repeating: "x", count: 4096), file) >= 0, fflush(file) == 0 {}
        }

        func empty() throws { try FileManager.default.removeItem(at: shop.folder.appendingPathComponent("filler")) }
    }

    private let shop: Workshop
    private let disk: SmallDisk

    init() throws {
        shop = try Workshop(Trip.self)
        guard let disk = try SmallDisk(shop) else {
            try Test.cancel("mounting a small disk takes the superuser's rights")
        }
        self.disk = disk
    }

    private func insert(_ store: JSONArchiveStore, _ size: Int) throws {
        let text = String(repeating: "x", count: size)
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(text)])])])
    }

    private func expectNoRoom(_ store: JSONArchiveStore, _ size: Int) throws {
        let (before, tables) = (try shop.contents(), try shop.tables(store))
        for _ in 1...2 {
            let error = expect(.storeFull) { try insert(store, size) }
            #expect(error?.operation == .save)
            #expect(error?.file == shop.url.path)
            #expect(try shop.contents() == before)
            #expect(try shop.tables(store) == tables)
            #expect(try shop.tables(try shop.open(.dying)) == tables)
        }
    }

    @Test func aDocumentWithoutRoom() throws {
        let store = try shop.open(.dying)
        try insert(store, 1000)
        try disk.fill()
        try expectNoRoom(store, 20_000)
        try disk.empty()
        try insert(store, 20_000)
        #expect(try shop.rows(try shop.open(.dying), "Trip").count == 2)
    }

    @Test func aJournalWithoutRoom() throws {
        let store = try shop.open(.dying)
        try insert(store, 70_000)
        try disk.fill()
        try expectNoRoom(store, 20_000)
        #expect(!shop.hasJournal)
        try disk.empty()
        try insert(store, 100)
        try disk.fill()
        try expectNoRoom(store, 20_000)
        try disk.empty()
        try insert(store, 100)
        #expect(try shop.rows(try shop.open(.dying), "Trip").count == 3)
    }

    @Test func foldingWithoutRoom() throws {
        let store = try shop.open(.dying)
        try insert(store, 70_000)
        try insert(store, 100)
        try disk.fill()
        let before = try shop.contents()
        expect(.storeFull) { try store.fold() }
        #expect(try shop.contents() == before)
        try disk.empty()
        try store.fold()
        #expect(!shop.hasJournal)
        #expect(try shop.rows(try shop.open(.dying), "Trip").count == 2)
    }
}
#endif
