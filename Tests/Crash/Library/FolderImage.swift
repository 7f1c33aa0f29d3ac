import Foundation

/// What a folder holds, in memory.
struct FolderImage: Hashable {
    /// By path below the folder.
    var files: [String: [UInt8]] = [:]
    var folders: Set<String> = []

    init() {}

    init(reading folder: String) throws { try read(folder, "") }

    private mutating func read(_ folder: String, _ prefix: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let (path, own) = (folder + "/" + name, prefix + name)
            var status = stat()
            guard lstat(path, &status) == 0 else { throw CrashFault("cannot look at \(path)") }
            if status.st_mode & S_IFMT == S_IFDIR {
                folders.insert(own)
                try read(path, own + "/")
            } else {
                files[own] = try Self.bytes(path, Int(status.st_size))
            }
        }
    }

    /// The bytes of a file.
    static func bytes(_ path: String, _ size: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CrashFault("cannot read \(path)") }
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = Foundation.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
                if got <= 0 { return }
                count += got
            }
        }
    }

    /// Makes a folder that holds this and nothing else.
    func write(to folder: String) throws {
        try? FileManager.default.removeItem(atPath: folder)
        guard mkdir(folder, 0o755) == 0 else { throw CrashFault("cannot make \(folder)") }
        for name in folders.sorted() { mkdir(folder + "/" + name, 0o755) }
        for (name, bytes) in files {
            let descriptor = open(folder + "/" + name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw CrashFault("cannot make \(name)") }
            defer { close(descriptor) }
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Foundation.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
                }
                guard count > 0 else { throw CrashFault("cannot write \(name)") }
                done += count
            }
        }
    }
}
