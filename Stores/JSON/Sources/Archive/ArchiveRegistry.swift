import CofferCore
import Foundation
import Synchronization

/// The archives this process has open, so that its stores share one copy of each in memory.
enum ArchiveRegistry {
    private struct Entry {
        let archive: Archive
        var holds: Int
        /// Whether one of its stores may write.
        var allowsSave = false
    }

    private static let open = Mutex<[ArchivePlace: Entry]>([:])

    /// Takes hold of the archive at a place. Nothing is read yet.
    static func hold(_ place: ArchivePlace) -> ArchiveHold {
        let archive = open.withLock { open in
            var entry = open[place] ?? Entry(archive: Archive(place), holds: 0)
            entry.holds += 1
            open[place] = entry
            return entry.archive
        }
        return ArchiveHold(
            archive, allowSave: { open.withLock { $0[place]?.allowsSave = true } }, release: { release(place) })
    }

    private static func release(_ place: ArchivePlace) {
        let last = open.withLock { open -> Entry? in
            guard var entry = open[place] else { return nil }
            entry.holds -= 1
            open[place] = entry.holds > 0 ? entry : nil
            return entry.holds > 0 ? nil : entry
        }
        if let last, last.allowsSave { ArchiveHold.foldAtLast(last.archive) }
    }

    /// How many archives are open.
    static var count: Int { open.withLock { $0.count } }
}

/// Keeps an archive open as long as it lives.
final class ArchiveHold: Sendable {
    let archive: Archive
    private let allowSave: @Sendable () -> Void
    private let release: @Sendable () -> Void

    init(
        _ archive: Archive, allowSave: @escaping @Sendable () -> Void, release: @escaping @Sendable () -> Void
    ) {
        self.archive = archive
        self.allowSave = allowSave
        self.release = release
    }

    deinit { release() }

    /// Says that the archive may be written by whoever has this hold.
    func allowsSave() { allowSave() }

    /// Folds the journal in, now that nobody uses the archive any more. Where that fails, or somebody else is writing,
    /// the journal stays, and nothing is lost.
    static func foldAtLast(_ archive: Archive) { try? archive.fold(.zero) }
}
