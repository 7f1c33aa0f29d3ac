import Coffer
import Foundation
import Testing

/// Two schemas with an entity of one name, whose properties stand in another order.
enum CountyBank {
    @Model final class Acct {
        var owner: String
        var iban: String
        init(_ owner: String, _ iban: String) { (self.owner, self.iban) = (owner, iban) }
    }
}

enum CountyVault {
    @Model final class Acct {
        var iban: String
        var owner: String
        init(_ owner: String, _ iban: String) { (self.iban, self.owner) = (iban, owner) }
    }
}

@Model final class FreightWagon {
    var number: Int
    @Relationship(deleteRule: .cascade, inverse: \FreightWagon.before) var behind: FreightWagon?
    var before: FreightWagon?
    init(_ number: Int) { self.number = number }
}

@Suite("Models that are not the context's")
struct StrangeModelTests {
    @Test("by their class, though the name is known, are refused everywhere", arguments: TestStore.all)
    func otherClass(_ store: TestStore) throws {
        let place = try TestPlace(store, CountyVault.Acct.self)
        let context = place.context()
        context.insert(CountyVault.Acct("own", "own iban"))
        try context.save()

        let refused = { (body: () throws -> Void) in
            let error = try #require(#expect(throws: SwiftDataError.self) { try body() })
            #expect(error.code == .unknownModelType && error.entity == "Acct")
        }
        context.insert(CountyBank.Acct("other", "other iban"))
        try refused { try context.save() }
        context.rollback()
        try refused { _ = try context.fetch(FetchDescriptor<CountyBank.Acct>()) }
        try refused { _ = try context.fetchCount(FetchDescriptor<CountyBank.Acct>()) }
        try refused { try context.delete(model: CountyBank.Acct.self, where: #Predicate { $0.owner == "own iban" }) }
        let kept = try context.only(CountyVault.Acct.self)
        #expect(kept.owner == "own" && kept.iban == "own iban")
    }

    @Test("are not deleted, and the next save says so", arguments: TestStore.all)
    func otherContext(_ store: TestStore) throws {
        let place = try TestPlace(store, CountyVault.Acct.self)
        let (context, other) = (place.context(), place.context())
        context.insert(CountyVault.Acct("own", "iban"))
        try context.save()
        other.delete(try context.only(CountyVault.Acct.self))
        let error = try #require(#expect(throws: SwiftDataError.self) { try other.save() })
        #expect(error.code == .invalidRelationship && error.operation == .delete)
        other.rollback()
        try other.save()
        #expect(try context.count(CountyVault.Acct.self) == 1)
    }

    @Test(
        "yet are taken in all together, however long the list that they make", arguments: [TestStore.memory, .sqlite])
    func longList(_ store: TestStore) throws {
        let place = try TestPlace(store, FreightWagon.self)
        let context = place.context()
        context.insert(Self.train(of: 20_000))
        #expect(context.insertedModelsArray.count == 20_001)
        try context.save()
        #expect(try context.count(FreightWagon.self) == 20_001)
    }

    @Test(
        "and go all together before they are saved, however long the list that they make",
        arguments: [TestStore.memory, .sqlite])
    func longListGoes(_ store: TestStore) throws {
        let place = try TestPlace(store, FreightWagon.self)
        let context = place.context()
        let stays = FreightWagon(-1)
        context.insert(stays)
        try context.save()
        let engine = Self.train(of: 20_000)
        context.insert(engine)
        context.delete(engine)
        #expect(context.insertedModelsArray.isEmpty && engine.modelContext == nil)
        try context.save()
        #expect(try context.only(FreightWagon.self) === stays)
    }

    private static func train(of count: Int) -> FreightWagon {
        let engine = FreightWagon(0)
        var last = engine
        for number in 1...count {
            let next = FreightWagon(number)
            last.behind = next
            last = next
        }
        return engine
    }
}
