extension PlannedFetch {
    /// How the fetch is carried out.
    ///
    /// - Throws: what the fetch would throw before rows are read.
    func explanation() throws -> FetchExplanation {
        var fetch = self
        while true {
            if fetch.wouldSeeChanges {
                // What is unsaved shall not count: the fetch runs in a context of its own, and gives identifiers.
                var explanation = try apart().explanation()
                explanation.requests.append("the rows found, by their keys")
                return explanation
            }
            do {
                return try fetch.explanation(of: fetch.askStore())
            } catch DataStoreError.preferInMemoryFilter where !fetch.filtersInMemory {
                fetch.filterReason = .handedBack
            } catch DataStoreError.preferInMemorySort where !fetch.sortsInMemory {
                fetch.sortReason = .handedBack
            }
        }
    }

    /// What the store says of its part; nil for one that takes no plans. It throws what it hands back.
    private func askStore() throws -> StoreExplanation? {
        if let rows = home.store.rows { return try rows.explain(storePlan()) }
        if home.isPolymorphic { return nil }
        var plan = storePlan()
        plan.limit = 0
        _ = try context.fetchSnapshots(storeDescriptor(plan), from: home)
        return nil
    }

    private func explanation(of store: StoreExplanation?) -> FetchExplanation {
        let hasFilter = descriptor.predicate != nil
        let hasSort = !descriptor.sortBy.isEmpty
        let tested = store?.tested ?? []
        var steps = hasFilter ? filterSteps() : []
        steps += tested.map {
            FetchExplanation.MemoryStep(
                part: .filter, piece: $0, reason: .handedBack, detail: "tested on rows that the store has read")
        }
        if hasSort, let sortReason {
            let names = sortNames
            steps.append(
                FetchExplanation.MemoryStep(
                    part: .sort, piece: names.isEmpty ? "a sort descriptor" : names.joined(separator: ", "),
                    reason: sortReason, detail: detail(of: sortReason, problem: sortProblem)))
        }
        let pages = plan.limit != nil || plan.offset > 0
        let isWhole = !filtersInMemory && !sortsInMemory && !isMerged
        return FetchExplanation(
            entityName: home.descriptor.entityName, storeName: home.store.name,
            predicate: hasFilter ? plan.filter?.description ?? "a predicate" : nil, sortKeys: sortNames,
            limit: plan.limit, offset: plan.offset,
            filter: !hasFilter ? nil : filtersInMemory ? .memory : tested.isEmpty ? .store : .storeAndMemory,
            sort: !hasSort ? nil : sortsInMemory ? .memory : .store,
            page: !pages ? nil : isWhole ? .store : storePlan().limit == nil ? .memory : .storeAndMemory,
            store: store, memory: steps,
            pendingChanges: FetchExplanation.PendingChanges(
                isIncluded: descriptor.includePendingChanges, merged: pending.count,
                deleted: pending.count { $0._$flags & _Flag.deleted != 0 }),
            requests: requests())
    }

    private func filterSteps() -> [FetchExplanation.MemoryStep] {
        guard let filterReason else { return [] }
        let detail = detail(of: filterReason, problem: filterProblem)
        let pieces = handedBackPieces().map(\.description)
        return (pieces.isEmpty ? ["the predicate"] : pieces).map {
            FetchExplanation.MemoryStep(part: .filter, piece: $0, reason: filterReason, detail: detail)
        }
    }

    /// What a fetch asks the store for.
    private func requests() -> [String] {
        let entity = home.descriptor.entityName
        var requests: [String] = []
        let knowsFamily = home.store.rows != nil || home.store.capabilities.features.contains(.inheritance)
        if !knowsFamily, home.isPolymorphic {
            requests += home.family().prefix(includesSubclasses ? .max : 1).map {
                "all rows of \($0.descriptor.entityName)"
            }
        } else {
            let isAll = filtersInMemory || descriptor.predicate == nil
            requests.append("\(isAll ? "all" : "the matching") rows of \(entity)")
        }
        if filtersInMemory || sortsInMemory || isMerged {
            let links = plan.filter?.followsLinks == true && (filtersInMemory || isMerged)
            if links || sortsInMemory && plan.sort.contains(where: { $0.path.count > 1 }) {
                requests.append("rows behind links and in lists, as they are met")
            }
        }
        for keyPath in descriptor.relationshipKeyPathsForPrefetching {
            requests += prefetched(keyPath)
        }
        return requests
    }

    /// What is loaded along, a request for each relationship on the way.
    private func prefetched(_ keyPath: PartialKeyPath<M>) -> [String] {
        let path = home.descriptor.slot(of: keyPath).map { [$0] } ?? KeyPathProbe.relationships(of: keyPath) ?? []
        var descriptor: _ModelDescriptor? = home.descriptor
        var names: [String] = []
        return path.compactMap { slot in
            guard let relationship = descriptor?.relationships[safe: slot] ?? nil else { return nil }
            names.append(relationship.name)
            descriptor = relationship.destination
            let name = names.joined(separator: ".")
            return relationship.isToMany
                ? "the rows of \(name)" : "the rows behind \(name), a thousand at a time"
        }
    }
}
