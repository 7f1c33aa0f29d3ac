import Coffer
import CofferJSON
import CofferLMDB
import Foundation

/// The kinds of stores that lie in files, and the dump, which is a file to be loaded into one.
enum StoreKind: String, CaseIterable, Sendable {
    case sqlite
    case lmdb
    case json
    case dump

    /// The kinds that a store can be made of.
    static let stores: [StoreKind] = [.sqlite, .lmdb, .json]

    /// As a person reads it.
    var title: String {
        switch self {
        case .sqlite: "SQLite file"
        case .lmdb: "LMDB folder"
        case .json: "JSON archive"
        case .dump: "dump"
        }
    }

    /// The configuration of a store at a place; nil for a dump.
    func configuration(_ path: String, allowsSave: Bool) -> (any DataStoreConfiguration)? {
        let name = URL(fileURLWithPath: path).lastPathComponent
        switch self {
        case .sqlite:
            return SQLiteStoreConfiguration(name, url: URL(fileURLWithPath: path), allowsSave: allowsSave)
        case .lmdb:
            let url = URL(fileURLWithPath: path, isDirectory: true)
            return LMDBStoreConfiguration(name, url: url, allowsSave: allowsSave)
        case .json: return JSONArchiveConfiguration(name, url: URL(fileURLWithPath: path), allowsSave: allowsSave)
        case .dump: return nil
        }
    }

    /// The kind that the name of a new store tells; nil where it tells none.
    init?(nameOf path: String) {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "sqlite", "sqlite3", "db", "store": self = .sqlite
        case "lmdb", "mdb": self = .lmdb
        case "json": self = .json
        default: return nil
        }
    }

    /// What is at a place, told by what is in the file.
    ///
    /// - Throws: ``CommandFailure`` where there is nothing, or nothing that Coffer knows.
    init(at path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw CommandFailure("\(path): \(String(cString: strerror(errno)))")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            guard access(path + "/data.mdb", F_OK) == 0 else {
                throw CommandFailure("\(path): is a folder without a store in it")
            }
            self = .lmdb
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CommandFailure("\(path): is no regular file") }
        let start = try Self.start(of: path)
        if start.starts(with: "SQLite format 3\u{0}".utf8) {
            self = .sqlite
            return
        }
        let text = start.drop {
            $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || [0xEF, 0xBB, 0xBF].contains($0)
        }
        guard text.first == UInt8(ascii: "{") else {
            throw CommandFailure("\(path): is no store of Coffer's and no dump")
        }
        self = text.starts(with: DumpFormat.opening.utf8) ? .dump : .json
    }

    private static func start(of path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw CommandFailure("\(path): \(String(cString: strerror(errno)))") }
        return Array(bytes[..<count])
    }
}
