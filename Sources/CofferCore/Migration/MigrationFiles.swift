import Foundation

/// The files of a migration: names, and moves that either happen or do not.
package enum MigrationFiles {
    /// Where a store lies that is being filled.
    package static func sibling(of path: String, _ number: Int) -> String {
        let (folder, name) = parts(path)
        return "\(folder)/.\(name).migrating-\(number)"
    }

    /// A free name for a backup.
    package static func backup(of path: String) -> String {
        var name = path + ".backup"
        var number = 2
        while access(name, F_OK) == 0 {
            name = "\(path).backup-\(number)"
            number += 1
        }
        return name
    }

    package static func folder(of path: String) -> String { parts(path).folder }

    private static func parts(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// Gives a file another name as well, or copies it where the file system does not know such a thing. What a process
    /// that died has left under that name makes room.
    ///
    /// - Parameter copy: copies a file that must not be opened; nil for one that may.
    package static func keep(_ path: String, as other: String, copy: (() throws -> Void)? = nil) throws {
        if link(path, other) == 0 { return }
        if errno == EEXIST {
            unlink(other)
            if link(path, other) == 0 { return }
        }
        do {
            if let copy { try copy() } else { try FileManager.default.copyItem(atPath: path, toPath: other) }
        } catch {
            throw SwiftDataError(.ioFailure, file: other, detail: "the backup cannot be made", underlying: error)
        }
        try sync(other)
    }

    /// Puts a finished file into the place of another, whose owner and rights it takes over.
    package static func replace(_ path: String, with new: String) throws {
        var status = stat()
        if stat(path, &status) == 0 {
            // Only root may give files away; everybody else goes on as the owner.
            _ = chown(new, status.st_uid, status.st_gid)
            _ = chmod(new, status.st_mode & 0o7777)
        }
        try sync(new)
        guard rename(new, path) == 0 else {
            throw SwiftDataError(
                .ioFailure, file: path,
                detail: "the new store cannot take the old one's place: \(String(cString: strerror(errno)))")
        }
        // There is no way back, and either store is whole; where the disk has failed, the old one may come again.
        try? sync(folder(of: path))
    }

    /// Refuses a place at which there is something.
    package static func checkFree(_ path: String) throws {
        var status = stat()
        if lstat(path, &status) == 0 { throw SwiftDataError(.storeExists, file: path) }
    }

    /// Puts a finished file at a place where nothing is yet.
    package static func place(_ new: String, at path: String) throws {
        try sync(new)
        if link(new, path) == 0 {
            unlink(new)
        } else if errno == EEXIST {
            throw SwiftDataError(.storeExists, file: path)
        } else {
            // A file system without hard links.
            try checkFree(path)
            guard rename(new, path) == 0 else {
                throw SwiftDataError(.ioFailure, file: path, detail: String(cString: strerror(errno)))
            }
        }
        do {
            try sync(folder(of: path))
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Has the system keep a file, or what a folder lists.
    package static func sync(_ path: String) throws {
        let descriptor = open(path.isEmpty ? "/" : path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        // Some file systems have no such call for folders.
        guard descriptor >= 0, fsync(descriptor) == 0 || errno == EINVAL else {
            throw SwiftDataError(
                .ioFailure, file: path, detail: "it cannot be brought to disk: \(String(cString: strerror(errno)))")
        }
    }
}
