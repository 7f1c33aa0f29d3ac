extension Workload {
    /// All workloads, with the ratios to the raw engine that Coffer's SQLite store is held to.
    public static let all: [Workload] = [
        Workload(id: "W1", title: "insert all objects, one save", task: .insert, target: 2.0, aim: 1.5),
        Workload(
            id: "W1i", title: "insert all, two secondary indexes", task: .insert, isIndexed: true, target: 1.25,
            aim: 0.95),
        Workload(
            id: "W2", title: "fetch all, read every property", task: .fetchAll, dataset: .trips, target: 2.0, aim: 1.6),
        Workload(
            id: "W3", title: "fetch by identifier, cold context", task: .fetchByIdentifier, dataset: .trips,
            target: 1.5, aim: 1.1),
        Workload(
            id: "W3t", title: "by identifier, baseline in one transaction", task: .fetchByIdentifier, dataset: .trips,
            baselineIsOneTransaction: true, target: 1.5, aim: 1.1),
        Workload(
            id: "W4", title: "filter, sort, one page", task: .fetchPage, dataset: .trips, target: 1.05, aim: 0.85),
        Workload(
            id: "W4i", title: "filter, sort, one page, with an index", task: .fetchPage, isIndexed: true,
            dataset: .trips,
            target: 1.10, aim: 0.70),
        Workload(id: "W5", title: "count with a predicate", task: .count, dataset: .trips, target: 1.05, aim: 0.80),
        Workload(
            id: "W5i", title: "count with a predicate and an index", task: .count, isIndexed: true, dataset: .trips,
            target: 1.10,
            aim: 1.02),
        Workload(
            id: "W6", title: "change a tenth of the objects, save", task: .update, dataset: .trips, target: 1.5,
            aim: 1.25),
        Workload(
            id: "W7", title: "delete a tenth of the objects, save", task: .delete, dataset: .trips, target: 1.5,
            aim: 1.25),
        Workload(
            id: "W8", title: "insert trips with ten stops each", task: .insertGraph, target: 1.7, aim: 1.35),
        Workload(
            id: "W9", title: "fetch trips, stops prefetched", task: .fetchGraph, dataset: .graph, target: 2.5, aim: 1.8),
        Workload(
            id: "W10", title: "fetch trips, stops when read", task: .traverse, dataset: .graph, target: 2.0, aim: 0.8),
        Workload(
            id: "W11n", title: "saves of one object, durability normal", task: .smallSaves, dataset: .trips,
            isFullyDurable: false, target: 2.0, aim: 1.3),
        Workload(
            id: "W11f", title: "saves of one object, durability full", task: .smallSaves, dataset: .trips, target: 1.15,
            aim: 1.03),
        Workload(
            id: "W12", title: "batch delete of half the rows", task: .batchDelete, dataset: .trips, target: 1.1,
            aim: 1.0),
        Workload(id: "W13", title: "open and fetch one", task: .open, dataset: .trips, target: 5, aim: 2),
        Workload(id: "W14", title: "close after a small save", task: .close, dataset: .trips, target: 5, aim: 2),
        Workload(
            id: "W15", title: "fetch a range by its index", task: .fetchRange, isIndexed: true, dataset: .trips,
            target: 4.0, aim: 2.5),
        Workload(
            id: "W16", title: "count and sum by group", task: .groups, dataset: .trips),
        Workload(
            id: "W17", title: "live results after another's save", task: .refreshResults, isIndexed: true,
            dataset: .trips, isFullyDurable: false),
        Workload(
            id: "W18", title: "read the history of small saves", task: .readHistory, dataset: .trips,
            isFullyDurable: false),
        Workload(
            id: "W19", title: "two readers beside a writer", task: .readersAndWriter, isIndexed: true, dataset: .trips,
            isFullyDurable: false),
    ]

    /// The workloads of a list of names; a name without its variant stands for all variants.
    static func named(_ names: [String]) throws(UsageError) -> [Workload] {
        var found: [Workload] = []
        for name in names {
            let matching = all.filter { workload in
                workload.id.lowercased() == name.lowercased()
                    || workload.id.lowercased().hasPrefix(name.lowercased())
                        && workload.id.dropFirst(name.count).allSatisfy(\.isLetter)
                        && !all.contains { $0.id.lowercased() == name.lowercased() }
            }
            guard !matching.isEmpty else { throw UsageError(description: "there is no workload '\(name)'") }
            found += matching.filter { workload in !found.contains { $0.id == workload.id } }
        }
        return found
    }
}
