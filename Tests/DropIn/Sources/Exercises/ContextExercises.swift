import DropInLedger
import Foundation
import SwiftData

@MainActor
func exerciseContexts(_ ledger: ParityLedger) async {
    await ledger.works(
        "a context knows its container and its author",
        [
            "ModelContext.init(_:)", "ModelContext.container", "ModelContext.author", "ModelContext.editingState",
            "ModelContext.debugDescription", "conformance of ModelContext to Equatable", "EditingState.id",
            "EditingState.author",
        ]
    ) { check in
        let container = try check.container(Lamp.self)
        let context = ModelContext(container)
        check.expect(context.container === container && context.author == nil)
        context.author = "importer"
        check.equal(context.editingState.author, "importer")
        let identifier: UUID = context.editingState.id
        check.expect(identifier != ModelContext(container).editingState.id)
        check.expect(context == context && context != ModelContext(container))
        context.insert(Lamp(name: "secret"))
        check.expect(context.debugDescription.contains("1 inserted"))
        check.expect(context.debugDescription.contains("importer") && !context.debugDescription.contains("secret"))
    }
    await ledger.works(
        "models are looked up",
        ["ModelContext.model(for:)", "ModelContext.registeredModel(for:)"]
    ) { check in
        let container = try check.container(Lamp.self)
        let context = ModelContext(container)
        let lamp = Lamp(name: "a")
        context.insert(lamp)
        try context.save()
        let id = lamp.persistentModelID
        let other = ModelContext(container)
        let unknown: Lamp? = other.registeredModel(for: id)
        check.expect(unknown == nil)
        let found = other.model(for: id) as? Lamp
        check.equal(found?.name, "a")
        let known: Lamp? = other.registeredModel(for: id)
        check.expect(known === found && known != nil)
        context.delete(lamp)
        try context.save()
        let ghost = ModelContext(container).model(for: id) as? Lamp
        check.equal(ghost?.name, "")
    }
    await ledger.works(
        "saving, deleting and rolling back",
        [
            "ModelContext.insert(_:)", "ModelContext.delete(_:)", "ModelContext.save()", "ModelContext.rollback()",
            "ModelContext.transaction(block:)", "ModelContext.hasChanges", "ModelContext.insertedModelsArray",
            "ModelContext.changedModelsArray", "ModelContext.deletedModelsArray",
        ]
    ) { check in
        let container = try check.container(School.self)
        let context = ModelContext(container)
        check.expect(!context.hasChanges)
        let pupil = Pupil(name: "Ada", marks: [Mark(.maths, 1)])
        context.insert(School(name: "North", town: "Kiel", pupils: [pupil]))
        check.equal(context.insertedModelsArray.count, 3)
        try context.save()
        check.expect(!context.hasChanges && context.insertedModelsArray.isEmpty)
        pupil.name = "Bea"
        check.equal(context.changedModelsArray.count, 1)
        context.delete(pupil)
        check.equal(context.deletedModelsArray.count, 1)
        context.rollback()
        check.expect(pupil.name == "Ada" && context.deletedModelsArray.isEmpty && !context.hasChanges)
        try context.transaction {
            pupil.name = "Cy"
            context.insert(Club(title: "Chess"))
        }
        check.expect(!context.hasChanges)
        check.equal(try ModelContext(container).all(Pupil.self).map(\.name), ["Cy"])
        do {
            try context.transaction {
                pupil.name = "Dan"
                throw CancellationError()
            }
        } catch is CancellationError {
            check.expect(context.hasChanges, "a block that throws saves nothing")
        }
        context.rollback()
        context.delete(pupil)
        try context.save()
        check.equal(try ModelContext(container).fetchCount(FetchDescriptor<Mark>()), 0)
        let club = Club(title: "Go")
        context.insert(club)
        context.delete(club)
        check.expect(!context.hasChanges && club.modelContext == nil)
    }
    await ledger.works(
        "deleting by predicate", ["ModelContext.delete(model:where:includeSubclasses:)"]
    ) { check in
        let context = ModelContext(try check.container(Vehicle.self, Bus.self, Bicycle.self))
        for number in 1...3 { context.insert(Vehicle(name: "v\(number)", wheels: number)) }
        context.insert(Bus(name: "b", seats: 30))
        try context.save()
        try context.delete(model: Vehicle.self, where: #Predicate { $0.wheels > 2 }, includeSubclasses: false)
        try context.save()
        check.equal(try context.all(Vehicle.self).map(\.name).sorted(), ["b", "v1", "v2"])
        try context.delete(model: Vehicle.self)
        check.expect(context.hasChanges)
        try context.save()
        check.equal(try context.fetchCount(FetchDescriptor<Vehicle>()), 0)
    }
    await ledger.works(
        "changes are undone and redone",
        ["ModelContext.undoManager", "ModelContext.processPendingChanges()", "UndoManager"]
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        check.expect(context.undoManager == nil)
        let undoManager = UndoManager()
        context.undoManager = undoManager
        let lamp = Lamp(name: "a")
        context.insert(lamp)
        context.processPendingChanges()
        lamp.name = "b"
        context.processPendingChanges()
        check.expect(undoManager.canUndo)
        undoManager.undo()
        check.equal(lamp.name, "a")
        undoManager.redo()
        check.equal(lamp.name, "b")
        context.undoManager = nil
    }
}

@MainActor
func exerciseChanges(_ ledger: ParityLedger) async {
    await ledger.works(
        "a save posts what it stored",
        [
            "ModelContext.willSave", "ModelContext.didSave", "ModelContext.NotificationKey.insertedIdentifiers",
            "ModelContext.NotificationKey.updatedIdentifiers", "ModelContext.NotificationKey.deletedIdentifiers",
            "ModelContext.NotificationKey.queryGeneration",
            "ModelContext.NotificationKey.invalidatedAllIdentifiers",
        ]
    ) { check in
        // SaveLog listens to willSave and didSave.
        let context = ModelContext(try check.container(Lamp.self))
        let (log, silent) = (SaveLog(context), SaveLog(ModelContext(context.container)))
        check.expect(ModelContext.willSave != ModelContext.didSave)
        let lamp = Lamp(name: "a")
        context.insert(lamp)
        try context.save()
        let id = lamp.persistentModelID
        check.equal(log.inserted, [id])
        check.expect(id.storeIdentifier != nil, "identifiers are permanent")
        lamp.name = "b"
        try context.save()
        check.equal(log.updated, [id])
        context.delete(lamp)
        try context.save()
        check.equal(log.deleted, [id])
        check.equal(log.starts, 3)
        check.equal(silent.starts, 0)
        log.stop()
        silent.stop()
        let keys: [ModelContext.NotificationKey] = [
            .queryGeneration, .invalidatedAllIdentifiers, .insertedIdentifiers, .updatedIdentifiers,
            .deletedIdentifiers,
        ]
        check.equal(Set(keys.map(\.rawValue)).count, 5)
    }
}

@MainActor
func exerciseFetching(_ ledger: ParityLedger) async {
    func filled(_ check: ParityLedger) throws -> ModelContext {
        let container = try check.container(School.self)
        let context = ModelContext(container)
        for number in 0..<10 {
            context.insert(
                Pupil(id: "\(number)", name: "p\(number % 5)", marks: (0..<number).map { Mark(.maths, $0) }))
        }
        try context.save()
        return ModelContext(container)
    }
    await ledger.works(
        "a descriptor says what to fetch",
        [
            "FetchDescriptor.init(predicate:sortBy:)", "FetchDescriptor.predicate", "FetchDescriptor.sortBy",
            "FetchDescriptor.fetchLimit", "FetchDescriptor.fetchOffset", "FetchDescriptor.propertiesToFetch",
            "FetchDescriptor.relationshipKeyPathsForPrefetching", "ModelContext.fetch(_:)",
            "ModelContext.fetchCount(_:)", "ModelContext.fetchIdentifiers(_:)",
            "conformance of FetchDescriptor to Equatable and Sendable",
        ]
    ) { check in
        let context = try filled(check)
        let all = FetchDescriptor<Pupil>()
        check.expect(all.predicate == nil && all.sortBy.isEmpty && all.fetchLimit == nil && all.fetchOffset == nil)
        check.expect(all.propertiesToFetch.isEmpty && all.relationshipKeyPathsForPrefetching.isEmpty)
        var descriptor = FetchDescriptor<Pupil>(
            predicate: #Predicate { $0.name != "p0" }, sortBy: [SortDescriptor(\.name), SortDescriptor(\.id)])
        check.expect(descriptor == descriptor && descriptor != all)
        check.equal(try context.fetchCount(descriptor), 8)
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 3
        descriptor.propertiesToFetch = [\.name]
        descriptor.relationshipKeyPathsForPrefetching = [\.marks]
        let found = try context.fetch(descriptor)
        check.equal(found.map(\.id), ["6", "2", "7"])
        check.equal(found.map(\.marks.count), [6, 2, 7])
        check.equal(try context.fetchIdentifiers(descriptor), found.map(\.persistentModelID))
        descriptor.predicate = #Predicate { $0.id == "3" }
        descriptor.sortBy = []
        descriptor.fetchOffset = nil
        check.equal(try context.fetch(descriptor).map(\.name), ["p3"])
        descriptor.fetchLimit = 0
        check.equal(try context.fetch(descriptor).count, 0)
        func send<S: Sendable & Equatable>(_ value: S) -> S { value }
        check.equal(send(all), FetchDescriptor<Pupil>())
    }
    await ledger.works("unsaved changes count or not", ["FetchDescriptor.includePendingChanges"]) { check in
        let context = try filled(check)
        context.insert(Pupil(id: "x", name: "new"))
        var descriptor = FetchDescriptor<Pupil>()
        check.expect(descriptor.includePendingChanges)
        check.equal(try context.fetchCount(descriptor), 11)
        descriptor.includePendingChanges = false
        check.equal(try context.fetchCount(descriptor), 10)
    }
    await ledger.works(
        "batches are fetched as they are reached",
        [
            "ModelContext.fetch(_:batchSize:)", "ModelContext.fetchIdentifiers(_:batchSize:)",
            "FetchResultsCollection.startIndex", "FetchResultsCollection.endIndex",
            "FetchResultsCollection.subscript(_:)",
            "conformance of FetchResultsCollection to RandomAccessCollection",
            "SwiftDataError.includePendingChangesWithBatchSize",
        ]
    ) { check in
        let context = try filled(check)
        var descriptor = FetchDescriptor<Pupil>(sortBy: [SortDescriptor(\.id)])
        let found: FetchResultsCollection<Pupil> = try context.fetch(descriptor, batchSize: 3)
        check.expect(found.startIndex == 0 && found.endIndex == 10 && found[9].id == "9")
        check.equal(found[2...4].map(\.id), ["2", "3", "4"])
        check.equal(found.reversed().first?.id, "9")
        let identifiers = try context.fetchIdentifiers(descriptor, batchSize: 4)
        check.equal(identifiers[9], found[9].persistentModelID)
        context.insert(Pupil(name: "new"))
        check.throwing(.includePendingChangesWithBatchSize) { _ = try context.fetch(descriptor, batchSize: 3) }
        descriptor.includePendingChanges = false
        check.equal(try context.fetch(descriptor, batchSize: 3).count, 10)
    }
    await ledger.works(
        "models are gone through without keeping them",
        ["ModelContext.enumerate(_:batchSize:allowEscapingMutations:block:)"]
    ) { check in
        let context = try filled(check)
        var names: [String] = []
        try context.enumerate(FetchDescriptor<Pupil>(sortBy: [SortDescriptor(\.id)]), batchSize: 4) { pupil in
            names.append(pupil.id)
        }
        check.equal(names.count, 10)
        try context.enumerate(FetchDescriptor<Pupil>(), allowEscapingMutations: true) { $0.name += "!" }
        check.equal(context.changedModelsArray.count, 10)
        check.expect((try? context.enumerate(FetchDescriptor<Pupil>()) { _ in }) == nil)
    }
}
