import CofferCore
import Foundation
import Testing

@testable import CofferJSON

/// Bytes that somebody or something has changed, anywhere: a named error, or other values.
@Suite struct ScatteredDamageTests {
    let shop: Workshop

    init() throws {
        shop = try Workshop(Trip.self, Everything.self, Precise.self)
        let store = try shop.open(.dying)
        try shop.save(
            store,
            insert: [
                shop.batch(
                    "Trip",
                    [
                        (-1, ["name": .text("Rome"), "days": .integer(3), "tags": shop.keys([-12, -11], of: "Tag")]),
                        (-2, ["name": .text("Oslo"), "friends": shop.keys([-1], of: "Trip")]),
                    ]),
                shop.batch("Tag", [(-11, ["label": .text("sun")]), (-12, ["label": .text("city")])]),
                shop.batch("Stop", [(-21, ["title": .text("stop"), "trip": shop.key(-1, of: "Trip")])]),
                shop.batch(
                    "Precise",
                    [
                        (
                            -31,
                            [
                                "small": .integer(7), "single": .real(0.5), "letter": .text("é"), "link": .text("u:"),
                                "words": .text("[]"), "whole": .real(1),
                            ]
                        )
                    ]),
            ])
        // A value so large that the saves after it go into a journal; its bytes are not worth changing.
        let text = String(repeating: "x", count: 70_000)
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(text)])])])
        try shop.save(store, update: [shop.batch("Trip", [(1, ["tags": shop.keys([1, 2], of: "Tag")])])])
        try shop.save(
            store, insert: [shop.batch("Stop", [(-1, ["title": .text("a"), "trip": shop.key(2, of: "Trip")])])])
        try shop.save(store, delete: [("Tag", [1])])
        store.close()
    }

    /// Opens, reads and saves; answers the code of what was thrown, or nil.
    private func use() throws -> SwiftDataError.Code? {
        do {
            let store = try shop.open(.dying)
            for entity in ["Trip", "Tag", "Stop", "Precise"] { _ = try shop.rows(store, entity) }
            try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("new")])])])
            return nil
        } catch let error as SwiftDataError {
            return error.code
        }
    }

    private func sweep(_ url: URL, _ change: (inout [UInt8], Int, inout Numbers) -> Void) throws {
        let files = try shop.contents()
        let sound = try [UInt8](Data(contentsOf: url))
        let places = sound.indices.filter { sound[$0] != UInt8(ascii: "x") }
        var numbers = Numbers()
        var codes: Set<String> = []
        for _ in 0..<400 {
            var damaged = sound
            change(&damaged, places[numbers.next(places.count)], &numbers)
            for (name, data) in files { try data.write(to: shop.folder.appendingPathComponent(name)) }
            try Data(damaged).write(to: url)
            let code = try use()
            codes.insert(code?.rawValue ?? "opened")
            // What is refused is as it was.
            if code != nil { #expect(try [UInt8](Data(contentsOf: url)) == damaged) }
        }
        #expect(codes.isSubset(of: ["opened", "corruptStore", "newerStoreFormat", "unknownSchema", "storeFull"]))
        #expect(codes.contains("corruptStore"))
    }

    /// The same numbers at each run.
    private struct Numbers {
        private var state: UInt64 = 7
        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    @Test func changedBytesOfADocument() throws {
        try sweep(shop.url) { bytes, place, numbers in bytes[place] ^= UInt8(1 + numbers.next(255)) }
    }

    @Test func exchangedCharactersOfADocument() throws {
        let characters = Array("0919-+.eE\"\\[]{}:,nt $".utf8)
        try sweep(shop.url) { bytes, place, numbers in bytes[place] = characters[numbers.next(characters.count)] }
    }

    @Test func piecesOfADocumentThatAreGoneOrTwice() throws {
        try sweep(shop.url) { bytes, place, numbers in
            let end = min(bytes.count, place + 1 + numbers.next(40))
            let piece = bytes[place..<end]
            if numbers.next(2) == 0 {
                bytes.removeSubrange(place..<end)
            } else {
                bytes.insert(contentsOf: piece, at: end)
            }
        }
    }

    /// With checksums that are right.
    @Test func exchangedCharactersOfAJournal() throws {
        let characters = Array("0919-+.eE\"\\[]{}:,nt $".utf8)
        try sweep(shop.journalURL) { bytes, place, numbers in
            let character = characters[numbers.next(characters.count)]
            if bytes[place] == UInt8(ascii: "\n") || character == UInt8(ascii: "\n") { return }
            bytes[place] = character
            let lines = bytes.split(separator: UInt8(ascii: "\n")).map { line in
                Checksum.digits(line.dropFirst(9)) + [UInt8(ascii: " ")] + line.dropFirst(9) + [UInt8(ascii: "\n")]
            }
            bytes = lines.flatMap { $0 }
        }
    }
}
