import CofferCore
import Foundation

/// Keeps apart, among processes, those who open a folder with LMDB and those who want it for themselves.
///
/// LMDB locks the first byte of `lock.mdb` for as long as somebody has the folder open. The first one locks it alone and
/// sets the file up: the number of the last save is in it. All others wait for him, and go by what he has written. Somebody
/// who takes that lock and is not LMDB leaves what was written long ago: who waited for him would give his save a number
/// that has nothing to do with the file, and it would be lost, or the file be taken for a damaged one. So nobody goes into
/// LMDB meanwhile: the folder itself is locked before. For the same reason one at a time goes in: the first one may die before
/// he is done.
final class FolderLock: Sendable {
    private let folder: Int32
    /// The file `lock.mdb`; negative where it is LMDB's to open.
    private let list: Int32

    private init(folder: Int32, list: Int32) { (self.folder, self.list) = (folder, list) }

    deinit {
        if list >= 0 { close(list) }
        if folder >= 0 { close(folder) }
    }

    /// The turn to open the folder with LMDB, to be given up once that is done.
    ///
    /// - Throws: `LMDBRegistry.InUse` where somebody else has it, or has the folder for himself.
    static func forOpening(_ path: String) throws -> FolderLock {
        FolderLock(folder: try lock(path), list: -1)
    }

    /// Has the folder for this process alone.
    ///
    /// The caller sees to it that the process does not have it open, and does not open it meanwhile but in LMDB's mode
    /// without locks: closing `lock.mdb` gives up all locks that the process has on it.
    ///
    /// - Throws: `LMDBRegistry.InUse` where somebody has it open, or is opening it.
    static func alone(_ path: String) throws -> FolderLock {
        let folder = try lock(path)
        let list = StoreRights.open(path + "/lock.mdb", O_RDWR | O_CREAT | O_CLOEXEC, like: LMDBFile.data(path))
        let reason = errno
        let held = FolderLock(folder: folder, list: list)
        guard list >= 0 else { throw LMDBFailure(code: reason) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0
        lock.l_len = 1
        if fcntl(list, F_SETLK, &lock) == 0 { return held }
        throw errno == EAGAIN || errno == EACCES || errno == EINTR ? LMDBRegistry.InUse() : LMDBFailure(code: errno)
    }

    /// Negative where the folder cannot be locked: it may not be read, or its file system knows no such locks.
    private static func lock(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        if descriptor < 0, errno == EACCES { return -1 }
        guard descriptor >= 0 else { throw LMDBFailure(code: errno) }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(descriptor)
            throw LMDBRegistry.InUse()
        }
        return descriptor
    }
}
