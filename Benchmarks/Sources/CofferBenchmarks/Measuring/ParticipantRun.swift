import CRawSQLite
import Foundation

/// One participant at one workload.
final class ParticipantRun {
    let participant: any Participant
    private let workload: Workload
    private let data: BenchmarkData
    private let folders: WorkFolder
    private let iterations: Int
    private(set) var measurement: Measurement

    init(_ participant: any Participant, _ workload: Workload, _ data: BenchmarkData, _ folders: WorkFolder) {
        self.participant = participant
        self.workload = workload
        self.data = data
        self.folders = folders
        iterations = workload.iterations(rows: data.rows)
        measurement = Measurement(participant: participant.name)
    }

    /// That an answer was wrong.
    private struct WrongAnswer: Error, CustomStringConvertible {
        var description: String
    }

    /// Does the work without a clock: it warms everything up, checks the answers and counts requests and allocations.
    func warmUp() {
        attempt {
            try countRequests()
            if participant.runsElsewhere { return }
            var counts = Meter.Counts()
            try once(by: participant) { _, work in
                counts = try Meter.counting {
                    for _ in 0..<iterations { _ = try work() }
                }
            }
            if Meter.countsAllocations { measurement.counts = counts }
        }
    }

    /// Does the work once, watched.
    private func countRequests() throws {
        let counter = RequestCounter()
        var watched = participant
        if var store = participant as? StoreParticipant {
            store.counter = counter
            watched = store
        }
        raw_watch_statements()
        defer { raw_stop_watching_statements() }
        try once(by: watched) { _, work in
            counter.reset()
            let before = raw_started_statements()
            _ = try check(work())
            let statements = Int(raw_started_statements() - before)
            if statements > 0 { measurement.statements = statements }
            if watched is StoreParticipant { measurement.requests = counter.counts }
        }
    }

    /// Does the work once and takes the time.
    func measure() {
        guard measurement.absence == nil else { return }
        attempt {
            var seconds = 0.0
            try once(by: participant) { session, work in
                let start = session.processorTime()
                for _ in 0..<iterations { try check(work()) }
                seconds = session.processorTime() - start
            }
            measurement.samples.seconds.append(seconds / Double(iterations))
        }
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch let error as Unsupported {
            measurement.absence = error.description
        } catch {
            measurement.absence = String(describing: error)
            measurement.isFailure = true
        }
    }

    @discardableResult
    private func check(_ tally: Tally) throws -> Tally {
        if tally != expectedTally {
            throw WrongAnswer(description: "wrong answer: \(tally) instead of \(expectedTally)")
        }
        return tally
    }

    private lazy var expectedTally = workload.expectedTally(data)

    /// Prepares the work, has it done, and checks what is stored afterwards.
    private func once(
        by participant: any Participant, _ body: (any ParticipantSession, () throws -> Tally) throws -> Void
    ) throws {
        let folder = try makeFolder()
        defer {
            if workload.changesData || !participant.keepsFiles { try? FileManager.default.removeItem(at: folder) }
        }
        var session: (any ParticipantSession)? = try participant.open(folder, for: workload, data)
        if !participant.keepsFiles { try session?.fill(workload.dataset) }
        if let session {
            let work = try session.prepare(workload.task)
            try body(session, work)
        }
        if measurement.samples.isEmpty, let totals = try expectedTotals(), let stored = try session?.totals() {
            guard stored.trips == totals.trips, stored.stops == totals.stops,
                totals.budget == nil || stored.budget == totals.budget
            else {
                throw WrongAnswer(description: "wrong rows: \(stored) instead of \(totals)")
            }
        }
        session = nil
        if participant.keepsFiles { measurement.fileBytes = WorkFolder.size(of: folder) }
    }

    private func expectedTotals() throws -> (trips: Int, stops: Int, budget: Double?)? {
        workload.expectedTotals(data)
    }

    /// A folder with the data that the work starts from.
    private func makeFolder() throws -> URL {
        guard participant.keepsFiles, workload.dataset != .empty else { return try folders.make() }
        let name = "\(participant.name) \(workload.dataset) \(workload.isIndexed) \(data.rows)"
        let template = try folders.template(name) { folder in
            try participant.open(folder, for: workload, data).fill(workload.dataset)
        }
        return workload.changesData ? try folders.copy(template) : template
    }
}
