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
    func error(_ path: String) -> SwiftDataError {
        SwiftDataError(
            named, file: path, detail: "\(String(cString: mdb_strerror(code))) (code \(code))", underlying: self)
    }

    private var named: SwiftDataError.Code {
        switch code {
        case MDB_MAP_FULL, ENOSPC, EDQUOT, ENOMEM: .storeFull
        case MDB_READERS_FULL, EBUSY, EAGAIN: .storeBusy
        case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID: .corruptStore
        case MDB_VERSION_MISMATCH: .newerStoreFormat
        case EACCES, EROFS, EPERM: .storeNotWritable
        case ENOENT: .storeNotFound
        // LMDB does not go on with a folder in which it could not finish a save.
        case MDB_PANIC: .storeClosed
        // LMDB's own codes are negative, the system's positive.
        case 1...: .ioFailure
        default: .storeFailure
        }
    }
}
