import CSQLite
import CofferCore
import Foundation
import Synchronization
import Testing

@testable import CofferSQLite

/// Several threads, several stores on one file, and others that hold it.
@Suite struct ConcurrencyTests: Sendable {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    func trips(_ count: Int, _ name: String = "x") -> RowBatch {
        shop.batch("Trip", (1...count).map { (Int64(-$0), ["name": .text(name)]) })
    }

    @Test func aHeldFileIsBusy() throws {
        let store = try shop.open()
        try shop.save(store, insert: [trips(1)])
        let other = try SQLiteConnection(path: shop.url.path, mode: .readWrite, busyTimeout: .zero)
        try other.execute("BEGIN IMMEDIATE")
        let error = expect(.storeBusy) { try shop.save(store, insert: [trips(1)]) }
        #expect(error?.operation == .save)
        #expect((error?.underlying as? SQLiteFailure)?.isBusy == true)
        // Reading goes on.
        #expect(try shop.rows(store, "Trip").count == 1)
        try other.execute("ROLLBACK")
        #expect(try shop.save(store, insert: [trips(1)]) == [[2]])
    }

    /// Gives a lock up once it has been asked for three times.
    private final class Release {
        private let holder: SQLiteConnection
        private(set) var asked = 0

        init(_ holder: SQLiteConnection) { self.holder = holder }

        func ask() {
            asked += 1
            if asked == 3 { #expect(throws: Never.self) { try holder.execute("COMMIT") } }
        }
    }

    /// A file that has no log yet is turned over to one by whoever opens it, beside others that do the same.
    @Test func theLogIsWaitedFor() throws {
        try shop.open().close()
        let other = try SQLiteConnection(path: shop.url.path, mode: .readWrite, busyTimeout: .zero)
        try other.execute("PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE")
        expect(.storeBusy) { try shop.open() }
        let connection = try SQLiteConnection(path: shop.url.path, mode: .readWrite, busyTimeout: .seconds(60))
        // The other one lets go when it is asked for the third time.
        let release = Release(other)
        sqlite3_set_authorizer(
            connection.handle,
            { context, action, _, _, _, _ in
                if action == SQLITE_PRAGMA, let context {
                    Unmanaged<Release>.fromOpaque(context).takeUnretainedValue().ask()
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(release).toOpaque())
        try connection.useLog()
        #expect(release.asked == 3)
        sqlite3_set_authorizer(connection.handle, nil, nil)
        let mode = try SQLiteStatement("PRAGMA journal_mode", on: connection.handle)
        #expect(try mode.step() && mode.text(0) == "wal")
    }

    #if os(Linux)
    /// The locks on the store's file, of whichever process, as the system lists them.
    private func locks() throws -> Int {
        var status = stat()
        try #require(stat(shop.url.path, &status) == 0)
        // The system passes over some where others come and go while it lists them.
        return try (0..<20).map { _ in
            let lines = String(
                decoding: try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/locks")).readToEnd() ?? Data(),
                as: UTF8.self
            ).split(separator: "\n")
            return lines.filter { $0.contains(" POSIX ") && $0.contains(":\(status.st_ino) ") }.count
        }.max() ?? 0
    }

    /// The system gives up all locks that a process has on a file when it closes it anywhere.
    @Test func anOpeningKeepsTheLocksOfAnother() throws {
        try shop.open().close()
        let other = try SQLiteConnection(path: shop.url.path, mode: .readWrite, busyTimeout: .zero)
        _ = try other.integer("SELECT count(*) FROM Trip")
        let held = try locks()
        #expect(held > 0)
        #expect(try SQLiteFile.inspect(SQLitePlace(name: "test", path: shop.url.path), willWrite: true) != .missing)
        #expect(try locks() == held)
        let copy = shop.folder.appendingPathComponent("copy.sqlite")
        try SQLiteBytes(other.handle).copy(to: copy.path, like: shop.url.path)
        #expect(try locks() == held)
        #expect(try Data(contentsOf: copy) == Data(contentsOf: shop.url))
        #expect(try locks() == 0, "a look from elsewhere takes them away, so the test would see it")
    }
    #endif

    @Test func aFullDiskIsNamedAndTheStoreGoesOn() throws {
        let store = try shop.open()
        try shop.save(store, insert: [trips(1)])
        try store.pool.read { connection in
            let pages = try #require(try connection.integer("PRAGMA page_count"))
            _ = try connection.integer("PRAGMA max_page_count = \(pages + 1)")
        }
        let large = shop.batch("Trip", [(-1, ["name": .text(String(repeating: "x", count: 100_000))])])
        let error = expect(.storeFull) { try shop.save(store, insert: [trips(3), large]) }
        #expect(error?.file == shop.url.path)
        #expect(try shop.rows(store, "Trip").count == 1)
        try store.pool.read { _ = try $0.integer("PRAGMA max_page_count = 1000000") }
        try shop.save(store, insert: [large])
        #expect(try shop.rows(store, "Trip").count == 2)
        try shop.expectSound()
    }

    @Test func valuesOverTheLimitAreNamed() throws {
        let store = try shop.open()
        _ = try store.pool.read { sqlite3_limit($0.handle, SQLITE_LIMIT_LENGTH, 1000) }
        let error = expect(.valueTooLarge) {
            try shop.save(
                store, insert: [shop.batch("Trip", [(-1, ["name": .text(String(repeating: "x", count: 2000))])])])
        }
        #expect(error?.property == "name")
        #expect(try shop.save(store, insert: [trips(1)]) == [[1]])
    }

    @Test func anUnfinishedSaveOfADeadProcessIsGone() throws {
        let store = try shop.open()
        try shop.save(store, insert: [trips(2)])
        // What a process leaves that is killed: a log, and in it a transaction without an end.
        let other = try SQLiteConnection(path: shop.url.path, mode: .readWrite, busyTimeout: .zero)
        try other.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE")
        for number in 100..<2000 {
            try other.execute("INSERT INTO Trip (_pk, name) VALUES (\(number), hex(randomblob(100)))")
        }
        let copy = try Workshop(Trip.self)
        for (name, data) in try shop.contents() where !name.hasSuffix("-shm") {
            try data.write(to: copy.folder.appendingPathComponent(name))
        }
        try other.execute("ROLLBACK")
        for allowsSave in [false, true] {
            #expect(try copy.rows(copy.open(allowsSave: allowsSave), "Trip").count == 2)
        }
        try copy.expectSound()
    }

    @Test func statementsAreFew() throws {
        let store = try shop.open()
        func statements(_ body: () throws -> Void) rethrows -> Int {
            let before = store.statistics.statements
            try body()
            return store.statistics.statements - before
        }
        try shop.save(store, insert: [trips(100)])
        #expect(try statements { _ = try shop.rows(store, "Trip", scope: .keys([5])) } == 1)
        #expect(try statements { _ = try shop.rows(store, "Trip", scope: .keys(Array(1...100))) } == 3)
        #expect(try statements { _ = try shop.rows(store, "Trip") } == 1)
        #expect(try statements { try shop.save(store, insert: [trips(10)]) } == 13)
        // Each save writes its transaction. One statement deletes all, two look for links to them: from stops and from tags.
        #expect(try statements { try shop.save(store, delete: [("Trip", Array(1...50))]) } == 6)
        #expect(try statements { _ = try shop.related(store, "Trip", "stops", "Stop", Array(51...100)) } == 3)
        #expect(store.statistics.connections == 1)
    }

    @Test func connectionsAreUsedAgain() throws {
        let store = try shop.open()
        try shop.save(store, insert: [trips(100)])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for key in 1...100 { _ = try? shop.rows(store, "Trip", scope: .keys([Int64(key)])) }
        }
        #expect(store.statistics.connections <= 40)
        store.close()
        #expect(try shop.contents().keys.sorted() == ["store.sqlite"])
    }
}
