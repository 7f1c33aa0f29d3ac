import Coffer
import Foundation
import Testing

/// Cards lead to owners, and not back.
enum OneWayPairs {
    @Model final class Owner {
        var name: String
        init(_ name: String) { self.name = name }
    }
    @Model final class Card {
        var name: String
        var owner: Owner?
        init(_ name: String, _ owner: Owner? = nil) {
            self.name = name
            self.owner = owner
        }
    }
}

/// Each owner has its card now.
enum TwoWayPairs {
    @Model final class Owner {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Card.owner) var card: Card?
        init(_ name: String) { self.name = name }
    }
    @Model final class Card {
        var name: String
        var owner: Owner?
        init(_ name: String) { self.name = name }
    }
}

/// Both sides are there, and lead where they like.
enum SeparatePairs {
    @Model final class Owner {
        var name: String
        var card: Card?
        init(_ name: String) { self.name = name }
    }
    @Model final class Card {
        var name: String
        // A required link is no inverse unless it is named.
        var owner: Owner
        init(_ name: String, _ owner: Owner) {
            self.name = name
            self.owner = owner
        }
    }
}

enum JoinedPairs {
    @Model final class Owner {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Card.owner) var card: Card?
        init(_ name: String) { self.name = name }
    }
    @Model final class Card {
        var name: String
        var owner: Owner
        init(_ name: String, _ owner: Owner) {
            self.name = name
            self.owner = owner
        }
    }
}

@Suite("Links that become one side of a pair")
struct PairedLinkTests {
    static func make(_ store: TestStore) throws -> MigrationSite {
        let site = try MigrationSite(store)
        try site.open(OneWayPairs.Owner.self, OneWayPairs.Card.self) { context in
            let (a, b) = (OneWayPairs.Owner("a"), OneWayPairs.Owner("b"))
            context.insert(OneWayPairs.Card("1", a))
            context.insert(OneWayPairs.Card("2", b))
            context.insert(OneWayPairs.Card("3"))
            try context.save()
        }
        return site
    }

    @Test("are seen from the new side, and followed by its rule", arguments: TestStore.migrating)
    func newSide(_ store: TestStore) throws {
        let site = try Self.make(store)
        try site.open(TwoWayPairs.Owner.self, TwoWayPairs.Card.self) { context in
            let owners = try context.all(TwoWayPairs.Owner.self, by: SortDescriptor(\.name))
            #expect(owners.map { $0.card?.name } == ["1", "2"])
            #expect(try context.count(TwoWayPairs.Owner.self, where: #Predicate { $0.card?.name == "2" }) == 1)
        }
        try site.open(TwoWayPairs.Owner.self, TwoWayPairs.Card.self) { context in
            context.delete(try context.only(TwoWayPairs.Owner.self, where: #Predicate { $0.name == "a" }))
            try context.save()
            try expectSame(context.all(TwoWayPairs.Card.self, by: SortDescriptor(\.name)).map(\.name), ["2", "3"])
            try context.delete(model: TwoWayPairs.Owner.self)
            try context.save()
            try expectSame(context.all(TwoWayPairs.Card.self).map(\.name), ["3"])
        }
    }

    @Test("of two sides that were there are joined", arguments: TestStore.migrating)
    func bothSides(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(SeparatePairs.Owner.self, SeparatePairs.Card.self) { context in
            let owners = ["a", "b", "c"].map { SeparatePairs.Owner($0) }
            let cards = zip(["1", "2"], owners).map { SeparatePairs.Card($0, $1) }
            owners[1].card = cards[1]
            for model in owners { context.insert(model) }
            for model in cards { context.insert(model) }
            try context.save()
        }
        try site.open(JoinedPairs.Owner.self, JoinedPairs.Card.self) { context in
            let owners = try context.all(JoinedPairs.Owner.self, by: SortDescriptor(\.name))
            #expect(owners.map { $0.card?.name } == ["1", "2", nil])
            let cards = try context.all(JoinedPairs.Card.self, by: SortDescriptor(\.name))
            #expect(cards.map(\.owner.name) == ["a", "b"])
        }
        #expect(try site.reports(Schema([JoinedPairs.Owner.self])).isEmpty)
    }

    @Test("that contradict each other are refused, and named", arguments: TestStore.migrating)
    func contradicting(_ store: TestStore) throws {
        let site = try Self.make(store)
        try site.open(OneWayPairs.Owner.self, OneWayPairs.Card.self) { context in
            let owner = try context.only(OneWayPairs.Owner.self, where: #Predicate { $0.name == "a" })
            context.insert(OneWayPairs.Card("4", owner))
            try context.save()
        }
        let before = try site.files()
        let error = try #require(
            #expect(throws: SwiftDataError.self) {
                try site.open(TwoWayPairs.Owner.self, TwoWayPairs.Card.self) { _ in }
            })
        #expect(error.code == .migrationFailure && error.entity == "Owner" && error.property == "card")
        #expect(try site.files() == before)
    }

    @Test("of two sides that contradict each other are refused", arguments: TestStore.migrating)
    func contradictingSides(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(SeparatePairs.Owner.self, SeparatePairs.Card.self) { context in
            let owners = ["a", "b"].map { SeparatePairs.Owner($0) }
            let card = SeparatePairs.Card("1", owners[0])
            owners[1].card = card
            for model in owners { context.insert(model) }
            context.insert(card)
            try context.save()
        }
        let error = try #require(
            #expect(throws: SwiftDataError.self) {
                try site.open(JoinedPairs.Owner.self, JoinedPairs.Card.self) { _ in }
            })
        #expect(error.code == .migrationFailure && ["card", "owner"].contains(error.property))
    }
}
