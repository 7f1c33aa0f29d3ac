import Foundation

/// A number type whose stored values can be added up: integers of every size, `Double`, `Float` and `Decimal`.
///
/// Conformances are Coffer's own.
public protocol AggregateNumber: PersistentScalar, Comparable {
    /// What an average of such numbers is: `Decimal` of decimals, otherwise `Double`.
    associatedtype Average: AggregateNumber
    /// The type, as plans name it.
    static var _number: FilterNumber { get }
    /// The number of a stored value; nil where it is no number of the type.
    static func _number(of value: StoredValue) -> Self?
}

extension AggregateNumber where Self: FixedWidthInteger {
    public static func _number(of value: StoredValue) -> Self? {
        switch value {
        case .integer(let number): Self(exactly: number)
        case .unsigned(let number): Self(exactly: number)
        default: nil
        }
    }
}

extension Int: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .int }
}

extension Int8: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .int8 }
}

extension Int16: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .int16 }
}

extension Int32: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .int32 }
}

extension Int64: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .int64 }
}

extension UInt: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .uint }
}

extension UInt8: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .uint8 }
}

extension UInt16: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .uint16 }
}

extension UInt32: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .uint32 }
}

extension UInt64: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .uint64 }
}

extension Double: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .double }

    public static func _number(of value: StoredValue) -> Double? {
        if case .real(let number) = value { number } else { nil }
    }
}

extension Float: AggregateNumber {
    public typealias Average = Double
    public static var _number: FilterNumber { .float }

    public static func _number(of value: StoredValue) -> Float? {
        if case .real(let number) = value { Float(number) } else { nil }
    }
}

extension Decimal: AggregateNumber {
    public typealias Average = Decimal
    public static var _number: FilterNumber { .decimal }

    public static func _number(of value: StoredValue) -> Decimal? {
        guard case .text(let text) = value, let number = DecimalText.decimal(text) else { return nil }
        // A number beyond the largest one is none either, but has another text.
        return number.isNaN && text != DecimalText.text(.nan) ? nil : number
    }
}
