import CofferCore
import Foundation
import Synchronization

/// The file: a line that says what it is, and a frame for each save: its size, the same with all bits turned over, and a
/// checksum, eight bytes each; what the save has changed; and the end of a line.
final class LogFile: Sendable {
    private static let name = Array("coffer log ".utf8)
    private static let firstLine = name + [UInt8(ascii: "1"), lineEnd]
    private static let lineEnd = UInt8(ascii: "\n")
    private let path: String
    private let isReadOnly: Bool
    /// The open file and how much of it counts; nil once it is closed.
    private let state: Mutex<(descriptor: Int32, end: Int)?>

    init(_ path: String, isReadOnly: Bool) throws {
        self.path = path
        self.isReadOnly = isReadOnly
        let descriptor = open(path, isReadOnly ? O_RDONLY | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw Self.failure("opening the file") }
        state = Mutex((descriptor, 0))
        if flock(descriptor, (isReadOnly ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            throw SwiftDataError(.storeBusy, detail: "somebody else has the file open")
        }
    }

    deinit { close() }

    /// Hands out what each save has changed, and cuts off one that was not written to its end: it has not returned.
    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let end = try data.withUnsafeBytes { bytes in
            if Self.firstLine.starts(with: bytes), bytes.count < Self.firstLine.count { return 0 }
            guard bytes.starts(with: Self.name) else { throw SwiftDataError(.corruptStore, detail: "this is no log") }
            guard bytes.starts(with: Self.firstLine) else { throw SwiftDataError(.newerStoreFormat) }
            var rest = bytes[Self.firstLine.count...]
            while !rest.isEmpty {
                let start = rest.startIndex
                guard let save = try Self.takeFrame(&rest) else { return start }
                try body(save)
            }
            return bytes.count
        }
        state.withLock { $0?.end = end }
        if isReadOnly { return }
        if end > 0 { return end < data.count ? try write([]) : () }
        try write(Self.firstLine)
        // The name of a new file has to be stored with its folder.
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        if folder < 0 || fsync(folder) != 0 { throw Self.failure("storing the folder") }
        _ = Foundation.close(folder)
    }

    /// The next frame; nil where there is but the beginning of one. Where a crash has left room that nothing was written
    /// to there are zeros, and a frame does not end with one.
    private static func takeFrame(_ rest: inout Slice<UnsafeRawBufferPointer>) throws -> UnsafeRawBufferPointer? {
        let isUnwritten = rest.last == 0
        guard rest.count >= 24 else { return nil }
        let (size, turned, sum): (UInt64, UInt64, UInt64) = try (rest.number(), rest.number(), rest.number())
        if size == ~turned {
            if rest.count <= size { return nil }
            let save = try rest.take(Int(size))
            if rest.popFirst() == lineEnd, checksum(save) == sum { return save }
        }
        if isUnwritten { return nil }
        throw SwiftDataError(.corruptStore, detail: "the log is damaged before its end")
    }

    /// Stores what a save has changed; it is on the disk when this returns.
    func append(_ save: [UInt8]) throws {
        let size = UInt64(save.count)
        try write(littleEndian(size) + littleEndian(~size) + littleEndian(Self.checksum(save)) + save + [Self.lineEnd])
    }

    /// Lets the file end with some bytes behind what counts, or changes nothing.
    private func write(_ bytes: [UInt8]) throws {
        guard let (descriptor, end) = state.withLock({ $0 }) else { throw SwiftDataError(.storeClosed) }
        do {
            if ftruncate(descriptor, off_t(end)) != 0 { throw Self.failure("cutting the file") }
            var rest = bytes[...]
            while !rest.isEmpty {
                let place = off_t(end + rest.startIndex)
                let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, place) }
                if count < 0, errno != EINTR { throw Self.failure("writing") }
                rest = rest.dropFirst(max(0, count))
            }
            if fsync(descriptor) != 0 { throw Self.failure("storing the file") }
            state.withLock { $0?.end = end + bytes.count }
        } catch {
            ftruncate(descriptor, off_t(end))
            throw error
        }
    }

    func close() {
        state.withLock { state in
            if let descriptor = state?.descriptor { _ = Foundation.close(descriptor) }
            state = nil
        }
    }

    /// FNV-1a.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static let codes: [Int32: SwiftDataError.Code] = [
        ENOENT: .storeNotFound, EACCES: .storeNotWritable, EROFS: .storeNotWritable, ENOSPC: .storeFull,
    ]

    private static func failure(_ action: String) -> SwiftDataError {
        SwiftDataError(codes[errno] ?? .ioFailure, detail: "\(action): \(String(cString: strerror(errno)))")
    }
}
