import CofferCore
import Foundation

/// Looks at a store's file before SQLite does, so that a file which is none is not touched.
enum SQLiteFile {
    /// `Cofr`, in the header of every store.
    static let applicationID: UInt32 = 0x436F_6672
    /// The version of the layout that this version of Coffer writes.
    static let formatVersion = 1

    /// What is at a path.
    enum State: Hashable {
        /// Nothing, or an empty file.
        case missing
        /// A store; whether it is in WAL mode.
        case store(usesLog: Bool)
    }

    /// What tells that a file was changed.
    struct Stamp: Hashable, Sendable {
        let file: FileStamp
        /// Whether a log of changes is there that the file itself lacks.
        let hasLog: Bool
    }

    /// The file's stamp now; nil where there is no file.
    static func stamp(of path: String) -> Stamp? {
        guard let file = FileStamp(path) else { return nil }
        return Stamp(file: file, hasLog: (FileStamp(path + "-wal")?.size ?? 0) > 0)
    }

    /// Finds out what is at a place.
    ///
    /// - Parameter willWrite: whether the store is to be saved to, which needs more rights.
    /// - Throws: ``SwiftDataError`` for a folder, a file that is no store, is damaged or from a newer version, and for
    ///   missing rights.
    static func inspect(_ place: SQLitePlace, willWrite: Bool) throws -> State {
        func failure(_ code: SwiftDataError.Code, _ detail: String) -> SwiftDataError {
            SwiftDataError(code, operation: .open, store: place.name, file: place.path, detail: detail)
        }
        guard let status = status(of: place.path) else {
            try inspectMissing(place, willWrite: willWrite, reason: errno, failure)
            return .missing
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw failure(.corruptStore, "it is a folder, not a file")
        default: throw failure(.corruptStore, "it is no regular file")
        }
        if willWrite {
            guard access(place.path, W_OK) == 0 else { throw failure(.storeNotWritable, "the file may not be written") }
            guard access(folder(of: place.path), W_OK | X_OK) == 0 else {
                throw failure(.storeNotWritable, "the folder may not be written, which SQLite's log needs")
            }
        }
        if status.st_size == 0 { return .missing }
        return try inspectHeader(place, failure)
    }

    /// Looks at a store that is to be read.
    ///
    /// - Throws: what ``inspect(_:willWrite:)`` throws, and `storeNotFound` for an empty file: somebody may be making a store of
    ///   it.
    static func requireStore(_ place: SQLitePlace) throws {
        guard try inspect(place, willWrite: false) == .missing else { return }
        throw SwiftDataError(
            .storeNotFound, operation: .open, store: place.name, file: place.path,
            detail: "the file is empty, and a store that is opened for reading only is not made")
    }

    private static func inspectMissing(
        _ place: SQLitePlace, willWrite: Bool, reason: Int32,
        _ failure: (SwiftDataError.Code, String) -> SwiftDataError
    ) throws {
        switch reason {
        case ENOENT:
            if StorePath.isDeadLink(place.path) {
                throw failure(.storeNotFound, "it is a symbolic link that leads nowhere")
            }
        case ENOTDIR: throw failure(.storeNotFound, "part of the path is a file, not a folder")
        case ENAMETOOLONG: throw failure(.configurationFileNameTooLong, "the path is too long")
        default: throw failure(.ioFailure, String(cString: strerror(reason)))
        }
        let folder = folder(of: place.path)
        guard let parent = status(of: folder), parent.st_mode & S_IFMT == S_IFDIR else {
            throw failure(.storeNotFound, "the folder \(folder) does not exist")
        }
        guard willWrite else {
            throw failure(.storeNotFound, "there is no store, and one opened for reading only is not made")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw failure(.storeNotWritable, "the folder may not be written")
        }
    }

    /// Somebody may be making the store, or saving to it, meanwhile: there is a journal before there is anything in the
    /// file, it goes when all is there, and only then the file's size is what the header says.
    private static func inspectHeader(
        _ place: SQLitePlace, _ failure: (SwiftDataError.Code, String) -> SwiftDataError
    ) throws -> State {
        do {
            let hadJournal = hasJournal(place.path)
            return try SQLiteBytes.reading(place.path) { file in
                try inspectHeader(file, place, hadJournal: hadJournal, failure)
            }
        } catch let failure as SQLiteFailure {
            throw failure.error(place, operation: .open)
        }
    }

    private static func inspectHeader(
        _ file: SQLiteBytes, _ place: SQLitePlace, hadJournal: Bool,
        _ failure: (SwiftDataError.Code, String) -> SwiftDataError
    ) throws -> State {
        let header = try file.read(0, 100)
        guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8) else {
            // A store that was being made, whose first page has not reached the disk; SQLite takes the rest back.
            if header.allSatisfy({ $0 == 0 }), hadJournal || hasJournal(place.path) { return .missing }
            throw failure(.corruptStore, "it is no SQLite file")
        }
        func number(_ offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard number(68) == Int(applicationID) else {
            throw failure(.corruptStore, "it is an SQLite file, but no store of Coffer's")
        }
        let version = number(60)
        guard version <= formatVersion else {
            throw failure(
                .newerStoreFormat, "it has the format \(version), and this version of Coffer knows \(formatVersion)")
        }
        guard version > 0 else { throw failure(.corruptStore, "its header names no format") }
        // With a log or a journal beside it the file alone need not be complete.
        let pageSize = header[16] == 0 && header[17] == 1 ? 65536 : Int(header[16]) << 8 | Int(header[17])
        let isAlone = (FileStamp(place.path + "-wal")?.size ?? 0) == 0 && !hasJournal(place.path)
        if isAlone, number(24) == number(92) {
            let (size, whole) = (try file.size(), number(28) * pageSize)
            if size < whole { throw failure(.corruptStore, "it is cut off: \(size) bytes of \(whole)") }
        }
        return .store(usesLog: header[18] == 2)
    }

    /// Whether there is a journal by which SQLite may take a transaction back.
    static func hasJournal(_ path: String) -> Bool { (FileStamp(path + "-journal")?.size ?? 0) > 0 }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
