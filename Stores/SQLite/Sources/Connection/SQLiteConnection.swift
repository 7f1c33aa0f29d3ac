import CSQLite
import CofferCore
import Foundation
import Synchronization

/// One connection to a store's file, with the statements that were prepared on it.
///
/// Used by one thread at a time: the pool hands it out and takes it back.
final class SQLiteConnection: @unchecked Sendable {
    /// How the file is opened.
    enum Mode: Hashable, Sendable {
        case readWrite
        /// Reads beside others that may be writing.
        case readOnly
        /// Reads a file that nobody is writing, without any locks.
        case immutable
    }

    let handle: OpaquePointer
    let mode: Mode
    private let busyWait: SQLiteBusyWait
    private let handedOver = Atomic<Bool>(true)
    private var statements: [String: SQLiteStatement] = [:]
    /// Statements that are needed most often, by table: found without hashing any text.
    @exclusivity(unchecked) var byTable: [SQLiteTableStatements] = []
    /// The stamp of the file that an immutable connection was opened on.
    var stamp: SQLiteFile.Stamp?

    /// More statements than this are not kept; the oldest shapes of a program that makes up ever new ones go.
    private static let statementLimit = 256

    /// Opens a file.
    ///
    /// - Throws: ``SQLiteFailure``.
    init(path: String, mode: Mode, creates: Bool = false, busyTimeout: Duration) throws {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var name = path
        switch mode {
        case .readWrite: flags |= SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0)
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .immutable:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = "file:" + Self.escaped(path) + "?immutable=1"
        }
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let failure = handle.map { Self.failure(of: $0) } ?? SQLiteFailure(code: code, message: "out of memory")
            sqlite3_close_v2(handle)
            throw failure
        }
        // SQLite goes over to reading where it cannot open the file for writing, for want of a free descriptor too. The
        // connection would be kept, and no save would ever succeed.
        if mode == .readWrite, sqlite3_db_readonly(handle, nil) == 1 {
            let mayWrite = access(path, W_OK) == 0
            sqlite3_close_v2(handle)
            throw SQLiteFailure(
                code: mayWrite ? SQLITE_CANTOPEN : SQLITE_READONLY, message: "the file cannot be opened for writing")
        }
        self.handle = handle
        self.mode = mode
        busyWait = SQLiteBusyWait(busyTimeout)
        busyWait.install(on: handle)
    }

    deinit {
        statements.removeAll()
        byTable.removeAll()
        sqlite3_close_v2(handle)
    }

    /// A path in a URI.
    private static func escaped(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"), 0x80...:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            default: result.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return result
    }

    /// What went wrong last.
    static func failure(of handle: OpaquePointer) -> SQLiteFailure {
        SQLiteFailure(
            code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }

    /// Has changes go into a log beside the file from now on, for every connection.
    func useLog() throws {
        try busyWait.tryAgain { try execute("PRAGMA journal_mode = WAL") }
    }

    /// Has the file at the path stay in its place, before anything of it is read.
    ///
    /// Who replaces a file has it for himself meanwhile. Who was waiting for that would go on with the old file, and take
    /// the log beside it, which is the new one's, for its own.
    ///
    /// - Returns: whether it is still the file at the path; nothing must be read of it otherwise.
    func keepPlace() throws -> Bool {
        try busyWait.tryAgain { try SQLiteBytes(handle).share() }
        return !hasMoved
    }

    /// Takes the file for this connection alone, from now on.
    ///
    /// It does not wait for long, since others may wait for the same and for what this one has.
    ///
    /// - Throws: ``SQLiteFailure`` that is busy where somebody else has the file open.
    func takeAlone() throws {
        try busyWait.shortly { try execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT") }
    }

    // The pool's lock orders what one thread does with the connection before what the next one does. The thread sanitizer
    // does not see that where a lock is handed over in Swift's library or the kernel, and sees this.

    @inline(__always)
    func handOver() { handedOver.store(true, ordering: .releasing) }

    @inline(__always)
    func takeOver() { _ = handedOver.load(ordering: .acquiring) }

    /// Leaves the log of changes alone when the connection is closed.
    func keepLogOnClose() { coffer_sqlite_keep_log_on_close(handle) }

    /// Whether the file that is open is no longer the one at its path.
    ///
    /// SQLite itself does not look where changes go into a log.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved != 0
    }

    private var hasFunctions = false
    private var hasSumFunctions = false

    /// Makes the functions known that compiled queries call; most connections of short-lived programs need none.
    func installFunctions() throws {
        if hasFunctions { return }
        guard SQLFunctions.install(on: handle) == SQLITE_OK else { throw Self.failure(of: handle) }
        hasFunctions = true
    }

    /// The functions that add numbers up, which few connections need.
    func installSumFunctions() throws {
        if hasSumFunctions { return }
        guard SQLSumFunction.install(on: handle) == SQLITE_OK else { throw Self.failure(of: handle) }
        hasSumFunctions = true
    }

    // MARK: Statements

    /// The prepared statement of a text, kept for the next time.
    func statement(_ sql: String) throws -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try SQLiteStatement(sql, on: handle)
        if statements.count >= Self.statementLimit { statements.removeAll() }
        statements[sql] = statement
        return statement
    }

    /// Runs statements that give no rows and are not needed again.
    func execute(_ sql: String) throws {
        if sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK { throw Self.failure(of: handle) }
    }

    /// The integer of a pragma or of another query with one row.
    func integer(_ sql: String) throws -> Int64? {
        let statement = try SQLiteStatement(sql, on: handle)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Drops what depends on the layout of the file.
    func forgetStatements() {
        statements.removeAll()
        byTable.removeAll()
    }

    /// How often the kept statements were started.
    var statementRuns: Int {
        var count = 0
        var statement = sqlite3_next_stmt(handle, nil)
        while let current = statement {
            count += Int(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_RUN, 0))
            statement = sqlite3_next_stmt(handle, current)
        }
        return count
    }

    // MARK: Transactions

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs several reads on one state of the file.
    func snapshot<T>(_ body: () throws -> T) throws -> T {
        if isInTransaction { return try body() }
        try statement("BEGIN").run()
        defer { if isInTransaction { try? statement("COMMIT").run() } }
        return try body()
    }

    /// Runs something while nobody can write, and changes nothing; nil where somebody is writing now.
    func whileNobodyWrites<T>(_ body: () throws -> T) throws -> T? {
        busyWait.isOff = true
        defer { busyWait.isOff = false }
        do {
            try execute("BEGIN IMMEDIATE")
        } catch let failure as SQLiteFailure where failure.isBusy {
            return nil
        }
        defer { if isInTransaction { try? execute("ROLLBACK") } }
        return try body()
    }

    /// Has the disk hold all that was committed, by folding the log in.
    ///
    /// A state that may come back after a power failure refers to files that the newest one does not, so they stay until
    /// then.
    ///
    /// - Returns: false where somebody still reads an older state, or the disk has failed.
    func bringsToDisk() -> Bool {
        guard let statement = try? SQLiteStatement("PRAGMA wal_checkpoint(PASSIVE)", on: handle),
            (try? statement.step()) == true
        else { return false }
        return statement.integer(0) == 0 && statement.integer(1) == statement.integer(2)
    }

    /// Runs changes, all or none.
    ///
    /// - Throws: what the body throws, or ``SQLiteFailure``; nothing is changed then.
    func transaction<T>(_ body: () throws -> T) throws -> T {
        try statement("BEGIN IMMEDIATE").run()
        do {
            let result = try body()
            try statement("COMMIT").run()
            return result
        } catch {
            // A full disk or a failed write may have ended the transaction already.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }
}
