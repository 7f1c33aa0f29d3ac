/// A whole number of any size in digits of a large base, to which much is added before anything is carried.
///
/// Only the digits between the lowest and the highest place that was reached are kept.
struct ExactDigits: Hashable, Sendable {
    private let base: Int64
    /// The place of the first digit.
    private(set) var low = 0
    /// The digits, lowest first. Between two normalisations they may be larger than a digit, and negative.
    private(set) var digits: [Int64] = []
    /// How many numbers may be added before digits have to be carried.
    private var room = 1 << 29

    init(base: Int64) { self.base = base }

    init(base: Int64, low: Int, digits: [Int64]) {
        self.base = base
        self.low = low
        self.digits = digits
    }

    /// The digit of a place that has been reached.
    subscript(place: Int) -> Int64 {
        get { digits[place - low] }
        set { digits[place - low] = newValue }
    }

    /// Makes room for digits at places.
    mutating func reach(_ first: Int, _ end: Int) {
        if digits.isEmpty { low = first }
        if first < low {
            digits.insert(contentsOf: repeatElement(0, count: low - first), at: 0)
            low = first
        }
        if end > low + digits.count { digits += repeatElement(0, count: end - low - digits.count) }
    }

    /// Notes that a number has been added, none of whose parts was larger than a digit.
    mutating func countAddition() {
        room -= 1
        if room == 0 { normalise() }
    }

    mutating func add(_ other: ExactDigits) {
        if other.digits.isEmpty { return }
        let other = other.normalised
        normalise()
        reach(other.low, other.low + other.digits.count)
        for (index, digit) in other.digits.enumerated() { self[other.low + index] += digit }
        normalise()
    }

    /// The same number, all digits below the base and none but the last negative.
    var normalised: ExactDigits {
        var copy = self
        copy.normalise()
        return copy
    }

    /// The number without its sign, and without zeros in front.
    var magnitude: (isNegative: Bool, number: ExactDigits) {
        var copy = normalised
        copy.dropZeros()
        guard let top = copy.digits.last, top < 0 else { return (false, copy) }
        for index in copy.digits.indices { copy.digits[index] = -copy.digits[index] }
        copy.normalise()
        copy.dropZeros()
        return (true, copy)
    }

    private mutating func dropZeros() {
        while digits.last == 0 { digits.removeLast() }
    }

    private mutating func normalise() {
        room = 1 << 29
        var carry: Int64 = 0
        for index in digits.indices.dropLast() {
            (carry, digits[index]) = split(digits[index] + carry)
        }
        guard let last = digits.indices.last else { return }
        digits[last] += carry
        while let top = digits.last, top.magnitude >= base.magnitude {
            let (rest, digit) = split(top)
            digits[digits.count - 1] = digit
            digits.append(rest)
        }
    }

    /// A number as a multiple of the base and what is left, which is not negative.
    private func split(_ number: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: base)
        return remainder < 0 ? (quotient - 1, remainder + base) : (quotient, remainder)
    }
}
