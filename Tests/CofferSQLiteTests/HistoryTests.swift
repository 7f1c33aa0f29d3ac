import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// The table of the history in a file.
@Suite struct HistoryTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self, Stop.self, Tag.self) }

    private func trips(_ count: Int) -> RowBatch {
        shop.batch("Trip", (1...count).map { (Int64(-$0), ["name": .text("x")]) })
    }

    @Test func theShellReadsIt() throws {
        let store = try shop.open()
        try shop.save(store, insert: [trips(1000)])
        try shop.save(
            store, update: [shop.batch("Trip", [(7, ["name": .text("y")])])],
            delete: [("Trip", [1, 3, 4, 5, 5000])])
        let rows = try shop.sql("SELECT number, changes FROM _coffer_history ORDER BY number")
        #expect(
            rows == [
                #"1|[{"insert": "Trip", "keys": "1-1000"}]"#,
                #"2|[{"update": "Trip", "properties": ["name"], "keys": "7"}, {"delete": "Trip", "keys": "1,3-5"}]"#,
            ])
    }

    @Test func aFileWithoutATableGetsIt() throws {
        let store = try shop.open()
        try shop.save(store, insert: [trips(1)])
        store.close()
        _ = try shop.sql("DROP TABLE _coffer_history")
        let reader = try shop.open(allowsSave: false)
        #expect(try reader.history(HistoryQuery()) == StoredHistory())
        reader.close()
        let writer = try shop.open()
        #expect(try writer.history(HistoryQuery()) == StoredHistory())
        try shop.save(writer, insert: [trips(1)])
        let history = try writer.history(HistoryQuery())
        #expect(history.latest == 1 && history.transactions.map(\.number) == [1])
    }

    @Test func damagedTransactionsAreNamed() throws {
        let store = try shop.open()
        for text in ["", "[", "[1]", #"[{"keys": "1"}]"#, #"[{"insert": "Trip", "keys": "2-1"}]"#] {
            try shop.save(store, insert: [trips(1)])
            _ = try shop.sql(
                "UPDATE _coffer_history SET changes = '\(text)' "
                    + "WHERE number = (SELECT max(number) FROM _coffer_history)")
            var query = HistoryQuery()
            query.isNewestFirst = true
            query.limit = 1
            let error = #expect(throws: SwiftDataError.self) { _ = try store.history(query) }
            #expect(error?.code == .corruptStore && error?.operation == .history, "\(text)")
        }
    }

    @Test func textsComeBackAsTheyWere() throws {
        var change = StoredChange(.delete, of: "A \"b\"", keys: KeyRanges([9, 1, 2, 3, 2]))
        change.preserved = [
            2: [
                "a": .integer(.min), "b": .unsigned(.max), "c": .real(.nan), "d": .text("\u{1}\"\\é"),
                "e": .blob([0, 1]),
            ]
        ]
        for time in [0.0, 0.1, 951_782_400.000001, 1_709_164_800, 1_767_225_599.999999, 4_102_444_800.25] {
            let transaction = StoredTransaction(
                number: 3, timestamp: Date(timeIntervalSince1970: time), author: "é\n", bundleIdentifier: "b",
                processIdentifier: "1", changes: [change])
            let copy = try StoredTransaction(text: transaction.text.utf8)
            #expect(copy.text == transaction.text && copy.timestamp == transaction.timestamp)
            #expect(abs(copy.timestamp.timeIntervalSince1970 - time) < 0.000_002)
            #expect(copy.changes[0].keys == change.keys && copy.changes[0].keys.text == "1-3,9")
        }
        let leap = StoredTransaction(
            number: 1, timestamp: Date(timeIntervalSince1970: 951_782_400), author: nil, bundleIdentifier: "",
            processIdentifier: "", changes: [])
        #expect(leap.timeText == "2000-02-29T00:00:00.000000Z")
    }
}
