import Foundation

extension ModelContext {
    /// The models of some identifiers, in their order; those without a row are left out.
    ///
    /// - Parameter slots: the slots to load of models that are not in memory; nil for all.
    /// - Complexity: one request, O(*identifiers*).
    func models<M: PersistentModel>(
        of identifiers: ArraySlice<PersistentIdentifier>, as type: M.Type, in home: _ModelHome, slots: [Int]? = nil
    ) throws -> [M] {
        try settleBatches()
        // A model that was never saved is in memory or nowhere.
        let stored = identifiers.filter { !$0._isTemporary }
        let batch: RowBatch
        if home.store.rows == nil || stored.contains(where: { $0._textKey != nil }) {
            batch = try fetchSnapshots(of: stored, from: home)
        } else {
            let plan = home.plan(.keys(stored.map { $0._key }), slots: slots)
            batch = try fetchRows(plan, from: home, capacity: stored.count)
        }
        let models = try materialise(batch, as: M.self, home: home, isPartial: slots != nil)
        let byIdentifier = Dictionary(
            zip((0..<batch.count).lazy.map { batch.identifier(ofRow: $0) }, models),
            uniquingKeysWith: { first, _ in first })
        return identifiers.compactMap { byIdentifier[$0] ?? ($0._isTemporary ? registeredModel(for: $0) : nil) }
    }
}
