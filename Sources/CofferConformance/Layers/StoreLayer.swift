import CofferCore

/// Something between a container and a store that sees every call pass: it may note it, delay it, or refuse it.
///
/// Layers work for any store. ``layered(_:_:)`` puts them around a configuration.
///
/// Isolation: called from whichever threads call the store.
public protocol StoreLayer: AnyObject, Sendable {
    /// A call is about to reach the store; what this throws takes the call's place.
    func willCall(_ call: StoreCall) throws
    /// The store has done its work; what this throws takes the answer's place.
    func didCall(_ call: StoreCall, rows: Int) throws
}

extension StoreLayer {
    public func willCall(_ call: StoreCall) throws {}
    public func didCall(_ call: StoreCall, rows: Int) throws {}
}

/// A call of a store.
public struct StoreCall: Sendable {
    /// The members of the seam.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Rows, whole or in blocks.
        case fetch
        /// The number of rows.
        case count
        /// The identifiers of rows.
        case identifiers
        /// Changes to store.
        case save
        /// Everything is to go.
        case erase
        /// Snapshots that the store may have at hand.
        case cachedSnapshots
        /// A context begins to work with the store.
        case initializeState
        /// A context has ended.
        case invalidateState
    }

    /// The member that is called.
    public let kind: Kind
    /// The entity that is asked for; nil for calls that concern no single one.
    public var entityName: String?
    /// What was asked for, where the store takes plans.
    public var plan: FetchPlan?
    /// Whether the request has a condition, and an order, for the store to apply.
    public var isFiltered = false
    /// Whether the request has an order for the store to apply.
    public var isSorted = false
    /// How many rows a save inserts, updates and deletes.
    public var inserted = 0
    /// How many rows a save updates.
    public var updated = 0
    /// How many rows a save deletes.
    public var deleted = 0
    /// How many deletions and updates by filter a save has.
    public var batches = 0
    /// The size of the largest value that is saved, in bytes, where the store takes rows.
    public var largestValue = 0
    /// Whose work it is part of.
    public var editingState: EditingState?
    /// What the store said of itself.
    public var capabilities: StoreCapabilities

    init(_ kind: Kind, _ capabilities: StoreCapabilities) {
        self.kind = kind
        self.capabilities = capabilities
    }
}

/// Puts layers around the store of a configuration, the first one outermost.
///
/// The result opens a ``RowStore`` where the store is one. Other optional protocols of the store are not passed on.
public func layered(
    _ configuration: any DataStoreConfiguration, _ layers: [any StoreLayer]
) -> any DataStoreConfiguration {
    func wrap<C: DataStoreConfiguration>(_ configuration: C) -> any DataStoreConfiguration {
        if C.Store.self is any RowStore.Type { return LayeredRowConfiguration(configuration, layers: layers) }
        return LayeredConfiguration(configuration, layers: layers)
    }
    return wrap(configuration)
}

extension [any StoreLayer] {
    /// Runs a call through the layers.
    func pass<T>(_ call: StoreCall, rows: (T) -> Int = { _ in 0 }, _ body: () throws -> T) throws -> T {
        for layer in self { try layer.willCall(call) }
        let answer = try body()
        let count = rows(answer)
        for layer in reversed() { try layer.didCall(call, rows: count) }
        return answer
    }

    func isSame(as other: [any StoreLayer]) -> Bool { elementsEqual(other) { $0 === $1 } }
}
