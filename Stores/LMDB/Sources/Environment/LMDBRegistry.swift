import CofferCore
import Foundation
import Synchronization

/// The folders this process has open. LMDB must not open one twice: closing one of two would take the other's locks.
enum LMDBRegistry {
    private struct Entry {
        let environment: LMDBEnvironment
        var holds: Int
        var engines: [WeakEngine] = []
        /// Whether it is open for a migration, which shares it with nobody.
        var isMigrating = false
    }

    private struct WeakEngine {
        weak var engine: LMDBEngine?
    }

    private static let open = Mutex<[FileIdentity: Entry]>([:])

    /// Opens a folder, or shares what is open already.
    ///
    /// - Parameters:
    ///   - isMigrating: whether nobody else shall have it open meanwhile.
    ///   - make: opens it.
    /// - Throws: ``InUse`` where somebody has it open who does not share it.
    static func hold(
        _ path: String, isMigrating: Bool = false, _ make: () throws -> LMDBEnvironment
    ) throws -> LMDBHold {
        try open.withLock { open in
            guard let folder = FileIdentity(path) else { throw LMDBFailure(code: errno) }
            if let entry = open[folder] {
                if entry.isMigrating || isMigrating { throw InUse() }
                // The other file would have its readers in the same list, from which closing the one would strike them.
                try entry.environment.checkPlace()
                open[folder]?.holds += 1
                return LMDBHold(entry.environment) { release(folder) }
            }
            let environment = try make()
            open[folder] = Entry(environment: environment, holds: 1, isMigrating: isMigrating)
            return LMDBHold(environment) { release(folder) }
        }
    }

    /// Notes an engine of a folder that is open.
    static func enter(_ engine: LMDBEngine, _ path: String) {
        guard let folder = FileIdentity(path) else { return }
        open.withLock { $0[folder]?.engines.append(WeakEngine(engine: engine)) }
    }

    /// Closes the engines of a folder. A program that opens it with newer models has no use for a store of the older
    /// ones that some object still keeps, and that store would keep the folder from being migrated.
    ///
    /// - Parameter file: the file whose engines are meant; nil for whichever is open.
    static func close(_ path: String, _ file: FileIdentity? = nil) {
        guard let folder = FileIdentity(path) else { return }
        let engines = open.withLock { open -> [WeakEngine] in
            guard let entry = open[folder], file == nil || entry.environment.file == file else { return [] }
            return entry.engines
        }
        // None is taken out of its entry under the lock: it might be let go of there, and give its hold back.
        for entry in engines { entry.engine?.close() }
    }

    /// Closes the engines of a folder that LMDB has given up, so that it can be opened anew.
    static func closeBroken(_ path: String) {
        guard let folder = FileIdentity(path) else { return }
        let hold = open.withLock { open -> LMDBHold? in
            guard let entry = open[folder], !entry.isMigrating else { return nil }
            open[folder]?.holds += 1
            return LMDBHold(entry.environment) { release(folder) }
        }
        guard let hold else { return }
        if withExtendedLifetime(hold, { hold.environment.isBroken }) { close(path) }
    }

    /// Empties a file that a process left which died while it made a store; see ``LMDBFile/clearUnmade(_:)``.
    static func clearUnmade(_ path: String) {
        guard let folder = FileIdentity(path) else { return }
        open.withLock { if $0[folder] == nil { LMDBFile.clearUnmade(path) } }
    }

    /// Removes what is left of a store that could not be made, unless somebody else is making it.
    static func removeUnmade(_ path: String, isMade: Bool) {
        guard let folder = FileIdentity(path) else { return }
        open.withLock { if $0[folder] == nil { LMDBFile.removeUnmade(path, isMade: isMade) } }
    }

    /// Somebody has a folder open and does not share it.
    struct InUse: Error {}

    /// Tries again and again to open a folder that is in use.
    ///
    /// - Throws: `storeBusy` after the time given.
    static func waiting<T>(_ timeout: Duration, _ detail: String, _ body: () throws -> T) throws -> T {
        let end = StoreDeadline(after: timeout)
        while true {
            do {
                return try body()
            } catch is InUse {
                guard !end.isReached else { throw SwiftDataError(.storeBusy, detail: detail) }
                usleep(1000)
            }
        }
    }

    private static func release(_ folder: FileIdentity) {
        open.withLock { open in
            guard var entry = open[folder] else { return }
            entry.holds -= 1
            open[folder] = entry.holds > 0 ? entry : nil
            // The file is closed before anybody may open it anew, whoever still knows the object: closing it later would
            // take the locks and the readers of whoever has it open then.
            if entry.holds == 0 { entry.environment.close() }
        }
    }

    /// Whether the file at a place is open in this process.
    static func isOpen(_ path: String) -> Bool {
        guard let folder = FileIdentity(path) else { return false }
        return open.withLock { $0[folder]?.environment.file }.map { $0 == LMDBFile.identity(path) } ?? false
    }

    /// How many folders are open.
    static var count: Int { open.withLock { $0.count } }
}

/// Keeps a folder open as long as it lives.
final class LMDBHold: Sendable {
    private let held: Mutex<LMDBEnvironment?>
    private let release: @Sendable () -> Void
    unowned let environment: LMDBEnvironment

    fileprivate init(_ environment: LMDBEnvironment, release: @escaping @Sendable () -> Void) {
        self.environment = environment
        held = Mutex(environment)
        self.release = release
    }

    deinit {
        held.withLock { $0 = nil }
        release()
    }
}
