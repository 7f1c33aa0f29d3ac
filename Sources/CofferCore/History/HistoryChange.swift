/// One change in a ``HistoryTransaction``: what became of one model.
///
/// ```swift
/// for change in transaction.changes {
///     switch change {
///     case .update(let update as any HistoryUpdate<Trip>): print(update.updatedAttributes)
///     case .delete(let delete as any HistoryDelete<Trip>): print(delete.tombstone[\.name] ?? "")
///     default: break
///     }
/// }
/// ```
public enum HistoryChange: Sendable {
    /// A new model.
    case insert(any HistoryInsert)
    /// New values of a model.
    case update(any HistoryUpdate)
    /// A model that is gone.
    case delete(any HistoryDelete)

    /// The identifier of the model that was changed.
    public var changedPersistentIdentifier: PersistentIdentifier {
        switch self {
        case .insert(let change): change.changedPersistentIdentifier
        case .update(let change): change.changedPersistentIdentifier
        case .delete(let change): change.changedPersistentIdentifier
        }
    }
}

/// The insertion of a model, in a store's history.
public protocol HistoryInsert<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// What tells transactions of the store apart and orders them.
    associatedtype TransactionIdentifier: Comparable & Hashable & Sendable
    /// What tells changes of the store apart and orders them.
    associatedtype ChangeIdentifier: Comparable & Hashable & Sendable

    /// The change's identifier in its store.
    var changeIdentifier: ChangeIdentifier { get }
    /// The identifier of the transaction it belongs to.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// An update of a model, in a store's history.
public protocol HistoryUpdate<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// What tells transactions of the store apart and orders them.
    associatedtype TransactionIdentifier: Comparable & Hashable & Sendable
    /// What tells changes of the store apart and orders them.
    associatedtype ChangeIdentifier: Comparable & Hashable & Sendable
    /// The key path of a property of the model.
    typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

    /// The change's identifier in its store.
    var changeIdentifier: ChangeIdentifier { get }
    /// The identifier of the transaction it belongs to.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier of the model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The properties that got new values. History keeps neither the old nor the new values.
    var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model, in a store's history.
public protocol HistoryDelete<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// What tells transactions of the store apart and orders them.
    associatedtype TransactionIdentifier: Comparable & Hashable & Sendable
    /// What tells changes of the store apart and orders them.
    associatedtype ChangeIdentifier: Comparable & Hashable & Sendable

    /// The change's identifier in its store.
    var changeIdentifier: ChangeIdentifier { get }
    /// The identifier of the transaction it belongs to.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The identifier the model had.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The values of the model that were to outlive it.
    var tombstone: HistoryTombstone<Model> { get }
}
