import CrashShim
import Foundation

/// Which calls of a scenario, or moments in it, are tried.
struct CallChoice: Sendable {
    /// Only every so manieth.
    var stride = 1
    /// The most that are tried.
    var limit: Int?
    /// This one alone.
    var at: Int?

    /// The numbers, from 1 on.
    func numbers(of count: Int) -> [Int] {
        if let at { return (1...max(count, 1)).contains(at) ? [at] : [] }
        let step = max(stride, limit.map { (count + $0 - 1) / $0 } ?? 1)
        return Array(Swift.stride(from: 1, through: count, by: step))
    }
}

extension Bench {
    /// Kills a scenario before each of its calls, and in the middle of each write.
    ///
    /// - Parameters:
    ///   - choice: which calls are tried.
    func sweepKills(
        _ scenario: Scenario, _ store: CrashStore, _ choice: CallChoice, into report: inout Report
    ) throws {
        let reference = try reference(scenario, store)
        report.scenarios.insert(scenario.name)
        for number in choice.numbers(of: reference.log.calls.count) {
            let call = reference.log.calls[number - 1]
            for mode in [COFFER_CRASH_KILL, COFFER_CRASH_KILL_HALFWAY] {
                if mode == COFFER_CRASH_KILL_HALFWAY, call.kind != "w" || call.size < 2 { continue }
                try reference.base.write(to: trialFolder)
                let ended = try run(scenario, store, Orders(mode: mode, at: number))
                var findings = ended.texts("finding") + ended.texts("error")
                if ended.signal != SIGKILL {
                    if ended.hasFinished { continue }
                    findings.append("it was not killed: \(ended)")
                }
                report.kills += 1
                try FolderImage(reading: trialFolder).write(to: verificationFolder)
                let allowed = reference.states[ended.saved...].prefix(2)
                findings += try verify(reference, allowed: Array(allowed)).findings
                let way = mode == COFFER_CRASH_KILL ? "before" : "in the middle of"
                report.add(
                    reference, "kills --at \(number)", findings.map { "killed \(way) \(call.kind) \(call.path): \($0)" }
                )
            }
        }
    }
}
