import Foundation

/// What a fetch of the history reads: a store that keeps it, or what the container keeps for one that does not.
struct HistorySource {
    /// The store's identifier, which the identifiers of its rows have.
    let identifier: String
    /// What a token calls the source by.
    let tokenKey: String
    /// The name of the store's configuration, for errors.
    let name: String
    let schema: Schema
    /// Whether the history ends with the container, so that a token that does not know the source is an old one.
    let isSupplied: Bool
    let history: (HistoryQuery) throws -> StoredHistory
    let forget: (KeyRanges) throws -> Void

    init(_ store: any RowStore) {
        identifier = store.identifier
        tokenKey = identifier
        name = store.configuration.name
        schema = store.schema
        isSupplied = false
        history = { try store.history($0) }
        forget = { try store.forgetHistory($0) }
    }

    init(_ supply: HistorySupply, of store: StoreHandle, _ schema: Schema) {
        identifier = store.identifier
        tokenKey = supply.tokenKey
        name = store.name
        self.schema = schema
        isSupplied = true
        history = { supply.history($0) }
        forget = { supply.forget($0) }
    }
}

extension ModelContainer {
    /// The histories of the container's stores of rows, and those that it keeps itself.
    var historySources: [HistorySource] {
        stores.compactMap { store in
            if let rows = store.rows, store.capabilities.features.contains(.history) { return HistorySource(rows) }
            return historySupply(of: store).map { HistorySource($0, of: store, schema) }
        }
    }

    /// Whether the container keeps a history for each of its stores that keeps none; false at first.
    ///
    /// It has the saves of the container's own contexts from then on, in memory, and ends with the container: a token of an
    /// earlier run gets ``SwiftDataError/historyTokenExpired``. Transactions have authors, changes and updated attributes;
    /// tombstones are empty. A deletion that the store does by predicate, and a save to a store whose identifiers are
    /// texts, cannot be told row by row, so that tokens before it expire.
    ///
    /// Setting it to false forgets what was kept.
    public var suppliesHistory: Bool {
        get { supplies.withLock { $0 != nil } }
        set {
            supplies.withLock { supplies in
                if !newValue { return supplies = nil }
                if supplies != nil { return }
                supplies = [:]
                for store in stores
                where !store.capabilities.features.contains(.history) && !(store.store is any HistoryProviding) {
                    supplies?[ObjectIdentifier(store)] = HistorySupply(schema, of: store.identifier)
                }
            }
        }
    }

    func historySupply(of store: StoreHandle) -> HistorySupply? {
        supplies.withLock { $0?[ObjectIdentifier(store)] }
    }
}
