import CofferCore
import Foundation

/// What the system answered instead of success.
struct FileFailure: Error, CustomNSError {
    let code: Int32
    /// What was being done.
    let action: String

    static var errorDomain: String { NSPOSIXErrorDomain }
    var errorCode: Int { Int(code) }

    init(_ action: String, code: Int32 = errno) {
        self.action = action
        self.code = code
    }

    /// Throws where a call of the system answered with a negative number.
    @discardableResult
    static func check(_ result: Int32, _ action: @autoclosure () -> String) throws -> Int32 {
        if result < 0 { throw FileFailure(action()) }
        return result
    }

    /// The failure as the error that a store throws.
    func error(_ path: String) -> SwiftDataError {
        SwiftDataError(
            named, file: path, detail: "\(action): \(String(cString: strerror(code))) (code \(code))", underlying: self)
    }

    private var named: SwiftDataError.Code {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: .storeFull
        case EACCES, EROFS, EPERM: .storeNotWritable
        case ENOENT: .storeNotFound
        default: .ioFailure
        }
    }
}
