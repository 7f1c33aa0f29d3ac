import DropInLedger
import Foundation
import SwiftData

@MainActor
func exerciseActors(_ ledger: ParityLedger) async {
    await ledger.works(
        "actors work with a context of their own",
        [
            "ModelActor.modelContainer", "ModelActor.modelExecutor", "ModelActor.modelContext",
            "ModelActor.subscript(_:as:)", "ModelExecutor.modelContext", "DefaultSerialModelExecutor.modelContext",
            "DefaultSerialModelExecutor.init(modelContext:)",
        ]
    ) { check in
        let container = try check.container(Reading.self)
        let actor = ReadingActor(modelContainer: container)
        check.expect(actor.modelContainer === container && actor.modelExecutor is DefaultSerialModelExecutor)
        let readings = try await actor.load([1, 2.5])
        check.equal(await actor.value(of: readings[1].id), 2.5)
        let context = ModelContext(container)
        let stored = try context.fetch(FetchDescriptor<Reading>(sortBy: [SortDescriptor(\.number)]))
        check.equal(stored.map(\.value), [1, 2.5])
        check.equal(await actor.value(of: stored[1].persistentModelID), 2.5)
        try await actor.double(stored[1].persistentModelID)
        check.equal(try context.fetch(FetchDescriptor<Reading>(predicate: #Predicate { $0.value == 5 })).count, 1)
        check.equal(try await actor.count(FetchDescriptor<Reading>()), 2)
        try await actor.delete(where: #Predicate<Reading> { $0.number == 0 })
        try await actor.save()
        check.equal(try context.fetchCount(FetchDescriptor<Reading>()), 1)
        let executor = DefaultSerialModelExecutor(modelContext: context)
        check.expect(executor.modelContext === context)
        let any: any ModelExecutor = executor
        check.expect(any.modelContext === context)
        let byHand = HandMadeDatabase(container: container)
        try await byHand.create { Reading(number: 9, value: 9) }
        let transfers: [ReadingDTO] = try await byHand.fetch(
            FetchDescriptor<Reading>(predicate: #Predicate { $0.number == 9 }))
        check.equal(transfers.map(\.value), [9])
        let fetcher = BackgroundFetcher(container)
        try await fetcher.update(predicate: #Predicate<Reading> { $0.number == 9 }) { $0.note = "seen" }
        let count = try await fetcher.fetchCount(#Predicate<Reading> { $0.note == "seen" })
        check.equal(count, 1)
    }
    await ledger.works(
        "an executor of one's own runs its actor",
        [
            "SerialModelExecutor", "DefaultSerialModelExecutor.enqueue(_:)",
            "DefaultSerialModelExecutor.asUnownedSerialExecutor()",
        ]
    ) { check in
        // QueueExecutor is a SerialModelExecutor, with enqueue.
        let container = try check.container(Reading.self)
        check.expect(try await QueueDatabase(container: container).add(1))
        let executor = DefaultSerialModelExecutor(modelContext: ModelContext(container))
        check.equal(words(executor.asUnownedSerialExecutor()), words(executor.asUnownedSerialExecutor()))
        let pinned = PinnedActor(container)
        check.equal(try await pinned.count(), 1)
    }
    await ledger.differs(
        "actors run on the pool of actors", ["ModelActor.unownedExecutor"],
        because:
            "an actor of `@ModelActor` runs where actors run, never on the main thread, since a hop through a queue "
            + "costs a hundred times more; one that says `unownedExecutor` itself runs there"
    ) { check in
        let actor = ReadingActor(modelContainer: try check.container(Reading.self))
        let executor: UnownedSerialExecutor = actor.unownedExecutor
        let held = actor.modelExecutor as? DefaultSerialModelExecutor
        check.expect(held.map { words($0.asUnownedSerialExecutor()) != words(executor) } == true)
    }
}

/// Executors cannot be compared but by what they consist of.
nonisolated func words(_ executor: UnownedSerialExecutor) -> [UInt8] {
    withUnsafeBytes(of: executor) { Array($0) }
}

/// Runs on the executor that holds its context.
actor PinnedActor {
    private nonisolated let executor: DefaultSerialModelExecutor

    init(_ container: ModelContainer) {
        executor = DefaultSerialModelExecutor(modelContext: ModelContext(container))
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func count() throws -> Int { try executor.modelContext.fetchCount(FetchDescriptor<Reading>()) }
}

@MainActor
func exerciseObservers(_ ledger: ParityLedger) async {
    await ledger.differs(
        "results stay up to date",
        [
            "ResultsObserver.init(filterBy:sortBy:modelContext:)",
            "ResultsObserver.init(filterBy:sortBy:sectionBy:modelContext:)", "ResultsObserver.results",
            "ResultsObserver.fetchDescriptor", "ResultsObserver.filterBy", "ResultsObserver.sortBy",
        ],
        because: "`results` is an array, where SwiftData has a `FetchResultsCollection`"
    ) { check in
        let context = ModelContext(try check.container(School.self))
        let observer = try ResultsObserver<School, Never>(
            filterBy: #Predicate { $0.name != "x" }, sortBy: [SortDescriptor(\.name)], modelContext: context)
        check.expect(observer.results.isEmpty)
        context.insert(School(name: "b", town: "Kiel"))
        context.insert(School(name: "a", town: "Ulm"))
        check.equal(observer.results.map(\.name), ["a", "b"])
        observer.sortBy = [SortDescriptor(\.name, order: .reverse)]
        observer.filterBy = #Predicate { $0.town == "Kiel" }
        check.equal(observer.results.map(\.name), ["b"])
        check.expect(observer.fetchDescriptor.predicate != nil)
        let sections = try ResultsObserver(
            sortBy: [SortDescriptor(\School.town)], sectionBy: \School.town, modelContext: context)
        check.equal(sections.results.count, 2)
    }
    await ledger.works(
        "saves are counted",
        [
            "HistoryObserver.init(observedModels:authors:modelContainer:)", "HistoryObserver.modelContainer",
            "HistoryObserver.eventCounter",
        ]
    ) { check in
        let container = try check.container(School.self, Lamp.self)
        let observer = try HistoryObserver(observedModels: [Lamp.self], modelContainer: container)
        check.expect(observer.modelContainer === container && observer.eventCounter == 0)
        let context = ModelContext(container)
        context.insert(School(name: "a", town: "b"))
        try context.save()
        check.equal(observer.eventCounter, 0)
        context.insert(Lamp(name: "a"))
        try context.save()
        check.equal(observer.eventCounter, 1)
    }
}

@MainActor
func exerciseFoundation(_ ledger: ParityLedger) async {
    await ledger.works("values are transformed", ["ValueTransformer"]) { check in
        ValueTransformer.setValueTransformer(TintTransformer(), forName: NSValueTransformerName("TintTransformer"))
        let known = ValueTransformer(forName: NSValueTransformerName("TintTransformer"))
        check.equal(known?.transformedValue(Tint(red: 1, green: 2)) as? Data, Data([1, 2]))
    }
    await ledger.works(
        "places of files",
        ["URL.applicationSupportDirectory", "FileManager.containerURL(forSecurityApplicationGroupIdentifier:)"]
    ) { check in
        check.expect(URL.applicationSupportDirectory.isFileURL)
        let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.example")
        check.equal(group?.lastPathComponent, "group.example")
        check.expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "../x") == nil)
    }
    await ledger.works(
        "text is searched and sorted as people do",
        [
            "localizedStandardContains(_:) in a predicate", "caseInsensitiveCompare(_:) in a predicate",
            "evaluate(_:) in a predicate", "SortDescriptor(_:comparator:)",
        ]
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        for name in ["Élan 10", "elan 9", "other"] { context.insert(Lamp(name: name)) }
        try context.save()
        let word = "ELAN"
        let contains = #Predicate<Lamp> { $0.name.localizedStandardContains(word) }
        let both = #Predicate<Lamp> { contains.evaluate($0) && $0.name != "x" }
        var found = try context.fetch(
            FetchDescriptor(predicate: both, sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)]))
        check.equal(found.map(\.name), ["elan 9", "Élan 10"])
        found = try context.fetch(
            FetchDescriptor<Lamp>(predicate: #Predicate { $0.name.caseInsensitiveCompare("OTHER") == .orderedSame }))
        check.equal(found.map(\.name), ["other"])
    }
}
