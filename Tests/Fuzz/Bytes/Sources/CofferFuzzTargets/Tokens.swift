import Foundation

@testable import CofferCore

extension FuzzTarget {
    /// Persistent identifiers in their coded form.
    static let identifiers = FuzzTarget(name: "identifiers", summary: "persistent identifiers") { bytes in
        let identifier: PersistentIdentifier
        do {
            identifier = try JSONDecoder().decode(PersistentIdentifier.self, from: Data(bytes))
        } catch is DecodingError {
            return
        }
        let again = try JSONDecoder().decode(PersistentIdentifier.self, from: try JSONEncoder().encode(identifier))
        try demand(identifier == again && identifier.hashValue == again.hashValue, "\(identifier) is not \(again)")
        try demand(!(identifier < again) && !(again < identifier), "\(identifier) comes before itself")
        _ = (identifier.debugDescription, identifier.id, identifier._isTemporary)
    }

    /// Tokens of histories and pages, and the texts of transactions. The first byte says which.
    static let tokens = FuzzTarget(name: "tokens", summary: "tokens of histories and pages, and transactions") {
        bytes in
        let content = Array(bytes.dropFirst())
        let text = String(decoding: content, as: UTF8.self)
        switch (bytes.first ?? 0) % 7 {
        case 0: try historyToken(content)
        case 1: try pageToken(text)
        case 2:
            // The same with the right checksum.
            var hash = StableHash()
            hash.combine(content)
            let sum = withUnsafeBytes(of: hash.value.littleEndian) { Array($0) }
            try pageToken(
                Data(sum + content).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                    .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: ""))
        case 3: try transaction(try StoredTransaction(text: content))
        case 4:
            try transaction(
                try StoredTransaction(
                    number: 7, timeText: "2026-01-31T09:05:00.000250Z", author: text, bundleIdentifier: text,
                    processIdentifier: "", changesText: text))
        case 5:
            guard let keys = KeyRanges(text: text) else { return }
            try demand(KeyRanges(text: keys.text) == keys, "“\(keys.text)” is not read as it was written")
            _ = (keys.count, keys.isEmpty)
        default:
            guard let date = HistoryTime.date(text) else { return }
            try demand(HistoryTime.date(HistoryTime.text(date)) == date, "\(text) is another time once it was written")
        }
    }

    private static func historyToken(_ content: [UInt8]) throws {
        let token: DefaultHistoryToken
        do {
            token = try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(content))
        } catch is DecodingError {
            return
        }
        let again = try JSONDecoder().decode(DefaultHistoryToken.self, from: try JSONEncoder().encode(token))
        try demand(token == again && token.id == again.id && !(token < again), "\(token) is not \(again)")
    }

    private static func pageToken(_ text: String) throws {
        let token = try PageToken(text)
        try demand(try PageToken(token.description) == token, "a page token is another one once it was written")
    }

    private static func transaction(_ transaction: StoredTransaction) throws {
        let again: StoredTransaction
        do {
            again = try StoredTransaction(text: Array(transaction.text.utf8))
        } catch {
            throw FuzzFinding("a transaction cannot be read once it is written: \(error)")
        }
        // Not-a-number is not equal to itself.
        try demand(again.text == transaction.text, "\(transaction.text) becomes \(again.text)")
        _ = transaction.changes.map(\.keys.count)
        if transaction.changes.allSatisfy({ $0.keys.count < 1000 }) {
            _ = transaction.typed(in: FuzzWorld.schema, storeIdentifier: "fuzz")
        }
    }
}
