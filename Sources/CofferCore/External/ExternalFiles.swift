import Foundation

/// The files in which a store keeps large values of `.externalStorage` attributes, in a hidden folder beside its own.
///
/// A store that keeps `trips.sqlite` has the folder `.trips.sqlite_SUPPORT/_EXTERNAL_DATA`, and in it one file for each
/// value, which holds nothing but the value's bytes. The row holds the file's name, as text where the value would be
/// bytes. A name is never used twice, and a file is never changed once it has its name.
///
/// Rules for a store:
/// - It writes, sweeps and erases only while it holds the lock that one writer at a time has, across processes.
///   Whatever no row refers to is then nobody's.
/// - It writes files before the commit that refers to them and removes files after the commit that forgets them; see
///   ``ExternalFileChanges``. Whenever the process stops, the store is whole, and files too many are swept at the next
///   opening.
/// - A reader may find that the file is gone which a row named a moment ago. It reads the row again: only a name that
///   is still there makes a missing file an error.
///
/// Only files whose names have the pattern are ever removed.
public struct ExternalFiles: Hashable, Sendable {
    /// The bytes up to which a value stays in its row.
    public static let threshold = 16_384

    /// The path of the folder with the files.
    public let folder: String
    /// The path of the folder around it.
    public let supportFolder: String
    /// The path of the store's own file, whose rights the files have.
    private let storePath: String

    /// The files of a store.
    ///
    /// - Parameter path: the path of the store's own file or folder, with symbolic links resolved, so that the files
    ///   are found whichever way leads to the store.
    public init(beside path: String) {
        storePath = path
        let url = URL(fileURLWithPath: path)
        let support = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent)_SUPPORT")
        supportFolder = support.path
        folder = support.appendingPathComponent("_EXTERNAL_DATA").path
    }

    /// The path of a file.
    public func path(of name: String) -> String { folder + "/" + name }

    // MARK: Names

    private static let suffix = ".data"
    /// What the name of a file ends with that is not complete yet.
    private static let unfinished = ".new"

    /// The number of bytes that a name promises; nil for text that is no name of a file of ours.
    public static func byteCount(of name: String) -> Int? {
        guard name.hasSuffix(suffix) else { return nil }
        let parts = name.dropLast(suffix.count)
        guard let dash = parts.lastIndex(of: "-"), UUID(uuidString: String(parts[..<dash])) != nil else { return nil }
        let digits = parts[parts.index(after: dash)...]
        guard let count = Int(digits), count >= 0, String(count) == digits else { return nil }
        return count
    }

    private static func isOurs(_ name: String) -> Bool {
        byteCount(of: name.hasSuffix(unfinished) ? String(name.dropLast(unfinished.count)) : name) != nil
    }

    // MARK: Reading

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - name: the name of the file, as the row has it.
    ///   - body: takes the bytes; they are gone after the call.
    /// - Throws: ``SwiftDataError/externalFileMissing`` where there is no such file, ``SwiftDataError/corruptStore``
    ///   where its size is not that of the value, ``SwiftDataError/ioFailure``; each with the file's path.
    public func read<T>(_ name: String, _ body: (UnsafeRawBufferPointer) throws -> T) throws -> T {
        guard let count = Self.byteCount(of: name) else {
            throw SwiftDataError(.corruptStore, file: folder, detail: "a row names a file in a way that is not ours")
        }
        let descriptor = open(path(of: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR {
                throw SwiftDataError(.externalFileMissing, file: path(of: name))
            }
            throw errno == ELOOP ? Self.link(path(of: name)) : Self.failure(path(of: name))
        }
        defer { close(descriptor) }
        try checkFolders()
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(path(of: name)) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SwiftDataError(.corruptStore, file: path(of: name), detail: "it is no regular file")
        }
        // A name may promise anything; room is made for what is there.
        guard Int(status.st_size) == count else {
            throw SwiftDataError(
                .corruptStore, file: path(of: name),
                detail: "it has \(status.st_size) bytes, and the value has \(count)")
        }
        // One byte more than there should be, to notice a file that has grown.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 1, alignment: 16)
        defer { buffer.deallocate() }
        var filled = 0
        while filled < buffer.count {
            let got = Foundation.read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Self.failure(path(of: name)) }
            if got == 0 { break }
            filled += got
        }
        guard filled == count else {
            throw SwiftDataError(
                .corruptStore, file: path(of: name),
                detail: filled < count
                    ? "it has \(filled) bytes, and the value has \(count)"
                    : "it has more bytes than the value's \(count)")
        }
        return try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }

    /// Whether a file holds exactly these bytes; false where it cannot be read.
    public func holds(_ bytes: UnsafeRawBufferPointer, in name: String) -> Bool {
        guard Self.byteCount(of: name) == bytes.count else { return false }
        return (try? read(name) { $0.count == bytes.count && $0.elementsEqual(bytes) }) ?? false
    }

    // MARK: Writing

    /// Writes a value into a file of its own: under a name for the time being, brought to disk, then renamed. The
    /// folder is made when it is missing; ``sync()`` brings the new names to disk.
    ///
    /// - Returns: the file's name.
    /// - Throws: ``SwiftDataError`` with the path: no room, no right to write, or another failure. No file is left.
    public func write(_ bytes: UnsafeRawBufferPointer) throws -> String {
        let name = "\(UUID().uuidString)-\(bytes.count)\(Self.suffix)"
        let temporary = path(of: name) + Self.unfinished
        let descriptor = try create(temporary)
        do {
            defer { close(descriptor) }
            try Self.fill(descriptor, with: bytes, temporary)
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path(of: name)) == 0 else {
            let error = Self.failure(temporary)
            unlink(temporary)
            throw error
        }
        return name
    }

    private static func fill(_ descriptor: Int32, with bytes: UnsafeRawBufferPointer, _ path: String) throws {
        var done = 0
        while done < bytes.count {
            let count = Foundation.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            done += count
        }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    private func create(_ path: String) throws -> Int32 {
        // Another process that erases the store may take an empty folder away again.
        for _ in 0..<3 {
            let descriptor = StoreRights.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, like: storePath)
            if descriptor >= 0 {
                do {
                    try checkFolders()
                    return descriptor
                } catch {
                    close(descriptor)
                    unlink(path)
                    throw error
                }
            }
            guard errno == ENOENT else { throw Self.failure(path) }
            try makeFolders()
            try Self.sync(URL(fileURLWithPath: supportFolder).deletingLastPathComponent().path)
            try Self.sync(supportFolder)
        }
        throw Self.failure(path)
    }

    /// Makes the folders where they are missing, for whoever may use the store.
    package func makeFolders() throws {
        for folder in [supportFolder, folder] {
            guard mkdir(folder, StoreRights.folder(like: storePath)) == 0 || errno == EEXIST else {
                throw Self.failure(folder)
            }
        }
    }

    /// Refuses folders that are links to somewhere else: files would be read, written and removed there.
    private func checkFolders() throws {
        for folder in [supportFolder, folder] {
            var status = stat()
            if lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { throw Self.link(folder) }
        }
    }

    private static func link(_ path: String) -> SwiftDataError {
        SwiftDataError(.corruptStore, file: path, detail: "it is a symbolic link, which large values never lie behind")
    }

    /// Brings the names of new files to disk. Nothing happens where there is no folder.
    ///
    /// - Throws: ``SwiftDataError`` with the path.
    public func sync() throws { try Self.sync(folder) }

    private static func sync(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw failure(folder)
        }
        defer { close(descriptor) }
        // Some file systems have no such call for folders.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(folder) }
    }

    /// Moves files of another store here, under their names, and brings that to disk.
    ///
    /// - Throws: ``SwiftDataError`` with the path; some of them may have been moved.
    package func takeOver(_ names: some Sequence<String>, from other: ExternalFiles) throws {
        try checkFolders()
        for name in names {
            var attempts = 0
            while rename(other.path(of: name), path(of: name)) != 0 {
                // Somebody else may take an empty folder away again.
                attempts += 1
                guard errno == ENOENT, attempts <= 10 else { throw Self.failure(path(of: name)) }
                try makeFolders()
                try checkFolders()
                try Self.sync(URL(fileURLWithPath: supportFolder).deletingLastPathComponent().path)
                try Self.sync(supportFolder)
            }
        }
        try sync()
    }

    // MARK: Removing

    /// The names of all files of ours in the folder, unfinished ones included; none where the folder cannot be read.
    public func names() -> [String] {
        guard (try? checkFolders()) != nil, let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if Self.isOurs(name) { names.append(name) }
        }
        return names
    }

    /// Removes files of ours; what cannot be removed is left for the next sweep.
    public func remove(_ names: some Sequence<String>) {
        if (try? checkFolders()) == nil { return }
        for name in names where Self.isOurs(name) { unlink(path(of: name)) }
    }

    /// Removes all files of ours that no row refers to.
    public func sweep(keeping referenced: Set<String>) { remove(names().filter { !referenced.contains($0) }) }

    /// Removes the folder where nothing is left in it.
    public func removeEmptyFolder() {
        rmdir(folder)
        rmdir(supportFolder)
    }

    private static func failure(_ path: String) -> SwiftDataError { .system(errno, file: path) }
}
