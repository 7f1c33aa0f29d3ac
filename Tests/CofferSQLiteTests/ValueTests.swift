import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// How values lie in columns.
@Suite struct ValueTests {
    /// A row whose values can be stored, to change some of.
    static let base: [String: StoredValue] = [
        "flag": .integer(1), "number": .integer(0), "small": .null, "unsigned": .integer(0), "double": .real(0),
        "float": .null, "text": .text(""), "letter": .null, "date": .real(0), "data": .blob([]),
        "uuid": .blob(Array(repeating: 7, count: 16)), "url": .null, "decimal": .text("1"), "note": .null,
        "place": .null, "mood": .text("calm"),
    ]

    @Test func valuesReadInTheShell() throws {
        let shop = try Workshop(Everything.self)
        let store = try shop.open()
        let row = Self.base.merging(["text": .text("it's"), "double": .real(2.5), "number": .integer(42)]) { $1 }
        try shop.save(store, insert: [shop.batch("Everything", [(-1, row)])])
        #expect(
            try shop.sql("SELECT _pk, text, double, number, typeof(note), mood FROM Everything")
                == ["1|it's|2.5|42|null|calm"])
    }
}
