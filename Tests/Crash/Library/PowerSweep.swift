import Foundation

/// Numbers that come again with the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}

extension Bench {
    /// Has the power fail at each moment at which that makes a difference.
    ///
    /// - Parameters:
    ///   - limit: how many states are looked at for each moment.
    ///   - choice: which moments are tried.
    func sweepPower(
        _ scenario: Scenario, _ store: CrashStore, seed: UInt64, limit: Int, _ choice: CallChoice,
        into report: inout Report
    ) throws {
        let reference = try reference(scenario, store)
        report.scenarios.insert(scenario.name)
        let model = DiskModel(reference.base, inodes: reference.inodes, reference.log)
        var seen: Set<Seen> = []
        for number in choice.numbers(of: model.moments.count) {
            let moment = model.moments[number - 1]
            // What is durable without waiting may lose saves, not parts of one.
            let first = store == .relaxed ? 0 : moment.saved
            let allowed = Array(reference.states[first..<min(moment.saved + 2, reference.states.count)])
            var generator = SeededGenerator(seed &+ UInt64(number))
            for image in model.states(at: moment, limit: limit, using: &generator) {
                guard seen.insert(Seen(image: image.hashValue, saved: moment.saved)).inserted else { continue }
                try image.write(to: verificationFolder)
                report.powerFailures += 1
                let findings = try verify(reference, allowed: allowed).findings
                report.add(
                    reference, "power --seed \(seed) --states \(limit) --at \(number)",
                    findings.map { "after \(moment.saved) saves: \($0)" })
            }
        }
    }

    private struct Seen: Hashable {
        let image: Int
        let saved: Int
    }
}
