import CofferCore
import Foundation
import Synchronization

/// A store's connections: handed out to one thread at a time, the one used last first, since its cache is warm.
///
/// Any connection may read; one at a time writes. In WAL mode neither waits for the other.
final class SQLitePool: Sendable {
    let place: SQLitePlace
    private let make: @Sendable () throws -> SQLiteConnection
    private let state: Mutex<State>
    private let writing = NSLock()
    /// The file that the store was opened with; nil where it may become another one.
    private let file: FileIdentity?
    /// Whether ``withOneState(_:)`` runs; nobody else uses the store then.
    private let holdsState = Atomic<Bool>(false)
    /// The connection that holds the state, while no read uses it.
    nonisolated(unsafe) private var held: SQLiteConnection?

    private struct State {
        var idle: [SQLiteConnection]
        var isClosed = false
        var opened = 1
    }

    /// More idle connections than this are closed.
    private static let idleLimit = 4

    /// A pool around the connection that the store was opened with.
    init(_ first: SQLiteConnection, at place: SQLitePlace, make: @escaping @Sendable () throws -> SQLiteConnection) {
        self.place = place
        self.make = make
        file = first.mode == .readWrite && !first.hasMoved ? FileIdentity(place.path) : nil
        state = Mutex(State(idle: [first]))
    }

    /// Runs reads on a connection.
    @inline(__always)
    func read<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        if holdsState.load(ordering: .relaxed), let connection = held { return try readHeld(connection, body) }
        let connection = try take()
        defer { give(connection) }
        return try body(connection)
    }

    /// A read within a block of this one would disturb its statements, and takes another connection.
    @inline(never)
    private func readHeld<T>(_ connection: SQLiteConnection, _ body: (SQLiteConnection) throws -> T) throws -> T {
        held = nil
        defer { held = connection }
        return try body(connection)
    }

    /// Whether a connection that reads without locks still reads the state that it is meant to: the newest one, or the held
    /// one, which a log that somebody has begun leaves as it is until it is folded in.
    func isCurrent(_ stamp: SQLiteFile.Stamp) -> Bool {
        guard let now = SQLiteFile.stamp(of: place.path) else { return false }
        return holdsState.load(ordering: .relaxed) ? now.file == stamp.file : now == stamp
    }

    /// Runs a body whose reads, one after the other, see one state of the file.
    func withOneState<T>(_ body: () throws -> T) throws -> T {
        if holdsState.load(ordering: .relaxed) { return try body() }
        var first = try take()
        if let stamp = first.stamp, SQLiteFile.stamp(of: place.path) != stamp {
            dropIdle()
            first = try take()
        }
        let connection = first
        defer { give(connection) }
        return try connection.snapshot {
            // The state is that of the first read. What keeps a damaged file from being read the body finds out.
            _ = try? connection.integer("SELECT count(*) FROM sqlite_schema")
            held = connection
            holdsState.store(true, ordering: .relaxed)
            defer {
                holdsState.store(false, ordering: .relaxed)
                held = nil
            }
            return try body()
        }
    }

    /// Runs changes on a connection; one at a time.
    ///
    /// - Throws: `storeReplaced` where the file was removed or replaced: what is written to it is lost.
    func write<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        writing.lock()
        defer { writing.unlock() }
        return try read { connection in
            if connection.hasMoved { throw replaced() }
            return try body(connection)
        }
    }

    private func replaced() -> SwiftDataError {
        let isGone = FileIdentity(place.path) == nil
        return SwiftDataError(
            .storeReplaced, file: place.path,
            detail: "the file was \(isGone ? "removed" : "replaced") while it was open")
    }

    @inline(__always)
    private func take() throws -> SQLiteConnection {
        let (connection, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
        if let connection, !isClosed {
            connection.takeOver()
            return connection
        }
        return try takeNew(isClosed)
    }

    @inline(never)
    private func takeNew(_ isClosed: Bool) throws -> SQLiteConnection {
        if isClosed {
            throw SwiftDataError(.storeClosed, store: place.name, file: place.path)
        }
        // Connections to two files would read from the one and write to the other.
        if let file, FileIdentity(place.path) != file { throw replaced() }
        let connection = try make()
        // It may have been replaced before it was opened, or after.
        if let file, FileIdentity(place.path) != file { throw replaced() }
        state.withLock { $0.opened += 1 }
        return connection
    }

    @inline(__always)
    private func give(_ connection: SQLiteConnection) {
        connection.handOver()
        state.withLock { state in
            // A connection that is not kept is closed by the caller, outside the lock.
            if !state.isClosed && state.idle.count < Self.idleLimit { state.idle.append(connection) }
        }
    }

    /// Closes the connections that are idle; new ones are opened when they are needed.
    func dropIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.takeOver() }
    }

    /// Closes the connections that are idle, and the others when they come back.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.takeOver() }
    }

    /// Drops prepared statements, after the layout has changed.
    func forgetStatements() {
        state.withLock { for connection in $0.idle { connection.forgetStatements() } }
    }

    /// What the connections did until now.
    var statistics: SQLiteStatistics {
        state.withLock { state in
            SQLiteStatistics(
                statements: state.idle.reduce(0) { $0 + $1.statementRuns }, connections: state.opened)
        }
    }
}

/// Counts for tests: what a store asked of SQLite.
struct SQLiteStatistics: Hashable, Sendable {
    /// Statements started on the idle connections, transactions included; those that are prepared for one use only,
    /// as when a file is opened, do not count.
    var statements: Int
    /// Connections opened.
    var connections: Int
}
