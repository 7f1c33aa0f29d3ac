import CofferCore
import Foundation
import Testing

@testable import CofferLMDB

/// A large file is gone through at opening unless it is as the last process left it.
@Suite struct MarkTests {
    private let shop: Workshop
    private var lock: URL { shop.url.appendingPathComponent("writer.lock") }

    init() throws {
        shop = try Workshop()
        let store = try shop.open()
        try shop.insert(3000, size: 500, into: store)
        store.close()
        #expect(shop.fileSize > 1 << 20)
    }

    private func mark() throws -> String { try String(contentsOf: lock, encoding: .utf8) }

    /// Whether the file is as the mark says.
    private func isMarked() throws -> Bool {
        var status = stat()
        #expect(stat(shop.data.path, &status) == 0)
        let descriptor = open(shop.data.path, O_RDONLY)
        defer { close(descriptor) }
        let meta = try LMDBPages(descriptor: descriptor, size: shop.fileSize).meta()
        return LMDBMark(status, meta.transaction).isWritten(shop.url.path)
    }

    /// Changes one byte of a page of entries, as somebody does who goes past LMDB.
    private func damage(at offset: Int = 10) throws {
        var data = try Data(contentsOf: shop.data)
        let page = try #require((2..<data.count / 4096).last { data[$0 * 4096 + 10] == 2 })
        data[page * 4096 + offset] ^= 0x41
        let file = try FileHandle(forWritingTo: shop.data)
        try file.seek(toOffset: UInt64(page * 4096))
        // The system's clock for files goes in steps: until it has gone on, the file looks as before.
        while try isMarked() { try write(data[(page * 4096)..<(page * 4096 + 4096)], page, file) }
        try write(data[(page * 4096)..<(page * 4096 + 4096)], page, file)
        try file.close()
    }

    private func write(_ bytes: Data, _ page: Int, _ file: FileHandle) throws {
        try file.seek(toOffset: UInt64(page * 4096))
        try file.write(contentsOf: bytes)
    }

    @Test func whoeverClosesAStoreLeavesOne() throws {
        #expect(try isMarked())
        let store = try shop.open()
        try shop.insert(1, into: store)
        #expect(try !isMarked())
        store.close()
        #expect(try isMarked())
        let before = try mark()
        // Nothing has changed.
        try shop.open().close()
        try shop.open(allowsSave: false).close()
        #expect(try mark() == before)
    }

    @Test(arguments: [10, 12, 14, 16, 17]) func aLargeFileThatWasChangedIsRefused(_ offset: Int) throws {
        try damage(at: offset)
        let before = try shop.contents()
        for allowsSave in [true, false] {
            expect(.corruptStore) { _ = try shop.open(allowsSave: allowsSave) }
        }
        #expect(try shop.contents() == before)
    }

    @Test func aMarkThatCameAlongSaysNothing() throws {
        let copy = shop.folder.appendingPathComponent("copy")
        try FileManager.default.copyItem(at: shop.url, to: copy)
        try FileManager.default.removeItem(at: shop.url)
        try FileManager.default.moveItem(at: copy, to: shop.url)
        #expect(try !isMarked())
        try shop.open().close()
        #expect(try isMarked())
    }

    @Test func withoutAMarkTheFileIsGoneThroughAndMarked() throws {
        try FileManager.default.removeItem(at: lock)
        // Whoever only reads leaves nothing.
        try shop.open(allowsSave: false).close()
        #expect(!FileManager.default.fileExists(atPath: lock.path))
        let store = try shop.open()
        #expect(try isMarked())
        #expect(try shop.count(store) == 3000)
    }

    @Test(arguments: ["", "sound", "sound 1 2 3 4.5 6 end\n", String(repeating: "x", count: 5000)])
    func whatIsNoMarkIsNone(_ text: String) throws {
        try Data(text.utf8).write(to: lock)
        let store = try shop.open()
        #expect(try isMarked())
        #expect(try shop.count(store) == 3000)
        try shop.insert(1, into: store)
    }

    /// Whoever saves on and on must not keep others from opening a file that is large.
    @Test func aLargeFileIsOpenedWhileOthersSave() throws {
        let store = try shop.open()
        let ending = Ending()
        let thread = Thread {
            while !ending.isReached { _ = try? shop.insert(1, size: 3000, into: store) }
            ending.reach()
        }
        thread.start()
        for _ in 0..<20 {
            // As another process does, which has nothing open yet.
            let problems = try LMDBFile.check(shop.url.path)
            #expect(problems.isEmpty, "\(problems)")
        }
        ending.reach()
    }

    /// Says that something is over.
    private final class Ending: @unchecked Sendable {
        private let lock = NSLock()
        private var isOver = false
        var isReached: Bool { lock.withLock { isOver } }
        func reach() { lock.withLock { isOver = true } }
    }
}
