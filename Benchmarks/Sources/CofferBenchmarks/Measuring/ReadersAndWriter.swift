import Foundation
import Synchronization

/// Threads that read beside one that writes, all with a fixed amount of work.
enum ReadersAndWriter {
    private struct State {
        var tally = Tally()
        var error: (any Error)?
    }

    /// Runs all threads to their ends.
    ///
    /// - Parameters:
    ///   - fetch: one fetch of a reader.
    ///   - writing: makes, on the thread that writes, what saves one row; its argument counts the saves.
    /// - Returns: the sum of what was read, and a row for each save.
    static func run(
        _ data: BenchmarkData, _ fetch: @Sendable () throws -> Tally,
        writing: @Sendable () throws -> (Int) throws -> Void
    ) throws -> Tally {
        let state = Mutex(State())
        DispatchQueue.concurrentPerform(iterations: data.readerCount + 1) { thread in
            do {
                var tally = Tally()
                if thread == 0 {
                    let save = try writing()
                    for index in 0..<data.savesOfWriter {
                        try save(index)
                        tally.rows += 1
                    }
                } else {
                    for _ in 0..<data.readsOfReader { tally.add(try fetch()) }
                }
                state.withLock { $0.tally.add(tally) }
            } catch {
                state.withLock { $0.error = error }
            }
        }
        return try state.withLock { state in
            if let error = state.error { throw error }
            return state.tally
        }
    }
}
