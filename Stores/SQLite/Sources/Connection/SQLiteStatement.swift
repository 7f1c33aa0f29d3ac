import CSQLite
import CofferCore

/// A prepared statement of one connection; it lives as long as the connection.
final class SQLiteStatement {
    let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ sql: String, on connection: OpaquePointer) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteConnection.failure(of: connection) }
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Goes to the next row; false where there is none.
    @inline(__always)
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failed()
    }

    /// Runs a statement that gives no rows, and makes it ready for the next time.
    @inline(__always)
    func run() throws {
        if sqlite3_step(handle) != SQLITE_DONE { throw failed() }
        sqlite3_reset(handle)
    }

    /// The failure of the last step; the statement is reset.
    @inline(never)
    private func failed() -> SQLiteFailure {
        let failure = SQLiteConnection.failure(of: connection)
        sqlite3_reset(handle)
        return failure
    }

    /// Makes the statement ready for the next time, and lets go of the memory that was bound.
    func finish() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    @inline(__always)
    func reset() { sqlite3_reset(handle) }

    // MARK: Binding

    @inline(__always)
    func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }

    func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

    /// Binds a copy of text.
    func bind(_ text: String, at index: Int32) throws {
        var text = text
        let code = text.withUTF8 { bytes in
            // An empty buffer has no address, and SQLite takes none for NULL.
            guard let base = bytes.baseAddress else { return sqlite3_bind_text(handle, index, "", 0, nil) }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text64(
                    handle, index, $0, UInt64(bytes.count), SQLiteStatement.copied, UInt8(SQLITE_UTF8))
            }
        }
        if code != SQLITE_OK { throw SQLiteConnection.failure(of: connection) }
    }

    /// Binds a value by itself, as a filter's constants are.
    func bind(_ value: StoredValue, at index: Int32) throws {
        switch value {
        case .null: bindNull(at: index)
        case .integer(let number): bind(number, at: index)
        case .unsigned(let number):
            let code = withUnsafeBytes(of: number.bigEndian) {
                sqlite3_bind_blob(handle, index, $0.baseAddress, 8, SQLiteStatement.copied)
            }
            if code != SQLITE_OK { throw SQLiteConnection.failure(of: connection) }
        case .real(let number) where number.isNaN:
            let code = withUnsafeBytes(of: number.bitPattern.bigEndian) {
                sqlite3_bind_blob(handle, index, $0.baseAddress, 8, SQLiteStatement.copied)
            }
            if code != SQLITE_OK { throw SQLiteConnection.failure(of: connection) }
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(let text): try bind(text, at: index)
        case .blob(let bytes):
            let code = bytes.withUnsafeBytes { bytes in
                bytes.baseAddress == nil
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : sqlite3_bind_blob64(
                        handle, index, bytes.baseAddress, UInt64(bytes.count), SQLiteStatement.copied)
            }
            if code != SQLITE_OK { throw SQLiteConnection.failure(of: connection) }
        case .reference(let identifier): bind(identifier._key, at: index)
        case .references(let list): try bind("[\(list.map { String($0._key) }.joined(separator: ","))]", at: index)
        }
    }

    /// Tells SQLite to copy what is bound.
    static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    // MARK: Reading

    @inline(__always)
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))),
            as: UTF8.self)
    }
}
