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
                fetch.takeBackFilter()
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
        var steps = hasFilter ? filterSteps() : []
        if hasSort, let sortReason {
            steps.append(
                FetchExplanation.MemoryStep(
                    part: .sort, piece: sortNames.joined(separator: ", "),
                    reason: sortReason, detail: detail(of: sortReason, problem: sortProblem)))
        }
        let pages = plan.limit != nil || plan.offset > 0
        let isWhole = !finishesInMemory && division == nil && !isMerged
        let isDivided = evaluates || division?.kept != nil
        return FetchExplanation(
            entityName: home.descriptor.entityName, storeName: home.store.name,
            predicate: hasFilter ? plan.filter?.description ?? "a predicate" : nil, sortKeys: sortNames,
            limit: plan.limit, offset: plan.offset,
            filter: !hasFilter
                ? nil
                : filtersInMemory || !isDivided && division != nil ? .memory : isDivided ? .storeAndMemory : .store,
            sort: !hasSort ? nil : sortsInMemory ? .memory : .store,
            page: !pages ? nil : isWhole ? .store : storePlan().limit == nil ? .memory : .storeAndMemory,
            store: store, memory: steps,
            pendingChanges: FetchExplanation.PendingChanges(
                isIncluded: descriptor.includePendingChanges, merged: pending.count,
                deleted: pending.count { $0._$flags & _Flag.deleted != 0 }),
            requests: requests())
    }

    private func filterSteps() -> [FetchExplanation.MemoryStep] {
        var steps: [FetchExplanation.MemoryStep] = []
        func add(_ pieces: [String], _ reason: FetchExplanation.Reason) {
            let detail = detail(of: reason, problem: filterProblem)
            for piece in pieces {
                steps.append(FetchExplanation.MemoryStep(part: .filter, piece: piece, reason: reason, detail: detail))
            }
        }
        if let filterReason {
            add([plan.filter?.description ?? "the predicate"], filterReason)
        } else if let handedBack = division?.handedBack {
            add(handedBack.conjuncts.map(\.description), .handedBack)
        }
        if evaluates, filterReason != .notExpressible { add(["a part of the predicate"], .notExpressible) }
        return steps
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
            let isAll =
                storePlan().filter == nil && (home.store.rows != nil || filtersInMemory || descriptor.predicate == nil)
            requests.append("\(isAll ? "all" : "the matching") rows of \(entity)")
            if !filtersInMemory, division != nil { requests.append("the rows found, by their keys") }
        }
        if finishesInMemory || isMerged || division != nil {
            let links = plan.filter?.followsLinks == true && (filtersInMemory || isMerged || division != nil)
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
