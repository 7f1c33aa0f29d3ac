import CofferCore
import Foundation
import Testing

@Suite("The text of a transaction") struct HistoryTextTests {
    private static func transaction(
        number: Int64 = 7, at seconds: Double = 1_800_000_000.000_25, author: String? = nil, bundle: String = "app",
        _ changes: [StoredChange]
    ) -> StoredTransaction {
        StoredTransaction(
            number: number, timestamp: Date(timeIntervalSince1970: seconds), author: author, bundleIdentifier: bundle,
            processIdentifier: "12", changes: changes)
    }

    private static func change(
        _ kind: StoredChange.Kind, _ name: String, _ keys: [Int64], _ properties: [String] = [],
        preserved: [Int64: [String: StoredValue]] = [:]
    ) -> StoredChange {
        var change = StoredChange(kind, of: name, keys: KeyRanges(keys))
        change.properties = properties
        change.preserved = preserved
        return change
    }

    static let transactions = [
        transaction([change(.insert, "Trip", Array(1...1000))]),
        transaction(number: .max, at: 0, author: "", [change(.delete, "Trip", [1, 3, 5, .max])]),
        transaction(
            at: 253_402_300_799, author: "a \"b\" \\ \n c", [change(.update, "Reise", [2], ["größe", "name"])]),
        transaction(
            author: "me", [change(.update, "Trip", [2, 3, 9], ["name", "days"]), change(.insert, "Stop", [1])]),
        transaction(
            bundle: "", [change(.delete, "Trip", [4], preserved: [4: ["name": .text("Rome"), "n": .integer(-1)]])]),
        transaction(author: "\u{7F}", [change(.insert, "Trip\u{0}", [1])]),
    ]

    @Test("comes back as what it was", arguments: transactions)
    func roundTrip(_ transaction: StoredTransaction) throws {
        let copy = try StoredTransaction(text: transaction.text.utf8)
        #expect(copy == transaction)
        let parts = try StoredTransaction(
            number: transaction.number, timeText: transaction.timeText, author: transaction.author,
            bundleIdentifier: transaction.bundleIdentifier, processIdentifier: transaction.processIdentifier,
            changesText: transaction.changesText)
        #expect(parts == transaction)
    }

    @Test("may be laid out in another way", arguments: transactions)
    func otherLayout(_ transaction: StoredTransaction) throws {
        let object = try JSONSerialization.jsonObject(with: Data(transaction.text.utf8))
        let text = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
        let copy = try StoredTransaction(text: text)
        #expect(copy == transaction)
    }

    @Test("needs no changes where nobody asks for them", arguments: transactions)
    func brief(_ transaction: StoredTransaction) throws {
        var copy = try StoredTransaction(text: transaction.text.utf8, isBrief: true)
        copy.changes = transaction.changes
        #expect(copy == transaction)
    }

    private static let text = transactions[0].text
    static let damaged = [
        "", "{", "[]", String(text.dropLast()), text + " x",
        text.replacingOccurrences(of: "\"1-1000\"", with: "\"5-1\""),
        text.replacingOccurrences(of: "\"1-1000\"", with: "\"3,3\""),
        text.replacingOccurrences(of: "\"1-1000\"", with: "\"1-\""),
        text.replacingOccurrences(of: "\"1-1000\"", with: "\"1,\""),
        text.replacingOccurrences(of: "\"1-1000\"", with: "\"9223372036854775808\""),
        text.replacingOccurrences(of: "\"insert\"", with: "\"replace\""),
        text.replacingOccurrences(of: "2027-", with: "1027-"),
        text.replacingOccurrences(of: "2027-", with: "20277777-"),
        text.replacingOccurrences(of: "Z\"", with: "Z1\""),
    ]

    @Test("is refused by name when it is damaged", arguments: damaged)
    func damage(_ text: String) throws {
        let error = #expect(throws: SwiftDataError.self) { try StoredTransaction(text: text.utf8) }
        #expect(error?.code == .corruptStore)
    }
}
