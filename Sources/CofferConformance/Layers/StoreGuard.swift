import CofferCore

/// A layer that refuses what the store does not declare, so that nothing is silently ignored.
///
/// A condition or an order that the store does not claim to apply is handed back as such a store should do it itself
/// (``DataStoreError/preferInMemoryFilter``, ``DataStoreError/preferInMemorySort``); a value that is larger than the
/// declared limit gives ``SwiftDataError/valueTooLarge``.
public final class StoreGuard: StoreLayer {
    /// A guard; it learns from the store what that declares.
    public init() {}

    public func willCall(_ call: StoreCall) throws {
        let capabilities = call.capabilities
        if call.isFiltered, capabilities.prefersInMemoryFiltering { throw DataStoreError.preferInMemoryFilter }
        if call.isSorted, capabilities.prefersInMemorySorting { throw DataStoreError.preferInMemorySort }
        if let limit = capabilities.maximumValueSize, call.largestValue > limit {
            throw SwiftDataError(
                .valueTooLarge, operation: .save,
                detail: "a value has \(call.largestValue) bytes, and the store declares \(limit) at most")
        }
    }
}
