import Foundation
import Testing

@testable import CofferCore

@Suite("Exact sums")
struct ExactSumTests {
    /// Numbers of all sizes, of which many cancel out.
    private static func numbers(_ count: Int, _ random: inout SystemRandomNumberGenerator) -> [Double] {
        var numbers: [Double] = []
        while numbers.count < count {
            let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
            guard number.isFinite else { continue }
            numbers.append(number)
            if Bool.random(using: &random) { numbers.append(-number) }
            numbers.append(Double.random(in: -1...1, using: &random))
        }
        return numbers
    }

    private static func sum(_ numbers: some Sequence<Double>) -> AggregateSum {
        var sum = AggregateSum(.real)
        for number in numbers { sum.add(number) }
        return sum
    }

    @Test("do not depend on the order, nor on how the numbers are divided")
    func order() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let numbers = Self.numbers(40, &random)
            let whole = Self.sum(numbers)
            #expect(Self.sum(numbers.shuffled()).sum(as: .double) == whole.sum(as: .double))
            var parts = Self.sum(numbers.prefix(13))
            let rest = try #require(AggregateSum(encoded: Self.sum(numbers.dropFirst(13)).encoded))
            parts.add(rest)
            #expect(parts.sum(as: .double) == whole.sum(as: .double))
            #expect(parts.average == whole.average)
            #expect(parts.count == numbers.count)
            #expect(Self.sum(numbers + numbers.map { -$0 }).sum(as: .double) == .real(0))
        }
    }

    @Test("of one number are that number, and of two what Swift gives")
    func few() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let numbers = Self.numbers(2, &random)
            for (left, right) in zip(numbers, numbers.dropFirst()) {
                #expect(Self.sum([left]).sum(as: .double) == .real(left))
                #expect(Self.sum([left, right]).sum(as: .double) == .real(left + right))
            }
        }
        let edges: [Double] = [
            .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1, .ulpOfOne, .ulpOfOne / 2, 3,
            0x1.fffffffffffffp-1022, 0x1p53, 0x1p-1022,
        ]
        for left in edges + edges.map({ -$0 }) {
            for right in edges {
                #expect(Self.sum([left, right]).sum(as: .double) == .real(left + right), "\(left) \(right)")
            }
        }
    }

    @Test("of single precision are rounded once")
    func single() {
        // Rounded to a double first, the sum would lie in the middle between two floats, and go to the even one.
        let numbers: [Double] = [1, Double(Float.ulpOfOne) / 2, 0x1p-80]
        #expect(Self.sum(numbers).sum(as: .float) == .real(Double(Float(1).nextUp)))
        #expect(Self.sum(numbers.dropLast()).sum(as: .float) == .real(1))
    }

    @Test("of integers are those of a wider type")
    func integers() {
        var sum = AggregateSum(.integer)
        for _ in 0..<5 { sum.add(Int64.max) }
        #expect(sum.sum(as: .int) == nil)
        #expect(AggregateSum(encoded: sum.encoded) == sum)
        for _ in 0..<4 { sum.add(-Int64.max) }
        #expect(sum.sum(as: .int) == .integer(.max))
        sum.add(UInt64.max)
        #expect(sum.sum(as: .uint64) == nil)
        sum.add(-Int64.max)
        #expect(sum.sum(as: .uint64) == .unsigned(.max))
        #expect(sum.sum(as: .int8) == nil)
    }

    @Test("of decimals are those of Decimal, where it loses nothing")
    func decimals() throws {
        for _ in 0..<300 {
            let numbers = (0..<20).map { _ in
                Decimal(
                    sign: .random() ? .plus : .minus, exponent: .random(in: -12...3),
                    significand: Decimal(Int.random(in: 0...999_999_999)))
            }
            var sum = AggregateSum(.decimal)
            for number in numbers { sum.add(.text(DecimalText.text(number))) }
            let expected = numbers.reduce(Decimal(0), +)
            #expect(sum.sum(as: .decimal) == .text(DecimalText.text(expected)))
            #expect(sum.average == .text(DecimalText.text(expected / 20)))
            #expect(AggregateSum(encoded: sum.encoded)?.sum(as: .decimal) == sum.sum(as: .decimal))
            for number in numbers { sum.add(.text(DecimalText.text(-number))) }
            #expect(sum.sum(as: .decimal) == .text("1"))
        }
    }

    @Test("of decimals that no Decimal holds are rounded to 38 places, halves away from zero")
    func rounding() throws {
        func sum(_ texts: String...) throws -> Decimal? {
            var sum = AggregateSum(.decimal)
            for text in texts { sum.add(.text(DecimalText.text(try #require(Decimal(string: text))))) }
            return sum.sum(as: .decimal).flatMap { Decimal._number(of: $0) }
        }
        #expect(try sum("1e38", "0.5") == Decimal(string: "1e38"))
        #expect(try sum("1e37", "0.5") == Decimal(string: "10000000000000000000000000000000000000.5"))
        #expect(try sum("40e37", "5") == Decimal(string: "400000000000000000000000000000000000010"))
        #expect(try sum("-40e37", "-5") == Decimal(string: "-400000000000000000000000000000000000010"))
        #expect(try sum("-40e37", "-4") == Decimal(string: "-40e37"))
        #expect(try sum("9999999999999999999999999999999999999.95", "0.05", "1e-60") == Decimal(string: "1e37"))
    }
}
