import Coffer
import CrashShim
import Foundation

/// The folders in which trials run, and what a scenario does when nothing is wrong.
public final class Bench {
    /// Removed with the object.
    let root: String
    /// Whether each trial is printed.
    var isVerbose = false
    private var references: [String: Reference] = [:]

    /// What a scenario on a store does when nothing is wrong.
    struct Reference {
        let scenario: Scenario
        let store: CrashStore
        /// What is there before.
        let base: FolderImage
        /// The inodes of the files of the run that was recorded, by path.
        let inodes: [String: Int]
        /// The states after so many saves.
        let states: [String]
        let log: CallLog
    }

    public init() throws {
        var template = Array((NSTemporaryDirectory() + "/coffer-crash-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template), let real = realpath(made, nil) else {
            throw CrashFault("no temporary folder")
        }
        root = String(cString: real)
        free(real)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Where scenarios run.
    var trialFolder: String { root + "/trial" }
    /// Where what they leave is looked at.
    var verificationFolder: String { root + "/look" }

    // MARK: Running

    /// What the shim is told.
    struct Orders {
        var mode = COFFER_CRASH_OFF
        var at = 0
        var error: Int32 = 0
        /// Which kinds of calls fail.
        var kinds = ""
        var countsReading = false
        var log: Int32 = -1
    }

    /// Runs a scenario in the trial folder as it is.
    func run(
        _ scenario: Scenario, _ store: CrashStore, _ orders: Orders, _ reaction: Trial.Reaction = .none,
        last: Int? = nil
    ) throws -> Worker.Ended {
        let site = scenario.site(store, trialFolder)
        return try Worker.run { say in
            Self.arm(site, orders)
            do {
                try scenario.run(site, Trial(reaction, last: last, say: say))
            } catch is Trial.Left {
                say("left")
            } catch is Trial.Closed {
                say("left")
            }
        }
    }

    static func arm(_ site: Site, _ orders: Orders) {
        coffer_crash_arm(
            site.folder, Int32(bitPattern: orders.mode.rawValue), orders.at, orders.error, orders.kinds,
            orders.countsReading ? 1 : 0, orders.log)
    }

    /// Runs a scenario from its beginning on, and reads what it asks of the system.
    func record(_ scenario: Scenario, _ store: CrashStore, from base: FolderImage, countsReading: Bool) throws -> (
        log: CallLog, inodes: [String: Int], saved: Int
    ) {
        try base.write(to: trialFolder)
        let path = root + "/log"
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CrashFault("no log") }
        defer { close(descriptor) }
        var inodes: [String: Int] = [:]
        for name in base.files.keys {
            var status = stat()
            if stat(trialFolder + "/" + name, &status) == 0 { inodes[name] = Int(status.st_ino) }
        }
        var orders = Orders(mode: COFFER_CRASH_RECORD)
        orders.countsReading = countsReading
        orders.log = descriptor
        let ended = try run(scenario, store, orders)
        guard ended.hasFinished else { throw CrashFault("\(scenario.name) on \(store): \(ended)") }
        var status = stat()
        fstat(descriptor, &status)
        return (CallLog(try FolderImage.bytes(path, Int(status.st_size)), below: trialFolder), inodes, ended.saved)
    }

    private var warm: Set<CrashStore> = []

    /// Does once what the copies of this process will do, and closes it again: what the language's runtime looks up the
    /// first time takes most of the time of a short process.
    private func warmUp(_ store: CrashStore) throws {
        guard warm.insert(store).inserted else { return }
        let folder = root + "/warm"
        try FolderImage().write(to: folder)
        let site = Site(store, folder)
        try World.fill(ModelContext(site.open()), for: store)
        for scenario in Scenarios.all.prefix(12) { try scenario.run(site, Trial { _ in }) }
        _ = try site.state()
        _ = try StoreInspection(site: site).findings()
    }

    // MARK: States

    /// The state of the store in a folder, by a process of its own.
    func state(_ scenario: Scenario, _ store: CrashStore, in folder: String) throws -> String {
        let site = scenario.site(store, folder)
        let ended = try Worker.run { say in say("state \(try site.state(isRanked: scenario.isRanked))") }
        guard let state = ended.texts("state").first else { throw CrashFault("\(scenario.name) on \(store): \(ended)") }
        return state
    }

    /// Makes what is there before.
    func prepare(_ scenario: Scenario, _ store: CrashStore) throws -> FolderImage {
        try warmUp(store)
        try FolderImage().write(to: trialFolder)
        let site = scenario.site(store, trialFolder)
        let prepared = try Worker.run { _ in try scenario.prepare(site) }
        guard prepared.hasFinished else {
            throw CrashFault("\(scenario.name) on \(store) cannot be prepared: \(prepared)")
        }
        return try FolderImage(reading: trialFolder)
    }

    /// What a scenario does when nothing is wrong; worked out once.
    func reference(_ scenario: Scenario, _ store: CrashStore) throws -> Reference {
        let key = scenario.name + "/" + store.rawValue
        if let known = references[key] { return known }
        let base = try prepare(scenario, store)
        var states = [try state(scenario, store, in: trialFolder)]
        let (log, inodes, saves) = try record(scenario, store, from: base, countsReading: false)
        let end = try state(scenario, store, in: trialFolder)
        for number in 1..<max(saves + 1, 1) where number <= saves {
            try base.write(to: trialFolder)
            _ = try run(scenario, store, Orders(), last: number)
            states.append(try state(scenario, store, in: trialFolder))
        }
        guard states.last == end else {
            throw CrashFault("\(key): it ends as \(end), and its last save leaves \(states.last ?? "")")
        }
        if scenario.alwaysChanges, zip(states, states.dropFirst()).contains(where: ==) {
            throw CrashFault("\(key): a save changes nothing: \(states)")
        }
        let reference = Reference(
            scenario: scenario, store: store, base: base, inodes: inodes, states: states, log: log)
        references[key] = reference
        return reference
    }

    // MARK: Looking at what is left

    /// Looks at the store that is left in the folder for it, in a process of its own.
    ///
    /// - Parameter allowed: the states that it may have.
    /// - Returns: its state, and what is wrong.
    func verify(_ reference: Reference, allowed: [String]) throws -> (state: String?, findings: [String]) {
        let scenario = reference.scenario
        let site = scenario.site(reference.store, verificationFolder)
        let ended = try Worker.run { say in
            let held = try site.state(isRanked: scenario.isRanked)
            say("state \(held)")
            if !allowed.contains(held) {
                let number = reference.states.firstIndex(of: held).map { "that after save \($0)" } ?? "none of them"
                say("finding the state is \(number): \(held) instead of \(allowed)")
            }
            for text in try scenario.check(site) { say("finding \(text)") }
            guard scenario.opens else { return }
            withExtendedLifetime(try scenario.open(site)) {}
            let opened = try site.state(isRanked: scenario.isRanked)
            let wanted =
                scenario.openingFinishes
                ? reference.states.last : held == "none" ? reference.states.dropFirst().first : held
            if opened != wanted, let wanted { say("finding opening makes it \(opened) instead of \(wanted)") }
            if opened == "none" { return }
            for text in try StoreInspection(site: site).findings() { say("finding \(text)") }
        }
        var findings = ended.texts("finding") + ended.texts("error").map { "it cannot be opened: \($0)" }
        if ended.signal != 0 { findings.append("opening it ends the process with signal \(ended.signal)") }
        if ended.isTooSlow { findings.append("opening it never ends") }
        return (ended.texts("state").first, findings)
    }
}
