import CLMDB
import CofferCore
import Foundation
import Testing

@testable import CofferLMDB

/// Folders that others use between two steps of an opening.
@Suite struct OpeningRaceTests {
    let shop: Workshop

    init() throws { shop = try Workshop() }

    #if os(Linux)
    /// The locks on the file in which LMDB has its own, as the system lists them.
    private func locks() throws -> Int {
        var status = stat()
        try #require(stat(shop.url.path + "/lock.mdb", &status) == 0)
        // The system passes over some where others come and go while it lists them.
        return try (0..<20).map { _ in
            let lines = String(
                decoding: try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/locks")).readToEnd() ?? Data(),
                as: UTF8.self
            ).split(separator: "\n")
            return lines.filter { $0.contains(" POSIX ") && $0.contains(":\(status.st_ino) ") }.count
        }.max() ?? 0
    }

    /// The system gives up all locks that a process has on a file once it closes it anywhere.
    @Test func theEndOfAMigrationKeepsTheLocksOfWhoOpensTheFolderNext() throws {
        try shop.open().close()
        let place = try LMDBMigrationPlace(LMDBStoreConfiguration("test", url: shop.url), closesOthers: true)
        (place.source as? LMDBStore)?.close()
        let store = try shop.open()
        let held = try locks()
        #expect(held > 0)
        place.end()
        #expect(try locks() == held)
        try shop.insert(1, into: store)
    }

    /// Whoever still knows what was open has no part in it.
    @Test func aFolderIsClosedWithItsLastStore() throws {
        let first = try shop.open()
        var known = first.environment
        first.close()
        let store = try shop.open()
        #expect(store.environment !== known)
        try shop.insert(1, into: store)
        let held = try locks()
        #expect(held > 0)
        known = nil
        #expect(try locks() == held)
        #expect(try shop.count(store) == 1)
    }
    #endif

    /// Who waited within LMDB for the end of a migration would go by what LMDB had noted of the file that is gone.
    @Test func nobodyWaitsForAMigrationWithinLMDB() throws {
        try shop.open().close()
        let path = shop.url.path
        let place = try LMDBMigrationPlace(LMDBStoreConfiguration("test", url: shop.url), closesOthers: true)
        #expect(throws: LMDBRegistry.InUse.self) { try FolderLock.forOpening(path) }
        place.end()
        let turn = try FolderLock.forOpening(path)
        #expect(throws: LMDBRegistry.InUse.self) { try FolderLock.forOpening(path) }
        #expect(throws: LMDBRegistry.InUse.self) { try FolderLock.alone(path) }
        expect(.storeBusy) { _ = try shop.open(timeout: .milliseconds(20)) }
        withExtendedLifetime(turn) {}
    }

    /// Somebody else has migrated the folder and keeps it open: there is nothing to wait for.
    @Test func aFileThatIsNoLongerMeantIsNotWaitedFor() throws {
        try shop.open().close()
        let meant = try #require(LMDBFile.identity(shop.url.path))
        let copy = shop.folder.appendingPathComponent("copy.mdb")
        try FileManager.default.copyItem(at: shop.data, to: copy)
        #expect(rename(copy.path, shop.data.path) == 0)
        let other = try shop.open()
        #expect(throws: LMDBMigrationPlace.Replaced.self) {
            try LMDBMigrationPlace(LMDBStoreConfiguration("test", url: shop.url), closesOthers: true, meant)
        }
        // It is the new file's, and stays open.
        try shop.insert(1, into: other)
    }

    /// Who could not make a store, since another one was making it for too long, does not take it away from him.
    @Test func aFolderInWhichSomebodyMakesAStoreStays() throws {
        #expect(mkdir(shop.url.path, 0o700) == 0)
        var hold: LMDBHold? = try LMDBRegistry.hold(shop.url.path) {
            try LMDBEnvironment(shop.url.path, isReadOnly: false, mapSize: 1 << 30)
        }
        LMDBRegistry.removeUnmade(shop.url.path, isMade: true)
        #expect(LMDBFile.identity(shop.url.path) == hold?.environment.file)
        hold = nil
        LMDBRegistry.removeUnmade(shop.url.path, isMade: true)
        #expect(!FileManager.default.fileExists(atPath: shop.url.path))
    }
}
