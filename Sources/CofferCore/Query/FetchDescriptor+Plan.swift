extension FetchDescriptor {
    /// The plan of the fetch, in terms that no store has to know Swift types for.
    ///
    /// What no plan can express of a predicate, or an order, is left out, and the result says so; it can still be applied
    /// to models. Pending changes and prefetching are the context's and not in the plan.
    ///
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` where ``propertiesToFetch`` names something that is not stored;
    ///   ``SwiftDataError/unsupportedPredicate`` or ``SwiftDataError/unsupportedSortDescriptor`` for a property whose
    ///   values are closed to both; ``SwiftDataError/unsupportedPredicate`` for a predicate that must not evaluate itself.
    func _plan(_ cache: PredicateCache = .shared) throws -> LoweredFetch {
        var lowered = LoweredFetch(
            plan: FetchPlan(
                entityName: T._$descriptor.entityName, limit: fetchLimit.map { max($0, 0) },
                offset: max(fetchOffset ?? 0, 0),
                slots: try _slotsToFetch()))
        do {
            if let predicate {
                let entry = try cache.parts(predicate)
                lowered.plan.filter = entry.parts.filter
                lowered.plan.origin = entry.origin
                lowered.needsFilter = entry.parts.unsupported != nil
            }
        } catch let refused as RefusedFetch {
            throw refused.error
        }
        do {
            lowered.plan.sort = try sortBy.map { try SortLowering.key($0) }
        } catch let refused as RefusedFetch {
            throw refused.error
        } catch SwiftDataError.unsupportedSortDescriptor {
            lowered.needsSort = true
        }
        return lowered
    }

    /// The slots of ``propertiesToFetch``; nil for all.
    ///
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that leads to no persisted property.
    func _slotsToFetch() throws -> [Int]? {
        if propertiesToFetch.isEmpty { return nil }
        let slots = try propertiesToFetch.map { keyPath in
            guard let slot = T._$descriptor.slot(of: keyPath) else {
                throw SwiftDataError(
                    .unsupportedKeyPath, operation: .fetch, entity: T._$descriptor.entityName,
                    detail: "\(keyPath) leads to no persisted property")
            }
            return slot
        }
        return Set(slots).sorted()
    }
}

/// A filter or an order that shall not be done in memory either: what it asks for is closed by the property's options.
struct RefusedFetch: Error {
    let error: SwiftDataError
}
