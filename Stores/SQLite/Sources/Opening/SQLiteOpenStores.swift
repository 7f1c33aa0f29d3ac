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

    private static let open = Mutex<[String: [Entry]]>([:])

    static func enter(_ store: SQLiteStore, _ path: String) {
        open.withLock { open in
            open[path, default: []].removeAll { $0.store == nil }
            open[path, default: []].append(Entry(store: store))
        }
    }

    /// Closes the stores of a file.
    ///
    /// - Parameter path: the file's path, without symbolic links.
    static func close(_ path: String) {
        let stores = open.withLock { open in
            (open.removeValue(forKey: path) ?? []).compactMap(\.store)
        }
        for store in stores { store.close() }
    }

    static func leave(_ path: String) {
        open.withLock { open in
            open[path]?.removeAll { $0.store == nil }
            if open[path]?.isEmpty == true { open[path] = nil }
        }
    }
}
