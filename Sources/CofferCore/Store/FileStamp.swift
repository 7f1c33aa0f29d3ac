import Foundation

/// What tells one state of a file from another without reading it.
package struct FileStamp: Hashable, Sendable {
    /// The times that the system keeps of a file's changes.
    package enum Clock {
        /// When it was last written, which a program can set.
        case modified
        /// When anything of it was last changed, its name or its rights, too. No program can set that.
        case changed
    }

    package let identity: FileIdentity
    /// In bytes.
    package let size: Int
    package let seconds: Int
    package let nanoseconds: Int

    package init(_ status: stat, _ clock: Clock = .modified) {
        identity = FileIdentity(status)
        size = Int(status.st_size)
        #if canImport(Darwin)
        let time = clock == .modified ? status.st_mtimespec : status.st_ctimespec
        #else
        let time = clock == .modified ? status.st_mtim : status.st_ctim
        #endif
        seconds = Int(time.tv_sec)
        nanoseconds = Int(time.tv_nsec)
    }

    /// The state of the file at a path; nil where there is none.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The state of an open file; nil where the system does not tell.
    package init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}
