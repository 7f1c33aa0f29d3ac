import Foundation

extension ModelContext {
    /// The results of a fetch as they change, with the unsaved changes of this context and the saves of others.
    ///
    /// ```swift
    /// for await update in try context.results(of: FetchDescriptor<Trip>()) {
    ///     print(update.results.count, "trips,", update.inserted.count, "of them new")
    /// }
    /// ```
    ///
    /// - Throws: what the first fetch throws, see ``fetch(_:)``. Later failures are told by the steps.
    public func results<M: PersistentModel>(of descriptor: FetchDescriptor<M>) throws -> ResultsUpdates<M> {
        let live = LiveResults(descriptor, context: self, isolation: nil)
        if let error = live.error { throw error }
        return ResultsUpdates(live)
    }
}
