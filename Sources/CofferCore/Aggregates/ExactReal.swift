/// The exact sum of floating-point numbers, whatever their number, sizes and order.
///
/// The sum is kept as a whole number of the smallest unit, 2⁻¹⁰⁷⁴, in 32-bit digits of which only those are kept that
/// the numbers have reached: usually three to five.
struct ExactReal: Hashable, Sendable {
    private var digits = ExactDigits(base: 1 << 32)
    private var notANumberCount = 0
    private var infinities = 0
    private var negativeInfinities = 0

    mutating func add(_ number: Double) {
        if number == 0 { return }
        guard number.isFinite else {
            if number.isNaN {
                notANumberCount += 1
            } else if number < 0 {
                negativeInfinities += 1
            } else {
                infinities += 1
            }
            return
        }
        let exponent = max(Int(number.exponentBitPattern), 1)
        let significand = number.significandBitPattern | (number.isNormal ? 1 << 52 : 0)
        let (place, shift) = ((exponent - 1) >> 5, UInt64((exponent - 1) & 31))
        digits.reach(place, place + 3)
        let sign: Int64 = number < 0 ? -1 : 1
        let rest = significand >> (32 - shift)
        digits[place] += sign * Int64((significand << shift) & 0xFFFF_FFFF)
        digits[place + 1] += sign * Int64(rest & 0xFFFF_FFFF)
        digits[place + 2] += sign * Int64(rest >> 32)
        digits.countAddition()
    }

    mutating func add(_ other: ExactReal) {
        notANumberCount += other.notANumberCount
        infinities += other.infinities
        negativeInfinities += other.negativeInfinities
        digits.add(other.digits)
    }

    /// The sum as a number of 53 bits times a power of two.
    private struct Rounded {
        var isNegative = false
        var significand: UInt64 = 0
        var exponent = 0
        var number: Double {
            Double(sign: isNegative ? .minus : .plus, exponent: exponent, significand: Double(significand))
        }
    }

    /// - Parameter toOdd: cuts instead of rounding to nearest, and marks the last bit where something was cut off: the
    ///   result can be rounded to fewer bits as if it were the exact sum.
    private func rounded(toOdd: Bool = false) -> Rounded {
        let sum = digits.magnitude
        var result = Rounded(isNegative: sum.isNegative)
        if sum.number.digits.isEmpty { return result }
        // The highest bits, and whether there is anything below them.
        var high: UInt64 = 0
        var bits = 0
        var dropped = 0
        var isExact = true
        for digit in sum.number.digits.reversed() {
            let digit = UInt64(truncatingIfNeeded: digit)
            if bits == 0 {
                high = digit
                bits = 64 - digit.leadingZeroBitCount
            } else if bits <= 32 {
                high = high << 32 | digit
                bits += 32
            } else {
                // At least 33 bits are there; as many of this digit fit as make 64.
                let fitting = min(32, 64 - bits)
                high = fitting == 0 ? high : high << UInt64(fitting) | digit >> UInt64(32 - fitting)
                bits += fitting
                dropped += 32 - fitting
                if digit & ((1 << UInt64(32 - fitting)) - 1) != 0 { isExact = false }
            }
        }
        if bits > 53 {
            let excess = UInt64(bits - 53)
            let tail = high & ((1 << excess) - 1)
            let half: UInt64 = 1 << (excess - 1)
            high >>= excess
            dropped += Int(excess)
            if toOdd {
                if tail != 0 || !isExact { high |= 1 }
            } else if tail > half || tail == half && (!isExact || high & 1 == 1) {
                high += 1
            }
        }
        result.significand = high
        result.exponent = sum.number.low * 32 + dropped - 1074
        return result
    }

    private var special: Double? {
        if notANumberCount > 0 || infinities > 0 && negativeInfinities > 0 { return .nan }
        if infinities > 0 { return .infinity }
        return negativeInfinities > 0 ? -.infinity : nil
    }

    /// The sum, rounded once; infinite where it is beyond the largest number.
    var sum: Double { special ?? rounded().number }

    /// The sum of numbers of single precision, rounded once to that.
    var single: Float { Float(special ?? rounded(toOdd: true).number) }

    /// The rounded sum divided by a number; the sum may be beyond the largest number.
    func average(of count: Int) -> Double {
        if let special { return special }
        let sum = rounded()
        let quotient = Double(sum.significand) / Double(count)
        return Double(sign: sum.isNegative ? .minus : .plus, exponent: sum.exponent, significand: quotient)
    }

    // MARK: Coding

    /// The sum as numbers, for ``AggregateSum/encoded``.
    var words: [Int64] {
        let sum = digits.normalised
        return [Int64(notANumberCount), Int64(infinities), Int64(negativeInfinities), Int64(sum.low)] + sum.digits
    }

    init() {}

    init?(words: ArraySlice<Int64>) {
        guard words.count >= 4 else { return nil }
        let words = Array(words)
        notANumberCount = Int(words[0])
        infinities = Int(words[1])
        negativeInfinities = Int(words[2])
        digits = ExactDigits(base: 1 << 32, low: Int(words[3]), digits: Array(words[4...]))
    }
}
