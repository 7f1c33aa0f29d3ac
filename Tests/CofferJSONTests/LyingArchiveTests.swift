import CofferCore
import CofferRecords
import Foundation
import Testing

@testable import CofferJSON

/// Archives and journals from strangers: depth and numbers that nobody would write are errors, whatever they are for.
@Suite struct LyingArchiveTests {
    private let shop: Workshop

    init() throws {
        shop = try Workshop(Trip.self)
        let store = try shop.open()
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("Rome")])])])
        store.close()
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    /// Adds a member to the document.
    private func add(_ member: String) throws { try shop.edit("\"rows\": {", member + ",\n\"rows\": {") }

    private func refuse(_ location: SourceLocation = #_sourceLocation) throws {
        let before = try shop.contents()
        expect(.corruptStore, location) { _ = try shop.open() }
        // A salvage and a check go through other code.
        _ = try? JSONArchiveStore.openDamaged(JSONArchiveConfiguration("test", url: shop.url))
        #expect(try shop.contents() == before, sourceLocation: location)
    }

    @Test(arguments: [600, 3000, 1_000_000]) func depthOfMembers(_ depth: Int) throws {
        try add("\"stranger\": \(nested(depth))")
        try refuse()
    }

    @Test(arguments: [3000, 1_000_000]) func depthOfMetadata(_ depth: Int) throws {
        try add("\"metadata\": {\"theirs\": \(nested(depth))}")
        try refuse()
    }

    @Test(arguments: [600, 2000, 100_000]) func depthOfTheSchema(_ depth: Int) throws {
        try shop.edit("\"entities\": [", "\"entities\": \(nested(depth)), \"more\": [")
        try refuse()
    }

    @Test(arguments: [600, 3000, 1_000_000]) func depthOfRows(_ depth: Int) throws {
        try shop.edit("\"name\": \"Rome\"", "\"name\": \(nested(depth))")
        try refuse()
    }

    @Test(arguments: [600, 3000, 1_000_000]) func depthOfTheHistory(_ depth: Int) throws {
        try shop.edit("\"changes\": [", "\"changes\": [\(nested(depth)),")
        // A transaction that is JSON is looked at when it is read.
        guard let store = try? shop.open() else { return try refuse() }
        expect(.corruptStore) { _ = try store.history(HistoryQuery()) }
    }

    @Test(arguments: ["1e999999", "-1e999999", "123456789012345678901234567890", "1.0e+400"])
    func numbersThatNothingHolds(_ number: String) throws {
        try shop.edit("\"$id\": 1", "\"$id\": \(number)")
        try refuse()
    }

    @Test(arguments: ["9223372036854775807", "0", "-1", "-9223372036854775808"])
    func keysThatNoRowHas(_ key: String) throws {
        try shop.edit("\"$id\": 1", "\"$id\": \(key)")
        try refuse()
    }

    @Test func theLastKeysThereAre() throws {
        try shop.edit("\"Trip\": 2", "\"Trip\": \(Int64.max)")
        let store = try shop.open()
        let new = shop.batch("Trip", [(-1, ["name": .text("Oslo")])])
        let error = expect(.storeFull) { try shop.save(store, insert: [new]) }
        #expect(error?.entity == "Trip")
        #expect(try shop.rows(store, "Trip").count == 1)
    }

    @Test func theLastTransactionThereIs() throws {
        try shop.edit("\"transaction\": 1,", "\"transaction\": \(Int64.max),")
        let store = try shop.open()
        let new = shop.batch("Trip", [(-1, ["name": .text("Oslo")])])
        expect(.storeFull) { try shop.save(store, insert: [new]) }
        expect(.storeFull) { try store.erase() }
        #expect(try shop.rows(store, "Trip").count == 1)
    }

    @Test(arguments: ["1-9223372036854775807", "0-9223372036854775807", "1-3000000000", "1-", "-", "2-1", "1,1"])
    func rangesThatNoSaveHas(_ keys: String) throws {
        try shop.edit("\"keys\": \"1\"", "\"keys\": \"\(keys)\"")
        try refuse()
    }

    @Test(arguments: [600, 3000, 1_000_000]) func depthOfTheJournal(_ depth: Int) throws {
        try FileManager.default.removeItem(at: shop.url)
        let store = try shop.open(.dying)
        let text = StoredValue.text(String(repeating: "x", count: 70_000))
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": text])])])
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("Oslo")])])])
        var journal = try Data(contentsOf: shop.journalURL)
        for piece in ["{\"save\": 2, \"rows\": {\"Trip\": \(nested(depth))}}", "{\"save\": 3}"] {
            let bytes = Array(piece.utf8)
            journal += Checksum.digits(bytes) + [UInt8(ascii: " ")] + bytes + [UInt8(ascii: "\n")]
        }
        try journal.write(to: shop.journalURL)
        try refuse()
    }
}
