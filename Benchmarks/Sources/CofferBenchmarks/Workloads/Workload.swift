/// One kind of work, with the data it starts from and what it may cost.
public struct Workload: Sendable {
    /// What is done.
    public enum Task: Sendable, Hashable {
        case insert, fetchAll, fetchByIdentifier, fetchPage, fetchRange, count, update, delete
        case insertGraph, fetchGraph, traverse
        case smallSaves, batchDelete, open, close
        case groups, refreshResults, readHistory, readersAndWriter
    }

    /// The data a run starts from.
    public enum Dataset: String, Sendable, Hashable {
        /// An open store without rows.
        case empty
        /// One trip for each row, without stops.
        case trips
        /// One stop for each row, and a trip for each ten of them.
        case graph
    }

    /// How the time of one operation may grow with the rows in the store.
    public enum Growth: String, Sendable, Codable {
        case constant
        case linear
        /// What the engine does by itself, such as the depth of its trees.
        case engine
    }

    /// The name on the command line: `W1`.
    public let id: String
    public let title: String
    public let task: Task
    /// Whether the trips have secondary indexes.
    public var isIndexed = false
    public var dataset = Dataset.empty
    /// Whether a save waits for the disk.
    public var isFullyDurable = true
    /// Whether the baseline does all single lookups in one transaction; otherwise each sees what others stored before.
    public var baselineIsOneTransaction = false
    /// What the SQLite store must reach and aims for, as a ratio to the baseline; nil where nothing is set.
    public var target: Double?
    public var aim: Double?

    /// Whether a run leaves other data than it found, so that the next one needs a fresh copy.
    public var changesData: Bool {
        switch task {
        case .fetchAll, .fetchByIdentifier, .fetchPage, .fetchRange, .count, .groups, .fetchGraph, .traverse, .open:
            false
        case .insert, .update, .delete, .insertGraph, .smallSaves, .batchDelete, .close: true
        case .refreshResults, .readHistory, .readersAndWriter: true
        }
    }

    /// Whether the run itself opens or closes the store, which needs one that can be opened again.
    public var opensStore: Bool { task == .open || task == .close }

    /// How often the work is done in one measurement; quick work is repeated until the clock can tell.
    public func iterations(rows: Int) -> Int {
        switch task {
        case .fetchPage, .count: isIndexed ? max(5, min(2_000_000 / rows, 200)) : max(1, min(1_000_000 / rows, 50))
        case .fetchRange: 200
        case .groups: max(1, min(500_000 / rows, 20))
        case .readHistory: 10
        case .open: max(2, min(20, 1_000_000 / rows))
        case .fetchAll, .fetchByIdentifier, .fetchGraph, .traverse: max(1, min(50_000 / rows, 50))
        case .insert, .update, .delete, .insertGraph, .smallSaves, .batchDelete, .close, .refreshResults,
            .readersAndWriter:
            1
        }
    }

    /// How many operations one iteration is: what times and allocations are divided by.
    func operations(_ data: BenchmarkData) -> Int {
        switch task {
        case .insert, .fetchAll, .fetchByIdentifier: data.rows
        case .fetchPage, .count, .open, .close: 1
        case .fetchRange: data.rangeCount
        case .update, .delete: data.changeCount
        case .insertGraph, .fetchGraph, .traverse: data.graphTrips + data.stops.count
        case .smallSaves, .readHistory: data.smallSaveCount
        case .batchDelete: data.rows / 2
        case .groups: data.rows
        case .refreshResults: data.refreshCount
        case .readersAndWriter: data.readerCount * data.readsOfReader + data.savesOfWriter
        }
    }

    /// How the time of one operation may grow.
    public var growth: Growth {
        switch task {
        case .count, .fetchPage: isIndexed ? .engine : .linear
        case .open, .close: .constant
        case .insert, .insertGraph, .batchDelete: .engine
        case .fetchAll, .fetchByIdentifier, .fetchRange, .update, .delete, .fetchGraph, .traverse, .smallSaves:
            .constant
        case .groups, .readHistory, .refreshResults, .readersAndWriter: .constant
        }
    }
}
