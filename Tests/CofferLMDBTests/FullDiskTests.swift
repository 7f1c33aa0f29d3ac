#if os(Linux)
import CofferCore
import Foundation
import Testing

@testable import CofferLMDB

/// A disk without room: what fails says so, and everything is as it was.
@Suite struct FullDiskTests {
    /// A disk of 512 KiB, in place of a workshop's folder.
    private final class SmallDisk {
        let folder: URL

        /// Nil where this process may not mount one.
        init?(_ shop: Workshop) {
            folder = shop.folder
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=512k") == 0 else { return nil }
        }

        deinit { umount2(folder.path, 2) }

        /// Takes all room that is left, but for some pages.
        func fill(butFor pages: Int = 0) throws {
            var disk = statvfs()
            try #require(statvfs(folder.path, &disk) == 0)
            let file = open(folder.appendingPathComponent("filler").path, O_CREAT | O_WRONLY, 0o600)
            defer { close(file) }
            let room = (Int(disk.f_bavail) - pages) * Int(disk.f_frsize)
            try #require(posix_fallocate(file, 0, off_t(room)) == 0)
        }

        func empty() throws { try FileManager.default.removeItem(at: folder.appendingPathComponent("filler")) }
    }

    private let shop: Workshop
    private let disk: SmallDisk

    init() throws {
        shop = try Workshop()
        guard let disk = SmallDisk(shop) else {
            try Test.cancel("mounting a small disk takes the superuser's rights")
        }
        self.disk = disk
    }

    @Test(arguments: 0..<20) func aStoreWithoutRoomForItsFilesIsNotMade(_ pages: Int) throws {
        try disk.fill(butFor: pages)
        let before = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        let error = expect(.storeFull) { _ = try shop.open() }
        #expect(error?.file == shop.url.path && error?.operation == .open)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shop.folder.path) == before)
        try disk.empty()
        #expect(try shop.count(shop.open()) == 0)
    }

    @Test func aStoreWithoutRoomForTheListOfReadersIsLeftAlone() throws {
        let store = try shop.open()
        try shop.insert(5, into: store)
        store.close()
        try FileManager.default.removeItem(at: shop.url.appendingPathComponent("lock.mdb"))
        try disk.fill()
        let before = try shop.contents()
        expect(.storeFull) { _ = try shop.open() }
        #expect(try shop.contents() == before)
        try disk.empty()
        #expect(try shop.count(shop.open()) == 5)
    }

    /// LMDB calls a write that was taken in part an input/output error.
    @Test(arguments: [0, 1, 5, 9]) func aSaveWithoutRoom(_ pages: Int) throws {
        let store = try shop.open()
        try shop.insert(5, into: store)
        try disk.fill(butFor: pages)
        for _ in 0..<2 {
            let error = expect(.storeFull) { try shop.insert(40, size: 3000, into: store) }
            #expect(error?.operation == .save)
            #expect(try shop.count(store) == 5)
        }
        try disk.empty()
        try shop.insert(40, size: 3000, into: store)
        store.close()
        #expect(try shop.count(shop.open()) == 45)
    }
}
#endif
