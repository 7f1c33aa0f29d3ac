import CofferCore
import Foundation
import Testing

/// The types that a store may keep its history in, as the guide shows them.
@Suite struct StoredHistoryTests {
    @Model final class Letter {
        @Attribute(.preserveValueOnDeletion) var code: String
        init(_ code: String) { self.code = code }
    }

    @Test func aStoredTransactionIsToldInTermsOfTheModels() throws {
        let schema = Schema([Letter.self])
        var deletion = StoredChange(.delete, of: "Letter", keys: KeyRanges([3, 7]))
        // What outlives a row, for its tombstone.
        deletion.preserved = [3: ["code": .text("C")], 7: ["code": .text("G")]]
        let stored = StoredTransaction(
            number: 12, author: "import",
            changes: [StoredChange(.insert, of: "Letter", keys: KeyRanges(100...104)), deletion])
        let told = stored.typed(in: schema, storeIdentifier: "archive")
        #expect(told.transactionIdentifier == 12 && told.author == "import" && told.storeIdentifier == "archive")
        var (inserted, codes): (Int, [String?]) = (0, [])
        for change in told.changes {
            switch change {
            case .insert(is DefaultHistoryInsert<Letter>): inserted += 1
            case .delete(let delete as DefaultHistoryDelete<Letter>): codes.append(delete.tombstone[\.code] as? String)
            default: Issue.record("neither an insertion nor a deletion of a letter")
            }
        }
        #expect(inserted == 5 && codes == ["C", "G"])
    }
}
