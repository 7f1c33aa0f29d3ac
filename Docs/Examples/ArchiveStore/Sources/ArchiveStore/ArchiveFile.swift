import CofferCore
import Foundation

/// The file of an archive: a line with its format and a checksum, and JSON behind that.
final class ArchiveFile: Sendable {
    private static let name = "archive"
    private static let format = 1
    let url: URL
    let isReadOnly: Bool
    /// Held for as long as the archive is open for saving; -1 where it is not.
    private let lock: Int32

    init(_ url: URL, isReadOnly: Bool) throws {
        self.url = url
        self.isReadOnly = isReadOnly
        if isReadOnly {
            // Saves put another file in this one's place, so a reader disturbs nobody.
            guard FileManager.default.fileExists(atPath: url.path) else { throw SwiftDataError(.storeNotFound) }
            lock = -1
            return
        }
        lock = open(url.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        if lock < 0 { throw Self.failure("making the lock") }
        if flock(lock, LOCK_EX | LOCK_NB) != 0 {
            _ = close(lock)
            throw SwiftDataError(.storeBusy, detail: "somebody else has the archive open for saving")
        }
    }

    deinit { if lock >= 0 { _ = close(lock) } }

    /// The JSON; nil where there is no file yet.
    func read() throws -> Data? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let data: Data
        do { data = try Data(contentsOf: url) } catch { throw SwiftDataError(.ioFailure, underlying: error) }
        let head = data.prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: head, as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[0] == Self.name, let format = Int(words[1]) else {
            throw SwiftDataError(.corruptStore, detail: "this is no archive")
        }
        guard format == Self.format else { throw SwiftDataError(.newerStoreFormat) }
        let json = data.dropFirst(head.count + 1)
        guard words[2] == Self.checksum(json) else {
            throw SwiftDataError(.corruptStore, detail: "the archive is damaged")
        }
        return json
    }

    /// Puts a new file into the place of the old one. It is on the disk when this returns.
    func write(_ json: Data) throws {
        let data = Data("\(Self.name) \(Self.format) \(Self.checksum(json))\n".utf8) + json
        let new = url.path + ".new"
        do {
            try data.write(to: URL(fileURLWithPath: new))
            try Self.store(new)
            if rename(new, url.path) != 0 { throw Self.failure("renaming the new file") }
        } catch {
            unlink(new)
            throw error is SwiftDataError ? error : SwiftDataError(.ioFailure, underlying: error)
        }
        try Self.store(url.deletingLastPathComponent().path)
    }

    /// Brings a file, or the names in a folder, to the disk.
    private static func store(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { _ = close(descriptor) } }
        if descriptor < 0 || fsync(descriptor) != 0 { throw failure("storing \(path)") }
    }

    /// FNV-1a, in hexadecimal digits.
    private static func checksum(_ data: Data) -> String {
        let sum = data.withUnsafeBytes { bytes in
            bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return String(sum, radix: 16)
    }

    private static func failure(_ action: String) -> SwiftDataError {
        let code: SwiftDataError.Code =
            switch errno {
            case EACCES, EROFS: .storeNotWritable
            case ENOENT: .storeNotFound
            case ENOSPC: .storeFull
            default: .ioFailure
            }
        return SwiftDataError(code, detail: "\(action): \(String(cString: strerror(errno)))")
    }
}
