import Coffer
import Foundation
import Testing

@Model final class Card {
    var text: String
    var blob: Data
    var holder: Holder?
    init(_ text: String, _ blob: Data, _ holder: Holder) {
        self.text = text
        self.blob = blob
        self.holder = holder
    }
}

@Model final class Holder {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Card.holder) var cards: [Card] = []
    init(_ name: String) { self.name = name }
}

@Suite("A deleted model")
struct DeletedModelTests {
    static let blob = Data(repeating: 7, count: 100_000)

    static func make(_ store: TestStore) throws -> TestPlace {
        let place = try TestPlace(store, Card.self)
        let context = place.context()
        let holder = Holder("h")
        context.insert(holder)
        context.insert(Card("c1", blob, holder))
        context.insert(Card("c2", blob, holder))
        try context.save()
        return place
    }

    /// The first card, without its blob where the store can leave it out.
    static func card(_ context: ModelContext) throws -> Card {
        var descriptor = FetchDescriptor<Card>(predicate: #Predicate { $0.text == "c1" })
        descriptor.propertiesToFetch = [\.text]
        return try #require(context.fetch(descriptor).first)
    }

    private func expectGone(_ card: Card, _ identifier: PersistentIdentifier, _ context: ModelContext) throws {
        #expect(card.modelContext == nil)
        #expect(card.text == "c1")
        #expect([Self.blob, Data()].contains(card.blob))
        #expect(card.holder == nil || card.holder?.name == "h")
        card.text = "x"
        card.holder = nil
        #expect(!context.hasChanges)
        #expect(card.text == "x")
        try context.save()
        #expect(context.registered(Card.self, identifier) == nil)
        #expect(try context.count(Card.self, where: #Predicate { $0.persistentModelID == identifier }) == 0)
        #expect(try context.all(Card.self).map(\.text) == ["c2"])
    }

    @Test(
        "is none that was saved after everything was erased, and before its context heard of it",
        arguments: TestStore.rowStores)
    func savedWhileErased(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let old = try context.all(Card.self)
        let holder = Holder("new")
        let work = Meanwhile {
            context.insert(holder)
            try context.save()
            holder.name = "newer"
            context.insert(Holder("newest"))
        }
        place.record.duringNextRequest { work.run() }
        try place.container.erase()
        try work.result?.get()
        #expect(work.result != nil)
        #expect(try context.count(Card.self) == 0)
        #expect(old.allSatisfy { $0.modelContext == nil })
        #expect(holder.modelContext === context && holder.name == "newer")
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.all(Holder.self, by: SortDescriptor(\.name)).map(\.name).first == "newer")
        }
    }

    /// Work of a test that is done in the middle of a request of its own.
    private final class Meanwhile: @unchecked Sendable {
        private let work: () throws -> Void
        private(set) var result: Result<Void, any Error>?

        init(_ work: @escaping () throws -> Void) { self.work = work }

        func run() { result = Result { try work() } }
    }

    @Test("is left out of fetches and readable until the save", arguments: TestStore.all)
    func beforeSave(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let card = try Self.card(context)
        context.delete(card)
        #expect(card.isDeleted)
        #expect(card.modelContext === context)
        #expect(card.text == "c1")
        #expect(context.deletedModelsArray.count == 1)
        #expect(try context.all(Card.self).map(\.text) == ["c2"])
        #expect(try context.count(Card.self) == 1)
        #expect(card.blob == Self.blob)
        #expect(card.holder?.name == "h")
        context.rollback()
        #expect(!card.isDeleted)
        #expect(try context.count(Card.self) == 2)
    }

    @Test("outlives the save, with its last values", arguments: TestStore.all)
    func afterSave(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let card = try Self.card(context)
        let identifier = card.persistentModelID
        context.delete(card)
        try context.save()
        #expect(context.deletedModelsArray.isEmpty)
        try expectGone(card, identifier, context)
        for context in try place.newContexts() {
            #expect(try context.only(Holder.self).cards.map(\.text) == ["c2"])
        }
    }

    @Test("outlives the save of another context", arguments: TestStore.all)
    func elsewhere(_ store: TestStore) throws {
        let place = try Self.make(store)
        let other = place.context()
        let held = try Self.card(other)
        let holder = try other.only(Holder.self)
        #expect(holder.cards.count == 2)
        let identifier = held.persistentModelID
        let context = place.context()
        context.delete(try Self.card(context))
        try context.save()
        _ = try other.all(Card.self)
        try expectGone(held, identifier, other)
        #expect(holder.cards.map(\.text) == ["c2"])
    }

    @Test("outlives a cascade, an erased container and its context", arguments: TestStore.all)
    func others(_ store: TestStore) throws {
        let place = try Self.make(store)
        var context: ModelContext? = place.context()
        let cards = try context!.all(Card.self, by: SortDescriptor(\.text))
        let holder = try context!.only(Holder.self)
        context!.delete(holder)
        try context!.save()
        #expect(cards.allSatisfy { $0.modelContext == nil })
        #expect(cards.map(\.text) == ["c1", "c2"] && cards.map(\.blob) == [Self.blob, Self.blob])
        #expect(holder.name == "h")
        context = nil
        #expect(cards.map(\.text) == ["c1", "c2"] && cards[0].holder?.name ?? "h" == "h")

        let again = try Self.make(store)
        let held = again.context()
        let card = try held.only(Card.self, where: #Predicate { $0.text == "c1" })
        try again.container.erase()
        #expect(try held.count(Card.self) == 0)
        #expect(card.text == "c1" && card.blob == Self.blob && card.modelContext == nil)
        card.text = "y"
        #expect(!held.hasChanges)
        held.insert(Holder("new"))
        try held.save()
        #expect(try again.context().count(Holder.self) == 1)
    }

    @Test("and those that were deleted with it go once nobody holds them", arguments: TestStore.rowStores)
    func circles(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        weak var holder: Holder?
        weak var card: Card?
        func delete() throws {
            let first = try context.only(Holder.self)
            #expect(first.cards.allSatisfy { $0.holder === first })
            (holder, card) = (first, first.cards.first)
            context.delete(first)
            try context.save()
        }
        try delete()
        #expect(holder == nil && card == nil)
    }

    @Test("and one that was never saved keep nothing when their context ends", arguments: TestStore.rowStores)
    func unsavedMember(_ store: TestStore) throws {
        let place = try Self.make(store)
        weak var holder: Holder?
        func work() throws {
            let context = place.context()
            let first = try context.only(Holder.self)
            holder = first
            // It is put into a list that nobody has read.
            context.insert(Card("c3", Self.blob, first))
        }
        try work()
        #expect(holder == nil)
    }

    @Test("whose row another context deleted before it was read gives empty values", arguments: TestStore.all)
    func neverRead(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let identifier = try place.context().only(Card.self, where: #Predicate { $0.text == "c1" }).persistentModelID
        let unread = try #require(context.model(for: identifier) as? Card)
        let other = place.context()
        other.delete(try other.only(Card.self, where: #Predicate { $0.text == "c1" }))
        try other.save()
        #expect(unread.text == "")
        #expect(unread.blob.isEmpty)
        #expect(unread.holder == nil)
        #expect(unread.modelContext == nil)
    }

    @Test("that was never saved is just dropped", arguments: TestStore.all)
    func neverSaved(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let holder = try context.only(Holder.self)
        let card = Card("c3", Self.blob, holder)
        context.insert(card)
        #expect(holder.cards.count == 3)
        context.delete(card)
        #expect(card.modelContext == nil && !card.isDeleted)
        #expect(holder.cards.count == 2)
        #expect(card.text == "c3")
        try context.save()
        for context in try place.newContexts() { #expect(try context.count(Card.self) == 2) }
    }
}

@Suite("What is not saved when a container is erased")
struct ErasedContainerTests {
    @Test("is dropped if it was made before, and stays if it was made after", arguments: TestStore.all)
    func beforeAndAfter(_ store: TestStore) throws {
        let place = try DeletedModelTests.make(store)
        let context = place.context()
        let card = try DeletedModelTests.card(context)
        card.text = "changed"
        context.insert(Holder("before"))
        try place.container.erase()
        let after = Holder("after")
        context.insert(after)
        try context.save()
        #expect(!context.hasChanges && after.modelContext === context && card.modelContext == nil)
        #expect(try context.all(Holder.self).map(\.name) == ["after"])
        for context in try place.newContexts() {
            #expect(try context.all(Holder.self).map(\.name) == ["after"])
            #expect(try context.count(Card.self) == 0)
        }
    }
}
