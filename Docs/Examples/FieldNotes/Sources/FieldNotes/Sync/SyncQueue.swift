import Foundation

/// Brings a device and its station together, whenever there is a connection.
///
/// Nobody waits for it: an edit shows at once, and waits in the store until the station has answered. When a call fails
/// the edits stay queued; when an answer gets lost they are sent again, which does no harm, since a station takes an edit
/// that it knows for what it is.
public actor SyncQueue {
    /// What came of a call.
    public struct Outcome: Hashable, Sendable {
        /// How many edits the station has taken.
        public var sent = 0
        /// What it has not taken, and why.
        public var refused: [NoteEdit.ID: String] = [:]
        /// How many notes came from it.
        public var received = 0
    }

    private let notes: StoredNotes
    private let station: any Station
    private let batch: Int
    private var running: Task<Outcome, any Error>?

    /// - Parameter batch: how many edits are sent at once.
    public init(_ notes: StoredNotes, with station: any Station, batch: Int = 100) {
        self.notes = notes
        self.station = station
        self.batch = batch
    }

    /// Sends what waits and takes in what is new. A call while another one is under way waits for that one.
    ///
    /// - Throws: what the station throws, when it cannot be reached; what a save throws. The queue is then as it was.
    public func sync() async throws -> Outcome {
        if let running { return try await running.value }
        let task = Task { try await exchange() }
        running = task
        defer { running = nil }
        return try await task.value
    }

    private func exchange() async throws -> Outcome {
        var outcome = Outcome()
        repeat {
            let edits = try await notes.pending(limit: batch)
            let answer: StationAnswer
            do {
                answer = try await station.exchange(edits, since: notes.revision())
            } catch {
                try await notes.noteFailure(of: edits)
                throw error
            }
            try await notes.take(answer, to: edits)
            outcome.sent += edits.count - answer.refused.count
            outcome.refused.merge(answer.refused) { $1 }
            outcome.received += answer.notes.count
        } while try await !notes.pending(limit: 1).isEmpty
        return outcome
    }
}
