import CofferCore
import Foundation
import Testing

@testable import CofferJSON

/// What people make of an archive with an editor: taken where it is valid, otherwise named by line and column.
@Suite struct HandEditTests {
    let shop: Workshop

    init() throws {
        shop = try Workshop(Trip.self, Everything.self, Precise.self)
        let store = try shop.open()
        try shop.save(
            store,
            insert: [
                shop.batch(
                    "Trip",
                    [
                        (-1, ["name": .text("Rome"), "days": .integer(3), "tags": shop.keys([-12, -11], of: "Tag")]),
                        (-2, ["name": .text("Oslo")]),
                    ]),
                shop.batch("Tag", [(-11, ["label": .text("sun")]), (-12, ["label": .text("city")])]),
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
                shop.batch("Stop", [(-21, ["title": .text("stop"), "trip": shop.key(-1, of: "Trip")])]),
                shop.batch(
                    "Everything",
                    [
                        (
                            -1,
                            [
                                "flag": .integer(1), "number": .integer(3), "unsigned": .integer(4),
                                "double": .real(0.5),
                                "text": .text("text"), "date": .real(0.25), "data": .blob([1, 2, 255]),
                                "uuid": .blob(Array(0..<16)), "url": .text("u:"), "decimal": .text("2501 499"),
                            ]
                        )
                    ]),
            ])
        store.close()
    }

    // MARK: Valid

    @Test func newRowsLinksAndListsAreTaken() throws {
        try shop.edit(
            #"{"$id": 2, "name": "Oslo"}"#, "{\"name\":\"Oslo\",\n\n\"$id\":2},{\"$id\": 9, \"name\": \"new\"}")
        try shop.edit(#""trip": 1"#, #""trip" : 9"#)
        try shop.edit(#""label": "sun", "trips": [1]"#, #""label": "sun", "trips": [2, 1]"#)
        let store = try shop.open()
        #expect(try shop.rows(store, "Trip").keys.sorted() == [1, 2, 9])
        #expect(try shop.list(store, "Trip", "tags", 2) == [1])
        #expect(try shop.list(store, "Tag", "trips", 1) == [2, 1])
        #expect(try shop.list(store, "Trip", "stops", 9) == [1])
        // A key that a person has given is not given again.
        #expect(try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])]) == [[10]])
        store.close()
        #expect(try shop.tables(try shop.open(.dying)) == shop.tables(try shop.open()))
    }

    @Test func integersStandForReals() throws {
        try shop.edit("\"double\": 0.5", "\"double\": 7")
        try shop.edit("\"decimal\": \"4.99\"", "\"decimal\": 12")
        let row = try shop.rows(try shop.open(), "Everything")[1]
        #expect(row?["double"] == .real(7))
        #expect(row?["decimal"] == .text(DecimalText.text(12)))
    }

    @Test func whatIsOptionalMayBeNullOrMissing() throws {
        try shop.edit(", \"days\": 3", "")
        try shop.edit(", \"url\": \"u:\"", ", \"url\": null")
        let store = try shop.open()
        #expect(try shop.rows(store, "Trip")[1]?["days"] == nil)
        #expect(try shop.rows(store, "Everything")[1]?["url"] == nil)
    }

    @Test func theOrderOfMembersDoesNotMatter() throws {
        let text = try shop.text()
        var object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        object["next keys"] = nil
        object["fingerprint"] = nil
        object["layout"] = nil
        let rows = try #require(object["rows"] as? [String: Any])
        func json(_ value: Any) throws -> String {
            String(
                decoding: try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed]), as: UTF8.self
            )
        }
        let members = try ["rows": rows as Any].merging(object) { first, _ in first }
            .sorted { ($0.key == "rows" ? 0 : 1, $1.key) < ($1.key == "rows" ? 0 : 1, $0.key) }
            .map { "\"\($0.key)\" :\t\(try json($0.value))" }
        try shop.write("\u{FEFF}\r\n{ " + members.joined(separator: "\r\n,") + "} \n\n")
        let store = try shop.open()
        #expect(try shop.rows(store, "Trip").count == 2)
        #expect(try shop.list(store, "Trip", "tags", 1) == [2, 1])
        #expect(try shop.list(store, "Tag", "trips", 2) == [1])
        #expect(try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])]) == [[3]])
    }

    @Test func textIsNormalised() throws {
        try shop.edit("\"Rome\"", "\"Cafe\u{301}\"")
        #expect(try shop.rows(try shop.open(), "Trip")[1]?["name"] == .text("Caf\u{E9}"))
    }

    @Test func anOpenStoreTakesEditsOver() throws {
        let store = try shop.open()
        #expect(try shop.rows(store, "Trip").count == 2)
        try shop.edit("\"Rome\"", "\"Roma\"")
        #expect(try shop.rows(store, "Trip")[1]?["name"] == .text("Roma"))
        try shop.edit("\"Roma\"", "\"Roma")
        expect(.corruptStore) { try shop.rows(store, "Trip") }
        let broken = try shop.contents()
        expect(.corruptStore) { try shop.save(store, delete: [("Trip", [1])]) }
        #expect(try shop.contents() == broken)
        try shop.edit("\"Roma", "\"Rom\"")
        #expect(try shop.rows(store, "Trip")[1]?["name"] == .text("Rom"))
    }

    // MARK: Invalid

    /// Expects that an edit makes the archive invalid at the place where the new piece has a mark, `§`.
    private func refused(
        _ piece: String, _ new: String, entity: String? = nil, property: String? = nil, _ words: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let sound = try shop.text()
        defer { try? shop.write(sound) }
        try shop.edit(piece, new, location)
        let marked = try shop.text().components(separatedBy: "§")
        #expect(marked.count == 2, "there must be one mark", sourceLocation: location)
        let before = marked[0].components(separatedBy: "\n")
        try shop.write(marked.joined())
        let contents = try shop.contents()
        for allowsSave in [true, false] {
            let error = expect(.corruptStore, location) { try shop.open(allowsSave: allowsSave) }
            let place = "line \(before.count), column \((before.last?.count ?? 0) + 1): "
            #expect(
                error?.detail?.hasPrefix(place) == true, "\(error?.detail ?? "") is not at \(place)",
                sourceLocation: location)
            #expect(error?.detail?.contains(words) == true, "\(error?.detail ?? "")", sourceLocation: location)
            #expect(error?.entity == entity, sourceLocation: location)
            #expect(error?.property == property, sourceLocation: location)
            #expect(error?.file == shop.url.path, sourceLocation: location)
            #expect(error?.operation == .open, sourceLocation: location)
        }
        #expect(try shop.contents() == contents, sourceLocation: location)
    }

    @Test func wrongTypesAreNamed() throws {
        for (piece, new, property) in [
            ("\"flag\": true", "§\"flag\": 1", "flag"), ("\"number\": 3, \"u", "§\"number\": 3.5, \"u", "number"),
            ("\"unsigned\": 4", "§\"unsigned\": -4", "unsigned"), ("\"double\": 0.5", "§\"double\": \"0.5\"", "double"),
            ("\"text\": \"text\"", "§\"text\": true", "text"), ("\"date\": 0.25", "§\"date\": \"today\"", "date"),
            ("\"data\": \"AQL/\"", "§\"data\": \"?\"", "data"), ("\"uuid\": \"0001", "§\"uuid\": \"000", "uuid"),
            ("\"decimal\": \"4.99\"", "§\"decimal\": \"4,99\"", "decimal"),
        ] {
            try refused(piece, new, entity: "Everything", property: property, "expected")
        }
        try refused("\"trip\": 1", "§\"trip\": \"Rome\"", entity: "Stop", property: "trip", "key of a row")
        try refused("\"tags\": [2, 1]", "§\"tags\": 2", entity: "Trip", property: "tags", "list of keys")
        try refused("\"tags\": [2, 1]", "§\"tags\": [\"sun\"]", entity: "Trip", property: "tags", "list of keys")
    }

    @Test func valuesOfOtherTypesThanTheProperties() throws {
        for (piece, new, property, words) in [
            ("\"small\": 7", "§\"small\": 128", "small", "Int8"),
            ("\"single\": 0.5", "§\"single\": 1e300", "single", "Float"),
            ("\"letter\": \"é\"", "§\"letter\": \"secret\"", "letter", "Character"),
            ("\"letter\": \"é\"", "§\"letter\": \"\"", "letter", "Character"),
            ("\"link\": \"u:\"", "§\"link\": \"\"", "link", "URL"),
            ("\"link\": \"u:\"", "§\"link\": \"http://[secret\"", "link", "URL"),
            ("\"words\": \"[]\"", "§\"words\": \"nojson\"", "words", "JSON"),
            ("\"words\": \"[]\"", "§\"words\": \"[\"", "words", "JSON"),
            ("\"words\": \"[]\"", "§\"words\": \"[\\\\u0000]\"", "words", "JSON"),
            ("\"words\": \"[]\"", "§\"words\": \"{\\\"\\\\u0000\\\"}\"", "words", "JSON"),
            ("\"whole\": 1.0", "§\"whole\": 9007199254740993", "whole", "Double"),
        ] {
            try refused(piece, new, entity: "Precise", property: property, words)
        }
        try refused(
            "\"date\": 0.25", "§\"date\": 9007199254740993", entity: "Everything", property: "date", "Double")
        for key in ["9223372036854775807", "0"] {
            try refused(
                #"{"$id": 2, "name": "Oslo"}"#, "{§\"$id\": \(key), \"name\": \"Oslo\"}", entity: "Trip",
                property: "$id",
                "from 1 to 9223372036854775806")
        }
    }

    @Test func theLastKeysAreUsedUp() throws {
        try shop.edit(#"{"$id": 2, "name": "Oslo"}"#, #"{"$id": 9223372036854775806, "name": "Oslo"}"#)
        let store = try shop.open()
        #expect(try shop.rows(store, "Trip").keys.sorted() == [1, .max - 1])
        let error = expect(.storeFull) {
            try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("x")])])])
        }
        #expect(error?.entity == "Trip")
        try shop.save(store, update: [shop.batch("Trip", [(.max - 1, ["days": .integer(1)])])])
        #expect(try shop.rows(store, "Trip")[.max - 1]?["days"] == .integer(1))
    }

    @Test func codedValuesMayBeOfAnyForm() throws {
        var last = "[]"
        for text in [
            "7", "-18446744073709551615.25e3", "null", "true", "{}", "99999999999999999999999", "[[[]]]", "[ 1 ]",
        ] {
            try shop.edit("\"words\": \"\(last)\"", "\"words\": \"\(text)\"")
            last = text
            #expect(try shop.rows(shop.open(), "Precise")[1]?["words"] == .text(text))
        }
        try shop.edit("\"words\": \"\(last)\"", #""words": "[\"a\\u0000\", \"é\"]""#)
        #expect(try shop.rows(shop.open(), "Precise")[1]?["words"] == .text(#"["a\u0000", "é"]"#))
        // A dictionary's key.
        try shop.edit(#""words": "[\"a\\u0000\", \"é\"]""#, #""words": "{\"\\u0000b\": [1], \"\\\\u0000\": 2}""#)
        #expect(try shop.rows(shop.open(), "Precise")[1]?["words"] == .text(#"{"\u0000b": [1], "\\u0000": 2}"#))
    }

    @Test func numbersOfSinglePrecisionAreRounded() throws {
        try shop.edit("\"single\": 0.5", "\"single\": 0.1")
        #expect(try shop.rows(shop.open(), "Precise")[1]?["single"] == .real(Double(Float(0.1))))
    }

    @Test func rowsThatDoNotFitTheSchemaAreNamed() throws {
        try refused("\"days\": 3", "§\"dayz\": 3", entity: "Trip", property: "dayz", "no such property")
        try refused(#"{"$id": 2, "name": "Oslo"}"#, #"§{"$id": 2}"#, entity: "Trip", property: "name", "required")
        try refused(#"{"$id": 2, "name": "Oslo"}"#, #"§{"name": "Oslo"}"#, entity: "Trip", "no $id")
        try refused(
            #"{"$id": 2, "name": "Oslo"}"#, #"{§"$id": 0, "name": "Oslo"}"#, entity: "Trip", property: "$id", "from 1")
        try refused(#"{"$id": 2, "name": "Oslo"}"#, "§[2]", entity: "Trip", "object")
        try refused("\n \"Stop\": [", "\n §\"Stops\": [", entity: "Stops", "schema")
    }

    @Test func rowsThatDoNotFitEachOtherAreNamed() throws {
        try refused(#"{"$id": 2, "name": "Oslo"}"#, #"§{"$id": 1, "name": "Oslo"}"#, entity: "Trip", "same key")
        try refused("\"trip\": 1", "§\"trip\": 7", entity: "Stop", property: "trip", "not there")
        try refused("\"tags\": [2, 1]", "§\"tags\": [2, 3]", entity: "Trip", property: "tags", "other side")
        try refused(
            "\"tags\": [2, 1]", "§\"tags\": [2]", entity: "Trip", property: "tags", "lacks a row")
        try refused(
            #""label": "city", "trips": [1]"#, #""label": "city", §"trips": [1, 7]"#, entity: "Tag", property: "trips",
            "not there")
        try refused("\"tags\": [2, 1]", "§\"tags\": [2, 1, 2]", entity: "Trip", property: "tags", "twice")
        try refused(
            #"{"$id": 2, "name": "Oslo"}"#, #"{"$id": 2, "name": "Oslo", §"stops": [1]}"#, entity: "Trip",
            property: "stops", "other side")
        try refused("\"label\": \"city\"", "§\"label\": \"sun\"", entity: "Tag", property: "label", "unique")
    }

    @Test func faultsOfSyntaxAreNamed() throws {
        try refused("\"name\": \"Oslo\"}", "\"name\": \"Oslo\"§]", "expected")
        try refused("\"name\": \"Oslo\"}", "\"name\": \"Oslo\", \"name§\": 1}", "duplicate")
        try refused("{\"$id\": 2, \"name\": \"Oslo\"}", "{\"$id\": 2, \"name\": \"Oslo\"} §{}", "missing")
        try refused("\"rows\": {", "§\"row\": {}, \"rows\": {", "no member of this name")
        try refused("\"coffer archive\": 1,", "\"coffer archive\": 1, §\"coffer archive\": 1,", "twice")
        try refused("\"coffer archive\": 1", "\"coffer archive\": §\"1\"", "expected")
        try refused("\"generation\":", "generatio§n:", "invalid token")
        let text = try shop.text()
        try shop.write(text + "\n<<<<<<< HEAD\n")
        let error = expect(.corruptStore) { try shop.open() }
        #expect(error?.detail?.contains("line \(text.components(separatedBy: "\n").count + 1), column 1") == true)
    }

    @Test func errorsDoNotShowValues() throws {
        try shop.edit("\"name\": \"Oslo\"", "\"name\": \"secret")
        let error = expect(.corruptStore) { try shop.open() }
        #expect(error?.description.contains("secret") == false)
    }
}
