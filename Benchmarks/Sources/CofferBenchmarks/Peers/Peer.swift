import Foundation

/// An object-relational mapper of another language, measured over the same data: ours is a process that does the work
/// when it is told to, and says how much processor time it took.
struct Peer: Participant {
    let name: String
    private let process: PeerProcess

    let keepsFiles = true
    let runsElsewhere = true

    init(name: String, process: PeerProcess) {
        self.name = name
        self.process = process
    }

    /// The mappers that are measured.
    static let names = ["sqlalchemy", "peewee"]

    /// More rows than this would take a mapper hours.
    private static let largestData = 100_000

    func open(_ folder: URL, for workload: Workload, _ data: BenchmarkData) throws -> any ParticipantSession {
        guard data.rows <= Self.largestData else {
            throw Unsupported("measured up to \(Self.largestData.grouped) rows only")
        }
        return PeerSession(process, folder, workload, data)
    }
}

/// The store of a mapper. A process has one open at a time.
private final class PeerSession: ParticipantSession {
    private let process: PeerProcess
    private let opening: PeerCommand
    private let data: BenchmarkData
    private var seconds = 0.0
    private var isOpen = false

    init(_ process: PeerProcess, _ folder: URL, _ workload: Workload, _ data: BenchmarkData) {
        self.process = process
        self.data = data
        opening = PeerCommand(
            do: "open", path: folder.appendingPathComponent("peer.sqlite").path, indexed: workload.isIndexed,
            durable: workload.isFullyDurable)
    }

    deinit {
        if isOpen { _ = try? process.run(PeerCommand(do: "close")) }
    }

    private func open() throws {
        if isOpen { return }
        try process.use(data)
        _ = try process.run(opening)
        isOpen = true
    }

    func fill(_ dataset: Workload.Dataset) throws {
        try open()
        _ = try process.run(PeerCommand(do: "fill", dataset: dataset.rawValue))
    }

    func prepare(_ task: Workload.Task) throws -> () throws -> Tally {
        try open()
        _ = try process.run(PeerCommand(do: "prepare", task: "\(task)"))
        return { [self] in
            let answer = try process.run(PeerCommand(do: "run"))
            seconds += answer.seconds ?? 0
            return Tally(rows: answer.rows ?? 0, text: answer.text ?? 0, number: answer.number ?? 0)
        }
    }

    func totals() throws -> StoredTotals {
        let answer = try process.run(PeerCommand(do: "totals"))
        return StoredTotals(trips: answer.trips ?? 0, stops: answer.stops ?? 0, budget: answer.budget ?? 0)
    }

    func processorTime() -> Double { seconds }
}
