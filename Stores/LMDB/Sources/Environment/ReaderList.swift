import CLMDB
import CofferCore
import Foundation

/// The file `lock.mdb`, in which LMDB lists readers and keeps its locks.
enum ReaderList {
    /// Takes the room on the disk that LMDB's file needs.
    ///
    /// LMDB makes the file as long as it has to be, maps it and writes into the map. Where the disk has no room for what
    /// is written then, the system does not answer with an error, it ends the process.
    ///
    /// The caller must not have the folder open: closing a file gives up all locks that the process has on it.
    ///
    /// - Throws: ``LMDBFailure`` with `ENOSPC` where there is no room. A file that it has made is gone then.
    static func makeRoom(_ folder: String) throws {
        let path = folder + "/lock.mdb"
        var isMade = true
        var descriptor = StoreRights.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, like: LMDBFile.data(folder))
        if descriptor < 0, errno == EEXIST {
            isMade = false
            descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        }
        guard descriptor >= 0 else { throw LMDBFailure(code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw LMDBFailure(code: errno) }
        let wanted = max(size, Int(status.st_size))
        // Blocks of 512 bytes, whatever the file system's are.
        guard Int(status.st_blocks) * 512 < wanted else { return }
        let code = takeRoom(descriptor, wanted)
        // Not every file system can tell.
        guard code == ENOSPC || code == EDQUOT || code == EFBIG else { return }
        if isMade { unlink(path) }
        throw LMDBFailure(code: code)
    }

    /// The size that LMDB gives the file: two locks with what belongs to each, and a line of the cache for each reader.
    static var size: Int {
        func lines(_ bytes: Int) -> Int { (bytes + 63) & ~63 }
        let lock = MemoryLayout<pthread_mutex_t>.size
        return lines(lock + 20) + lines(lock) + Int(LMDBEnvironment.maximumReaders) * 64
    }

    private static func takeRoom(_ descriptor: Int32, _ size: Int) -> Int32 {
        #if canImport(Darwin)
        0
        #else
        posix_fallocate(descriptor, 0, off_t(size))
        #endif
    }
}
