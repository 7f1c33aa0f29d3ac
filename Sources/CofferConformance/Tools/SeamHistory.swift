import CofferCore
import Foundation

/// The history of a store that is used without a context, by default transactions.
struct SeamHistory {
    typealias Transaction = DefaultHistoryTransaction
    typealias Descriptor = HistoryDescriptor<DefaultHistoryTransaction>
    private let store: any HistoryProviding

    /// Takes a store; nil where it keeps no such history.
    init?(_ store: any DataStore) {
        func fits<P: HistoryProviding>(_ provider: P) -> Bool { P.HistoryType.self == Transaction.self }
        guard let provider = store as? any HistoryProviding, fits(provider) else { return nil }
        self.store = provider
    }

    func fetch(_ descriptor: Descriptor = Descriptor()) throws -> [Transaction] {
        func fetch<P: HistoryProviding>(_ provider: P) throws -> [Transaction] {
            guard let descriptor = descriptor as? HistoryDescriptor<P.HistoryType> else { return [] }
            return try provider.fetchHistory(descriptor).compactMap { $0 as? Transaction }
        }
        return try fetch(store)
    }

    func delete(_ descriptor: Descriptor) throws {
        func delete<P: HistoryProviding>(_ provider: P) throws {
            guard let descriptor = descriptor as? HistoryDescriptor<P.HistoryType> else { return }
            try provider.deleteHistory(descriptor)
        }
        try delete(store)
    }

    func after(_ token: DefaultHistoryToken) throws -> [Transaction] {
        try fetch(Descriptor(predicate: #Predicate { $0.token > token }))
    }
}
