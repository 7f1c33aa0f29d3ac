import Foundation

/// A watch at a home: which changes of the home's models it is told of.
struct HomeWatch {
    weak var watch: ResultWatch?
    /// The slots that can change the watch's results.
    let slots: UInt64
    /// Whether the models can be among the results.
    let isElement: Bool
}

extension ModelContext {
    /// Has a watch hear of the changes that concern it, instead of those that concerned it before.
    func watch(_ watch: ResultWatch, _ interest: ResultInterest) {
        watch.interest = interest
        inbox.enter(watch)
        for home in homes.values { home.watches.removeAll { $0.watch == nil || $0.watch === watch } }
        // A fetch of what is stored does not depend on what is not.
        guard interest.includesPending else { return }
        for (name, slots) in interest.slots {
            guard let type = container.modelType(named: name), let home = home(of: type._$descriptor) else { continue }
            home.add(HomeWatch(watch: watch, slots: slots, isElement: interest.elements.contains(name)))
        }
    }

    /// Tells the watches what a save of this context did beyond what was pending: what the delete rules deleted and
    /// cut, and which rows took a new model's values over.
    func tellWatches(of changes: SavedChanges, _ plan: SavePlan) {
        guard inbox.hasWatches else { return }
        var beyond = SavedChanges()
        beyond.deleted = changes.deleted
        for cut in plan.cut.values {
            let identifier = cut.model.persistentModelID
            beyond.updated[identifier.entityName, default: []].append(identifier)
        }
        for home in homes.values
        where home.isWatched && home.enforcesUniqueness && changes.inserted.contains(home.descriptor.entityName) {
            let name = home.descriptor.entityName
            beyond.inserted.insert(name)
            beyond.updated[name, default: []] += home.models().filter { $0._$flags & _Flag.stale != 0 }
                .map { $0.persistentModelID }
        }
        inbox.tellOwn(changes, beyond: beyond)
    }
}

extension _ModelHome {
    var isWatched: Bool { !watches.isEmpty }

    fileprivate func add(_ watch: HomeWatch) {
        if watches.isEmpty {
            // Models that are listed already would not come to the slow path of a setter again.
            for model in inserted { model._$flags |= _Flag.observed }
            for model in changed { model._$flags |= _Flag.observed }
        }
        watches.append(watch)
    }

    private var livingWatches: [HomeWatch] {
        if watches.contains(where: { $0.watch == nil }) { watches.removeAll { $0.watch == nil } }
        return watches
    }

    /// A property of a model that may be watched was changed.
    func tellWatches<M: PersistentModel>(of model: M, _ slot: Int) {
        let bit = _slotBit(slot)
        for entry in livingWatches {
            entry.watch?.noteChange(
                of: model, isRelevant: entry.slots & bit != 0, isElement: entry.isElement)
        }
    }

    /// Models came, went, or have other values altogether.
    func tellWatches(ofChanged models: [any PersistentModel] = []) {
        for entry in livingWatches {
            for model in models { entry.watch?.noteChange(of: model, isRelevant: false, isElement: entry.isElement) }
            entry.watch?.touch()
        }
    }
}
