import CofferCore
import CofferRecords
import Foundation
import Synchronization

/// One store's use of an archive as an engine of records. The archive itself is shared by all stores of the process.
final class JSONArchiveEngine: RecordEngine, Sendable {
    let maximumKeySize: Int
    let path: String?
    let isReadOnly: Bool
    private let timeout: Duration

    private struct State {
        /// Nil once the engine is closed.
        var hold: ArchiveHold?
        /// What the store expects of the archive; nil while it is being opened.
        var expected: (identifier: String, layout: RecordSchema, line: Int)?
        /// The revision of the archive that was found to be so.
        var revision = -1
    }
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isReadOnly: whether changes are refused.
    ///   - timeout: how long another writer is waited for.
    init(_ hold: ArchiveHold, isReadOnly: Bool, timeout: Duration) {
        maximumKeySize = hold.archive.maximumKeySize
        path = hold.archive.place.path
        self.isReadOnly = isReadOnly
        self.timeout = timeout
        state = Mutex(State(hold: hold))
        if !isReadOnly { hold.allowsSave() }
    }

    private func hold() throws -> ArchiveHold {
        if let hold = state.withLock({ $0.hold }) { return hold }
        throw SwiftDataError(.storeClosed, file: path)
    }

    /// Takes note of what the store expects of the archive, now that it is open, and clears away what crashes have left
    /// behind.
    func settle(_ core: RecordStoreCore) throws {
        let archive = try hold().archive
        let line = try archive.current().line
        state.withLock { $0.expected = (core.identifier, core.layout, line) }
        if !isReadOnly { archive.tidy() }
    }

    /// Refuses an archive that is another one, or that somebody else has given a schema that this store does not know.
    private func check(_ contents: ArchiveContents) throws {
        let (expected, revision) = state.withLock { ($0.expected, $0.revision) }
        guard let expected, revision != contents.revision else { return }
        guard contents.identifier == expected.identifier else {
            throw SwiftDataError(
                .storeFailure, file: path, detail: "another archive has taken the place of the one that was opened")
        }
        if let entity = contents.firstMisfit(expected.layout) {
            throw SwiftDataError(
                .unknownSchema, entity: entity, file: path,
                detail: "somebody else has given the archive another schema since it was opened")
        }
        guard contents.line == expected.line else {
            throw SwiftDataError(
                .storeReplaced, file: path,
                detail: "an older copy of the archive, or another one that went its own way, has taken its place")
        }
        state.withLock { $0.revision = contents.revision }
    }

    func read<T>(_ body: (any RecordReader) throws -> T) throws -> T {
        let hold = try hold()
        let contents = try hold.archive.current()
        try check(contents)
        return try withExtendedLifetime(hold) { try contents.memory.read(body) }
    }

    func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T {
        let hold = try hold()
        try checkWritable()
        return try withExtendedLifetime(hold) { try hold.archive.write(timeout, check: check, body) }
    }

    /// Writes what the journal holds into the archive.
    func fold() throws {
        let hold = try hold()
        try checkWritable()
        try withExtendedLifetime(hold) { try hold.archive.fold(timeout) }
    }

    private func checkWritable() throws {
        guard isReadOnly else { return }
        throw SwiftDataError(.storeNotWritable, file: path, detail: "the store is open for reading only")
    }

    func close() {
        let hold = state.withLock { state in
            defer { state.hold = nil }
            return state.hold
        }
        // Whoever lets go last folds the journal in, without the lock.
        _ = hold
    }
}
