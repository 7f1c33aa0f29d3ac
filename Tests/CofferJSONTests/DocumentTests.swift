import CofferCore
import Foundation
import Testing

@testable import CofferJSON

/// How a document looks.
@Suite struct DocumentTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    /// Two trips with three stops and two tags.
    private func fill(_ store: JSONArchiveStore) throws {
        try shop.save(
            store,
            insert: [
                shop.batch(
                    "Trip",
                    [
                        (
                            -1,
                            [
                                "name": .text("Rome"), "tags": shop.keys([-12, -11], of: "Tag"),
                                "stops": shop.keys([-23, -21, -22], of: "Stop"),
                            ]
                        ),
                        (
                            -2,
                            [
                                "name": .text("Oslo"), "days": .integer(3), "tags": shop.keys([-11], of: "Tag"),
                                "friends": shop.keys([-1], of: "Trip"),
                            ]
                        ),
                    ]),
                shop.batch("Tag", [(-11, ["label": .text("sun")]), (-12, ["label": .text("city")])]),
                shop.batch(
                    "Stop",
                    [
                        (-21, ["title": .text("a"), "trip": shop.key(-1, of: "Trip")]),
                        (-22, ["title": .text("b"), "trip": shop.key(-1, of: "Trip")]),
                        (-23, ["title": .text("c"), "trip": shop.key(-1, of: "Trip")]),
                    ]),
            ])
    }

    @Test func eachRowHasALine() throws {
        let store = try shop.open()
        try fill(store)
        #expect(
            try shop.rowLines() == [
                #"{"$id": 1, "title": "a", "trip": 1}"#, #"{"$id": 2, "title": "b", "trip": 1}"#,
                #"{"$id": 3, "title": "c", "trip": 1}"#, #"{"$id": 1, "label": "sun", "trips": [1, 2]}"#,
                #"{"$id": 2, "label": "city", "trips": [1]}"#,
                #"{"$id": 1, "name": "Rome", "stops": [3, 1, 2], "tags": [2, 1]}"#,
                #"{"$id": 2, "name": "Oslo", "days": 3, "friends": [1]}"#,
            ])
        let text = try shop.text()
        #expect(
            text.hasPrefix("{\n\"coffer archive\": 1,\n\"identifier\": \"\(store.identifier)\",\n\"generation\": 2,\n"))
        #expect(text.contains("\"next keys\": {\"Stop\": 4, \"Tag\": 3, \"Trip\": 3},\n"))
        #expect(text.hasSuffix("}\n ]\n}\n}"))
    }

    @Test func itIsJSON() throws {
        let store = try shop.open()
        try fill(store)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: shop.url)) as? [String: Any])
        let rows = try #require(object["rows"] as? [String: [[String: Any]]])
        #expect(rows.mapValues(\.count) == ["Trip": 2, "Tag": 2, "Stop": 3])
    }

    @Test func listsComeBackInOrder() throws {
        let store = try shop.open()
        try fill(store)
        store.close()
        for store in [try shop.open(), try shop.open(allowsSave: false)] {
            #expect(try shop.list(store, "Trip", "stops", 1) == [3, 1, 2])
            #expect(try shop.list(store, "Trip", "tags", 1) == [2, 1])
            #expect(try shop.list(store, "Tag", "trips", 1) == [1, 2])
            #expect(try shop.list(store, "Trip", "friends", 2) == [1])
        }
    }

    @Test func theOtherSideOfPairsIsWrittenForItsOrderOnly() throws {
        let store = try shop.open()
        try fill(store)
        try shop.save(
            store,
            update: [
                shop.batch("Tag", [(1, ["trips": shop.keys([2, 1], of: "Trip")])]),
                shop.batch("Trip", [(1, ["tags": shop.keys([1, 2], of: "Tag")])]),
            ])
        #expect(try shop.rowLines().contains(#"{"$id": 1, "label": "sun", "trips": [2, 1]}"#))
        #expect(try shop.rowLines().contains(#"{"$id": 1, "name": "Rome", "stops": [3, 1, 2]}"#))
        store.close()
        #expect(try shop.list(try shop.open(), "Tag", "trips", 1) == [2, 1])
    }

    @Test func aChangedRowChangesItsLineOnly() throws {
        let store = try shop.open()
        try fill(store)
        // The history gets a line more.
        func lines() throws -> [String] {
            try shop.text().components(separatedBy: "\n").filter { !$0.contains(#""transaction": "#) }
        }
        let before = try lines()
        try shop.save(store, update: [shop.batch("Trip", [(1, ["name": .text("Roma")])])])
        let after = try lines()
        let changed = zip(before, after).filter { $0 != $1 }.map(\.1)
        #expect(before.count == after.count)
        #expect(changed.map { $0.contains("generation") || $0.contains("Roma") } == [true, true])
    }

    @Test func nothingIsWrittenWhereNothingChanges() throws {
        let store = try shop.open()
        try fill(store)
        let before = try shop.contents()
        try shop.save(store)
        try shop.save(store, delete: [("Trip", [99])])
        try store.fold()
        store.close()
        _ = try shop.rows(try shop.open(), "Trip")
        #expect(try shop.contents() == before)
    }

    @Test func theFileShowsTheStateOfEachSmallSave() throws {
        let store = try shop.open()
        for number in 1...20 {
            try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("\(number)")])])])
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: shop.url)) as? [String: Any]
            #expect((object?["rows"] as? [String: [Any]])?["Trip"]?.count == number)
            #expect(try shop.contents().keys.sorted() == ["store.json"])
        }
    }

    @Test func erasingKeepsTheNextKeys() throws {
        let store = try shop.open()
        try fill(store)
        try store.erase()
        #expect(try shop.rowLines().isEmpty)
        #expect(try shop.text().contains("\"next keys\": {\"Stop\": 4, \"Tag\": 3, \"Trip\": 3},\n"))
        store.close()
        let again = try shop.open()
        #expect(try shop.save(again, insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])]) == [[3]])
    }

    @Test func aSymbolicLinkStaysOne() throws {
        try shop.open().close()
        let link = shop.folder.appendingPathComponent("link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: shop.url)
        let store = try shop.open(url: link)
        try fill(store)
        #expect(try shop.rowLines().count == 7)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == shop.url.path)
        #expect(try shop.contents().keys.sorted() == ["link.json", "store.json"])
    }

    @Test func theFileKeepsItsRights() throws {
        let store = try shop.open()
        chmod(shop.url.path, 0o640)
        try fill(store)
        let rights = try FileManager.default.attributesOfItem(atPath: shop.url.path)[.posixPermissions] as? Int
        #expect(rights == 0o640)
    }
}
