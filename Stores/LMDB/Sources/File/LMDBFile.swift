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

    /// The largest file that is checked page by page when it is opened.
    private static let smallSize = 1 << 20

    static func data(_ path: String) -> String { path + "/data.mdb" }

    /// Finds out what is at a place.
    ///
    /// - Parameter willWrite: whether the store is to be saved to, which needs more rights.
    /// - Throws: `SwiftDataError` for a file in place of the folder, a file that is no store, is damaged or from a newer
    ///   version, and for missing rights.
    static func inspect(_ path: String, willWrite: Bool) throws -> State {
        func failure(_ code: SwiftDataError.Code, _ detail: String) -> SwiftDataError {
            SwiftDataError(code, operation: .open, file: path, detail: detail)
        }
        guard let folder = status(path) else {
            switch errno {
            case ENOENT: break
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
        guard let file = status(data(path)), file.st_size > 0 else {
            guard willWrite else {
                throw failure(.storeNotFound, "there is no store, and one opened for reading only is not made")
            }
            return .empty
        }
        guard file.st_mode & S_IFMT == S_IFREG else { throw failure(.corruptStore, "data.mdb is no regular file") }
        if willWrite, access(data(path), W_OK) != 0 {
            throw failure(.storeNotWritable, "data.mdb may not be written")
        }
        return try look(path, failure)
    }

    private static func look(
        _ path: String, _ failure: (SwiftDataError.Code, String) -> SwiftDataError
    ) throws -> State {
        do {
            return try whole(path, failure) { try look($0) }
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
            try whole(path, failure) { try $0.check(try $0.meta()) }
            return []
        } catch let damage as LMDBPages.Damage {
            return [StoreProblem("data.mdb: \(damage.detail)")]
        }
    }

    /// Reads pages, again where somebody wrote meanwhile: then they need not fit together.
    private static func whole<T>(
        _ path: String, _ failure: (SwiftDataError.Code, String) -> SwiftDataError, _ body: (LMDBPages) throws -> T
    ) throws -> T {
        let descriptor = open(data(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw failure(.ioFailure, String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var attempt = 0
        while true {
            attempt += 1
            var now = stat()
            guard fstat(descriptor, &now) == 0 else { throw failure(.ioFailure, String(cString: strerror(errno))) }
            let pages = LMDBPages(descriptor: descriptor, size: Int(now.st_size))
            let before = try? pages.meta().transaction
            do {
                return try body(pages)
            } catch let damage as LMDBPages.Damage {
                let after = try? pages.meta().transaction
                if attempt < 100, before != nil, after != nil, before != after { continue }
                throw damage
            } catch let error as SwiftDataError {
                throw error.adding(operation: .open, file: path)
            }
        }
    }

    private static func look(_ pages: LMDBPages) throws -> State {
        let meta = try pages.meta()
        let tables = try pages.tables(meta)
        if tables.isEmpty, meta.mainRoot == LMDBPages.none { return .empty }
        guard tables[RecordSchema.metadata.name] != nil else {
            throw SwiftDataError(.corruptStore, detail: "it is an LMDB file, but no store of Coffer's")
        }
        // LMDB need not have written the last pages that it has taken and given up again.
        let isCut = pages.size < (Int(clamping: meta.lastPage) + 1) * meta.pageSize
        if isCut || pages.size <= smallSize { try pages.check(meta) }
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

    /// Removes a folder with what LMDB and this store put into it.
    static func remove(folder path: String) {
        for name in ["data.mdb", "lock.mdb", "writer.lock"] { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// Has the system keep what a folder lists.
    static func sync(folder path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
