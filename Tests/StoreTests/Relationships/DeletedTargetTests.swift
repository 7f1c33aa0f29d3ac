import Coffer
import Foundation
import Testing

@Model final class Deck {
    var name: String
    @Relationship(inverse: \Sheet.deck) var sheets: [Sheet] = []
    var cover: Sheet?
    var marks: [Sheet] = []
    init(_ name: String) { self.name = name }
}

@Model final class Sheet {
    var name: String
    var deck: Deck?
    init(_ name: String) { self.name = name }
}

@Model final class Seal {
    var name: String
    /// Required, and nothing leads back.
    var sheet: Sheet
    init(_ name: String, _ sheet: Sheet) {
        self.name = name
        self.sheet = sheet
    }
}

@Suite("A link to a model whose deletion was saved")
struct DeletedTargetTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext, deck: Deck, gone: Sheet) {
        let place = try TestPlace(store, Deck.self, Seal.self)
        let context = place.context()
        let deck = Deck("d")
        deck.sheets = [Sheet("s")]
        let gone = Sheet("gone")
        context.insert(deck)
        context.insert(gone)
        try context.save()
        context.delete(gone)
        try context.save()
        #expect(gone.modelContext == nil)
        return (place, context, deck, gone)
    }

    private func expectUnlinked(_ place: TestPlace, decks: Int = 1) throws {
        for context in try place.newContexts() {
            #expect(try context.count(Sheet.self) == 1)
            let all = try context.all(Deck.self)
            #expect(all.count == decks)
            #expect(all.allSatisfy { $0.cover == nil && $0.marks.isEmpty })
            #expect(all.flatMap(\.sheets).map(\.name) == ["s"])
        }
    }

    @Test("is dropped by the next save, to-one and to-many", arguments: TestStore.all)
    func dropped(_ store: TestStore) throws {
        let (place, context, deck, gone) = try Self.make(store)
        deck.cover = gone
        deck.marks = [gone]
        deck.sheets.append(gone)
        #expect(deck.cover === gone && deck.sheets.count == 2)
        try context.save()
        #expect(deck.cover == nil && deck.marks.isEmpty && deck.sheets.map(\.name) == ["s"])
        #expect(!context.hasChanges && gone.modelContext == nil)
        try expectUnlinked(place)
    }

    @Test("is dropped from a new model, too", arguments: TestStore.all)
    func fromNewModel(_ store: TestStore) throws {
        let (place, context, _, gone) = try Self.make(store)
        let deck = Deck("new")
        deck.cover = gone
        deck.marks = [gone]
        deck.sheets = [gone]
        context.insert(deck)
        try context.save()
        #expect(deck.cover == nil && deck.marks.isEmpty && deck.sheets.isEmpty)
        try expectUnlinked(place, decks: 2)
    }

    @Test("is dropped when another context deleted the model meanwhile", arguments: TestStore.all)
    func deletedElsewhere(_ store: TestStore) throws {
        let place = try TestPlace(store, Deck.self, Seal.self)
        let context = place.context()
        context.insert(Deck("d"))
        context.insert(Sheet("s"))
        context.insert(Sheet("gone"))
        try context.save()
        let deck = try context.only(Deck.self)
        deck.sheets = [try context.only(Sheet.self, where: #Predicate { $0.name == "s" })]
        try context.save()
        let sheet = try context.only(Sheet.self, where: #Predicate { $0.name == "gone" })
        let added = Deck("new")
        context.insert(added)
        for deck in [deck, added] {
            deck.cover = sheet
            deck.marks = [sheet]
        }
        let other = place.context()
        other.delete(try other.only(Sheet.self, where: #Predicate { $0.name == "gone" }))
        try other.save()
        try context.save()
        #expect(deck.cover == nil && added.cover == nil && deck.marks.isEmpty && added.marks.isEmpty)
        try expectUnlinked(place, decks: 2)
    }

    @Test(
        "makes the save throw where it is required, naming it; the save after it is mended succeeds",
        arguments: TestStore.all)
    func required(_ store: TestStore) throws {
        let (place, context, deck, gone) = try Self.make(store)
        let seal = Seal("t", gone)
        context.insert(seal)
        deck.cover = gone
        for _ in 1...2 {
            let error = try #require(#expect(throws: SwiftDataError.self) { try context.save() })
            #expect(error.code == .invalidRelationship)
            #expect(error.entity == "Seal" && error.property == "sheet")
            #expect(context.hasChanges && seal.sheet === gone && deck.cover === gone)
        }
        seal.sheet = deck.sheets[0]
        try context.save()
        #expect(deck.cover == nil)
        for context in try place.newContexts() { #expect(try context.only(Seal.self).sheet.name == "s") }
    }

    @Test("is a link again when the model is inserted anew", arguments: TestStore.all)
    func insertedAnew(_ store: TestStore) throws {
        let (place, context, deck, gone) = try Self.make(store)
        deck.cover = gone
        context.insert(gone)
        #expect(gone.modelContext === context)
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.only(Deck.self).cover?.name == "gone")
            #expect(try context.count(Sheet.self) == 2)
        }
    }

    @Test("set from the deleted side concerns nobody", arguments: TestStore.all)
    func otherSide(_ store: TestStore) throws {
        let (place, context, deck, gone) = try Self.make(store)
        gone.deck = deck
        #expect(!context.hasChanges && deck.sheets.count == 1)
        try context.save()
        try expectUnlinked(place)
    }
}
