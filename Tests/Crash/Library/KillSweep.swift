import CrashShim
import Foundation

extension Bench {
    /// Kills a scenario before each of its calls, and in the middle of each write.
    ///
    /// - Parameters:
    ///   - stride: tries only every so manieth call.
    ///   - only: tries this call alone.
    func sweepKills(
        _ scenario: Scenario, _ store: CrashStore, every stride: Int = 1, only: Int? = nil, into report: inout Report
    ) throws {
        let reference = try reference(scenario, store)
        report.scenarios.insert(scenario.name)
        let numbers = only.map { [$0] } ?? Array(Swift.stride(from: 1, through: reference.log.calls.count, by: stride))
        for number in numbers where reference.log.calls.indices.contains(number - 1) {
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
