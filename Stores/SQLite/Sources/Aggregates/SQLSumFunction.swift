import CSQLite
import CofferCore

/// The SQL functions that add numbers up exactly: SQLite's own lose digits, and fail where the sum overflows on the way.
///
/// Like the others (``SQLFunctions``) they are used in queries only.
struct SQLSumFunction {
    /// What a function gives.
    enum Result: Int, CaseIterable {
        /// The sum as a number of its type is kept: NULL below the least number, an empty blob above the largest.
        case sum
        case average
        /// The bytes of an ``AggregateSum``, which can be added to.
        case partial
    }

    let number: FilterNumber
    let result: Result

    init(_ number: FilterNumber, _ result: Result) {
        self.number = number
        self.result = result
    }

    var name: String { "coffer_\(result)_\(number.rawValue)" }

    private static let numbers: [FilterNumber] = [
        .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .double, .float, .decimal,
    ]

    /// What a function is, as SQLite hands it back: the places of type and result, as one number.
    private var code: Int { (Self.numbers.firstIndex(of: number) ?? 0) * Result.allCases.count + result.rawValue + 1 }

    private static func function(_ context: OpaquePointer?) -> SQLSumFunction {
        let code = Int(bitPattern: sqlite3_user_data(context)) - 1
        let count = Result.allCases.count
        return SQLSumFunction(numbers[checked: code / count] ?? .int, Result(rawValue: code % count) ?? .sum)
    }

    /// Makes the functions known to a connection.
    ///
    /// - Returns: SQLite's result code.
    static func install(on connection: OpaquePointer) -> Int32 {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        for number in numbers {
            for result in Result.allCases {
                let function = SQLSumFunction(number, result)
                let code = sqlite3_create_function_v2(
                    connection, function.name, 1, flags, UnsafeMutableRawPointer(bitPattern: function.code), nil,
                    { Self.step($0, $2) }, { Self.finish($0) }, nil)
                if code != SQLITE_OK { return code }
            }
        }
        return SQLITE_OK
    }

    /// The sum of one group, while it is being made.
    private final class Box {
        var sum: AggregateSum
        init(_ kind: AggregateSum.Kind) { sum = AggregateSum(kind) }
    }

    private static func step(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        let value = arguments?[0]
        let type = sqlite3_value_type(value)
        if type == SQLITE_NULL { return }
        guard
            let place = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size))?
                .assumingMemoryBound(to: UnsafeRawPointer?.self)
        else { return sqlite3_result_error_nomem(context) }
        // SQLite clears the memory before the first step of a group.
        let box: Unmanaged<Box>
        if let pointer = place.pointee {
            box = Unmanaged.fromOpaque(pointer)
        } else {
            box = Unmanaged.passRetained(Box(AggregateSum.Kind(function(context).number)))
            place.pointee = UnsafeRawPointer(box.toOpaque())
        }
        box._withUnsafeGuaranteedRef { box in
            switch type {
            case SQLITE_INTEGER: box.sum.add(sqlite3_value_int64(value))
            case SQLITE_FLOAT: box.sum.add(sqlite3_value_double(value))
            case SQLITE_TEXT:
                guard let bytes = sqlite3_value_text(value) else { return }
                box.sum.add(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
            default:
                guard sqlite3_value_bytes(value) == 8, let bytes = sqlite3_value_blob(value) else { return }
                let word = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
                // An unsigned number above those SQLite has, or not-a-number.
                if case .real = AggregateSum.Kind(function(context).number) {
                    box.sum.add(Double(bitPattern: word))
                } else {
                    box.sum.add(word)
                }
            }
        }
    }

    private static func finish(_ context: OpaquePointer?) {
        let function = function(context)
        var sum = AggregateSum(AggregateSum.Kind(function.number))
        if let place = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeRawPointer?.self),
            let pointer = place.pointee
        {
            sum = Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().sum
            place.pointee = nil
        }
        switch function.result {
        case .partial: SQLFunctions.give(.blob(sum.encoded), context)
        case .average: SQLFunctions.give(sum.average, context)
        case .sum:
            if let total = sum.sum(as: function.number) { return SQLFunctions.give(total, context) }
            SQLFunctions.give(sum.isNegative ? .null : .blob([]), context)
        }
    }
}
