import CrashShim
import Foundation

/// What a process has asked of the system, in order.
struct CallLog {
    /// One change of files below the folder.
    enum Change {
        case make(path: String, inode: Int)
        /// `isStored`: whether it is on disk when the call returns.
        case write(inode: Int, offset: Int, bytes: ArraySlice<UInt8>, isStored: Bool)
        case cut(inode: Int, size: Int)
        case sync(inode: Int)
        case syncFolder(path: String)
        case rename(from: String, to: String)
        case link(to: String, inode: Int)
        case unlink(path: String)
        case makeFolder(path: String)
        case removeFolder(path: String)
        /// A save was reported.
        case mark(Int)
    }

    /// A call that can be crashed.
    struct Call: Sendable {
        let kind: Character
        /// How many saves were reported before it.
        let saved: Int
        /// What it is about, for messages.
        var path = ""
        /// How many bytes it writes.
        var size = 0
    }

    private(set) var changes: [Change] = []
    private(set) var calls: [Call] = []

    init() {}

    /// Reads what the shim has written.
    ///
    /// - Parameter folder: the one that was watched; paths are told below it.
    init(_ bytes: [UInt8], below folder: String) {
        let size = MemoryLayout<coffer_crash_entry>.size
        var start = 0
        var saved = 0
        while start + size <= bytes.count {
            let entry = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: coffer_crash_entry.self) }
            start += size
            let path = Self.path(bytes, &start, Int(entry.path_length), folder)
            let other = Self.path(bytes, &start, Int(entry.other_path_length), folder)
            let kind = Character(UnicodeScalar(UInt8(entry.kind)))
            let (inode, length) = (Int(entry.inode), Int(entry.length))
            var piece: ArraySlice<UInt8> = []
            if kind == "w" {
                piece = bytes[start..<start + length]
                start += length
            }
            switch kind {
            case "x": calls.append(Call(kind: Character(UnicodeScalar(UInt8(entry.inode))), saved: saved))
            case "k":
                saved = inode
                changes.append(.mark(inode))
            case "c": changes.append(.make(path: path, inode: inode))
            case "w":
                changes.append(
                    .write(inode: inode, offset: Int(entry.offset), bytes: piece, isStored: entry.flag != 0))
            case "t": changes.append(.cut(inode: inode, size: length))
            case "s": changes.append(entry.flag != 0 ? .syncFolder(path: path) : .sync(inode: inode))
            case "n": changes.append(.rename(from: path, to: other))
            case "l": changes.append(.link(to: other, inode: inode))
            case "u": changes.append(.unlink(path: path))
            case "m": changes.append(.makeFolder(path: path))
            case "d": changes.append(.removeFolder(path: path))
            default: break
            }
            if kind != "x", kind != "k", let last = calls.indices.last {
                calls[last].path = path
                calls[last].size = piece.count
            }
        }
    }

    private static func path(_ bytes: [UInt8], _ start: inout Int, _ length: Int, _ folder: String) -> String {
        defer { start += length }
        let path = String(decoding: bytes[start..<start + length], as: UTF8.self)
        return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.utf8.count + 1)) : ""
    }
}
