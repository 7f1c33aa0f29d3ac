import CofferCore
import CofferRecords
import Foundation
import Synchronization

/// An archive as a process has it: its tables in memory, in step with the document and the journal.
///
/// A process has one of each document, however many stores use it; see ``ArchiveRegistry``. Each transaction looks at
/// the state of the files first, and takes over what another process has changed. Readers wait for nobody unless there
/// is something to take over.
final class Archive: @unchecked Sendable {
    let place: ArchivePlace
    let maximumKeySize: Int
    private let turn = WriterTurn()
    /// Held while something is taken over from the files.
    private let loading = NSLock()

    private struct State {
        var contents: ArchiveContents
        /// Whether a save of this process is going on. Nobody else changes the files meanwhile, so it need not be
        /// looked at them.
        var isWriting = false
    }
    private let state: Mutex<State>

    /// - Parameter generation: the generation that a document which is made comes after.
    init(_ place: ArchivePlace, after generation: Int64 = 0) {
        self.place = place
        let memory = MemoryEngine(path: place.path)
        maximumKeySize = memory.maximumKeySize
        state = Mutex(State(contents: ArchiveContents(memory: memory, generation: generation)))
    }

    // MARK: Reading

    /// The newest state.
    func current() throws -> ArchiveContents {
        let (document, journal) = (FileStamp(place.path), FileStamp(place.journal))
        let known = state.withLock { $0.isWriting || $0.contents.isCurrent(document, journal) ? $0.contents : nil }
        if let known { return known }
        loading.lock()
        defer { loading.unlock() }
        let (contents, isWriting) = state.withLock { ($0.contents, $0.isWriting) }
        return isWriting ? contents : try refresh(contents)
    }

    private func refresh(_ contents: ArchiveContents) throws -> ArchiveContents {
        let new = try ArchiveLoading(place: place).refresh(contents)
        state.withLock { $0.contents = new }
        return new
    }

    // MARK: Writing

    /// Runs changes and stores them.
    ///
    /// - Parameters:
    ///   - timeout: how long other writers are waited for.
    ///   - check: refuses a state that is not fit for the changes.
    ///   - body: is run again where another process makes the archive meanwhile.
    func write<T>(
        _ timeout: Duration, check: (ArchiveContents) throws -> Void, _ body: (any RecordWriter) throws -> T
    ) throws -> T {
        try locked(timeout) { contents, lock in
            try check(contents)
            return try contents.memory.fill { writer in
                let recorder = ChangeRecorder(writer, contents.layout)
                let result = try body(recorder)
                let saving = ArchiveSaving(place: place, lock: lock, contents: contents)
                return (result, try saving.save(try recorder.changes(), writer))
            }
        }
    }

    /// Writes what the journal holds into the document.
    func fold(_ timeout: Duration) throws {
        try locked(timeout) { contents, lock in
            let saving = ArchiveSaving(place: place, lock: lock, contents: contents)
            guard contents.document != nil, contents.journal.end > 0 else {
                return ((), try saving.clearJournal() ? withoutTail(contents) : contents)
            }
            return ((), try contents.memory.read { try saving.rewrite($0) })
        }
    }

    /// Removes what crashes have left behind. Where somebody else is writing there is somebody to do it.
    func tidy() {
        place.removeStaleTemporaries()
        try? locked(.zero) { contents, lock in
            let saving = ArchiveSaving(place: place, lock: lock, contents: contents)
            return ((), try saving.clearJournal() ? withoutTail(contents) : contents)
        }
    }

    private func withoutTail(_ contents: ArchiveContents) -> ArchiveContents {
        var new = contents
        new.journal.stamp = FileStamp(place.journal)
        new.journal.isStale = false
        new.journal.refusesTail = false
        return new
    }

    /// Runs a body that may write the files, with the newest state; it answers what is known afterwards.
    private func locked<T>(
        _ timeout: Duration, _ body: (ArchiveContents, ArchiveLock?) throws -> (T, ArchiveContents)
    ) throws -> T {
        var wait = Wait(timeout)
        try turn.take(wait)
        defer { turn.release() }
        while true {
            do {
                let lock = try ArchiveLock.take(place.path, &wait)
                return try withExtendedLifetime(lock) {
                    let contents = try beginWriting()
                    defer { state.withLock { $0.isWriting = false } }
                    if lock == nil, contents.document != nil {
                        // Somebody has made the archive just now, or has removed it.
                        if FileStamp(place.path) != nil { throw ArchiveRace() }
                        throw SwiftDataError(.storeNotFound, file: place.path, detail: "the archive is gone")
                    }
                    do {
                        let (result, new) = try body(contents, lock)
                        state.withLock { $0.contents = new }
                        return result
                    } catch let remains as ArchiveSaving.Remains {
                        refuseTail()
                        throw remains.cause
                    }
                }
            } catch is ArchiveRace {
                // A link that leads nowhere is not there for one call, and in the way for the other.
                if StorePath.isDeadLink(place.path) {
                    throw SwiftDataError(
                        .storeNotFound, file: place.path, detail: "it is a symbolic link that leads nowhere")
                }
                try wait.pause()
            } catch let failure as FileFailure {
                throw failure.error(place.path)
            }
        }
    }

    /// Takes note of what a failed save has left behind the journal's end: it is not read here, and the next save cuts it
    /// off before anything else.
    func refuseTail() {
        let journal = FileStamp(place.journal)
        state.withLock { state in
            state.contents.journal.stamp = journal
            state.contents.journal.refusesTail = true
        }
    }

    private func beginWriting() throws -> ArchiveContents {
        loading.lock()
        defer { loading.unlock() }
        let contents = try refresh(state.withLock { $0.contents })
        state.withLock { $0.isWriting = true }
        return contents
    }
}
