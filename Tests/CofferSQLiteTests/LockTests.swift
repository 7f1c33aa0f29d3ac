import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

#if os(Linux)
/// The locks that tell other processes that this one has a file open.
@Suite struct LockTests {
    /// How many locks this process has on a file.
    private func locks(_ url: URL) throws -> Int {
        var status = stat()
        try #require(stat(url.path, &status) == 0)
        let end = ":\(status.st_ino)"
        // The list is read in pieces, between which others take locks and give them up, so that one reading may miss some.
        return try (0..<20).map { _ in
            String(
                decoding: try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/locks")).readToEnd() ?? Data(),
                as: UTF8.self
            )
            .split(separator: "\n").filter { line in
                let words = line.split(separator: " ")
                return words.contains("POSIX") && words.contains { $0.hasSuffix(end) }
            }.count
        }.max() ?? 0
    }

    @Test func openingAStoreOnceMoreKeepsThem() throws {
        let shop = try Workshop(Member.self)
        let store = try shop.open()
        _ = try shop.rows(store, "Member")
        let before = try locks(shop.url)
        try #require(before > 0)
        for allowsSave in [true, false] { try shop.open(allowsSave: allowsSave).close() }
        #expect(try locks(shop.url) == before)
        #expect(try shop.rows(store, "Member").count == 0)
    }
}
#endif
