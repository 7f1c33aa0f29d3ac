import CofferCore
import Foundation

/// The files of an archive: the document, the journal beside it, and files that are to take the document's place.
struct ArchivePlace: Hashable, Sendable {
    /// The document, from the root on, without symbolic links.
    let path: String
    let folder: String
    private let name: String

    init(_ url: URL) {
        var path = url.absoluteURL.standardizedFileURL.path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if let known = Self.resolve(path) {
            path = known
        } else {
            let (folder, name) = Self.parts(path)
            if let folder = Self.resolve(folder) { path = (folder == "/" ? "" : folder) + "/" + name }
        }
        self.path = path
        (folder, name) = Self.parts(path)
    }

    private static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func parts(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    var journal: String { path + ".journal" }

    /// The longest name of a document in bytes, of the 255 that file systems have.
    private static let longestName = 247

    // MARK: Looking

    /// Finds out whether an archive may be there, or may be made.
    ///
    /// - Parameter willWrite: whether the store is to be saved to, which needs more rights.
    /// - Throws: `SwiftDataError` for something else in place of the file, an empty file, and missing rights.
    func inspect(willWrite: Bool) throws {
        func failure(_ code: SwiftDataError.Code, _ detail: String) -> SwiftDataError {
            SwiftDataError(code, operation: .open, file: path, detail: detail)
        }
        guard name.utf8.count <= Self.longestName else {
            throw failure(.configurationFileNameTooLong, "its name leaves no room for that of the journal")
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            switch errno {
            case ENOENT: break
            case ENOTDIR: throw failure(.storeNotFound, "part of the path is a file, not a folder")
            case ENAMETOOLONG: throw failure(.configurationFileNameTooLong, "the path is too long")
            default: throw failure(.ioFailure, String(cString: strerror(errno)))
            }
            var parent = stat()
            guard stat(folder, &parent) == 0, parent.st_mode & S_IFMT == S_IFDIR else {
                throw failure(.storeNotFound, "the folder \(folder) does not exist")
            }
            guard willWrite else {
                throw failure(.storeNotFound, "there is no store, and one opened for reading only is not made")
            }
            guard access(folder, W_OK | X_OK) == 0 else {
                throw failure(.storeNotWritable, "the folder \(folder) may not be written")
            }
            guard FileStamp(journal) == nil else {
                // Somebody may have made the archive since, and saved to it.
                if FileStamp(path) != nil { return try inspect(willWrite: willWrite) }
                throw failure(.storeNotFound, "the archive is gone, and its journal \(journal) is left")
            }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(.corruptStore, "it is no regular file") }
        guard access(path, R_OK) == 0 else { throw failure(.ioFailure, "the file may not be read") }
        guard status.st_size > 0 else { throw failure(.corruptStore, "the file is empty") }
        if willWrite {
            guard access(path, W_OK) == 0 else { throw failure(.storeNotWritable, "the file may not be written") }
            guard access(folder, W_OK | X_OK) == 0 else {
                throw failure(.storeNotWritable, "the folder \(folder) may not be written")
            }
        }
    }

    // MARK: Temporary files

    /// What the names of files that are to take the document's place begin with.
    private var temporaryPrefix: String { ".\(String(decoding: name.utf8.prefix(180), as: UTF8.self)).coffer-" }

    /// A name for a file that is to take the document's place.
    func temporary(_ number: Int) -> String { "\(folder)/\(temporaryPrefix)\(getpid())-\(number)" }

    /// Removes temporary files of processes that ended before they were done.
    func removeStaleTemporaries() {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        for name in names where name.hasPrefix(temporaryPrefix) {
            let numbers = name.dropFirst(temporaryPrefix.count).split(separator: "-", omittingEmptySubsequences: false)
            guard numbers.count == 2, let process = pid_t(numbers[0]), process != getpid() else { continue }
            // The process may live where its number is not known here; then it has the file locked.
            let path = "\(folder)/\(name)"
            guard kill(process, 0) != 0, errno == ESRCH, let file = try? OpenFile(reading: path) else { continue }
            if (try? file.lock()) == true { unlink(path) }
        }
    }
}
