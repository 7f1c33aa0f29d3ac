import Foundation

/// One save, as a store's history keeps it.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
    /// What marks a place in the history; see ``HistoryToken``.
    associatedtype TokenType: Comparable & Hashable & Identifiable & Sendable
    /// What tells transactions of one store apart and orders them.
    associatedtype TransactionIdentifier: Comparable & Hashable & Sendable

    /// When it was saved.
    var timestamp: Date { get }
    /// What was changed, one change per model, in order.
    var changes: [HistoryChange] { get }
    /// The place of the transaction in the history; keep it to ask later for what came after.
    var token: TokenType { get }
    /// The transaction's identifier in its store.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the store.
    var storeIdentifier: String { get }
    /// The ``ModelContext/author`` of the context that saved; nil when it had none.
    var author: String? { get }
}
