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
