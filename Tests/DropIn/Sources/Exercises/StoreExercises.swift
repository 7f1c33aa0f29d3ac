import DropInLedger
import Foundation
import SwiftData

@MainActor
func exerciseStores(_ ledger: ParityLedger) async {
    await ledger.works(
        "a store over the framework's snapshots",
        [
            "DataStore.Configuration", "DataStore.Snapshot", "DataStore.identifier", "DataStore.schema",
            "DataStore.configuration", "DataStore.init(_:migrationPlan:)", "DataStore.fetch(_:)",
            "DataStore.fetchCount(_:)", "DataStore.fetchIdentifiers(_:)", "DataStore.save(_:)",
            "DataStoreConfiguration.Store", "DataStoreConfiguration.name", "DataStoreConfiguration.schema",
            "DataStoreConfiguration.validate()", "DataStoreFetchRequest.descriptor",
            "DataStoreFetchResult.init(descriptor:fetchedSnapshots:relatedSnapshots:)",
            "DataStoreSaveChangesRequest.inserted", "DataStoreSaveChangesRequest.updated",
            "DataStoreSaveChangesRequest.deleted",
            "DataStoreSaveChangesResult.init(for:remappedIdentifiers:snapshotsToReregister:)",
            "DefaultSnapshot.persistentIdentifier", "DefaultSnapshot.copy(persistentIdentifier:remappedIdentifiers:)",
            "DataStoreError.preferInMemoryFilter", "DataStoreError.preferInMemorySort",
        ]
    ) { check in
        // DocumentStore uses them, and leaves counts and identifiers to the framework.
        let configuration = DocumentConfiguration(name: "doc", fileURL: check.file("json"))
        try configuration.validate()
        let container = try ModelContainer(for: School.self, configurations: configuration)
        check.expect(configuration.schema == nil || configuration.schema == container.schema)
        let context = ModelContext(container)
        let pupil = Pupil(id: "1", name: "Ada", marks: [Mark(.maths, 3)])
        context.insert(School(name: "North", town: "Kiel", pupils: [pupil]))
        context.insert(Pupil(id: "2", name: "Bea"))
        try context.save()
        check.equal(pupil.persistentModelID.storeIdentifier, configuration.fileURL.lastPathComponent)
        let other = ModelContext(container)
        let found = try other.fetch(
            FetchDescriptor<Pupil>(
                predicate: #Predicate { $0.school?.name == "North" }, sortBy: [SortDescriptor(\.name)]))
        check.equal(found.map(\.name), ["Ada"])
        check.equal(found.first?.marks.map(\.value), [3])
        check.equal(try other.fetchCount(FetchDescriptor<Pupil>()), 2)
        check.equal(try other.fetchIdentifiers(FetchDescriptor<Pupil>()).count, 2)
        pupil.name = "Cy"
        try context.save()
        context.delete(pupil)
        try context.save()
        let again = try ModelContainer(
            for: School.self, configurations: DocumentConfiguration(name: "doc", fileURL: configuration.fileURL))
        check.equal(try ModelContext(again).all(Pupil.self).map(\.name), ["Bea"])
        let store = try DocumentStore(
            DocumentConfiguration(name: "s", schema: container.schema, fileURL: check.file("json")), migrationPlan: nil)
        check.expect(DocumentStore.Snapshot.self == DefaultSnapshot.self)
        check.expect(
            store.schema === container.schema && store.identifier == store.configuration.fileURL.lastPathComponent)
    }
    await ledger.works(
        "a store with snapshots, batches and a history of its own",
        [
            "DataStore.erase()", "DataStore.initializeState(for:)", "DataStore.invalidateState(for:)",
            "DataStore.cachedSnapshots(for:editingState:)", "DataStoreBatching.delete(_:)",
            "DataStoreSnapshot.persistentIdentifier", "DataStoreSnapshot.init(from:relatedBackingDatas:)",
            "DataStoreSnapshot.copy(persistentIdentifier:remappedIdentifiers:)",
            "DataStoreSnapshotCodingKey.persistentIdentifier", "DataStoreSnapshotCodingKey.modeledProperty(_:)",
            "DataStoreFetchRequest.editingState", "DataStoreSaveChangesRequest.editingState",
            "DataStoreSaveChangesResult.storeIdentifier", "DataStoreSaveChangesResult.remappedIdentifiers",
            "DataStoreSaveChangesResult.snapshotsToReregister", "DataStoreSaveChangesResult.historyToken",
            "DataStoreSaveChangesResult.init(for:remappedIdentifiers:snapshotsToReregister:historyToken:)",
            "DataStoreBatchDeleteRequest.predicate", "HistoryProviding.HistoryType", "HistoryProviding.historyType",
            "HistoryProviding.fetchHistory(_:)", "HistoryProviding.deleteHistory(_:)",
        ]
    ) { check in
        // BookStore and its snapshots use them.
        let container = try ModelContainer(for: Page.self, configurations: BookConfiguration(name: "b"))
        let context = ModelContext(container)
        context.author = "me"
        let page = Page("one", 1)
        context.insert(page)
        context.insert(Page("two", 2))
        try context.save()
        check.equal(page.persistentModelID.storeIdentifier, "book-b")
        page.text = "uno"
        try context.save()
        let other = ModelContext(container)
        check.equal(
            try other.fetch(FetchDescriptor<Page>(sortBy: [SortDescriptor(\.number)])).map(\.text), ["uno", "two"])
        let transactions = try other.fetchHistory(HistoryDescriptor<BookTransaction>())
        check.equal(transactions.map(\.changes.count), [2, 1])
        check.equal(transactions.first?.author, "me")
        check.equal(transactions.map(\.token), [BookToken(number: 1), BookToken(number: 2)])
        try other.deleteHistory(
            HistoryDescriptor<BookTransaction>(predicate: #Predicate { $0.transactionIdentifier < 2 }))
        check.equal(try other.fetchHistory(HistoryDescriptor<BookTransaction>()).count, 1)
        check.expect(BookStore.historyType == BookStore.HistoryType.self)
        try other.delete(model: Page.self)
        try other.save()
        check.equal(try other.fetchCount(FetchDescriptor<Page>()), 0)
        try container.erase()
        let state = other.editingState
        let store = try BookStore(BookConfiguration(name: "s"), migrationPlan: nil)
        store.initializeState(for: state)
        check.equal(store.openStates, [state.id])
        store.invalidateState(for: state)
        check.expect(try store.openStates.isEmpty && store.cachedSnapshots(for: [], editingState: state).isEmpty)
        let result = DataStoreSaveChangesResult<BookSnapshot>(for: "s", historyToken: BookToken(number: 3))
        check.expect(result.storeIdentifier == "s" && result.historyToken as? BookToken == BookToken(number: 3))
        check.expect(result.remappedIdentifiers.isEmpty && result.snapshotsToReregister.isEmpty)
        check.throwing(.configurationFileNameContainsInvalidCharacters) { try BookConfiguration(name: "").validate() }
    }
    await ledger.works(
        "keys of snapshots",
        [
            "DataStoreSnapshotCodingKey.stringValue", "DataStoreSnapshotCodingKey.init(stringValue:)",
            "DataStoreSnapshotCodingKey.intValue", "DataStoreSnapshotCodingKey.init(intValue:)",
            "DataStoreSnapshotValue",
        ]
    ) { check in
        check.equal(DataStoreSnapshotCodingKey.modeledProperty("a").stringValue, "a")
        check.equal(DataStoreSnapshotCodingKey(stringValue: "b")?.stringValue, "b")
        check.expect(DataStoreSnapshotCodingKey.persistentIdentifier.intValue == nil)
        check.expect(DataStoreSnapshotCodingKey(intValue: 1) == nil)
        let value: any DataStoreSnapshotValue = 3
        check.equal(value as? Int, 3)
    }
}

@MainActor
func exerciseDefaultStore(_ ledger: ParityLedger) async {
    await ledger.works(
        "the default store answers like any other",
        [
            "DefaultStore.Configuration", "DefaultStore.Snapshot", "DefaultStore.init(_:migrationPlan:)",
            "DefaultStore.name", "DefaultStore.schema", "DefaultStore.identifier", "DefaultStore.configuration",
            "DefaultStore.erase()", "DefaultStore.initializeState(for:)", "DefaultStore.invalidateState(for:)",
            "DefaultStore.fetch(_:)", "DefaultStore.fetchCount(_:)", "DefaultStore.fetchIdentifiers(_:)",
            "DefaultStore.delete(_:)", "DefaultStore.save(_:)", "DefaultStore.cachedSnapshots(for:editingState:)",
            "DefaultStore.historyType", "DefaultStore.HistoryType", "DefaultStore.TokenType",
            "DefaultStore.fetchHistory(_:)", "DefaultStore.deleteHistory(_:)",
            "DefaultSnapshot.init(from:relatedBackingDatas:)", "DataStoreFetchResult.descriptor",
            "DataStoreFetchResult.fetchedSnapshots", "DataStoreFetchResult.relatedSnapshots",
            "DataStoreBatchDeleteRequest.editingState", "DataStoreBatchDeleteRequest.includeSubclasses",
        ]
    ) { check in
        let schema = Schema([Lamp.self])
        let configuration: DefaultStore.Configuration = check.configuration("d", schema: schema)
        let store = try DefaultStore(configuration)
        check.expect(store.name == "d" && store.schema === schema && store.configuration == configuration)
        check.expect(!store.identifier.isEmpty && store.configuration.schema === schema)
        let state = ModelContext(try check.container(Lamp.self)).editingState
        store.initializeState(for: state)
        var related: [PersistentIdentifier: any BackingData] = [:]
        let lamp = Lamp(name: "a")
        let snapshot: DefaultStore.Snapshot = DefaultSnapshot(
            from: lamp.persistentBackingData, relatedBackingDatas: &related)
        check.equal(snapshot.persistentIdentifier, lamp.persistentModelID)
        let saved = try store.save(
            DataStoreSaveChangesRequest(editingState: state, inserted: [snapshot], updated: [], deleted: []))
        let permanent = try check.require(saved.remappedIdentifiers[lamp.persistentModelID])
        check.equal(permanent.storeIdentifier, store.identifier)
        let request = DataStoreFetchRequest(editingState: state, descriptor: FetchDescriptor<Lamp>())
        check.equal(request.editingState.id, state.id)
        let result = try store.fetch(request)
        check.equal(result.fetchedSnapshots.map(\.persistentIdentifier), [permanent])
        check.expect(result.relatedSnapshots.isEmpty && result.descriptor == request.descriptor)
        check.equal(try store.fetchCount(request), 1)
        check.equal(try store.fetchIdentifiers(request), [permanent])
        check.expect(DefaultStore.historyType == DefaultStore.HistoryType.self)
        let transactions = try store.fetchHistory(HistoryDescriptor())
        let token: DefaultStore.TokenType? = transactions.first?.token
        check.expect(transactions.count == 1 && token != nil)
        try store.deleteHistory(HistoryDescriptor())
        check.equal(try store.fetchHistory(HistoryDescriptor()).count, 0)
        let deletion = DataStoreBatchDeleteRequest<Lamp>(editingState: state, predicate: nil, includeSubclasses: true)
        check.expect(deletion.editingState.id == state.id && deletion.includeSubclasses)
        let batching: any DataStoreBatching = store
        try batching.delete(deletion)
        check.equal(try store.fetchCount(request), 0)
        check.expect(try store.cachedSnapshots(for: [permanent], editingState: state).isEmpty)
        store.invalidateState(for: state)
        try store.erase()
    }
}

@MainActor
func exerciseHistory(_ ledger: ParityLedger) async {
    await ledger.works(
        "a history tells what was saved",
        [
            "ModelContext.fetchHistory(_:)", "ModelContext.deleteHistory(_:)", "HistoryDescriptor.predicate",
            "HistoryDescriptor.fetchLimit", "HistoryDescriptor.sortBy", "HistoryDescriptor.init(predicate:)",
            "HistoryDescriptor.init(predicate:sortBy:)", "HistoryTransaction.TokenType",
            "HistoryTransaction.TransactionIdentifier", "HistoryTransaction.timestamp", "HistoryTransaction.changes",
            "HistoryTransaction.token", "HistoryTransaction.transactionIdentifier",
            "HistoryTransaction.storeIdentifier", "HistoryTransaction.author", "DefaultHistoryTransaction.id",
            "DefaultHistoryTransaction.timestamp", "DefaultHistoryTransaction.changes",
            "DefaultHistoryTransaction.token", "DefaultHistoryTransaction.transactionIdentifier",
            "DefaultHistoryTransaction.storeIdentifier", "DefaultHistoryTransaction.bundleIdentifier",
            "DefaultHistoryTransaction.processIdentifier", "DefaultHistoryTransaction.author",
            "SwiftDataError.historyTokenExpired",
        ]
    ) { check in
        let context = ModelContext(try check.container(Poster.self))
        for (number, author) in ["a", nil, "b"].enumerated() {
            context.author = author
            context.insert(makePoster("\(number)", number))
            try context.save()
        }
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        check.expect(descriptor.predicate == nil && descriptor.sortBy.isEmpty)
        let all = try context.fetchHistory(descriptor)
        check.equal(all.map(\.author), ["a", nil, "b"])
        func read<T: HistoryTransaction>(_ transaction: T) -> (T.TransactionIdentifier, T.TokenType, String?, Int) {
            (transaction.transactionIdentifier, transaction.token, transaction.author, transaction.changes.count)
        }
        let (number, token, author, count) = read(all[0])
        check.expect(number == all[0].id && token == all[0].token && author == "a" && count == 1)
        check.expect(
            all[0].timestamp <= all[1].timestamp && all[0].transactionIdentifier < all[1].transactionIdentifier)
        check.equal(Set(all.map(\.storeIdentifier)).count, 1)
        check.expect(all[0].bundleIdentifier == all[1].bundleIdentifier)
        check.expect(!all[0].processIdentifier.isEmpty)
        descriptor.fetchLimit = 1
        descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
        check.equal(try context.fetchHistory(descriptor).map(\.author), ["b"])
        let by = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == "a" })
        check.equal(try context.fetchHistory(by).count, 1)
        let later = HistoryDescriptor<DefaultHistoryTransaction>(
            predicate: #Predicate { $0.token > token }, sortBy: [SortDescriptor(\.timestamp)])
        check.equal(try context.fetchHistory(later).count, 2)
        try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        check.throwing(.historyTokenExpired) { _ = try context.fetchHistory(later) }
    }
    await ledger.works(
        "changes say what became of which model",
        [
            "HistoryChange.insert(_:)", "HistoryChange.update(_:)", "HistoryChange.delete(_:)",
            "HistoryChange.changedPersistentIdentifier", "HistoryInsert.changeIdentifier",
            "HistoryInsert.transactionIdentifier", "HistoryInsert.changedPersistentIdentifier",
            "HistoryUpdate.changeIdentifier", "HistoryUpdate.transactionIdentifier",
            "HistoryUpdate.changedPersistentIdentifier", "HistoryUpdate.PropertyUpdate",
            "HistoryUpdate.updatedAttributes", "HistoryDelete.changeIdentifier",
            "HistoryDelete.transactionIdentifier", "HistoryDelete.changedPersistentIdentifier",
            "HistoryDelete.tombstone", "HistoryTombstone.subscript(_:)", "HistoryTombstone.makeIterator()",
            "HistoryTombstone.Iterator.next()", "DefaultHistoryInsert", "DefaultHistoryUpdate",
            "DefaultHistoryDelete",
        ]
    ) { check in
        let context = ModelContext(try check.container(Poster.self))
        var reader = ChangeReader(context: context)
        let poster = makePoster("a", 7)
        context.insert(poster)
        try context.save()
        let id = poster.persistentModelID
        check.equal(try reader.changes(besides: "me").inserted, [id])
        poster.color = "blue"
        try context.save()
        context.delete(poster)
        try context.save()
        check.equal(try reader.changes(besides: "me").deleted, [7])
        let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
        check.equal(changes.map(\.changedPersistentIdentifier), [id, id, id])
        guard case .insert(let insert as DefaultHistoryInsert<Poster>) = changes[0],
            case .update(let update as DefaultHistoryUpdate<Poster>) = changes[1],
            case .delete(let delete as DefaultHistoryDelete<Poster>) = changes[2]
        else { return check.expect(false, "kinds of changes") }
        check.expect(insert.changeIdentifier < update.changeIdentifier)
        check.expect(update.changeIdentifier < delete.changeIdentifier)
        check.expect(insert.transactionIdentifier < update.transactionIdentifier)
        check.expect(update.transactionIdentifier < delete.transactionIdentifier)
        check.equal([insert.changedPersistentIdentifier, update.changedPersistentIdentifier], [id, id])
        check.equal(delete.changedPersistentIdentifier, id)
        let updated: [any PartialKeyPath<Poster> & Sendable] = update.updatedAttributes
        check.equal(updated.map { $0 as PartialKeyPath<Poster> }, [\Poster.color])
        let wanted: DefaultHistoryUpdate<Poster>.PropertyUpdate = updated[0]
        check.expect(wanted == \Poster.color)
        check.expect(delete.tombstone[\.number] as? Int == 7 && delete.tombstone[\.title] == nil)
        var values = delete.tombstone.makeIterator()
        check.expect(values.next() as? Int == 7 && values.next() == nil)
    }
    await ledger.works(
        "tokens are kept and compared",
        [
            "HistoryToken.TokenType", "HistoryToken.tokenValue", "DefaultHistoryToken.id",
            "DefaultHistoryToken.tokenValue", "DefaultHistoryToken.<(_:_:)",
        ]
    ) { check in
        let context = ModelContext(try check.container(Lamp.self))
        for _ in 0..<2 {
            context.insert(Lamp(name: "a"))
            try context.save()
        }
        let tokens = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.token)
        check.expect(tokens[0] < tokens[1] && tokens[0].id != tokens[1].id)
        check.equal(tokens[0].tokenValue?.count, 1)
        func value<T: HistoryToken>(_ token: T) -> T.TokenType? { token.tokenValue }
        check.equal(value(tokens[1]), tokens[1].tokenValue)
        let read = try JSONDecoder().decode(DefaultHistoryToken.self, from: JSONEncoder().encode(tokens[1]))
        check.equal(read, tokens[1])
    }
}
