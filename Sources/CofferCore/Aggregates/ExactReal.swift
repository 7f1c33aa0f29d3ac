/// The exact sum of floating-point numbers, whatever their number, sizes and order.
///
/// The sum is kept as a whole number of the smallest unit, 2⁻¹⁰⁷⁴, in 32-bit digits of which only those are kept that
/// the numbers have reached: usually three to five.
struct ExactReal: Hashable, Sendable {
    /// The place of the first digit.
    private var low = 0
    /// The digits, lowest first. Between two normalisations they may be larger than a digit, and negative.
    private var digits: [Int64] = []
    /// How many numbers may be added before digits have to be carried.
    private var room = 1 << 29
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
        reach(place, place + 3)
        let index = place - low
        let sign: Int64 = number < 0 ? -1 : 1
        let rest = significand >> (32 - shift)
        digits[index] += sign * Int64((significand << shift) & 0xFFFF_FFFF)
        digits[index + 1] += sign * Int64(rest & 0xFFFF_FFFF)
        digits[index + 2] += sign * Int64(rest >> 32)
        room -= 1
        if room == 0 { normalise() }
    }

    mutating func add(_ other: ExactReal) {
        notANumberCount += other.notANumberCount
        infinities += other.infinities
        negativeInfinities += other.negativeInfinities
        if other.digits.isEmpty { return }
        var other = other
        other.normalise()
        normalise()
        reach(other.low, other.low + other.digits.count)
        for (index, digit) in other.digits.enumerated() { digits[other.low + index - low] += digit }
        normalise()
    }

    /// Makes room for digits at places.
    private mutating func reach(_ first: Int, _ end: Int) {
        if digits.isEmpty { low = first }
        if first < low {
            digits.insert(contentsOf: repeatElement(0, count: low - first), at: 0)
            low = first
        }
        if end > low + digits.count { digits += repeatElement(0, count: end - low - digits.count) }
    }

    /// Carries, so that all digits are below 2³² and none but the last is negative.
    private mutating func normalise() {
        room = 1 << 29
        var carry: Int64 = 0
        for index in digits.indices.dropLast() {
            let value = digits[index] + carry
            digits[index] = value & 0xFFFF_FFFF
            carry = value >> 32
        }
        guard let last = digits.indices.last else { return }
        digits[last] += carry
        while let top = digits.last, top >= 1 << 32 || top < -(1 << 32) {
            digits[digits.count - 1] = top & 0xFFFF_FFFF
            digits.append(top >> 32)
        }
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
        var sum = self
        sum.normalise()
        var result = Rounded()
        while sum.digits.last == 0 { sum.digits.removeLast() }
        guard let top = sum.digits.last else { return result }
        if top < 0 {
            result.isNegative = true
            for index in sum.digits.indices { sum.digits[index] = -sum.digits[index] }
            sum.normalise()
            while sum.digits.last == 0 { sum.digits.removeLast() }
        }
        // The highest bits, and whether there is anything below them.
        var high: UInt64 = 0
        var bits = 0
        var dropped = 0
        var isExact = true
        for digit in sum.digits.reversed() {
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
        result.exponent = sum.low * 32 + dropped - 1074
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
        var sum = self
        sum.normalise()
        return [Int64(notANumberCount), Int64(infinities), Int64(negativeInfinities), Int64(sum.low)] + sum.digits
    }

    init() {}

    init?(words: ArraySlice<Int64>) {
        guard words.count >= 4 else { return nil }
        let words = Array(words)
        notANumberCount = Int(words[0])
        infinities = Int(words[1])
        negativeInfinities = Int(words[2])
        low = Int(words[3])
        digits = Array(words[4...])
    }
}
