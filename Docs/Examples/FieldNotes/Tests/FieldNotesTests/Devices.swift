import FieldNotes
import Foundation
import Synchronization

/// A device for a test: a store of a kind in a folder of its own, and a clock that the test sets.
final class Device: Sendable {
    let notes: StoredNotes
    let queue: SyncQueue
    let clock: Clock
    private let folder: URL

    init(
        _ name: String, _ store: StoreChoice = .memory, with station: any Station, at seconds: Double = 1000
    ) throws {
        folder = URL.temporaryDirectory.appending(path: "fieldnotes-\(UUID().uuidString)")
        let clock = Clock(seconds)
        notes = StoredNotes(try store.open(in: folder), device: name, clock: { clock.now })
        queue = SyncQueue(notes, with: station)
        self.clock = clock
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Its notes, as somebody would read them out.
    func told() async throws -> [String] {
        try await notes.notes().map {
            "\($0.count) \($0.subject) @ \($0.place)\($0.remarks.isEmpty ? "" : ": \($0.remarks)")"
        }
    }
}

/// A clock that goes only when it is told to.
final class Clock: Sendable {
    private let time: Mutex<Date>

    init(_ seconds: Double) { time = Mutex(Date(timeIntervalSince1970: seconds)) }

    var now: Date { time.withLock { $0 } }

    func set(_ seconds: Double) { time.withLock { $0 = Date(timeIntervalSince1970: seconds) } }
}

/// A station behind a bad line.
final class BadLine: Station, Sendable {
    enum Failure: Error { case noConnection, answerLost }

    private let station: any Station
    private let failures = Mutex<[Failure]>([])
    private let calls = Mutex<[Int]>([])

    init(_ station: any Station) { self.station = station }

    /// How the next calls fail.
    func fail(_ next: Failure...) { failures.withLock { $0 = next } }

    /// How many edits each call brought that reached the station.
    var sizes: [Int] { calls.withLock { $0 } }

    func exchange(_ edits: [NoteEdit], since revision: Int) async throws -> StationAnswer {
        let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if failure == .noConnection { throw Failure.noConnection }
        calls.withLock { $0.append(edits.count) }
        let answer = try await station.exchange(edits, since: revision)
        if let failure { throw failure }
        return answer
    }
}
