import Foundation
import SwiftData

// A store with everything of its own: snapshots, batch deletion, history with its own transactions and tokens.

nonisolated struct BookConfiguration: DataStoreConfiguration {
    typealias Store = BookStore
    var name: String
    var schema: Schema?
    var log = RequestLog()

    func validate() throws {
        if name.isEmpty { throw SwiftDataError.configurationFileNameContainsInvalidCharacters }
    }

    static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What the store was asked to save, and whether it refuses to.
nonisolated final class RequestLog: @unchecked Sendable {
    var lines: [String] = []
    var refuses = false
}

/// Knows the properties of one entity by name, through the backing data.
nonisolated struct BookSnapshot: DataStoreSnapshot {
    let persistentIdentifier: PersistentIdentifier
    var values: [String: String]

    init(
        from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
    ) {
        func text<B: BackingData>(_ data: B) -> [String: String] {
            guard let data = data as? any BackingData<Page> else { return [:] }
            return ["text": data.getValue(forKey: \.text), "number": String(data.getValue(forKey: \.number))]
        }
        guard let identifier = backingData.persistentModelID else {
            preconditionFailure("The framework gives every snapshot an identifier.")
        }
        persistentIdentifier = identifier
        values = text(backingData)
    }

    private init(_ identifier: PersistentIdentifier, _ values: [String: String]) {
        persistentIdentifier = identifier
        self.values = values
    }

    func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = nil
    ) -> BookSnapshot {
        BookSnapshot(persistentIdentifier, values)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        persistentIdentifier = try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)
        let text = try container.decode(String.self, forKey: .modeledProperty("text"))
        let number = try container.decode(Int.self, forKey: .modeledProperty("number"))
        values = ["text": text, "number": String(number)]
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
        try container.encode(values["text"] ?? "", forKey: .modeledProperty("text"))
        try container.encode(Int(values["number"] ?? "") ?? 0, forKey: .modeledProperty("number"))
    }
}

@Model
nonisolated final class Page {
    var text: String
    var number: Int
    init(_ text: String, _ number: Int) {
        self.text = text
        self.number = number
    }
}

nonisolated struct BookToken: HistoryToken {
    typealias TokenType = Int
    var number: Int
    var id: Int { number }
    var tokenValue: Int? { number }
    static func < (left: BookToken, right: BookToken) -> Bool { left.number < right.number }
}

nonisolated struct BookInsert<Model: PersistentModel>: HistoryInsert {
    var changeIdentifier: Int
    var transactionIdentifier: Int
    var changedPersistentIdentifier: PersistentIdentifier
}

nonisolated struct BookUpdate<Model: PersistentModel>: HistoryUpdate {
    var changeIdentifier: Int
    var transactionIdentifier: Int
    var changedPersistentIdentifier: PersistentIdentifier
    var updatedAttributes: [PropertyUpdate]
}

nonisolated struct BookTransaction: HistoryTransaction {
    typealias TokenType = BookToken
    typealias TransactionIdentifier = Int
    var timestamp: Date
    var changes: [HistoryChange]
    var token: BookToken
    var transactionIdentifier: Int
    var storeIdentifier: String
    var author: String?
    var id: Int { transactionIdentifier }

    static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

nonisolated final class BookStore: DataStore, DataStoreBatching, HistoryProviding {
    typealias Configuration = BookConfiguration
    typealias Snapshot = BookSnapshot
    typealias HistoryType = BookTransaction

    let configuration: BookConfiguration
    let schema: Schema
    let identifier: String
    private var rows: [PersistentIdentifier: BookSnapshot] = [:]
    private var transactions: [BookTransaction] = []
    private(set) var openStates: Set<UUID> = []

    init(_ configuration: BookConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
        identifier = "book-" + configuration.name
    }

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, BookSnapshot> {
        guard request.descriptor.predicate == nil else { throw DataStoreError.preferInMemoryFilter }
        guard request.descriptor.sortBy.isEmpty else { throw DataStoreError.preferInMemorySort }
        return DataStoreFetchResult(
            descriptor: request.descriptor,
            fetchedSnapshots: rows.values.filter {
                $0.persistentIdentifier.entityName == Schema.entityName(for: M.self)
            })
    }

    func fetchCount<M: PersistentModel>(_ request: DataStoreFetchRequest<M>) throws -> Int {
        try fetch(request).fetchedSnapshots.count
    }

    func fetchIdentifiers<M: PersistentModel>(_ request: DataStoreFetchRequest<M>) throws -> [PersistentIdentifier] {
        try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
    }

    func save(
        _ request: DataStoreSaveChangesRequest<BookSnapshot>
    ) throws -> DataStoreSaveChangesResult<BookSnapshot> {
        if configuration.log.refuses { throw CancellationError() }
        let kinds = [request.inserted, request.updated, request.deleted].map { snapshots in
            snapshots.map { $0.persistentIdentifier.storeIdentifier == nil ? "t" : "p" }.joined()
        }
        configuration.log.lines.append("\(request.editingState.author ?? ""): \(kinds.joined(separator: "/"))")
        let number = transactions.count + 1
        var changes: [HistoryChange] = []
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.deleted { rows[snapshot.persistentIdentifier] = nil }
        for snapshot in request.inserted {
            let key = "\(number)-\(remapped.count)"
            let permanent = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: key)
            remapped[snapshot.persistentIdentifier] = permanent
            rows[permanent] = snapshot.copy(persistentIdentifier: permanent, remappedIdentifiers: remapped)
            changes.append(
                .insert(
                    BookInsert<Page>(
                        changeIdentifier: changes.count, transactionIdentifier: number,
                        changedPersistentIdentifier: permanent)))
        }
        for snapshot in request.updated {
            rows[snapshot.persistentIdentifier] = snapshot
            changes.append(
                .update(
                    BookUpdate<Page>(
                        changeIdentifier: changes.count, transactionIdentifier: number,
                        changedPersistentIdentifier: snapshot.persistentIdentifier, updatedAttributes: [])))
        }
        transactions.append(
            BookTransaction(
                timestamp: Date(), changes: changes, token: BookToken(number: number), transactionIdentifier: number,
                storeIdentifier: identifier, author: request.editingState.author))
        return DataStoreSaveChangesResult(
            for: identifier, remappedIdentifiers: remapped, snapshotsToReregister: [:],
            historyToken: BookToken(number: number))
    }

    func delete<M: PersistentModel>(_ request: DataStoreBatchDeleteRequest<M>) throws {
        guard request.predicate == nil else { throw DataStoreError.preferInMemoryFilter }
        rows = rows.filter { $0.key.entityName != Schema.entityName(for: M.self) }
    }

    func erase() throws {
        rows = [:]
        transactions = []
    }

    func initializeState(for state: EditingState) { openStates.insert(state.id) }
    func invalidateState(for state: EditingState) { openStates.remove(state.id) }

    func cachedSnapshots(
        for identifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: BookSnapshot] {
        rows.filter { identifiers.contains($0.key) }
    }

    static var historyType: BookTransaction.Type { BookTransaction.self }

    func fetchHistory(_ descriptor: HistoryDescriptor<BookTransaction>) throws -> [BookTransaction] {
        var found = transactions
        if let predicate = descriptor.predicate { found = try found.filter { try predicate.evaluate($0) } }
        if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
        return descriptor.fetchLimit == 0 ? found : Array(found.prefix(Int(descriptor.fetchLimit)))
    }

    func deleteHistory(_ descriptor: HistoryDescriptor<BookTransaction>) throws {
        let gone = Set(try fetchHistory(descriptor).map(\.id))
        transactions.removeAll { gone.contains($0.id) }
    }
}
