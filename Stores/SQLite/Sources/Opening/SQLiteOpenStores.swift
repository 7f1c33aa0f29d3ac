import CofferCore
import Foundation
import Synchronization

/// The stores that this process has open, by file.
///
/// A program that opens a file with newer models has no use for a store of the older ones that some object still keeps,
/// and that store would keep the file from being migrated.
enum SQLiteOpenStores {
    /// What tells files apart, whatever path leads to them.
    struct File: Hashable {
        let device: UInt64
        let inode: UInt64

        /// Nil where there is no file.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    private struct Entry {
        weak var store: SQLiteStore?
    }

    // No store is taken out of its entry under the lock: it might be let go of there, and leave.
    private static let open = Mutex<[File: [ObjectIdentifier: Entry]]>([:])

    static func enter(_ store: SQLiteStore, _ file: File) {
        open.withLock { $0[file, default: [:]][ObjectIdentifier(store)] = Entry(store: store) }
    }

    static func leave(_ store: SQLiteStore, _ file: File) {
        open.withLock { open in
            open[file]?[ObjectIdentifier(store)] = nil
            if open[file]?.isEmpty == true { open[file] = nil }
        }
    }

    /// Closes the stores of a file.
    static func close(_ file: File) {
        for entry in open.withLock({ $0[file] ?? [:] }).values { entry.store?.close() }
    }
}
