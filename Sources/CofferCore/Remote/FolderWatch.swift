#if canImport(Glibc)
import Foundation
import Glibc
import Synchronization

/// Hears of writes to files: one thread of the process waits for the system to report them.
///
/// A watch ends with the object.
final class FolderWatch: Sendable {
    private let paths: [String]
    fileprivate let hear: @Sendable () -> Void

    /// Watches files, which need not be there yet.
    ///
    /// - Parameters:
    ///   - files: in one folder.
    ///   - hear: is called on the waiting thread, so that it has to be short; once for several writes, perhaps.
    /// - Returns: nil where the system has no watch left to give, or the folder is none.
    static func start(_ files: [URL], _ hear: @escaping @Sendable () -> Void) -> FolderWatch? {
        guard let folder = files.first?.deletingLastPathComponent().path else { return nil }
        let watch = FolderWatch([folder] + files.map { folder + "/" + $0.lastPathComponent }, hear)
        return WatchedPaths.shared?.add(watch, folder, Array(watch.paths.dropFirst())) == true ? watch : nil
    }

    private init(_ paths: [String], _ hear: @escaping @Sendable () -> Void) {
        self.paths = paths
        self.hear = hear
    }

    deinit { WatchedPaths.shared?.remove(ObjectIdentifier(self), from: paths) }
}

/// The folders and files that the process watches, through one channel to the system, of which a user has few.
///
/// A folder reports the files that are made or moved into it. A file reports that it was written to once, and then
/// nothing until it is asked for anew a little later: most writes are this process's own, and to have each reported costs
/// as much as the writing.
private final class WatchedPaths: @unchecked Sendable {
    static let shared = WatchedPaths()

    private struct WeakWatch {
        let identity: ObjectIdentifier
        weak var watch: FolderWatch?

        init(_ watch: FolderWatch) {
            identity = ObjectIdentifier(watch)
            self.watch = watch
        }
    }
    private struct Entry {
        let events: UInt32
        /// By which the system calls it; nil while there is no such file.
        var number: Int32?
        var watches: [WeakWatch] = []
    }
    private static let ofFolders = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)
    private static let ofFiles = UInt32(IN_MODIFY) | UInt32(IN_ONESHOT)
    /// How long files rest after a report, in microseconds.
    private static let pause: useconds_t = 5_000

    private let channel: Int32
    private let entries = Mutex<[String: Entry]>([:])

    private init?() {
        channel = inotify_init1(Int32(IN_CLOEXEC))
        if channel < 0 { return nil }
        let thread = Thread { [self] in wait() }
        thread.name = "Coffer.WatchedPaths"
        thread.start()
    }

    // MARK: Who watches

    /// - Returns: false where the folder cannot be watched.
    func add(_ watch: FolderWatch, _ folder: String, _ files: [String]) -> Bool {
        entries.withLock { entries in
            func add(_ path: String, _ events: UInt32) {
                var entry = entries[path] ?? Entry(events: events)
                ask(&entry, path)
                entry.watches.append(WeakWatch(watch))
                entries[path] = entry
            }
            // First the folder: a file that is made in between is reported by it.
            add(folder, Self.ofFolders)
            guard entries[folder]?.number != nil else {
                remove(ObjectIdentifier(watch), from: [folder], &entries)
                return false
            }
            for file in files { add(file, Self.ofFiles) }
            return true
        }
    }

    /// Asks for the next report. The system knows what is watched already, and answers with its number.
    private func ask(_ entry: inout Entry, _ path: String) {
        let number = inotify_add_watch(channel, path, entry.events)
        entry.number = number < 0 ? nil : number
    }

    func remove(_ watch: ObjectIdentifier, from paths: [String]) {
        entries.withLock { remove(watch, from: paths, &$0) }
    }

    /// By identity: to look at the watch itself would keep it alive, perhaps longer than anybody else, and its end comes
    /// here.
    private func remove(_ watch: ObjectIdentifier, from paths: [String], _ entries: inout [String: Entry]) {
        for path in paths {
            entries[path]?.watches.removeAll { $0.identity == watch }
            guard let entry = entries[path], entry.watches.isEmpty else { continue }
            entries[path] = nil
            // Another path may lead to the same file.
            guard let number = entry.number, !entries.values.contains(where: { $0.number == number }) else { continue }
            inotify_rm_watch(channel, number)
        }
    }

    // MARK: What is reported

    private struct Report {
        var number: Int32
        var events: UInt32
        /// The file of a folder.
        var name: String?
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
            var reports: [Report] = []
            var place = 0
            while place + header <= count {
                let event = buffer.load(fromByteOffset: place, as: inotify_event.self)
                let name =
                    event.len == 0
                    ? nil : String(cString: (buffer + place + header).assumingMemoryBound(to: CChar.self))
                place += header + Int(event.len)
                reports.append(Report(number: event.wd, events: event.mask, name: name))
            }
            if reports.contains(where: { $0.events & UInt32(IN_MODIFY) != 0 }) { usleep(Self.pause) }
            for watch in concerned(by: reports) { watch.hear() }
        }
    }

    /// Whom to tell of reports.
    ///
    /// Before anybody is told the files are watched again: what is written from then on is reported, and what was written
    /// before is seen by whoever looks.
    private func concerned(by reports: [Report]) -> [FolderWatch] {
        entries.withLock { entries in
            var paths: Set<String> = []
            for report in reports {
                if report.events & UInt32(IN_Q_OVERFLOW) != 0 { paths.formUnion(entries.keys) }
                for (path, entry) in entries where entry.number == report.number {
                    if report.events & UInt32(IN_IGNORED) != 0 {
                        // A folder that is gone; a number that is given out again must not lead here.
                        if entry.events == Self.ofFolders { entries[path]?.number = nil }
                    } else if let name = report.name {
                        let file = path + "/" + name
                        if entries[file] != nil { paths.insert(file) }
                    } else {
                        paths.insert(path)
                    }
                }
            }
            var concerned: [ObjectIdentifier: FolderWatch] = [:]
            for path in paths {
                guard var entry = entries[path] else { continue }
                ask(&entry, path)
                entries[path] = entry
                for watch in entry.watches.compactMap(\.watch) { concerned[ObjectIdentifier(watch)] = watch }
            }
            return Array(concerned.values)
        }
    }
}
#endif
