#if os(Linux)
import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// A disk without room for the memory that processes share.
@Suite struct FullDiskTests {
    @Test func openingOnAFullDiskIsNamedAndWorksOnceThereIsRoom() throws {
        let shop = try Workshop(Trip.self)
        guard mount("tmpfs", shop.folder.path, "tmpfs", 0, "size=1m") == 0 else {
            try Test.cancel("mounting a small disk takes the superuser's rights")
        }
        defer { umount2(shop.folder.path, 2) }
        try shop.open().close()
        let filler = shop.folder.appendingPathComponent("filler")
        do {
            let file = try #require(fopen(filler.path, "w"))
            defer { fclose(file) }
            while fputs(String(repeating: "x", count: 4096), file) >= 0, fflush(file) == 0 {}
        }
        let error = expect(.storeFull) { _ = try shop.open() }
        #expect(error?.operation == .open && error?.file == shop.url.path)
        try FileManager.default.removeItem(at: filler)
        #expect(try shop.rows(shop.open(), "Trip").count == 0)
    }
}
#endif
