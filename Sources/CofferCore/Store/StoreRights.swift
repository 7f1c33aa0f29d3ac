import Foundation

/// Who may read and write the files that stores make: their owner, and nobody else.
///
/// Somebody who wants to share a store changes the rights of its main file. What is made beside it later, a log or a
/// lock, takes them over, so that everybody who may save can.
package enum StoreRights {
    /// The rights of a new store's files.
    package static let file: mode_t = 0o600
    /// The rights of the folders of a new store.
    package static let folder: mode_t = 0o700

    /// The rights of a file that belongs to another one, which need not be there yet.
    package static func file(like other: String) -> mode_t {
        var status = stat()
        return stat(other, &status) == 0 ? status.st_mode & 0o666 | file : file
    }

    /// The rights of a folder with files that belong to another file.
    package static func folder(like other: String) -> mode_t {
        let rights = file(like: other)
        // Whoever may read a file has to get at it.
        return rights | (rights & 0o444) >> 2
    }

    /// Opens a file, and makes it, where the flags have `O_CREAT`, with the rights of another one whatever the process's
    /// mask takes away.
    ///
    /// - Returns: a descriptor, or a negative number, with the reason in `errno`.
    package static func open(_ path: String, _ flags: Int32, like other: String) -> Int32 {
        guard flags & O_CREAT != 0 else { return Foundation.open(path, flags) }
        // Twice, since somebody may make it or remove it in between.
        for _ in 0..<2 {
            if flags & O_EXCL == 0 {
                let known = Foundation.open(path, flags & ~O_CREAT)
                if known >= 0 || errno != ENOENT { return known }
            }
            let rights = file(like: other)
            let made = Foundation.open(path, flags | O_EXCL, rights)
            if made >= 0 {
                if rights != file { _ = fchmod(made, rights) }
                return made
            }
            if errno != EEXIST || flags & O_EXCL != 0 { return made }
        }
        return Foundation.open(path, flags, file(like: other))
    }

    /// Makes an empty file without opening it, for engines that would give it other rights: closing it could take locks
    /// away that the process has on it.
    ///
    /// - Returns: false where that did not succeed; the file may be there.
    package static func make(_ path: String) -> Bool {
        #if canImport(Darwin)
        // Only the superuser has such a call there; nobody can know the file yet.
        let made = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file)
        if made >= 0 { close(made) }
        return made >= 0
        #else
        return mknod(path, S_IFREG | file, 0) == 0
        #endif
    }
}
