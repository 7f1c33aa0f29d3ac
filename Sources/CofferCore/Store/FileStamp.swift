import Foundation

/// What tells one state of a file from another without reading it.
struct FileStamp: Hashable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// The state of the file at a path; nil where there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The state of an open file; nil where the system does not tell.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        seconds = Int(time.tv_sec)
        nanoseconds = Int(time.tv_nsec)
    }

    /// Whether both are states of one file.
    func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
}
