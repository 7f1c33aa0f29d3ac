import Foundation

/// The exact sum of numbers, and how many they are: what a store gives to be added to.
///
/// Nothing is rounded before the end and nothing overflows on the way, so that the result is the same in whichever order
/// the numbers come, and sums of parts can be put together:
///
/// - Integers overflow only where the sum of all is no number of their type.
/// - Floating-point numbers give the number that is nearest to the exact sum. It is infinite where that is beyond the
///   largest number or one of them is, and not-a-number where one of them is or infinities cancel out.
/// - Decimals give the exact sum, rounded to 38 places where a `Decimal` does not hold it.
public struct AggregateSum: Hashable, Sendable {
    /// How a sum is kept.
    public enum Kind: UInt8, Sendable {
        /// Whole numbers, in 128 bits.
        case integer = 1
        /// Floating-point numbers, by their binary digits.
        case real
        /// Decimals, by their decimal digits.
        case decimal

        /// The way in which numbers of a type are added.
        public init(_ number: FilterNumber) {
            switch number {
            case .double, .float: self = .real
            case .decimal: self = .decimal
            default: self = .integer
            }
        }
    }

    private enum State: Hashable, Sendable {
        case integer(Int128)
        case real(ExactReal)
        case decimal(ExactDecimal)
    }

    /// How many numbers there are.
    public private(set) var count = 0
    private var state: State

    /// The sum of no numbers.
    public init(_ kind: Kind) {
        state =
            switch kind {
            case .integer: .integer(0)
            case .real: .real(ExactReal())
            case .decimal: .decimal(ExactDecimal())
            }
    }

    // MARK: Adding

    /// Adds an integer. A sum of floating-point numbers takes it as one of those; one of decimals is left as it is.
    @inline(__always)
    public mutating func add(_ number: Int64) {
        if case .integer(let sum) = state {
            count += 1
            state = .integer(sum + Int128(number))
        } else {
            add(Double(number))
        }
    }

    /// Adds an integer without a sign. A sum of another kind is left as it is.
    public mutating func add(_ number: UInt64) {
        guard case .integer(let sum) = state else { return }
        count += 1
        state = .integer(sum + Int128(number))
    }

    /// Adds a floating-point number. A sum of another kind is left as it is.
    public mutating func add(_ number: Double) {
        guard case .real(var sum) = state else { return }
        count += 1
        // The digits must have no other owner while they change.
        state = .integer(0)
        sum.add(number)
        state = .real(sum)
    }

    /// Adds a decimal in the form of ``DecimalText``.
    public mutating func add(_ decimal: UnsafeRawBufferPointer) {
        guard case .decimal(var sum) = state else { return }
        count += 1
        state = .integer(0)
        sum.add(decimal)
        state = .decimal(sum)
    }

    /// Adds a stored value; nil is left out.
    public mutating func add(_ value: StoredValue) {
        switch value {
        case .integer(let number): add(number)
        case .unsigned(let number): add(number)
        case .real(let number): add(number)
        case .text(var text): text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
        case .null, .blob, .reference, .references: break
        }
    }

    /// Adds the numbers of another sum of the same kind.
    public mutating func add(_ other: AggregateSum) {
        switch (state, other.state) {
        case (.integer(let left), .integer(let right)): state = .integer(left + right)
        case (.real(var left), .real(let right)):
            left.add(right)
            state = .real(left)
        case (.decimal(var left), .decimal(let right)):
            left.add(right)
            state = .decimal(left)
        default: return
        }
        count += other.count
    }

    // MARK: Results

    /// The sum as a number of a type is stored; nil where it is none.
    public func sum(as number: FilterNumber) -> StoredValue? {
        switch state {
        case .integer(let sum):
            if let limits = number.limits, !limits.contains(sum) { return nil }
            return Int64(exactly: sum).map(StoredValue.integer) ?? UInt64(exactly: sum).map(StoredValue.unsigned)
        case .real(let sum): return .real(number == .float ? Double(sum.single) : sum.sum)
        case .decimal(let sum): return .text(sum.text)
        }
    }

    /// Whether an integer sum is below zero.
    public var isNegative: Bool { if case .integer(let sum) = state { sum < 0 } else { false } }

    /// The sum divided by the number of numbers, as a `Double` or, of decimals, a `Decimal` is stored; null of none.
    public var average: StoredValue {
        if count == 0 { return .null }
        switch state {
        case .integer(let sum): return .real(Double(sum) / Double(count))
        case .real(let sum): return .real(sum.average(of: count))
        case .decimal(let sum): return .text(DecimalText.text(sum.average(of: count)))
        }
    }

    // MARK: Coding

    /// The sum as bytes, for stores that have to pass it through an engine.
    public var encoded: [UInt8] {
        let kind: Kind
        let words: [Int64]
        switch state {
        case .integer(let sum):
            kind = .integer
            words = [Int64(truncatingIfNeeded: sum), Int64(truncatingIfNeeded: sum >> 64)]
        case .real(let sum): (kind, words) = (.real, sum.words)
        case .decimal(let sum): (kind, words) = (.decimal, sum.words)
        }
        var bytes = [kind.rawValue]
        for word in [Int64(count)] + words { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
        return bytes
    }

    /// The sum of ``encoded`` bytes; nil where they are none.
    public init?(encoded bytes: [UInt8]) {
        guard let kind = bytes.first.flatMap(Kind.init), bytes.count % 8 == 1 else { return nil }
        let words = bytes.withUnsafeBytes { bytes in
            stride(from: 1, to: bytes.count, by: 8).map {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
            }
        }
        guard let count = words.first, count >= 0 else { return nil }
        let rest = words.dropFirst()
        switch kind {
        case .integer:
            guard words.count == 3 else { return nil }
            state = .integer(Int128(words[2]) << 64 | Int128(UInt64(bitPattern: words[1])))
        case .real:
            guard let sum = ExactReal(words: rest) else { return nil }
            state = .real(sum)
        case .decimal:
            guard let sum = ExactDecimal(words: rest) else { return nil }
            state = .decimal(sum)
        }
        self.count = Int(count)
    }
}

extension FilterNumber {
    /// The numbers of an integer type; nil of another.
    fileprivate var limits: ClosedRange<Int128>? {
        func limits<T: FixedWidthInteger>(_ type: T.Type) -> ClosedRange<Int128> { Int128(T.min)...Int128(T.max) }
        return switch self {
        case .int: limits(Int.self)
        case .int8: limits(Int8.self)
        case .int16: limits(Int16.self)
        case .int32: limits(Int32.self)
        case .int64: limits(Int64.self)
        case .uint: limits(UInt.self)
        case .uint8: limits(UInt8.self)
        case .uint16: limits(UInt16.self)
        case .uint32: limits(UInt32.self)
        case .uint64: limits(UInt64.self)
        case .double, .float, .decimal: nil
        }
    }
}
