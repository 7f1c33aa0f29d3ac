import Coffer
import Foundation
import Testing

@Suite("Changes in a history")
struct HistoryChangeTests {
    static func shelves(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext) {
        let place = try TestPlace(store, Told.Doc.self, Told.Shelf.self)
        let context = place.context()
        for label in ["a", "b"] {
            let shelf = Told.Shelf(label)
            context.insert(shelf)
            shelf.docs = (1...2).map { Told.Doc("\(label)\($0)", size: $0) }
        }
        try context.save()
        return (place, context)
    }

    @Test("an upsert is an update of the row that it lands on", arguments: TestStore.rowStores)
    func upsert(_ store: TestStore) throws {
        let (place, context) = try Self.shelves(store)
        let known = try context.only(Told.Shelf.self, where: #Predicate { $0.label == "a" }).persistentModelID
        let other = place.context()
        other.insert(Told.Shelf("a", height: 3))
        other.insert(Told.Shelf("c"))
        other.insert(Told.Shelf("c", height: 4))
        try other.save()
        let changes = try #require(try other.told().last).changes
        #expect(changes.map(\.summary).sorted() == ["insert Shelf", "update Shelf label,height"])
        guard case .update(let update)? = changes.last else {
            Issue.record("the update comes last")
            return
        }
        #expect(update.changedPersistentIdentifier == known)
    }

    @Test("cascaded deletions are told", arguments: TestStore.rowStores)
    func cascade(_ store: TestStore) throws {
        let (_, context) = try Self.shelves(store)
        context.delete(try context.only(Told.Shelf.self, where: #Predicate { $0.label == "a" }))
        try context.save()
        #expect(try context.lastChanges() == ["delete Doc", "delete Doc", "delete Shelf"])
    }

    @Test("deletions by predicate are told, with the values that outlive the rows", arguments: TestStore.rowStores)
    func batchDelete(_ store: TestStore) throws {
        let (_, context) = try Self.shelves(store)
        try context.delete(model: Told.Doc.self, where: #Predicate { $0.size == 1 })
        try context.save()
        #expect(try context.lastChanges() == ["delete Doc", "delete Doc"])
        let codes = try context.told().last?.changes.compactMap { change -> String? in
            guard case .delete(let delete as DefaultHistoryDelete<Told.Doc>) = change else { return nil }
            return delete.tombstone[\.code] as? String
        }
        #expect(codes == ["a1", "b1"])
        try context.delete(model: Told.Shelf.self)
        try context.save()
        #expect(try context.lastChanges().sorted() == ["delete Doc", "delete Doc", "delete Shelf", "delete Shelf"])
    }

    @Test("updates by predicate are told, each row once", arguments: TestStore.rowStores)
    func batchUpdate(_ store: TestStore) throws {
        let (_, context) = try Self.shelves(store)
        try context.update(model: Told.Doc.self, where: #Predicate { $0.size == 1 }) {
            $0.set(\.size, to: #Expression { $0.size + 10 })
            $0.name = "new"
        }
        try context.save()
        #expect(try context.lastChanges() == ["update Doc name,size", "update Doc name,size"])
    }

    @Test("an update names what was set, by rows", arguments: TestStore.rowStores)
    func attributes(_ store: TestStore) throws {
        let (_, context) = try Self.shelves(store)
        let docs = try context.all(Told.Doc.self, by: SortDescriptor(\.code))
        docs[0].name = "x"
        docs[1].size = 9
        docs[2].name = "y"
        docs[3].name = "z"
        docs[3].size = 8
        try context.save()
        #expect(
            try context.lastChanges().sorted()
                == ["update Doc name", "update Doc name", "update Doc name,size", "update Doc size"])
        docs[0].shelf = nil
        try context.save()
        #expect(try context.lastChanges().contains("update Doc shelf"))
    }

    @Test("tombstones hold values of every kind", arguments: TestStore.rowStores)
    func tombstone(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Item.self, Told.SpecialItem.self)
        let context = place.context()
        let (item, special) = (Told.Item(1), Told.SpecialItem(2, extra: "e"))
        context.insert(item)
        context.insert(special)
        try context.save()
        special.number = 3
        try context.save()
        guard case .update(let update as DefaultHistoryUpdate<Told.SpecialItem>)? = try context.told()[1].changes.first
        else {
            Issue.record("an inherited property was changed")
            return
        }
        #expect(update.updates(\.number) && !update.updates(\.extra) && update.updatedAttributes.count == 1)
        context.delete(item)
        context.delete(special)
        try context.save()
        for context in try place.newContexts() {
            let changes = try context.told()[2].changes
            try #require(changes.count == 2)
            guard case .delete(let plain as DefaultHistoryDelete<Told.Item>) = changes[0],
                case .delete(let special as DefaultHistoryDelete<Told.SpecialItem>) = changes[1]
            else {
                Issue.record("\(changes)")
                return
            }
            let model = Told.Item(1)
            let tombstone = plain.tombstone
            #expect(tombstone[\.number] as? Int == 1 && tombstone[\.ratio] as? Double == -0.1)
            #expect(tombstone[\.text] as? String == model.text && tombstone[\.note] == nil)
            #expect(tombstone[\.date] as? Date == model.date && tombstone[\.uuid] as? UUID == model.uuid)
            #expect(tombstone[\.data] as? Data == model.data && tombstone[\.picture] as? Data == model.picture)
            #expect(tombstone[\.decimal] as? Decimal == model.decimal)
            #expect(tombstone[\.grade] as? Told.Grade == .high && tombstone[\.point] as? Told.Point == model.point)
            #expect(tombstone[\.large] as? UInt64 == .max && tombstone[\.lost] == nil)
            #expect(Array(tombstone).count == 11)
            #expect(special.tombstone[\.extra] as? String == "e" && special.tombstone[\.number] as? Int == 3)
        }
    }
}
