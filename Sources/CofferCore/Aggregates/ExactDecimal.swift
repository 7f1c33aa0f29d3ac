import Foundation

/// The exact sum of decimals, read from their stored text and kept in digits of nine decimal places each.
struct ExactDecimal: Hashable, Sendable {
    private static let base: Int64 = 1_000_000_000
    /// The power of ten that the lowest possible digit stands for; a multiple of nine.
    private static let lowest = -180
    /// The powers of ten inside a digit.
    private static let powers: [Int64] = (0..<9).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

    private var digits = ExactDigits(base: base)
    private var notANumberCount = 0

    /// Adds a number in the form of ``DecimalText``; what is none counts as not-a-number.
    mutating func add(_ text: UnsafeRawBufferPointer) {
        if text.count == 1, text[0] == UInt8(ascii: "1") { return }
        guard text.count > 5, let sign = Self.sign(text[0]) else {
            notANumberCount += 1
            return
        }
        func digit(_ byte: UInt8) -> Int64 {
            let digit = Int64(byte) - 0x30
            return sign < 0 ? 9 - digit : digit
        }
        let scale = Int(digit(text[1]) * 100 + digit(text[2]) * 10 + digit(text[3])) - 500
        let last = sign < 0 ? text.count - 1 : text.count
        var power = scale - Self.lowest
        guard power >= last - 5, text[4] == 0x20, text[5..<last].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            notANumberCount += 1
            return
        }
        digits.reach((power - (last - 5)) / 9, power / 9 + 1)
        for index in 5..<last {
            power -= 1
            digits[power / 9] += sign * digit(text[index]) * Self.powers[power % 9]
        }
        digits.countAddition()
    }

    private static func sign(_ byte: UInt8) -> Int64? {
        switch byte {
        case UInt8(ascii: "2"): 1
        case UInt8(ascii: "0"): -1
        default: nil
        }
    }

    mutating func add(_ other: ExactDecimal) {
        notANumberCount += other.notANumberCount
        digits.add(other.digits)
    }

    /// A sum as decimal places, the highest first, times a power of ten.
    private struct Rounded {
        var isNegative = false
        var places: [UInt8] = []
        var exponent = 0
    }

    /// The sum, rounded once to 38 places, halves away from zero, where a `Decimal` does not hold it exactly.
    private var rounded: Rounded {
        let sum = digits.magnitude
        var result = Rounded(isNegative: sum.isNegative)
        if sum.number.digits.isEmpty { return result }
        for digit in sum.number.digits.reversed() {
            for power in Self.powers.reversed() { result.places.append(UInt8(digit / power % 10)) }
        }
        result.exponent = sum.number.low * 9 + Self.lowest
        result.places.removeFirst(result.places.prefix { $0 == 0 }.count)
        while result.places.last == 0 {
            result.places.removeLast()
            result.exponent += 1
        }
        if !Self.fits(result.places) { Self.round(&result.places, &result.exponent) }
        return result
    }

    /// The sum in the form of ``DecimalText``. Its exponent may be beyond what a `Decimal` has.
    var text: String {
        if notANumberCount > 0 { return "-" }
        let sum = rounded
        if sum.places.isEmpty { return "1" }
        let scaleText = String(sum.exponent + sum.places.count + 500)
        let scale = String(repeating: "0", count: max(0, 3 - scaleText.utf8.count)) + scaleText
        func digits(_ digits: some Sequence<UInt8>) -> String {
            String(decoding: digits.map { 0x30 + (sum.isNegative ? 9 - $0 : $0) }, as: UTF8.self)
        }
        return (sum.isNegative ? "0" : "2") + digits(scale.utf8.map { $0 - 0x30 }) + " " + digits(sum.places)
            + (sum.isNegative ? "~" : "")
    }

    /// The rounded sum divided by a number; the sum may be beyond the largest `Decimal`.
    func average(of count: Int) -> Decimal {
        if notANumberCount > 0 { return .nan }
        let sum = rounded
        guard
            let significand = Decimal(string: String(decoding: sum.places.map { $0 + 0x30 }, as: UTF8.self))
        else { return 0 }
        let sign: FloatingPointSign = sum.isNegative ? .minus : .plus
        let whole = Decimal(sign: sign, exponent: sum.exponent, significand: significand)
        if !whole.isNaN { return whole / Decimal(count) }
        let quotient = significand / Decimal(count)
        return Decimal(
            sign: sign, exponent: quotient.exponent + sum.exponent, significand: quotient.significand)
    }

    /// Whether the digits are a significand of a `Decimal`: below 2¹²⁸.
    private static func fits(_ places: [UInt8]) -> Bool {
        if places.count <= 38 { return true }
        if places.count > 39 { return false }
        var value: UInt128 = 0
        for place in places {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt128(place))
            if overflow || carry { return false }
            value = sum
        }
        return true
    }

    private static func round(_ places: inout [UInt8], _ exponent: inout Int) {
        let isUp = places[38] >= 5
        exponent += places.count - 38
        places.removeLast(places.count - 38)
        if isUp {
            var index = places.count - 1
            while index >= 0, places[index] == 9 {
                places[index] = 0
                index -= 1
            }
            if index >= 0 { places[index] += 1 } else { places.insert(1, at: 0) }
        }
        while places.last == 0 {
            places.removeLast()
            exponent += 1
        }
    }

    // MARK: Coding

    var words: [Int64] {
        let sum = digits.normalised
        return [Int64(notANumberCount), Int64(sum.low)] + sum.digits
    }

    init() {}

    init?(words: ArraySlice<Int64>) {
        guard words.count >= 2 else { return nil }
        let words = Array(words)
        notANumberCount = Int(words[0])
        digits = ExactDigits(base: Self.base, low: Int(words[1]), digits: Array(words[2...]))
    }
}
