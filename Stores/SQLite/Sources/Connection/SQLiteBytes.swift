import CSQLite
import CofferCore
import Foundation

/// The bytes of a file as SQLite has it open.
///
/// Nobody else in the process may open it: the system gives up all locks that a process has on a file once it closes it
/// anywhere, and SQLite would not know that it has none any more. SQLite itself keeps a file open for as long as it has
/// locks on it.
struct SQLiteBytes {
    private let connection: OpaquePointer
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods

    /// Gives a body the bytes of a file that need not be SQLite's. It is not changed, nor what is beside it.
    ///
    /// - Throws: ``SQLiteFailure`` where it cannot be opened, and what the body throws.
    static func reading<T>(_ path: String, _ body: (SQLiteBytes) throws -> T) throws -> T {
        var handle: OpaquePointer?
        // A connection without statements opens the file and does nothing to it.
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard let handle else { throw SQLiteFailure(code: code, message: "out of memory") }
        defer { sqlite3_close_v2(handle) }
        guard code == SQLITE_OK else { throw SQLiteConnection.failure(of: handle) }
        return try body(SQLiteBytes(handle))
    }

    /// - Throws: ``SQLiteFailure`` where the connection has no file.
    init(_ connection: OpaquePointer) throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods?.pointee else {
            throw SQLiteFailure(code: SQLITE_CANTOPEN, message: "there is no file")
        }
        (self.connection, self.file, self.methods) = (connection, file, methods)
    }

    /// Takes the lock that readers have. SQLite gives it up when it does so with one of its own.
    ///
    /// - Throws: ``SQLiteFailure``; one that is busy where somebody has the file for himself.
    func share() throws {
        let code = methods.xLock(file, SQLITE_LOCK_SHARED)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// The file's size in bytes.
    func size() throws -> Int {
        var size: sqlite3_int64 = 0
        let code = methods.xFileSize(file, &size)
        guard code == SQLITE_OK else { throw failure(code) }
        return Int(size)
    }

    /// A part of the file; shorter where the file ends before.
    func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, min(count, try size() - offset)))
        if bytes.isEmpty { return [] }
        let code = methods.xRead(file, &bytes, Int32(bytes.count), sqlite3_int64(offset))
        guard code == SQLITE_OK else { throw failure(code) }
        return bytes
    }

    /// Writes the whole file elsewhere; nobody may change it meanwhile.
    ///
    /// - Throws: ``SQLiteFailure``, or `SwiftDataError` where the copy cannot be written.
    func copy(to path: String, like original: String) throws {
        let descriptor = StoreRights.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, like: original)
        guard descriptor >= 0 else { throw Self.unwritable(path) }
        defer { close(descriptor) }
        var offset = 0
        while case let part = try read(offset, 1 << 20), !part.isEmpty {
            var done = 0
            while done < part.count {
                let count = part[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.unwritable(path) }
                done += count
            }
            offset += part.count
        }
    }

    private static func unwritable(_ path: String) -> SwiftDataError {
        let reason = errno
        return SwiftDataError(
            reason == ENOSPC || reason == EDQUOT ? .storeFull : .ioFailure, file: path,
            detail: String(cString: strerror(reason)))
    }

    private func failure(_ code: Int32) -> SQLiteFailure {
        let reason = String(cString: strerror(sqlite3_system_errno(connection)))
        return SQLiteFailure(code: code, message: "\(String(cString: sqlite3_errstr(code))): \(reason)")
    }
}
