import CrashShim
import Foundation

extension Bench {
    /// Kills random programs at random, and has what was killed go on in what it has left, again and again.
    ///
    /// - Parameters:
    ///   - kills: how many processes are killed.
    ///   - progress: is told of the kills from time to time.
    func killAtRandom(
        _ store: CrashStore, seed: UInt64, kills: Int, into report: inout Report, progress: (Int) -> Void = { _ in }
    ) throws {
        var life = seed
        var done = 0
        while done < kills {
            let program = RandomProgram(seed: life, length: kills < 50 ? 8 : 30)
            let reference = try reference(program, store)
            let most = reference.log.calls.count / program.length * 2 + 8
            report.scenarios.insert("random")
            try reference.base.write(to: trialFolder)
            var generator = SeededGenerator(life)
            var saved = 0
            var isAlive = true
            while isAlive, done < kills {
                let ended = try killOnce(program.scenario(after: saved), store, atMost: most, &generator)
                if ended.signal == SIGKILL {
                    done += 1
                    report.kills += 1
                    if done % 250 == 0 { progress(done) }
                }
                try FolderImage(reading: trialFolder).write(to: verificationFolder)
                let first = min(saved + ended.saved, reference.states.count - 1)
                let allowed = Array(reference.states[first...].prefix(2))
                let (state, texts) = try verify(reference, allowed: allowed)
                let findings = texts + ended.texts("error") + ended.texts("finding")
                report.add(
                    reference, "random --seed \(life) --kills \(done)",
                    findings.map { "kill \(done), after \(first) saves: \($0)" })
                // It goes on as it was left, without having been opened in between.
                guard findings.isEmpty, let state, let now = reference.states.lastIndex(of: state) else { break }
                saved = now
                isAlive = ended.signal == SIGKILL && saved < program.length
            }
            life += 1
        }
    }

    /// What a random program does when it is not killed, save by save.
    private func reference(_ program: RandomProgram, _ store: CrashStore) throws -> Reference {
        let whole = program.scenario(after: 0)
        let base = try prepare(whole, store)
        let calls = try record(whole, store, from: base, countsReading: false)
        try base.write(to: trialFolder)
        var states = [try state(whole, store, in: trialFolder)]
        for number in 0..<program.length {
            _ = try run(program.scenario(after: number), store, Orders(), last: 1)
            states.append(try state(whole, store, in: trialFolder))
        }
        return Reference(
            scenario: whole, store: store, base: base, inodes: calls.inodes, states: states, log: calls.log)
    }

    /// Kills at some call or at some time.
    private func killOnce(
        _ scenario: Scenario, _ store: CrashStore, atMost most: Int, _ generator: inout SeededGenerator
    ) throws -> Worker.Ended {
        var orders = Orders()
        var delay: Int?
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: orders.mode = COFFER_CRASH_KILL
        case 5..<7: orders.mode = COFFER_CRASH_KILL_HALFWAY
        default: delay = Int.random(in: 0..<12_000, using: &generator)
        }
        orders.at = Int.random(in: 1...most, using: &generator)
        let site = scenario.site(store, trialFolder)
        return try Worker.run(killedAfter: delay) { say in
            say("begin")
            Self.arm(site, orders)
            try scenario.run(site, Trial(say: say))
        }
    }
}
