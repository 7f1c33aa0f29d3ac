import CofferCore
import Foundation

/// An open file, closed with the object. While it is open no other file gets its number.
final class OpenFile: Sendable {
    let descriptor: Int32

    /// Opens a file; nil where there is none.
    ///
    /// - Throws: `corruptStore` for what is no regular file: one waits for the other end of a pipe for ever.
    init?(reading path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            // A socket.
            if errno == ENXIO { throw Self.noFile(path) }
            throw FileFailure("reading \(path)")
        }
        guard Self.isFile(descriptor) else { throw Self.noFile(path) }
    }

    /// Opens a folder.
    init(folder path: String) throws {
        descriptor = try FileFailure.check(open(path, O_RDONLY | O_CLOEXEC), "opening the folder")
    }

    /// Opens a file to append to, making it where there is none, with the rights of another one.
    ///
    /// - Throws: `corruptStore` for what is no regular file.
    init(appendingTo path: String, like other: String) throws {
        descriptor = StoreRights.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, like: other)
        if descriptor < 0 {
            if errno == ENXIO || errno == EISDIR { throw Self.noFile(path) }
            throw FileFailure("opening \(path)")
        }
        guard Self.isFile(descriptor) else { throw Self.noFile(path) }
    }

    private static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func noFile(_ path: String) -> SwiftDataError {
        SwiftDataError(.corruptStore, detail: "\(path) is no regular file")
    }

    /// Makes a file that is not there yet.
    init(making path: String, mode: mode_t) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if descriptor < 0 { throw FileFailure("making a file beside the archive") }
    }

    deinit { close(descriptor) }

    var stamp: FileStamp? { FileStamp(descriptor) }

    /// The bytes from an offset to the present end.
    func read(from start: Int = 0) throws -> [UInt8] {
        let count = max((stamp?.size ?? 0) - start, 0)
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
            while initialised < count {
                let result = pread(
                    descriptor, buffer.baseAddress.map { $0 + initialised }, count - initialised,
                    off_t(start + initialised))
                if result < 0, errno == EINTR { continue }
                if result < 0 { throw FileFailure("reading") }
                // Somebody has cut the file off meanwhile.
                if result == 0 { return }
                initialised += result
            }
        }
    }

    func write(_ bytes: some Collection<UInt8>) throws {
        let done: Void? = try bytes.withContiguousStorageIfAvailable { try write(UnsafeRawBufferPointer($0)) }
        if done == nil { try Array(bytes).withUnsafeBytes { try write($0) } }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileFailure("writing")
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Waits until the contents are stored.
    func sync() throws {
        #if canImport(Darwin)
        let code = fsync(descriptor)
        #else
        let code = fdatasync(descriptor)
        #endif
        try FileFailure.check(code, "storing what was written")
    }

    /// Tries to lock the file for the process's only writer; false where somebody else has it.
    func lock() throws -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            default: throw FileFailure("locking the archive")
            }
        }
        return true
    }

    /// Has the system keep what a folder lists.
    static func sync(folder path: String) throws { try OpenFile(folder: path).syncFolder() }

    /// The same for a folder that is open.
    func syncFolder() throws {
        // Some file systems have no such call for folders.
        if fsync(descriptor) != 0, errno != EINVAL { throw FileFailure("storing the folder") }
    }
}
