import CofferRuntime

/// Finds the models that nothing but other models refers to.
///
/// A parent and its children in memory hold each other, and counting references alone would keep them as long as their
/// context. So the references among models are counted apart: a model with more references than these is held by the
/// program, and so is a list whose memory is. Whatever cannot be reached from there is of no use to anybody: its
/// relationships are forgotten, as if they had never been loaded, and then it goes.
///
/// Only links that a store can give again are forgotten: a model with unsaved changes is held by its context, which
/// counts as the program.
struct UnreachableModels {
    private let models: [any PersistentModel]
    private let addresses: [UnsafeMutableRawPointer]
    /// How many references of other models lead to each.
    private var inner: [Int]
    /// Where the links of each model begin in ``links``.
    private var starts: [Int] = []
    private var links: [Int32] = []
    /// The memory of lists, and which of the links stand in it.
    private var lists: [(memory: UnsafeMutableRawPointer, links: Range<Int>)] = []

    /// - Parameter models: all models of a context that have rows. The array holds the only references that are not
    ///   counted as the program's.
    init(among models: [any PersistentModel]) {
        self.models = models
        addresses = models.map { Unmanaged.passUnretained($0 as AnyObject).toOpaque() }
        inner = Array(repeating: 0, count: models.count)
        var indexes: [UnsafeMutableRawPointer: Int32] = [:]
        indexes.reserveCapacity(models.count)
        for (index, address) in addresses.enumerated() { indexes[address] = Int32(index) }
        for index in models.indices { follow(index, indexes) }
        starts.append(links.count)
    }

    private mutating func follow(_ index: Int, _ indexes: [UnsafeMutableRawPointer: Int32]) {
        starts.append(links.count)
        var visitor = _RelatedVisitor()
        visitor.lists = []
        models[index]._$visit(&visitor)
        // A model that is not among them was never saved, or its row is gone. It stands for nothing here.
        var places: [Int] = [links.count]
        for related in visitor.models {
            if let target = indexes[Unmanaged.passUnretained(related as AnyObject).toOpaque()] {
                links.append(target)
                inner[Int(target)] += 1
            }
            places.append(links.count)
        }
        var start = 0
        for list in visitor.lists ?? [] {
            // To-one links that stand before a list are passed over with it, to no harm: they only make more of it
            // count.
            lists.append((list.memory, places[start]..<places[list.end]))
            start = list.end
        }
    }

    /// Forgets the relationships of models that cannot be reached.
    ///
    /// - Returns: how many can be reached.
    /// - Complexity: O(*models and links*).
    func release() -> Int {
        var isReached = [Bool](repeating: false, count: models.count)
        var waiting: [Int32] = []
        func reach(_ index: Int32) {
            if isReached[Int(index)] { return }
            isReached[Int(index)] = true
            waiting.append(index)
        }
        let busy = _Flag.inserted | _Flag.deleted | _Flag.listed | _Flag.dirtyMask
        for index in models.indices {
            // One reference is that of the array.
            let outer = coffer_retain_count(addresses[index]) - 1 - inner[index]
            if outer > 0 || models[index]._$flags & busy != 0 { reach(Int32(index)) }
        }
        for list in lists where coffer_retain_count(list.memory) > 1 {
            for link in list.links { reach(links[link]) }
        }
        while let index = waiting.popLast() {
            for link in starts[Int(index)]..<starts[Int(index) + 1] { reach(links[link]) }
        }
        var count = 0
        for index in models.indices {
            if isReached[index] { count += 1 } else { forgetLinks(of: models[index]) }
        }
        return count
    }

    private func forgetLinks<M: PersistentModel>(of model: M) {
        guard let home = model._$home else { return }
        for case let relationship? in home.relationships { model._$forget(relationship.slot) }
    }
}

extension ModelContext {
    /// Lets go of models that only hold each other, once many have come through to-many relationships.
    ///
    /// Complexity: O(1), and O(*models in memory*) each time that many again have come.
    func releaseUnreachable() {
        if relatedCount < max(leastRelated, relatedLimit) { return }
        #if !canImport(ObjectiveC)
        for home in homes.values { home.forgetLastModel() }
        let reached = UnreachableModels(among: homes.values.flatMap { $0.models() }).release()
        relatedLimit = 2 * reached
        #endif
        relatedCount = 0
    }
}
