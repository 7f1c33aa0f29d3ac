import ArchiveStore
import CofferConformance
import CofferCore
import Foundation
import Synchronization

/// How a copy of the archive of the examples differs from the original in what it stores and in what its history tells.
struct HistoryMutation: Sendable {
    typealias Transaction = DefaultHistoryTransaction
    typealias Descriptor = HistoryDescriptor<DefaultHistoryTransaction>

    var descriptor: @Sendable (inout Descriptor) -> Void = { _ in }
    /// What is told.
    var transactions: @Sendable ([Transaction]) -> [Transaction] = { $0 }
    /// Whether a token that has expired is taken for the beginning.
    var forgivesTokens = false
    /// What deleting history does.
    var delete: @Sendable (Descriptor, ArchiveStore) throws -> Void = { try $1.deleteHistory($0) }
    var erase: @Sendable (ArchiveStore) throws -> Void = { try $0.erase() }
    /// Whether the history ends with the store.
    var forgetsAtOpening = false

    // The archive itself
    var batches: Batches = .sound
    var save: @Sendable (Request, ArchiveStore) throws -> DataStoreSaveChangesResult<DefaultSnapshot> = {
        try $1.save($0)
    }
    typealias Request = DataStoreSaveChangesRequest<DefaultSnapshot>

    /// What becomes of deletions by predicate.
    enum Batches { case sound, ignorePredicates, spareTheRows, deleteByErasing, leaveNoHistory }
}

extension DefaultHistoryTransaction {
    /// The same transaction with something else in a part of it.
    func with(
        author: String?? = nil, changes: [HistoryChange]? = nil, token: DefaultHistoryToken? = nil,
        number: Int64? = nil,
        timestamp: Date? = nil
    ) -> DefaultHistoryTransaction {
        DefaultHistoryTransaction(
            transactionIdentifier: number ?? transactionIdentifier, storeIdentifier: storeIdentifier,
            timestamp: timestamp ?? self.timestamp, changes: changes ?? self.changes, token: token ?? self.token,
            author: author ?? self.author)
    }
}

struct HistoryMutantSubject: ConformanceSubject {
    let name: String
    let mutation: HistoryMutation

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        HistoryMutantConfiguration(url: place.folder.appendingPathComponent("models.archive"), mutation: mutation)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.reopening] }
}

struct HistoryMutantConfiguration: DataStoreConfiguration {
    typealias Store = HistoryMutantStore
    let name = "mutant"
    var schema: Schema?
    let url: URL
    let mutation: HistoryMutation

    init(url: URL, mutation: HistoryMutation) {
        self.url = url
        self.mutation = mutation
    }

    static func == (left: HistoryMutantConfiguration, right: HistoryMutantConfiguration) -> Bool {
        left.url == right.url
    }

    func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

/// The archive with one fault.
final class HistoryMutantStore: DataStoreBatching, HistoryProviding {
    typealias Snapshot = DefaultSnapshot
    let configuration: HistoryMutantConfiguration
    private let base: ArchiveStore
    /// The transactions that are not told of.
    private let untold = Mutex<Set<Int64>>([])
    private var mutation: HistoryMutation { configuration.mutation }

    init(_ configuration: HistoryMutantConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        base = try ArchiveStore(
            ArchiveStoreConfiguration("mutant", schema: configuration.schema, url: configuration.url),
            migrationPlan: migrationPlan)
        if configuration.mutation.forgetsAtOpening { try base.deleteHistory(HistoryDescriptor()) }
    }

    var identifier: String { base.identifier }
    var schema: Schema { base.schema }
    var capabilities: StoreCapabilities { base.capabilities }

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        try base.fetch(request)
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        try mutation.save(request, base)
    }

    func delete<M: PersistentModel>(_ request: DataStoreBatchDeleteRequest<M>) throws {
        switch mutation.batches {
        case .sound: try base.delete(request)
        case .ignorePredicates:
            try base.delete(
                DataStoreBatchDeleteRequest<M>(
                    editingState: request.editingState, predicate: nil, includeSubclasses: request.includeSubclasses))
        case .spareTheRows: if request.predicate != nil { try base.delete(request) }
        case .deleteByErasing:
            if request.predicate != nil { return try base.delete(request) }
            try base.erase()
        case .leaveNoHistory:
            try base.delete(request)
            let last = try base.fetchHistory(HistoryDescriptor()).last?.transactionIdentifier
            untold.withLock { $0.formUnion([last].compactMap(\.self)) }
        }
    }

    func erase() throws { try mutation.erase(base) }

    func fetchHistory(_ descriptor: HistoryMutation.Descriptor) throws -> [DefaultHistoryTransaction] {
        var descriptor = descriptor
        mutation.descriptor(&descriptor)
        do {
            let untold = untold.withLock { $0 }
            return mutation.transactions(
                try base.fetchHistory(descriptor).filter { !untold.contains($0.transactionIdentifier) })
        } catch SwiftDataError.historyTokenExpired where mutation.forgivesTokens {
            return try base.fetchHistory(HistoryDescriptor())
        }
    }

    func deleteHistory(_ descriptor: HistoryMutation.Descriptor) throws { try mutation.delete(descriptor, base) }
}
