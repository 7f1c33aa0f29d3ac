import CofferCore
import CofferRecords
import Foundation

/// Looks at a store's folder without LMDB.
enum LMDBFile {
    /// What is at a path.
    enum State: Hashable {
        /// No folder.
        case missing
        /// A folder in which there is no store yet.
        case empty
        case store
    }

    /// The largest file that is checked page by page whenever it is opened; of a larger one it depends on ``LMDBMark``.
    private static let smallSize = 1 << 20

    static func isLarge(_ size: Int) -> Bool { size > smallSize }

    static func data(_ path: String) -> String { path + "/data.mdb" }

    /// Finds out what is at a place.
    ///
    /// - Parameter willWrite: whether the store is to be saved to, which needs more rights.
    /// - Throws: `SwiftDataError` for a file in place of the folder, a file that is no store, is damaged or from a newer
    ///   version, and for missing rights.
    static func inspect(_ path: String, willWrite: Bool) throws -> State {
        // What this process has open it has looked at, and LMDB has it mapped already.
        try inspect(path, willWrite: willWrite, isOpen: LMDBRegistry.isOpen(path))
    }

    private static func inspect(_ path: String, willWrite: Bool, isOpen: Bool) throws -> State {
        func failure(_ code: SwiftDataError.Code, _ detail: String) -> SwiftDataError {
            SwiftDataError(code, operation: .open, file: path, detail: detail)
        }
        guard let folder = status(path) else {
            switch errno {
            case ENOENT:
                if StorePath.isDeadLink(path) {
                    throw failure(.storeNotFound, "it is a symbolic link that leads nowhere")
                }
            case EACCES: throw failure(.ioFailure, "the folder that it lies in may not be read")
            case ENOTDIR: throw failure(.storeNotFound, "part of the path is a file, not a folder")
            case ENAMETOOLONG: throw failure(.configurationFileNameTooLong, "the path is too long")
            default: throw failure(.ioFailure, String(cString: strerror(errno)))
            }
            let parent = parent(of: path)
            guard let status = status(parent), status.st_mode & S_IFMT == S_IFDIR else {
                throw failure(.storeNotFound, "the folder \(parent) does not exist")
            }
            guard willWrite else {
                throw failure(.storeNotFound, "there is no store, and one opened for reading only is not made")
            }
            guard access(parent, W_OK | X_OK) == 0 else {
                throw failure(.storeNotWritable, "the folder \(parent) may not be written")
            }
            return .missing
        }
        guard folder.st_mode & S_IFMT == S_IFDIR else { throw failure(.corruptStore, "it is a file, not a folder") }
        if willWrite, access(path, W_OK | X_OK) != 0 {
            throw failure(.storeNotWritable, "the folder may not be written")
        }
        let file = status(data(path))
        switch file == nil ? errno : 0 {
        case 0, ENOENT: break
        case EACCES: throw failure(.ioFailure, "the folder may not be read")
        case let code: throw failure(.ioFailure, "data.mdb: \(String(cString: strerror(code)))")
        }
        if let file, file.st_mode & S_IFMT != S_IFREG { throw failure(.corruptStore, "data.mdb is no regular file") }
        guard let file, file.st_size > 0 else {
            guard willWrite else {
                throw failure(.storeNotFound, "there is no store, and one opened for reading only is not made")
            }
            return .empty
        }
        if willWrite, access(data(path), W_OK) != 0 {
            throw failure(.storeNotWritable, "data.mdb may not be written")
        }
        return try look(path, willWrite: willWrite, isOpen: isOpen, failure)
    }

    private static func look(
        _ path: String, willWrite: Bool, isOpen: Bool, _ failure: (SwiftDataError.Code, String) -> SwiftDataError
    ) throws -> State {
        do {
            return try whole(path, failure) { try look($0, path, willWrite: willWrite, isOpen: isOpen) }
        } catch let damage as LMDBPages.Damage {
            throw failure(.corruptStore, damage.detail)
        }
    }

    /// Goes through every page of the data.
    ///
    /// - Throws: what ``inspect(_:willWrite:)`` throws but for damage, which is the result.
    static func check(_ path: String) throws -> [StoreProblem] {
        func failure(_ code: SwiftDataError.Code, _ detail: String) -> SwiftDataError {
            SwiftDataError(code, operation: .check, file: path, detail: detail)
        }
        guard status(data(path)) != nil else { throw failure(.storeNotFound, "there is no store") }
        do {
            try whole(path, failure) { try LMDBCheck.run($0, try $0.meta()) }
            return []
        } catch let damage as LMDBPages.Damage {
            return [StoreProblem("data.mdb: \(damage.detail)")]
        }
    }

    /// How often pages are read beside somebody who saves, before he is kept from it.
    private static let attempts = 3

    /// Reads pages, again where somebody wrote meanwhile: then they need not fit together.
    private static func whole<T>(
        _ path: String, _ failure: (SwiftDataError.Code, String) -> SwiftDataError, _ body: (LMDBPages) throws -> T
    ) throws -> T {
        // What stands there by now need not be what was looked at, and opening a pipe would wait for somebody.
        let descriptor = open(data(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw failure(.ioFailure, "data.mdb: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        func meta() -> UInt64? {
            (try? LMDBPages(descriptor: descriptor, size: size())).flatMap { try? $0.meta().transaction }
        }
        func size() throws -> Int {
            var now = stat()
            guard fstat(descriptor, &now) == 0 else { throw failure(.ioFailure, String(cString: strerror(errno))) }
            return Int(now.st_size)
        }
        var attempt = 0
        while true {
            attempt += 1
            // In this order: the file has all pages of a save before the save is in force.
            let before = meta()
            let pages = LMDBPages(descriptor: descriptor, size: try size())
            do {
                // A large file is not gone through as quickly as saves follow each other.
                let turn = attempt >= attempts ? WriterLock.Pass(folder: path) : nil
                return try withExtendedLifetime(turn) { try body(pages) }
            } catch let damage as LMDBPages.Damage {
                guard attempt < 10, before != meta() || isBeingMade(pages) else { throw damage }
                if before == nil { usleep(1000) }
            } catch let error as SwiftDataError {
                throw error.adding(operation: .open, file: path)
            }
        }
    }

    /// Whether somebody may be writing the first pages, of which a part can be seen before the rest.
    private static func isBeingMade(_ pages: LMDBPages) -> Bool {
        pages.size < 2 * sysconf(Int32(_SC_PAGESIZE))
    }

    private static func look(_ pages: LMDBPages, _ path: String, willWrite: Bool, isOpen: Bool) throws -> State {
        let meta = try pages.meta()
        let tables = try pages.tables(meta)
        if tables.isEmpty, meta.main.root == LMDBPages.none { return .empty }
        guard tables[RecordSchema.metadata.name] != nil else {
            throw SwiftDataError(.corruptStore, detail: "it is an LMDB file, but no store of Coffer's")
        }
        // LMDB need not have written the last pages that it has taken and given up again.
        let isCut = pages.size < (Int(meta.lastPage) + 1) * meta.pageSize
        if isOpen, !isCut { return .store }
        var status = stat()
        if isLarge(pages.size), fstat(pages.descriptor, &status) == 0, Int(status.st_size) == pages.size {
            let mark = LMDBMark(status, meta.transaction)
            if mark.isWritten(path) { return .store }
            try LMDBCheck.run(pages, meta)
            if willWrite { LMDBMark.leave(path, FileIdentity(status)) }
        } else {
            try LMDBCheck.run(pages, meta)
        }
        return .store
    }

    static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What tells the data file from every other one; nil where there is none.
    static func identity(_ path: String) -> FileIdentity? { FileIdentity(data(path)) }

    /// Removes what a store that could not be made has left, where that is no store: there was no room for it.
    ///
    /// The caller sees to it that this process does not have the folder open. Where another one has, it may be making the
    /// store, and what it has made so far is not there to see.
    ///
    /// - Parameter isMade: whether the folder was made for it.
    static func removeUnmade(_ path: String, isMade: Bool) {
        // LMDB makes that file before any other.
        if status(path + "/lock.mdb") == nil, status(data(path)) == nil {
            if isMade { rmdir(path) }
            return
        }
        whileAlone(path) {
            if let size = status(data(path))?.st_size, size >= 2 * Int(getpagesize()) {
                guard (try? inspect(path, willWrite: true, isOpen: false)) == .empty else { return }
            }
            if isMade { remove(folder: path) } else { unlink(data(path)) }
        }
    }

    /// Runs a body unless another process has the folder open, or is opening it.
    private static func whileAlone(_ path: String, _ body: () -> Void) {
        guard let lock = try? FolderLock.alone(path) else { return }
        withExtendedLifetime(lock, body)
    }

    /// Removes a folder with what LMDB and this store put into it.
    static func remove(folder path: String) {
        for name in ["data.mdb", "lock.mdb", "writer.lock"] { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// Empties a file in which nothing was ever stored because the process that was making it died, or the power went: LMDB
    /// writes both of its first pages at once, and takes a file with less for none of its own.
    ///
    /// The caller sees to it that this process does not have the folder open: it could not tell its own lock from none,
    /// and would give it up.
    static func clearUnmade(_ path: String) {
        guard let size = status(data(path))?.st_size, size > 0, size <= 2 * sysconf(Int32(_SC_PAGESIZE)),
            isUnmade(path, Int(size))
        else { return }
        whileAlone(path) { truncate(data(path), 0) }
    }

    /// Whether there are first pages of LMDB's, or parts of them, and nothing else.
    private static func isUnmade(_ path: String, _ size: Int) -> Bool {
        let descriptor = open(data(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: size)
        guard pread(descriptor, &bytes, size, 0) == size else { return false }
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        return stride(from: 0, to: size, by: pageSize).allSatisfy { start in
            let page = bytes[start..<min(start + pageSize, size)]
            let end = min(start + 152, page.endIndex)
            let isFirstPage =
                page.count >= 152
                && page[(start + 16)..<(start + 20)].elementsEqual(withUnsafeBytes(of: LMDBPages.magic) { Array($0) })
                && page[(start + 128)..<(start + 136)].allSatisfy { $0 == 0xFF }
            return page[end...].allSatisfy { $0 == 0 } && (isFirstPage || page[..<end].allSatisfy { $0 == 0 })
        }
    }

    /// Has the system keep what a folder lists.
    static func sync(folder path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBFailure(code: errno) }
        defer { close(descriptor) }
        // Some file systems have no such call for folders.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw LMDBFailure(code: errno) }
    }
}
