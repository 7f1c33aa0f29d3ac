import CofferCore
import Foundation
import Testing

@testable import CofferJSON

/// The history in document and journal.
@Suite struct HistoryTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self, Stop.self, Tag.self) }

    private func insert(_ name: String, _ store: JSONArchiveStore) throws {
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text(name)])])])
    }

    @Test(arguments: [1, 70_000]) func itOutlivesTheStore(_ size: Int) throws {
        // Small documents are written as a whole, large ones have a journal.
        let store = try shop.open(.dying)
        try insert(String(repeating: "x", count: size), store)
        for name in ["a", "b", "c"] { try insert(name, store) }
        try store.forgetHistory(KeyRanges([1, 2]))
        let history = try store.history(HistoryQuery())
        #expect(history.start == 2 && history.latest == 4 && history.transactions.map(\.number) == [3, 4])
        #expect(FileManager.default.fileExists(atPath: shop.journalURL.path) == (size > 1))
        #expect(try shop.open(.dying).history(HistoryQuery()) == history)
        let other = try shop.open(.alone)
        #expect(try other.history(HistoryQuery()) == history)
        other.close()
        #expect(try shop.open(.alone).history(HistoryQuery()) == history, "folded into the document")
    }

    @Test func aTransactionThatIsNoneIsRefused() throws {
        let store = try shop.open(.alone)
        try insert("a", store)
        store.close()
        let text = try shop.text()
        for wrong in [#""transaction": 0"#, #""transaction": "1""#, #""number": 1"#] {
            try shop.write(text.replacingOccurrences(of: #""transaction": 1"#, with: wrong))
            let error = #expect(throws: SwiftDataError.self) { _ = try shop.open(.alone) }
            #expect(error?.code == .corruptStore)
        }
    }
}
