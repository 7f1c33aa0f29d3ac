/// One step of a sequence of results: what they are now, and how that differs from the step before.
///
/// All models belong to the context of the sequence.
public struct ResultsUpdate<Element: PersistentModel> {
    /// The models, in order.
    public let results: [Element]
    /// How the results of the step before became these, by the identity of the models. A move is a removal and an
    /// insertion that name each other's offset. In the first step everything is inserted.
    public let difference: CollectionDifference<Element>
    /// The models that came, in the order of the results.
    public let inserted: [Element]
    /// The models that went, in the order of the results before. They may be deleted.
    public let removed: [Element]
    /// The models that were there before and had properties changed since, or their rows by another context; in the
    /// order of the results. They may have moved as well.
    public let updated: [Element]
    /// Why the results could not be brought up to date, and are still those of the step before; nil where they are.
    public let fetchError: (any Error)?

    /// The models that were there before and stand at another place among those that stayed: the fewest that explain
    /// the new order.
    public var moved: [(element: Element, from: Int, to: Int)] {
        difference.insertions.compactMap { change in
            guard case .insert(let place, let element, let before?) = change else { return nil }
            return (element, before, place)
        }
    }

    /// The step from one state to another.
    init(
        from old: [Element], to new: [Element], touched: ResultFeed.Touched = .init(), error: (any Error)? = nil
    ) {
        let identity = IdentityDifference(from: old, to: new)
        results = new
        difference = identity.changes
        inserted = identity.inserted
        removed = identity.removed
        fetchError = error
        if touched.isEmpty || old.isEmpty {
            updated = []
        } else {
            let newcomers = Set(inserted.map { ObjectIdentifier($0) })
            updated = new.filter { touched.contains($0) && !newcomers.contains(ObjectIdentifier($0)) }
        }
    }

    /// Whether the step tells nothing.
    var isEmpty: Bool { difference.isEmpty && updated.isEmpty && fetchError == nil }
}
