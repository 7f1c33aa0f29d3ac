import CofferCore

/// Notes which way a fetch goes. The fetch chooses by what tables and indexes hold, so it has to go to be asked.
final class RecordTrace {
    var access = StoreExplanation.Access.unknown
    var order = StoreExplanation.Order.keys
    var steps: [String] = []
    /// Whether the condition that the index of words is about needs no test any more.
    private(set) var isMetByWords = false

    /// Rows are looked up as the index of words names them.
    func noteWords(exact: Bool, count: Int) {
        access = .index("words")
        isMetByWords = exact
        steps.append("index words: \(count) rows")
    }

    /// Rows are looked up as an index names them.
    func note(_ range: IndexRange, count: Int) {
        access = .index(range.index.properties)
        steps.append(Self.words(range) + ": \(count) entries")
    }

    /// Rows are read as an index has them in order.
    func noteWalk(_ range: IndexRange) {
        access = range.bounds > 0 ? .index(range.index.properties) : .scan
        order = .index(range.index.properties)
        steps.append(Self.words(range) + ", in its order")
    }

    private static func words(_ range: IndexRange) -> String {
        let bounded = range.bounds - range.equalities
        let parts = [
            range.equalities > 0 ? "\(range.equalities) given" : nil, bounded > 0 ? "the next within bounds" : nil,
        ].compactMap { $0 }
        return "index \(range.index.properties)"
            + (parts.isEmpty ? "" : ", values " + parts.joined(separator: " and "))
    }
}

extension RecordStoreCore {
    /// Which way a fetch of a plan goes.
    ///
    /// - Throws: what the engine throws.
    /// - Complexity: that of the fetch, apart from handing rows out.
    public func explain(_ plan: FetchPlan) throws -> StoreExplanation {
        let space = try space(named: plan.entityName)
        let flat = layout.flat(plan)
        return try read(plan.entityName) { reader in
            if case .keys = flat.scope, flat.isPlain { return StoreExplanation(access: .keys, order: .keys) }
            let filter = RecordFilter(flat.filter, space, layout, storeIdentifier: identifier)
            let trace = RecordTrace()
            if case .related(let owner, let slot, _) = flat.scope {
                let name = layout.space(of: owner)?.lists.first { $0.slot == slot }?.property ?? "list"
                trace.access = .link(name)
                trace.order = plan.sort.isEmpty ? .keys : .sorting
            } else {
                try RecordFetch(flat, space, self, reader, trace: trace).forEachRow { _, _ in }
            }
            if !filter.terms.isEmpty {
                let names = filter.terms.map(\.field.property).joined(separator: ", ")
                trace.steps.append("compared in records: " + names)
            }
            for other in trace.isMetByWords ? filter.othersBesideWords : filter.others {
                trace.steps.append("tested on values of records: \(other)")
            }
            return StoreExplanation(access: trace.access, order: trace.order, steps: trace.steps)
        }
    }
}
