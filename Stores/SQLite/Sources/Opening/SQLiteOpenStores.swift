import CofferCore
import Foundation
import Synchronization

/// The stores that this process has open, by file.
///
/// A program that opens a file with newer models has no use for a store of the older ones that some object still keeps,
/// and that store would keep the file from being migrated.
enum SQLiteOpenStores {
    private struct Entry {
        weak var store: SQLiteStore?
    }

    // No store is taken out of its entry under the lock: it might be let go of there, and leave.
    private static let open = Mutex<[FileIdentity: [ObjectIdentifier: Entry]]>([:])

    static func enter(_ store: SQLiteStore, _ file: FileIdentity) {
        open.withLock { $0[file, default: [:]][ObjectIdentifier(store)] = Entry(store: store) }
    }

    static func leave(_ store: SQLiteStore, _ file: FileIdentity) {
        open.withLock { open in
            open[file]?[ObjectIdentifier(store)] = nil
            if open[file]?.isEmpty == true { open[file] = nil }
        }
    }

    /// Closes the stores of a file.
    static func close(_ file: FileIdentity) {
        for entry in open.withLock({ $0[file] ?? [:] }).values { entry.store?.close() }
    }
}
