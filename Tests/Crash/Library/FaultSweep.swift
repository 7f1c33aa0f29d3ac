import CrashShim
import Foundation

/// A way in which the system lets a program down.
struct Fault: Sendable {
    let name: String
    let code: Int32
    /// The kinds of calls that fail so.
    let kinds: String

    static let all: [Fault] = [
        Fault(name: "ENOSPC", code: ENOSPC, kinds: "cwmlt"),
        Fault(name: "EIO", code: EIO, kinds: "wtsnr"),
        Fault(name: "EMFILE", code: EMFILE, kinds: "co"),
        Fault(name: "EACCES", code: EACCES, kinds: "cnlumdo"),
        Fault(name: "EROFS", code: EROFS, kinds: "cwtnlumd"),
    ]
}

extension Bench {
    /// Which faults are tried.
    struct FaultChoice {
        var calls = CallChoice()
        var fault: String?
        /// Once, or from the call on; nil for both.
        var lasts: Bool?
        var reaction: Trial.Reaction?
    }

    /// Has each call fail, in each way in which it may: the save throws, the changes are still there, nothing is stored;
    /// and it can be done once the system works again.
    func sweepFaults(
        _ scenario: Scenario, _ store: CrashStore, _ choice: FaultChoice, into report: inout Report
    ) throws {
        let reference = try reference(scenario, store)
        let calls = try record(scenario, store, from: reference.base, countsReading: true).log.calls
        report.scenarios.insert(scenario.name)
        for number in choice.calls.numbers(of: calls.count) {
            let call = calls[number - 1]
            for fault in Fault.all where fault.kinds.contains(call.kind) && choice.fault ?? fault.name == fault.name {
                for lasts in [false, true] where choice.lasts ?? lasts == lasts {
                    // What only reads has nothing to leave half done.
                    let isReading = call.kind == "o" || call.kind == "r"
                    for reaction in [Trial.Reaction.retry, .leave] where choice.reaction ?? reaction == reaction {
                        if choice.calls.at == nil, isReading, reaction == .leave { continue }
                        try self.fault(reference, calls, number, fault, lasts, reaction, into: &report)
                    }
                }
            }
        }
    }

    private func fault(
        _ reference: Reference, _ calls: [CallLog.Call], _ number: Int, _ fault: Fault, _ lasts: Bool,
        _ reaction: Trial.Reaction, into report: inout Report
    ) throws {
        let call = calls[number - 1]
        try reference.base.write(to: trialFolder)
        var orders = Orders(mode: lasts ? COFFER_CRASH_FAIL_ON : COFFER_CRASH_FAIL_ONCE, at: number)
        orders.error = fault.code
        orders.kinds = fault.kinds
        orders.countsReading = true
        let ended = try run(reference.scenario, reference.store, orders, reaction)
        report.faults += 1
        let thrown = ended.texts("threw").last
        if thrown != nil { report.thrown += 1 }
        if isVerbose { print(number, call.kind, call.path, fault.name, lasts ? "lasting" : "once", reaction, ended) }
        var findings = ended.texts("finding")
        // A copy that is in its place cannot be taken back where the system renames and removes nothing any more.
        let isStuck = lasts && thrown?.hasSuffix(" converting") == true && fault.kinds.contains { "nu".contains($0) }
        findings += ended.texts("error").filter { !isStuck || !$0.contains("storeExists") }
            .map { "when the system works again, or without its failing: \($0)" }
        if ended.signal != 0 { findings.append("it ends with signal \(ended.signal)") }
        if ended.isTooSlow { findings.append("it never ends") }
        // SQLite goes on where the folder cannot be synced, and so does a migration whose store is in its place.
        let isFolder =
            call.path.isEmpty || call.path == "store.lmdb" || call.path.contains(".copy-") && !call.path.contains("/")
        let isLeft = isFolder && (reference.store.keepsFiles || reference.scenario.openingFinishes)
        let isFolded =
            reference.scenario.closesStores && reference.store == .journal
            && (call.path.isEmpty || call.path.contains(".coffer-"))
        if call.kind == "s", !lasts, thrown == nil, reaction == .retry, call.saved < reference.states.count - 1,
            !isLeft, !isFolded
        {
            findings.append("a save is reported whose sync has failed")
        }
        if ended.signal == 0, ended.texts("error").isEmpty || isStuck {
            let known = min(ended.saved, reference.states.count - 1)
            var allowed = [reference.states[known]]
            // A store that has been migrated or made stays so, whether or not it could be opened afterwards.
            let isMade = thrown?.hasSuffix(" opening") == true && reference.states[known] == "none" || isStuck
            if thrown != nil, reference.scenario.openingFinishes || isMade {
                allowed += reference.states[(known + 1)...].prefix(1)
            }
            try FolderImage(reading: trialFolder).write(to: verificationFolder)
            // What could not be removed lies about.
            let removes = lasts ? fault.kinds.contains("u") : call.kind == "u"
            findings += try verify(reference, allowed: allowed).findings.filter {
                !removes || !$0.hasPrefix("left behind")
            }
        }
        let options =
            "faults --at \(number) --error \(fault.name) --\(lasts ? "lasting" : "once") --\(reaction.rawValue)"
        report.add(
            reference, options,
            findings.map {
                "\(fault.name)\(lasts ? " from" : " at") \(call.kind) \(call.path)\(thrown.map { " (\($0))" } ?? ""): \($0)"
            })
    }
}
