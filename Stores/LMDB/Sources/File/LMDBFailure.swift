import CLMDB
import CofferCore
import Foundation

/// What LMDB or the system answered instead of success.
struct LMDBFailure: Error, CustomNSError {
    let code: Int32

    static var errorDomain: String { "LMDB" }
    var errorCode: Int { Int(code) }

    /// Throws where a code is no success.
    @inline(__always)
    static func check(_ code: Int32) throws {
        if code != MDB_SUCCESS { throw LMDBFailure(code: code) }
    }

    /// The failure as the error that a store throws.
    ///
    /// - Parameter path: the store's folder.
    func error(_ path: String) -> SwiftDataError {
        // A write that a full disk took a part of is this to LMDB.
        if code == EIO, Self.isFull(path) {
            return SwiftDataError(.storeFull, file: path, detail: "the disk has no room left", underlying: self)
        }
        let text =
            switch code {
            // LMDB has handed the system an address beyond the file: it believed a wrong number.
            case EFAULT: "a page that is in use is damaged"
            case ENOMEM: "the process has neither memory nor address space left for it"
            default: String(cString: mdb_strerror(code))
            }
        return SwiftDataError(named, file: path, detail: "\(text) (code \(code))", underlying: self)
    }

    /// Whether the disk has no room for a few more pages.
    private static func isFull(_ path: String) -> Bool {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return false }
        return UInt64(disk.f_bavail) * UInt64(disk.f_frsize) < 1 << 16
    }

    private var named: SwiftDataError.Code {
        switch code {
        case MDB_MAP_FULL, ENOSPC, EDQUOT, EFBIG: .storeFull
        case MDB_READERS_FULL, EBUSY, EAGAIN: .storeBusy
        case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, EFAULT: .corruptStore
        case MDB_VERSION_MISMATCH: .newerStoreFormat
        case EACCES, EROFS, EPERM: .storeNotWritable
        case ENOENT: .storeNotFound
        // LMDB does not go on with a folder in which it could not finish a save.
        case MDB_PANIC: .storeClosed
        // LMDB's own codes are negative, the system's positive.
        case ENOMEM: .storeFailure
        case 1...: .ioFailure
        default: .storeFailure
        }
    }
}
