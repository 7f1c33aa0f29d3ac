import CSQLite
import CofferCore
import Foundation

/// The SQL functions and collations by which statements get Swift's meaning where SQL has none of its own: characters,
/// overflow, a type's own `==`.
///
/// They are used in queries only, never in the schema: the file stays readable for any SQLite. Each connection needs
/// them; see ``install(on:)``.
enum SQLFunctions {
    static let contains = "coffer_contains"
    static let startsWith = "coffer_starts"
    static let endsWith = "coffer_ends"
    static let localizedContains = "coffer_localized_contains"
    static let length = "coffer_length"
    static let order = "coffer_order"
    static let arithmetic = "coffer_arithmetic"
    static let value = "coffer_value"
    static let elements = "coffer_elements"
    static let member = "coffer_member"
    static let compare = "coffer_compare"
    static let call = "coffer_call"
    static let localizedStandardCollation = "coffer_localized_standard"
    static let localizedCollation = "coffer_localized"

    /// The type under which objects are bound.
    nonisolated(unsafe) static let pointerType = UnsafePointer(strdup("coffer"))

    typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    /// Makes the functions and collations known to a connection.
    ///
    /// - Returns: SQLite's result code.
    static func install(on connection: OpaquePointer) -> Int32 {
        let functions: [(String, Int32, Function)] = [
            (contains, 2, { Self.test(.contains, $0, $2) }),
            (startsWith, 2, { Self.test(.startsWith, $0, $2) }),
            (endsWith, 2, { Self.test(.endsWith, $0, $2) }),
            (localizedContains, 2, { Self.test(.localizedStandardContains, $0, $2) }),
            (length, 1, { Self.length($0, $2) }),
            (order, 3, { Self.order($0, $2) }),
            (arithmetic, 3, { Self.negate($0, $2) }),
            (arithmetic, 4, { Self.calculate($0, $2) }),
            (value, 1, { Self.decode($0, $2) }),
            (elements, 2, { Self.list($0, $2) }),
            (member, 2, { Self.derive($0, $2) }),
            (compare, 3, { Self.compare($0, $2) }),
            (call, -1, { Self.call($0, $1, $2) }),
        ]
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        for (name, count, function) in functions {
            let code = sqlite3_create_function_v2(connection, name, count, flags, nil, function, nil, nil, nil)
            if code != SQLITE_OK { return code }
        }
        return installCollations(on: connection)
    }

    private static func installCollations(on connection: OpaquePointer) -> Int32 {
        let code = sqlite3_create_collation_v2(
            connection, localizedStandardCollation, SQLITE_UTF8, nil,
            { Self.collate($1, $2, $3, $4) { $0.localizedStandardCompare($1) } }, nil)
        if code != SQLITE_OK { return code }
        return sqlite3_create_collation_v2(
            connection, localizedCollation, SQLITE_UTF8, nil,
            { Self.collate($1, $2, $3, $4) { $0.localizedCompare($1) } }, nil)
    }

    private static func collate(
        _ leftCount: Int32, _ left: UnsafeRawPointer?, _ rightCount: Int32, _ right: UnsafeRawPointer?,
        _ order: (String, String) -> ComparisonResult
    ) -> Int32 {
        let left = String(decoding: UnsafeRawBufferPointer(start: left, count: Int(leftCount)), as: UTF8.self)
        let right = String(decoding: UnsafeRawBufferPointer(start: right, count: Int(rightCount)), as: UTF8.self)
        return Int32(order(left, right).rawValue)
    }

    // MARK: Functions

    private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>?

    private static func test(_ test: FilterTextTest, _ context: OpaquePointer?, _ arguments: Arguments) {
        guard let text = text(arguments?[0]), let part = Self.text(arguments?[1]) else {
            return sqlite3_result_null(context)
        }
        sqlite3_result_int(context, test.matches(text, part) ? 1 : 0)
    }

    private static func length(_ context: OpaquePointer?, _ arguments: Arguments) {
        guard let text = text(arguments?[0]) else { return sqlite3_result_null(context) }
        sqlite3_result_int64(context, Int64(FilterText.characterCount(text)))
    }

    private static func order(_ context: OpaquePointer?, _ arguments: Arguments) {
        guard let name = string(arguments?[0]), let order = FilterTextOrder(rawValue: name),
            let left = string(arguments?[1]), let right = string(arguments?[2])
        else { return sqlite3_result_null(context) }
        sqlite3_result_int64(context, Int64(order.compare(left, right).rawValue))
    }

    private static func calculate(_ context: OpaquePointer?, _ arguments: Arguments) {
        guard let name = string(arguments?[0]), let number = FilterNumber(rawValue: name),
            let symbol = string(arguments?[1]).flatMap(FilterOperator.init(rawValue:)),
            let left = stored(arguments?[2], number.storage), let right = stored(arguments?[3], number.storage),
            let result = number.apply(symbol, left, right)
        else { return sqlite3_result_null(context) }
        give(result, context)
    }

    private static func negate(_ context: OpaquePointer?, _ arguments: Arguments) {
        guard let name = string(arguments?[0]), let number = FilterNumber(rawValue: name),
            let value = stored(arguments?[2], number.storage), let result = number.negate(value)
        else { return sqlite3_result_null(context) }
        give(result, context)
    }

    private static func decode(_ context: OpaquePointer?, _ arguments: Arguments) {
        let argument = arguments?[0]
        if sqlite3_value_type(argument) == SQLITE_TEXT, let coded = text(argument), let value = SQLList.value(coded) {
            give(value, context)
        } else {
            sqlite3_result_value(context, argument)
        }
    }

    private static func list(_ context: OpaquePointer?, _ arguments: Arguments) {
        guard let coding: FilterCoding = object(arguments?[0]), let text = string(arguments?[1]),
            let elements = coding.elements(.text(text))
        else { return sqlite3_result_null(context) }
        // Coded always: the statement takes the coding off every element.
        give(.text(SQLList.json(elements, alwaysCodes: true).text), context)
    }

    private static func derive(_ context: OpaquePointer?, _ arguments: Arguments) {
        guard let member: FilterMember = object(arguments?[0]),
            let value = stored(arguments?[1], member.baseStorage)
        else { return sqlite3_result_null(context) }
        give(member.apply(value), context)
    }

    private static func compare(_ context: OpaquePointer?, _ arguments: Arguments) {
        guard let comparison: SQLCodedComparison = object(arguments?[0]) else { return sqlite3_result_null(context) }
        let left = stored(arguments?[1], comparison.coding.storage) ?? .null
        let right = stored(arguments?[2], comparison.coding.storage) ?? .null
        sqlite3_result_int(context, comparison.holds(left, right) ? 1 : 0)
    }

    private static func call(_ context: OpaquePointer?, _ count: Int32, _ arguments: Arguments) {
        guard count > 0, let function: FilterFunction = object(arguments?[0]) else {
            return sqlite3_result_null(context)
        }
        let values = (1..<max(Int(count), 1)).map { index in
            stored(arguments?[index], function.parameters[checked: index - 1] ?? nil) ?? .null
        }
        guard let result = function.apply(values) else { return sqlite3_result_null(context) }
        give(result, context)
    }

    // MARK: Values

    private static func text(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
        guard sqlite3_value_type(value) == SQLITE_TEXT, let bytes = sqlite3_value_text(value) else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    private static func string(_ value: OpaquePointer?) -> String? {
        text(value).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func object<T: AnyObject>(_ value: OpaquePointer?) -> T? {
        guard let pointer = sqlite3_value_pointer(value, pointerType) else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? T
    }

    /// A value in the stored form; what a blob means follows from the storage.
    private static func stored(_ value: OpaquePointer?, _ storage: ScalarStorage?) -> StoredValue? {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_TEXT: return string(value).map(StoredValue.text)
        case SQLITE_BLOB:
            let count = Int(sqlite3_value_bytes(value))
            let bytes = [UInt8](UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: count))
            switch storage {
            case .unsigned: return .unsigned(bytes.reduce(0) { $0 << 8 | UInt64($1) })
            case .real, .date: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
            default: return .blob(bytes)
            }
        default: return nil
        }
    }

    private static func give(_ value: StoredValue, _ context: OpaquePointer?) {
        switch value {
        case .null, .references: sqlite3_result_null(context)
        case .integer(let number): sqlite3_result_int64(context, number)
        case .reference(let identifier): sqlite3_result_int64(context, identifier._key)
        case .real(let number) where !number.isNaN: sqlite3_result_double(context, number)
        case .real(let number): give(number.bitPattern.bigEndian, context)
        case .unsigned(let number): give(number.bigEndian, context)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    guard let base = characters.baseAddress else { return sqlite3_result_text(context, "", 0, nil) }
                    sqlite3_result_text64(
                        context, base, sqlite3_uint64(bytes.count), SQLBinding.transient, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes { buffer in
                guard let base = buffer.baseAddress, !buffer.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
                sqlite3_result_blob64(context, base, sqlite3_uint64(buffer.count), SQLBinding.transient)
            }
        }
    }

    private static func give(_ word: UInt64, _ context: OpaquePointer?) {
        withUnsafeBytes(of: word) { sqlite3_result_blob(context, $0.baseAddress, 8, SQLBinding.transient) }
    }
}

/// A comparison by a type's own operators, bound as a parameter of ``SQLFunctions/compare``.
final class SQLCodedComparison {
    let comparison: FilterComparison
    let coding: FilterCoding
    /// The value that was decoded last on each side: one of them is usually the same for all rows.
    private var last: (StoredValue, Any?)?

    init(_ comparison: FilterComparison, _ coding: FilterCoding) {
        self.comparison = comparison
        self.coding = coding
    }

    func holds(_ left: StoredValue, _ right: StoredValue) -> Bool {
        let right = decoded(right)
        return coding.compare(comparison, coding.decode(left), right)
    }

    private func decoded(_ value: StoredValue) -> Any? {
        if let last, last.0 == value { return last.1 }
        let decoded = coding.decode(value)
        last = (value, decoded)
        return decoded
    }
}
