/// A store that remembers what was saved, and when.
///
/// Contexts call these through ``ModelContext/fetchHistory(_:)`` and ``ModelContext/deleteHistory(_:)``.
public protocol HistoryProviding<HistoryType> {
    /// The store's kind of transaction.
    associatedtype HistoryType: HistoryTransaction
    /// The store's kind of transaction, as a value.
    static var historyType: HistoryType.Type { get }

    /// The transactions that match, oldest first unless the descriptor says otherwise.
    ///
    /// - Throws: ``SwiftDataError/historyTokenExpired`` when the predicate names a token whose transactions were
    ///   deleted; whatever the store throws.
    func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]

    /// Forgets the transactions that match. The data stays.
    ///
    /// - Throws: whatever the store throws.
    func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

extension HistoryProviding {
    /// The type itself.
    public static var historyType: HistoryType.Type { HistoryType.self }
}
