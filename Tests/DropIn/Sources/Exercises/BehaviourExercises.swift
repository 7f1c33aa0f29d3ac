import DropInLedger
import Foundation
import SwiftData

/// What programs rely on beyond names and types.
@MainActor
func exerciseBehaviour(_ ledger: ParityLedger) async {
    await exerciseModelBehaviour(ledger)
    await exerciseStoreBehaviour(ledger)
    await exerciseSaveBehaviour(ledger)
}

@MainActor
private func exerciseModelBehaviour(_ ledger: ParityLedger) async {
    await ledger.works("graphs go in together", ["inserting a model inserts the new models that it leads to"]) {
        check in
        let context = ModelContext(try check.container(School.self))
        let stored = Pupil(id: "1", name: "Ada")
        context.insert(stored)
        try context.save()
        let school = School(name: "North", town: "Kiel", pupils: [stored, Pupil(id: "2", name: "Bea")])
        check.expect(school.modelContext == nil && school.pupils[1].modelContext == nil)
        context.insert(school)
        check.equal(context.insertedModelsArray.count, 2)
        context.insert(school.pupils[1])
        try context.save()
        let other = ModelContext(context.container)
        check.equal(try other.all(School.self).first?.pupils.count, 2)
    }
    await ledger.works("a property named id is the model's", ["a declared id wins over the persistent identifier"]) {
        check in
        func identity<M: Identifiable>(_ model: M) -> M.ID { model.id }
        check.equal(identity(Pupil(id: "x", name: "Ada")), "x")
        let lamp = Lamp(name: "a")
        check.equal(identity(lamp), lamp.persistentModelID)
    }
    await ledger.differs(
        "values written by key path are changes", ["setValue(forKey:to:) and observation"],
        because: "the property's setter runs: observers hear of it, and the next save stores it; SwiftData tells nobody"
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        let lamp = Lamp(name: "a")
        context.insert(lamp)
        try context.save()
        let flag = Flag()
        _ = SwiftData.withObservationTracking {
            lamp.name
        } onChange: {
            flag.isUp = true
        }
        lamp.setValue(forKey: \.name, to: "b")
        check.expect(flag.isUp && lamp.hasChanges)
        try context.save()
        lamp.persistentBackingData.setValue(forKey: \.name, to: "c")
        try context.save()
        check.equal(try ModelContext(context.container).all(Lamp.self).map(\.name), ["c"])
    }
    await ledger.works(
        "one class brings the others", ["a schema has every model that the given ones lead to"]
    ) { check in
        check.equal(Set(Schema([Trophy.self]).entities.map(\.name)).isSuperset(of: ["Club", "Pupil", "Locker"]), true)
    }
    await ledger.works(
        "identifiers change at the first save", ["an identifier is temporary until the first save"]
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        let lamp = Lamp(name: "a")
        context.insert(lamp)
        let before = lamp.persistentModelID
        check.expect(before.storeIdentifier == nil)
        try context.save()
        let after = lamp.persistentModelID
        check.expect(after.storeIdentifier != nil && after != before)
        lamp.name = "b"
        try context.save()
        check.equal(lamp.persistentModelID, after)
    }
    await ledger.works(
        "unique values make updates", ["a model with the unique values of a stored one updates it when it is saved"]
    ) { check in
        let context = ModelContext(try check.container(Parcel.self))
        context.insert(Parcel(id: "p"))
        try context.save()
        let id = try check.require(context.fetchIdentifiers(FetchDescriptor<Parcel>()).first)
        let again = Parcel(id: "p")
        again.weight = 9
        context.insert(again)
        check.equal(try context.fetchCount(FetchDescriptor<Parcel>()), 2)
        try context.save()
        let found = try ModelContext(context.container).all(Parcel.self)
        check.equal(found.map(\.weight), [9])
        check.equal(found.first?.persistentModelID, id)
    }
    await ledger.works(
        "what was deleted by predicate goes with the save", ["deletions by predicate wait for the save"]
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        for name in ["a", "b"] { context.insert(Lamp(name: name)) }
        try context.save()
        try context.delete(model: Lamp.self, where: #Predicate { $0.name == "a" })
        check.equal(try ModelContext(context.container).fetchCount(FetchDescriptor<Lamp>()), 2)
        check.equal(try context.all(Lamp.self).map(\.name), ["b"])
        context.rollback()
        check.equal(try context.fetchCount(FetchDescriptor<Lamp>()), 2)
        try context.delete(model: Lamp.self)
        try context.save()
        check.equal(try ModelContext(context.container).fetchCount(FetchDescriptor<Lamp>()), 0)
    }
    await ledger.works("a rollback forgets what could be undone", ["a rollback empties the undo manager"]) { check in
        let context = ModelContext(try check.container(Lamp.self))
        let lamp = Lamp(name: "a")
        context.insert(lamp)
        try context.save()
        let undoManager = UndoManager()
        context.undoManager = undoManager
        lamp.name = "b"
        context.processPendingChanges()
        context.insert(Lamp(name: "new"))
        check.expect(undoManager.canUndo)
        context.rollback()
        check.expect(!undoManager.canUndo && !undoManager.canRedo && lamp.name == "a")
        check.equal(try context.fetchCount(FetchDescriptor<Lamp>()), 1)
    }
}

@MainActor
private func exerciseStoreBehaviour(_ ledger: ParityLedger) async {
    await ledger.works("names of files", ["the default file is default.store, a named one NAME.store"]) { check in
        let folder = URL.applicationSupportDirectory
        check.equal(ModelConfiguration().url, folder.appendingPathComponent("default.store"))
        check.equal(ModelConfiguration("trips").url, folder.appendingPathComponent("trips.store"))
        check.equal(ModelConfiguration(isStoredInMemoryOnly: true).url.path, "/dev/null")
    }
    await ledger.works(
        "stores that may not be written", ["a configuration without allowsSave reads, and refuses to save"]
    ) { check in
        let file = check.file()
        let schema = Schema([Lamp.self])
        do {
            let context = ModelContext(
                try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: file)))
            context.insert(Lamp(name: "a"))
            try context.save()
        }
        let closed = ModelConfiguration(schema: schema, url: file, allowsSave: false)
        let context = ModelContext(try ModelContainer(for: schema, configurations: closed))
        check.equal(try context.all(Lamp.self).map(\.name), ["a"])
        context.insert(Lamp(name: "b"))
        check.expect((try? context.save()) == nil)
        check.equal(try ModelContext(context.container).all(Lamp.self).map(\.name), ["a"])
    }
    await ledger.works(
        "a store hands back what it cannot do",
        ["a fetch whose filter or order the store hands back is done in memory, limits last"]
    ) { check in
        let configuration = DocumentConfiguration(name: "d", fileURL: check.file("json"))
        let context = ModelContext(try ModelContainer(for: Lamp.self, configurations: configuration))
        for name in ["c", "a", "d", "b"] { context.insert(Lamp(name: name)) }
        try context.save()
        var descriptor = FetchDescriptor<Lamp>(
            predicate: #Predicate { $0.name != "d" }, sortBy: [SortDescriptor(\.name, order: .reverse)])
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 1
        check.equal(try ModelContext(context.container).fetch(descriptor).map(\.name), ["b"])
    }
    await ledger.differs(
        "a store hands back counts, too",
        ["counts, identifiers and deletions whose filter the store hands back"],
        because: "the context does that part in memory, as with fetches; SwiftData hands the error to the caller"
    ) { check in
        let configuration = DocumentConfiguration(name: "d", fileURL: check.file("json"))
        let context = ModelContext(try ModelContainer(for: Lamp.self, configurations: configuration))
        for name in ["c", "a", "d", "b"] { context.insert(Lamp(name: name)) }
        try context.save()
        let some = FetchDescriptor<Lamp>(predicate: #Predicate { $0.name < "c" })
        check.equal(try context.fetchCount(some), 2)
        check.equal(try context.fetchIdentifiers(some).count, 2)
        try context.delete(model: Lamp.self, where: some.predicate)
        try context.save()
        check.equal(try ModelContext(context.container).all(Lamp.self).map(\.name).sorted(), ["c", "d"])
    }
    await ledger.works(
        "what a store is asked to save",
        ["a save hands a store new models under temporary identifiers, others under permanent ones, and the author"]
    ) { check in
        let log = RequestLog()
        let container = try ModelContainer(for: Page.self, configurations: BookConfiguration(name: "b", log: log))
        let context = ModelContext(container)
        context.author = "me"
        let (page, other) = (Page("one", 1), Page("two", 2))
        context.insert(page)
        context.insert(other)
        try context.save()
        page.text = "uno"
        context.delete(other)
        context.insert(Page("three", 3))
        try context.save()
        check.equal(log.lines, ["me: tt//", "me: t/p/p"])
    }
}

@MainActor
private func exerciseSaveBehaviour(_ ledger: ParityLedger) async {
    await ledger.works(
        "the order of a save", ["willSave, the store, and didSave come in this order; didSave only after success"]
    ) { check in
        let log = RequestLog()
        let container = try ModelContainer(for: Page.self, configurations: BookConfiguration(name: "b", log: log))
        let context = ModelContext(container)
        let center = NotificationCenter.default
        let tokens = [ModelContext.willSave, ModelContext.didSave].map { name in
            center.addObserver(forName: name, object: context, queue: nil) { note in
                log.lines.append((name == ModelContext.willSave ? "will" : "did") + (note.userInfo == nil ? "" : "+"))
            }
        }
        context.insert(Page("one", 1))
        try context.save()
        check.equal(log.lines, ["will", ": t//", "did+"])
        log.lines = []
        log.refuses = true
        context.insert(Page("two", 2))
        check.expect((try? context.save()) == nil && context.hasChanges)
        check.equal(log.lines, ["will"])
        log.refuses = false
        try context.save()
        check.equal(log.lines.last, "did+")
        tokens.forEach(center.removeObserver)
    }
    await ledger.works("a save is one transaction", ["a save makes one transaction of the history, in order"]) {
        check in
        let context = ModelContext(try check.container(Poster.self))
        for number in 0..<3 { context.insert(makePoster("\(number)", number)) }
        try context.save()
        try context.save()
        try context.all(Poster.self).forEach { $0.color = "blue" }
        try context.save()
        let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        check.equal(transactions.map(\.changes.count), [3, 3])
    }
    await ledger.differs(
        "the main context saves right after changes", ["when a context saves by itself"],
        because:
            "after the code that made the changes, on the main actor; SwiftData saves at events of the app and by a "
            + "timer, which programs without views do not have"
    ) { check in
        let container = try check.container(Lamp.self)
        let context = ModelContext(container)
        context.insert(Lamp(name: "a"))
        for _ in 0..<20 { await Task.yield() }
        check.expect(context.hasChanges, "a context made by hand does not")
        container.mainContext.insert(Lamp(name: "b"))
        container.mainContext.insert(Lamp(name: "c"))
        check.equal(try ModelContext(container).fetchCount(FetchDescriptor<Lamp>()), 0)
        while container.mainContext.hasChanges { await Task.yield() }
        check.equal(try ModelContext(container).fetchCount(FetchDescriptor<Lamp>()), 2)
    }
    await ledger.works(
        "what others saved is fetched", ["a fetch shows what another context has saved, and live models follow"]
    ) { check in
        let container = try check.container(Lamp.self)
        let (one, other) = (ModelContext(container), ModelContext(container))
        let lamp = Lamp(name: "a")
        one.insert(lamp)
        try one.save()
        let seen = try check.require(other.all(Lamp.self).first)
        lamp.name = "b"
        try one.save()
        check.equal(try other.all(Lamp.self).map(\.name), ["b"])
        check.equal(seen.name, "b")
    }
    await ledger.differs(
        "results with unsaved changes", ["limits and offsets of fetches with unsaved changes"],
        because:
            "they are applied last, behind filter and order of stored and unsaved models together; SwiftData does not say"
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        for name in ["a", "c", "e"] { context.insert(Lamp(name: name)) }
        try context.save()
        for name in ["b", "d"] { context.insert(Lamp(name: name)) }
        var descriptor = FetchDescriptor<Lamp>(sortBy: [SortDescriptor(\.name)])
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 3
        check.equal(try context.fetch(descriptor).map(\.name), ["b", "c", "d"])
    }
}
