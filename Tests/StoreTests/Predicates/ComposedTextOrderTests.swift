import Coffer
import Foundation
import Testing

@Model final class Placard {
    var no: Int
    var text: String
    init(_ no: Int, _ text: String) {
        self.no = no
        self.text = text
    }
}

@Suite("Orders by text as people sort it")
struct ComposedTextOrderTests {
    @Test("take the compositions of a text for equal, saved or not", arguments: TestStore.all)
    func compositions(_ store: TestStore) throws {
        let context = try TestPlace(store, Placard.self).context()
        for (no, text) in ["e\u{301}", "\u{E9}", "e\u{301}", "a"].enumerated() { context.insert(Placard(no, text)) }
        try context.save()
        for comparator in [LocalizedStringComparator.localizedStandard, .localized] {
            let order = SortDescriptor(\Placard.text, comparator: comparator)
            #expect(try context.all(Placard.self, by: order).map(\.no).prefix(4) == [3, 0, 1, 2])
        }
        context.insert(Placard(4, "\u{E9}"))
        context.insert(Placard(5, "e\u{301}"))
        for comparator in [LocalizedStringComparator.localizedStandard, .localized] {
            let order = SortDescriptor(\Placard.text, comparator: comparator)
            #expect(try context.all(Placard.self, by: order).map(\.no) == [3, 0, 1, 2, 4, 5])
        }
    }
}
