import DropInLedger
import Foundation
import SwiftData

@MainActor
func exerciseModels(_ ledger: ParityLedger) async {
    await ledger.works("the root of a hierarchy is itself by default", ["PersistentModel.Root"]) { check in
        func root<M: PersistentModel>(_ type: M.Type) -> String { String(describing: M.Root.self) }
        check.equal(root(Lamp.self), "Lamp")
    }
    await ledger.works(
        "generic code makes models and reads metadata",
        [
            "PersistentModel.schemaMetadata", "PersistentModel.init(backingData:)",
            "PersistentModel.persistentBackingData", "PersistentModel.createBackingData()",
        ]
    ) { check in
        func make<M: PersistentModel>(_ type: M.Type) -> M {
            let data: some BackingData<M> = M.createBackingData()
            return M.init(backingData: data)
        }
        let lamp = make(Lamp.self)
        lamp.name = "new"
        let other = Lamp(name: "old")
        other.persistentBackingData = lamp.persistentBackingData
        check.equal(other.name, "new")
        func count<M: PersistentModel>(_ type: M.Type) -> Int { M.schemaMetadata.count }
        check.equal(count(Pupil.self), 6)
    }
    await ledger.works(
        "values and models are read and written by key path",
        [
            "PersistentModel.getValue(forKey:) of a value", "PersistentModel.setValue(forKey:to:) of a value",
            "PersistentModel.getValue(forKey:) of an optional model",
            "PersistentModel.setValue(forKey:to:) of an optional model",
            "PersistentModel.getValue(forKey:) of models", "PersistentModel.setValue(forKey:to:) of models",
            "PersistentModel.getValue(forKey:) of optional models",
            "PersistentModel.setValue(forKey:to:) of optional models",
            "PersistentModel.getValue(forKey:) of a model", "PersistentModel.setValue(forKey:to:) of a model",
            "PersistentModel.getTransformableValue(forKey:)", "PersistentModel.setTransformableValue(forKey:to:)",
        ]
    ) { check in
        let pupil = Pupil(name: "Ada")
        pupil.setValue(forKey: \.name, to: "Bea")
        check.equal(pupil.getValue(forKey: \.name), "Bea")
        let school = School(name: "North", town: "Kiel")
        pupil.setValue(forKey: \.school, to: school)
        let known: School? = pupil.getValue(forKey: \.school)
        check.expect(known === school && school.pupils == [pupil])
        let mark = Mark(.maths, 2)
        pupil.setValue(forKey: \.marks, to: [mark])
        let marks: [Mark] = pupil.getValue(forKey: \.marks)
        check.expect(marks == [mark] && mark.pupil === pupil)
        let branch = Branch("root")
        branch.setValue(forKey: \.children, to: [Branch("leaf")])
        let children: [Branch]? = branch.getValue(forKey: \.children)
        check.equal(children?.map(\.name), ["leaf"])
        let key = Key(lock: Lock())
        let lock = Lock()
        key.setValue(forKey: \.lock, to: lock)
        let held: Lock = key.getValue(forKey: \.lock)
        check.expect(held === lock)
        let poster = makePoster()
        poster.setTransformableValue(forKey: \.tint, to: Tint(red: 1, green: 2))
        check.equal(poster.getTransformableValue(forKey: \.tint), Tint(red: 1, green: 2))
    }
    await ledger.works(
        "a model knows its context, its identity and its state",
        [
            "PersistentModel.modelContext", "PersistentModel.persistentModelID", "PersistentModel.id",
            "PersistentModel.hasChanges", "PersistentModel.isDeleted",
        ]
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        let lamp = Lamp(name: "desk")
        check.expect(lamp.modelContext == nil && !lamp.hasChanges && !lamp.isDeleted)
        context.insert(lamp)
        check.expect(lamp.modelContext === context && lamp.hasChanges)
        let temporary = lamp.persistentModelID
        check.expect(temporary.storeIdentifier == nil && lamp.id == temporary)
        try context.save()
        check.expect(lamp.persistentModelID != temporary && lamp.id == lamp.persistentModelID && !lamp.hasChanges)
        lamp.name = "floor"
        check.expect(lamp.hasChanges)
        context.delete(lamp)
        check.expect(lamp.isDeleted)
        try context.save()
        check.expect(!lamp.isDeleted && lamp.modelContext == nil)
    }
    await ledger.works(
        "a context has one object for a row", ["PersistentModel.==(_:_:)", "PersistentModel.hash(into:)"]
    ) { check in
        let container = try check.container(Lamp.self)
        let context = ModelContext(container)
        let lamp = Lamp(name: "desk")
        context.insert(lamp)
        var set: Set = [lamp]
        try context.save()
        let found = try check.require(context.all(Lamp.self).first)
        check.expect(found == lamp && !set.insert(found).inserted)
        check.equal(found.hashValue, lamp.hashValue)
        check.expect(Lamp(name: "a") != Lamp(name: "a"))
    }
}

@Model
final class Key {
    var lock: Lock
    init(lock: Lock) { self.lock = lock }
}

@Model
final class Lock {
    @Relationship(inverse: \Key.lock) var keys: [Key] = []
    init() {}
}

@MainActor
func exerciseBackingData(_ ledger: ParityLedger) async {
    await ledger.works(
        "backing data holds a model's values",
        [
            "BackingData.Model", "BackingData.init(for:)", "BackingData.persistentModelID", "BackingData.metadata",
            "BackingData.getValue(forKey:) of a value", "BackingData.setValue(forKey:to:) of a value",
            "BackingData.getValue(forKey:) of an optional model",
            "BackingData.setValue(forKey:to:) of an optional model",
            "BackingData.getValue(forKey:) of models", "BackingData.setValue(forKey:to:) of models",
            "BackingData.getValue(forKey:) of a model", "BackingData.setValue(forKey:to:) of a model",
            "BackingData.getValue(forKey:) of optional models",
            "BackingData.setValue(forKey:to:) of optional models",
            "BackingData.getTransformableValue(forKey:)", "BackingData.setTransformableValue(forKey:to:)",
        ]
    ) { check in
        @MainActor func fill<B: BackingData>(_ data: B) -> Pupil? where B.Model == Pupil {
            let fresh = type(of: data).init(for: Pupil.self)
            fresh.setValue(forKey: \.name, to: "Ada")
            fresh.setValue(forKey: \.school, to: School(name: "North", town: "Kiel"))
            fresh.setValue(forKey: \.marks, to: [Mark(.maths, 1)])
            let school: School? = fresh.getValue(forKey: \.school)
            let marks: [Mark] = fresh.getValue(forKey: \.marks)
            check.equal(school?.name, "North")
            check.equal(marks.count, 1)
            check.expect(fresh.persistentModelID != nil && "\(fresh.metadata)" != "")
            return fresh.getValue(forKey: \.name) == "Ada" ? Pupil(backingData: fresh) : nil
        }
        let pupil = fill(Pupil(name: "x").persistentBackingData)
        check.equal(pupil?.name, "Ada")
        check.equal(pupil?.marks.count, 1)
        let key = Key(lock: Lock()).persistentBackingData
        let lock = Lock()
        key.setValue(forKey: \.lock, to: lock)
        let held: Lock = key.getValue(forKey: \.lock)
        check.expect(held === lock)
        let branch = Branch("root").persistentBackingData
        branch.setValue(forKey: \.children, to: [Branch("leaf")])
        let children: [Branch]? = branch.getValue(forKey: \.children)
        check.equal(children?.count, 1)
        let poster = makePoster().persistentBackingData
        poster.setTransformableValue(forKey: \.tint, to: Tint(red: 3, green: 4))
        check.equal(poster.getTransformableValue(forKey: \.tint), Tint(red: 3, green: 4))
    }
    await ledger.works(
        "arrays of models, and optional ones, are to-many",
        [
            "RelationshipCollection.PersistentElement",
            "conformance of Array and Optional to RelationshipCollection",
        ]
    ) { check in
        func element<C: RelationshipCollection>(_ type: C.Type) -> String {
            String(describing: C.PersistentElement.self)
        }
        check.equal(element([Mark].self), "Mark")
        check.equal(element([Branch]?.self), "Branch")
    }
}

@MainActor
func exerciseIdentifiers(_ ledger: ParityLedger) async {
    await ledger.works(
        "identifiers say which row they are of",
        [
            "PersistentIdentifier.id", "PersistentIdentifier.ID", "PersistentIdentifier.entityName",
            "PersistentIdentifier.storeIdentifier", "PersistentIdentifier.<(_:_:)",
            "PersistentIdentifier.identifier(for:entityName:primaryKey:)",
            "conformance of PersistentIdentifier to Hashable, Codable and Sendable",
        ]
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        let (a, b) = (Lamp(name: "a"), Lamp(name: "b"))
        context.insert(a)
        context.insert(b)
        try context.save()
        let one = a.persistentModelID
        let other = b.persistentModelID
        let opaque: PersistentIdentifier.ID = one.id
        check.expect(opaque == one.id && opaque != other.id && Set([one.id, other.id]).count == 2)
        check.equal(one.entityName, "Lamp")
        check.expect(one.storeIdentifier != nil && one.storeIdentifier == other.storeIdentifier)
        check.expect(one < other || other < one)
        let made = try PersistentIdentifier.identifier(for: "shop", entityName: "Lamp", primaryKey: "k")
        let again = try PersistentIdentifier.identifier(for: "shop", entityName: "Lamp", primaryKey: "k")
        check.expect(made == again && made.storeIdentifier == "shop")
        check.expect(try PersistentIdentifier.identifier(for: "shop", entityName: "Lamp", primaryKey: UUID()) != made)
        check.expect(try PersistentIdentifier.identifier(for: "shop", entityName: "Lamp", primaryKey: 4) != made)
        func send<S: Sendable & Hashable & Codable & Identifiable>(_ value: S) -> S { value }
        check.equal(send(one), one)
        check.expect(String(decoding: try JSONEncoder().encode(one), as: UTF8.self).contains("\"implementation\""))
    }
    await ledger.differs(
        "a decoded identifier finds its row", ["an identifier that was decoded"],
        because: "it equals the identifier it was made from, and leads to the row; SwiftData's does not equal it"
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        let lamp = Lamp(name: "a")
        context.insert(lamp)
        try context.save()
        let data = try JSONEncoder().encode(lamp.persistentModelID)
        let read = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
        check.equal(read, lamp.persistentModelID)
        check.expect(context.model(for: read) === lamp)
    }
}
