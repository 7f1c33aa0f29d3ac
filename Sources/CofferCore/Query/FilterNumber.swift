import Foundation

/// The operators of arithmetic.
public enum FilterOperator: String, Hashable, Sendable {
    /// The sum.
    case add = "+"
    /// The difference.
    case subtract = "-"
    /// The product.
    case multiply = "*"
    /// The quotient; of integers without a remainder.
    case divide = "/"
    /// The remainder of a division of integers, with the sign of what is divided.
    case remainder = "%"
}

/// The Swift type in which arithmetic is done.
public enum FilterNumber: String, Hashable, Sendable {
    /// Integers with a sign, of the width that the name says; `int` has 64 bits.
    case int, int8, int16, int32, int64
    /// Integers without a sign, of the width that the name says; `uint` has 64 bits.
    case uint, uint8, uint16, uint32, uint64
    /// Floating-point numbers of 64 and 32 bits, and `Decimal`.
    case double, float, decimal

    /// The number type of a Swift type; nil where it is none.
    public init?(_ type: any Any.Type) {
        switch type {
        case is Int.Type: self = .int
        case is Int8.Type: self = .int8
        case is Int16.Type: self = .int16
        case is Int32.Type: self = .int32
        case is Int64.Type: self = .int64
        case is UInt.Type: self = .uint
        case is UInt8.Type: self = .uint8
        case is UInt16.Type: self = .uint16
        case is UInt32.Type: self = .uint32
        case is UInt64.Type: self = .uint64
        case is Double.Type: self = .double
        case is Float.Type: self = .float
        case is Decimal.Type: self = .decimal
        default: return nil
        }
    }

    /// How results are kept.
    public var storage: ScalarStorage {
        switch self {
        case .int, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer
        case .uint, .uint64: .unsigned
        case .double, .float: .real
        case .decimal: .decimal
        }
    }

    /// Applies an operator as Swift would.
    ///
    /// - Returns: nil, for unknown, where Swift would stop: at overflow, and at division by zero of integers.
    public func apply(_ symbol: FilterOperator, _ left: StoredValue, _ right: StoredValue) -> StoredValue? {
        switch self {
        case .int: integer(symbol, left, right, Int.self)
        case .int8: integer(symbol, left, right, Int8.self)
        case .int16: integer(symbol, left, right, Int16.self)
        case .int32: integer(symbol, left, right, Int32.self)
        case .int64: integer(symbol, left, right, Int64.self)
        case .uint: integer(symbol, left, right, UInt.self)
        case .uint8: integer(symbol, left, right, UInt8.self)
        case .uint16: integer(symbol, left, right, UInt16.self)
        case .uint32: integer(symbol, left, right, UInt32.self)
        case .uint64: integer(symbol, left, right, UInt64.self)
        case .double: real(symbol, left, right)
        case .float: single(symbol, left, right)
        case .decimal: decimal(symbol, left, right)
        }
    }

    /// Changes the sign; nil, for unknown, at overflow.
    public func negate(_ value: StoredValue) -> StoredValue? {
        switch (self, value) {
        case (.double, .real(let number)), (.float, .real(let number)): .real(-number)
        case (.decimal, .text(let text)): DecimalText.decimal(text).map { .text(DecimalText.text(-$0)) }
        default: apply(.subtract, .integer(0), value)
        }
    }

    private func integer<T: FixedWidthInteger & PersistentScalar>(
        _ symbol: FilterOperator, _ left: StoredValue, _ right: StoredValue, _ type: T.Type
    ) -> StoredValue? {
        guard let left = Self.number(left, T.self), let right = Self.number(right, T.self) else { return nil }
        let (result, overflow) =
            switch symbol {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            case .divide: left.dividedReportingOverflow(by: right)
            case .remainder: left.remainderReportingOverflow(dividingBy: right)
            }
        return overflow ? nil : result._stored
    }

    private static func number<T: FixedWidthInteger>(_ value: StoredValue, _ type: T.Type) -> T? {
        switch value {
        case .integer(let number): T(exactly: number)
        case .unsigned(let number): T(exactly: number)
        default: nil
        }
    }

    private func real(_ symbol: FilterOperator, _ left: StoredValue, _ right: StoredValue) -> StoredValue? {
        guard case .real(let left) = left, case .real(let right) = right else { return nil }
        return switch symbol {
        case .add: .real(left + right)
        case .subtract: .real(left - right)
        case .multiply: .real(left * right)
        case .divide: .real(left / right)
        case .remainder: nil
        }
    }

    private func single(_ symbol: FilterOperator, _ left: StoredValue, _ right: StoredValue) -> StoredValue? {
        guard case .real(let wideLeft) = left, case .real(let wideRight) = right else { return nil }
        let (left, right) = (Float(wideLeft), Float(wideRight))
        return switch symbol {
        case .add: .real(Double(left + right))
        case .subtract: .real(Double(left - right))
        case .multiply: .real(Double(left * right))
        case .divide: .real(Double(left / right))
        case .remainder: nil
        }
    }

    private func decimal(_ symbol: FilterOperator, _ left: StoredValue, _ right: StoredValue) -> StoredValue? {
        guard case .text(let leftText) = left, case .text(let rightText) = right,
            let left = DecimalText.decimal(leftText), let right = DecimalText.decimal(rightText)
        else { return nil }
        let result: Decimal
        switch symbol {
        case .add: result = left + right
        case .subtract: result = left - right
        case .multiply: result = left * right
        case .divide: result = right.isZero ? .nan : left / right
        case .remainder: return nil
        }
        return .text(DecimalText.text(result))
    }
}
