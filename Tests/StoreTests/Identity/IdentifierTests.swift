import Coffer
import Foundation
import Testing

@Model final class Stamp {
    var key: Int
    init(_ key: Int) { self.key = key }
}

@Suite("Identity before and after the first save")
struct IdentifierTests {
    @Test("changes once and is the same object all the time", arguments: TestStore.all)
    func firstSave(_ store: TestStore) throws {
        let place = try TestPlace(store, Stamp.self)
        let context = place.context()
        let model = Stamp(1)
        #expect(model.modelContext == nil)
        context.insert(model)
        #expect(model.modelContext === context)
        let before = model.persistentModelID
        let hash = model.hashValue
        let set = Set([model])
        #expect(before.storeIdentifier == nil)
        #expect(context.model(for: before) === model)
        #expect(context.registered(Stamp.self, before) === model)
        try context.save()
        let after = model.persistentModelID
        #expect(after.storeIdentifier != nil)
        #expect(after != before)
        #expect(after.entityName == "Stamp" && model.id == after)
        #expect(set.contains(model) && model.hashValue == hash)
        #expect(context.model(for: after) === model)
        #expect(context.registered(Stamp.self, after) === model)
        #expect(context.model(for: before) === model)
        try context.save()
        #expect(model.persistentModelID == after)
        // Elsewhere the same identifier is another object.
        let fresh = place.context()
        #expect(fresh.registered(Stamp.self, after) == nil)
        let other = try #require(fresh.model(for: after) as? Stamp)
        #expect(other !== model && other.key == 1 && other.persistentModelID == after)
        #expect(fresh.registered(Stamp.self, after) === other)
    }

    @Test("survives coding and a new container", arguments: TestStore.all)
    func coding(_ store: TestStore) throws {
        let place = try TestPlace(store, Stamp.self)
        let context = place.context()
        let models = (0..<5).map(Stamp.init)
        for model in models { context.insert(model) }
        try context.save()
        let data = try JSONEncoder().encode(models.map(\.persistentModelID))
        let decoded = try JSONDecoder().decode([PersistentIdentifier].self, from: data)
        #expect(decoded == models.map(\.persistentModelID))
        let reopened = try place.reopen()
        #expect(decoded.map { (reopened.model(for: $0) as? Stamp)?.key } == [0, 1, 2, 3, 4])
    }

    @Test("is never the same for two rows, nor given again", arguments: TestStore.all)
    func distinct(_ store: TestStore) throws {
        let place = try TestPlace(store, Stamp.self)
        let context = place.context()
        let models = (0..<200).map(Stamp.init)
        for model in models { context.insert(model) }
        #expect(Set(models.map(\.persistentModelID)).count == 200)
        try context.save()
        var all = Set(models.map(\.persistentModelID))
        #expect(all.count == 200)
        for model in models.suffix(100) { context.delete(model) }
        try context.save()
        let reopened = try place.reopen()
        let more = (200..<300).map(Stamp.init)
        for model in more { reopened.insert(model) }
        try reopened.save()
        all.formUnion(more.map(\.persistentModelID))
        #expect(all.count == 300)
    }

    @Test("of a model that nobody holds leads to a new object of the same row", arguments: TestStore.all)
    func released(_ store: TestStore) throws {
        let place = try TestPlace(store, Stamp.self)
        let context = place.context()
        var identifier: PersistentIdentifier
        weak var gone: Stamp?
        do {
            let model = Stamp(7)
            context.insert(model)
            try context.save()
            identifier = model.persistentModelID
            gone = model
        }
        #expect(gone == nil)
        #expect((context.model(for: identifier) as? Stamp)?.key == 7)
    }
}
