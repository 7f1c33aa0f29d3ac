import CofferCore
import Foundation
import Synchronization

/// The folders this process has open. LMDB must not open one twice: closing one of two would take the other's locks.
enum LMDBRegistry {
    /// What tells folders apart, whatever path leads to them.
    private struct Folder: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private struct Entry {
        let environment: LMDBEnvironment
        var holds: Int
        var engines: [WeakEngine] = []
    }

    private struct WeakEngine {
        weak var engine: LMDBEngine?
    }

    private static let open = Mutex<[Folder: Entry]>([:])

    /// Opens a folder, or shares what is open already.
    ///
    /// - Parameter make: opens it.
    static func hold(_ path: String, _ make: () throws -> LMDBEnvironment) throws -> LMDBHold {
        try open.withLock { open in
            guard let status = LMDBFile.status(path) else { throw LMDBFailure(code: errno) }
            let folder = Folder(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
            if let entry = open[folder] {
                open[folder]?.holds += 1
                return LMDBHold(entry.environment) { release(folder) }
            }
            let environment = try make()
            open[folder] = Entry(environment: environment, holds: 1)
            return LMDBHold(environment) { release(folder) }
        }
    }

    /// Notes an engine of a folder that is open.
    static func enter(_ engine: LMDBEngine, _ path: String) {
        guard let folder = folder(path) else { return }
        open.withLock { open in
            open[folder]?.engines.removeAll { $0.engine == nil }
            open[folder]?.engines.append(WeakEngine(engine: engine))
        }
    }

    /// Closes the engines of a folder. A program that opens it with newer models has no use for a store of the older
    /// ones that some object still keeps, and that store would keep the folder from being migrated.
    static func close(_ path: String) {
        guard let folder = folder(path) else { return }
        let engines = open.withLock { open in open[folder]?.engines.compactMap(\.engine) ?? [] }
        for engine in engines { engine.close() }
    }

    private static func folder(_ path: String) -> Folder? {
        LMDBFile.status(path).map { Folder(device: UInt64($0.st_dev), inode: UInt64($0.st_ino)) }
    }

    /// Whether this process has a folder open.
    static func isOpen(_ path: String) -> Bool {
        guard let folder = folder(path) else { return false }
        return open.withLock { $0[folder] != nil }
    }

    private static func release(_ folder: Folder) {
        open.withLock { open in
            guard var entry = open[folder] else { return }
            entry.holds -= 1
            // The file is closed before anybody may open it anew.
            open[folder] = entry.holds > 0 ? entry : nil
        }
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
        // The registry shall be the last to let go, so that the file is closed while it holds its lock.
        held.withLock { $0 = nil }
        release()
    }
}
