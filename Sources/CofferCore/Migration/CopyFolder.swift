import Foundation

/// A hidden folder beside a store's place, in which a store is filled that is to come there, or is thrown away again.
///
/// Nobody holds the place meanwhile, so that several may fill stores for it at once: each has a folder of its own. The
/// folder is locked for as long as its owner lives; those without one are removed by whoever makes the next.
package final class CopyFolder {
    /// Where the store lies in the folder.
    package let store: String
    private let path: String
    private let descriptor: Int32

    /// - Parameter place: where the store is to come.
    package init(for place: String) throws {
        let prefix = Self.prefix(place)
        let folder = MigrationFiles.folder(of: place)
        Self.removeLeft(in: folder, prefix)
        var made: (path: String, descriptor: Int32)?
        // Who removes what was left behind may take a new folder for such a one, until it is locked.
        for _ in 0..<10 where made == nil { made = try Self.make("\(folder)/\(prefix)") }
        guard let made else {
            throw SwiftDataError(.storeBusy, file: place, detail: "its new folders keep being removed")
        }
        (path, descriptor) = made
        store = path + "/store"
    }

    deinit {
        remove()
        close(descriptor)
    }

    /// Removes the folder with what is left in it.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static func prefix(_ place: String) -> String {
        ".\(place[(place.lastIndex(of: "/").map(place.index(after:)) ?? place.startIndex)...]).copy-"
    }

    private static func make(_ prefix: String) throws -> (path: String, descriptor: Int32)? {
        var template = Array((prefix + "XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw failure(prefix) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else {
            let error = failure(path)
            rmdir(path)
            throw error
        }
        // Where there are no such locks, nothing is removed that somebody else has left, either.
        let isMine = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        var (mine, now) = (stat(), stat())
        guard isMine, fstat(descriptor, &mine) == 0, stat(path, &now) == 0, mine.st_ino == now.st_ino else {
            close(descriptor)
            return nil
        }
        return (path, descriptor)
    }

    private static func removeLeft(in folder: String, _ prefix: String) {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "/" : folder)
        for name in names ?? [] where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
            let path = "\(folder)/\(name)"
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: path) }
            close(descriptor)
        }
    }

    private static func failure(_ path: String) -> SwiftDataError {
        let reason = errno
        guard reason != ENAMETOOLONG else {
            return SwiftDataError(
                .configurationFileNameTooLong, file: path, detail: String(cString: strerror(reason)))
        }
        return .system(reason, file: path)
    }
}
