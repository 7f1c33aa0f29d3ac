import Foundation

extension SwiftDataError {
    /// What the system says of a file that cannot be written, by its `errno`.
    package static func system(_ reason: Int32, file: String) -> SwiftDataError {
        let code: Code =
            switch reason {
            case ENOSPC, EDQUOT: .storeFull
            case EACCES, EPERM, EROFS: .storeNotWritable
            default: .ioFailure
            }
        return SwiftDataError(code, file: file, detail: String(cString: strerror(reason)))
    }
}
