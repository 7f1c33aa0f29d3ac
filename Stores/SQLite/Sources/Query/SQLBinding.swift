import CSQLite
import CofferCore

/// A parameter's value.
enum SQLBinding {
    case value(StoredValue)
    /// Something that the store's SQL functions work with; see ``SQLFunctions``.
    case object(AnyObject)
    /// A comparison by a type's own operators. It remembers what it decoded last, so each statement gets its own.
    case comparison(FilterComparison, FilterCoding)
    /// The text behind all that begin with a prefix.
    case textAfter(prefix: String)
    /// The largest number of rows; −1 for all.
    case limit(Int)
    case offset(Int)

    /// Binds the value to a parameter of a statement, in the form in which columns hold it.
    ///
    /// - Returns: SQLite's result code.
    @discardableResult
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .limit(let count), .offset(let count): sqlite3_bind_int64(statement, index, Int64(count))
        case .textAfter(let prefix):
            SQLBinding.value(SQLList.textAfter(prefix).map(StoredValue.text) ?? .null).bind(to: statement, at: index)
        case .comparison(let comparison, let coding):
            SQLBinding.object(SQLCodedComparison(comparison, coding)).bind(to: statement, at: index)
        case .object(let object):
            sqlite3_bind_pointer(
                statement, index, Unmanaged.passRetained(object).toOpaque(), SQLFunctions.pointerType
            ) { pointer in
                if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
            }
        case .value(let value):
            switch value {
            case .null, .references: sqlite3_bind_null(statement, index)
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            case .real(let number) where !number.isNaN: sqlite3_bind_double(statement, index, number)
            case .real(let number): Self.bind(number.bitPattern.bigEndian, to: statement, at: index)
            case .unsigned(let number): Self.bind(number.bigEndian, to: statement, at: index)
            case .text(let text): Self.bind(text, to: statement, at: index)
            case .blob(let bytes): bytes.withUnsafeBytes { Self.bind($0, to: statement, at: index) }
            case .reference(let identifier): sqlite3_bind_int64(statement, index, identifier._key)
            }
        }
    }

    /// SQLite shall copy what is bound.
    static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private static func bind(_ text: String, to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty buffer may have no address, which SQLite would take for NULL.
                guard let base = characters.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, nil) }
                return sqlite3_bind_text64(
                    statement, index, base, sqlite3_uint64(bytes.count), transient, UInt8(SQLITE_UTF8))
            }
        }
    }

    private static func bind(_ word: UInt64, to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes(of: word) { bind($0, to: statement, at: index) }
    }

    private static func bind(_ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at index: Int32) -> Int32 {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
        return sqlite3_bind_blob64(statement, index, base, sqlite3_uint64(bytes.count), transient)
    }
}
