import Foundation

/// What can be found at a store's path beside a store.
package enum StorePath {
    /// Whether there is a symbolic link that leads nowhere.
    ///
    /// What is made by somebody else at this moment is none: it may be missing when it is looked for, and there when a
    /// link is.
    package static func isDeadLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK && stat(path, &status) != 0
            && errno == ENOENT
    }
}
