import Testing

@testable import CofferCore

@Suite("The difference of two lists by identity")
struct IdentityDifferenceTests {
    private final class Thing: Sendable {}

    /// Numbers that are the same in every run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test("turns the one into the other, with as few moves as can be", arguments: 0..<400)
    func random(_ seed: Int) {
        var numbers = Numbers(state: UInt64(seed))
        let things = (0..<9).map { _ in Thing() }
        let old = Array(things.shuffled(using: &numbers).prefix(Int.random(in: 0...7, using: &numbers)))
        let new = Array(things.shuffled(using: &numbers).prefix(Int.random(in: 0...7, using: &numbers)))
        let difference = IdentityDifference(from: old, to: new)
        #expect(
            old.applying(difference.changes).map { $0.map(ObjectIdentifier.init) } == new.map(ObjectIdentifier.init))
        #expect(difference.inserted.allSatisfy { thing in !old.contains { $0 === thing } })
        #expect(difference.removed.allSatisfy { thing in !new.contains { $0 === thing } })
        let staying = new.filter { thing in old.contains { $0 === thing } }
        let places = staying.map { thing in old.firstIndex { $0 === thing } ?? -1 }
        let moves = difference.changes.insertions.filter {
            if case .insert(_, _, .some) = $0 { true } else { false }
        }
        #expect(difference.inserted.count == new.count - staying.count)
        #expect(difference.removed.count == old.count - staying.count)
        #expect(moves.count == places.count - longestRise(places))
    }

    /// By trying everything.
    private func longestRise(_ numbers: [Int]) -> Int {
        (0..<(1 << numbers.count)).reduce(0) { longest, set in
            let chosen = numbers.indices.filter { set & (1 << $0) != 0 }.map { numbers[$0] }
            return zip(chosen, chosen.dropFirst()).allSatisfy { $0 < $1 } ? max(longest, chosen.count) : longest
        }
    }

    @Test("of many that are turned round is quick to make")
    func reversed() {
        let things = (0..<20_000).map { _ in Thing() }
        let difference = IdentityDifference(from: things, to: things.reversed())
        #expect(difference.inserted.isEmpty && difference.removed.isEmpty)
        #expect(difference.changes.insertions.count == things.count - 1)
    }
}
