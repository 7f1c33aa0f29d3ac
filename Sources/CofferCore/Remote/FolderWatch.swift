#if canImport(Glibc)
import Dispatch
import Foundation
import Glibc
import Synchronization

/// Hears of writes to files: one thread of the process waits for the system to report them.
///
/// A watch ends with the object.
final class FolderWatch: Sendable {
    private let folder: String
    private let names: Set<String>
    private let hear: @Sendable () -> Void

    /// Watches files, which need not be there yet.
    ///
    /// - Parameters:
    ///   - files: in one folder.
    ///   - hear: is called on the waiting thread, so that it has to be short; once for several writes, perhaps.
    /// - Returns: nil where the system has no watch left to give, or the folder is none.
    static func start(_ files: [URL], _ hear: @escaping @Sendable () -> Void) -> FolderWatch? {
        guard let folder = files.first?.deletingLastPathComponent().path else { return nil }
        let watch = FolderWatch(folder, Set(files.map(\.lastPathComponent)), hear)
        return FolderWatches.shared?.add(watch, folder) == true ? watch : nil
    }

    private init(_ folder: String, _ names: Set<String>, _ hear: @escaping @Sendable () -> Void) {
        self.folder = folder
        self.names = names
        self.hear = hear
    }

    deinit { FolderWatches.shared?.removeDead(folder) }

    /// Something happened to a file of the folder; no name where reports were lost.
    fileprivate func note(_ name: String?) {
        if name.map(names.contains) ?? true { hear() }
    }
}

/// The folders that the process watches, through one channel to the system, of which a user has few.
private final class FolderWatches: @unchecked Sendable {
    static let shared = FolderWatches()

    private let channel: Int32
    private struct WeakWatch {
        weak var watch: FolderWatch?
    }
    private struct Folder {
        let number: Int32
        var watches: [WeakWatch] = []
    }
    private let folders = Mutex<[String: Folder]>([:])
    /// How long the thread lets reports gather after each that it took. A small save writes several times, most of them
    /// this process's own, and to wake a thread for each costs as much as the writing; those of one file that wait behind
    /// each other are one to the system.
    private static let pause: useconds_t = 5_000

    private init?() {
        channel = inotify_init1(Int32(IN_CLOEXEC))
        if channel < 0 { return nil }
        let thread = Thread { [self] in wait() }
        thread.name = "Coffer.FolderWatches"
        thread.start()
    }

    func add(_ watch: FolderWatch, _ path: String) -> Bool {
        folders.withLock { folders in
            let events = UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)
            // The system knows a folder that is watched already, and answers with its number.
            let number = inotify_add_watch(channel, path, events)
            if number < 0 { return false }
            if folders[path]?.number != number { folders[path] = Folder(number: number) }
            folders[path]?.watches.append(WeakWatch(watch: watch))
            return true
        }
    }

    func removeDead(_ path: String) {
        folders.withLock { folders in
            folders[path]?.watches.removeAll { $0.watch == nil }
            guard let folder = folders[path], folder.watches.isEmpty else { return }
            folders[path] = nil
            // Another path may lead to the same folder.
            if folders.values.contains(where: { $0.number == folder.number }) { return }
            inotify_rm_watch(channel, folder.number)
        }
    }

    private func wait() {
        let size = 16384
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<inotify_event>.alignment)
        defer { buffer.deallocate() }
        let header = MemoryLayout<inotify_event>.size
        while true {
            let count = read(channel, buffer, size)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            var place = 0
            while place + header <= count {
                let event = buffer.load(fromByteOffset: place, as: inotify_event.self)
                let name =
                    event.len == 0
                    ? nil : String(cString: (buffer + place + header).assumingMemoryBound(to: CChar.self))
                place += header + Int(event.len)
                note(event, name)
            }
            usleep(Self.pause)
        }
    }

    private func note(_ event: inotify_event, _ name: String?) {
        let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
        let watches = folders.withLock { folders in
            let concerned = folders.filter { isOverflow || $0.value.number == event.wd }
            // The folder is gone; a number that is given out again must not lead here.
            if event.mask & UInt32(IN_IGNORED) != 0 { for path in concerned.keys { folders[path] = nil } }
            return concerned.values.flatMap { $0.watches.compactMap(\.watch) }
        }
        if event.mask & UInt32(IN_IGNORED) != 0 { return }
        for watch in watches { watch.note(isOverflow ? nil : name ?? "") }
    }
}
#endif
