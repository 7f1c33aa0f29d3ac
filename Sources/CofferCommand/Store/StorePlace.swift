import Coffer
import Foundation

/// A store that is there: its place, its kind, and how to open it without the models of the program that made it.
struct StorePlace {
    let path: String
    let kind: StoreKind

    /// Looks what is at a place.
    ///
    /// - Throws: ``CommandFailure`` where there is no store.
    init(_ path: String) throws {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        // The file in an LMDB folder stands for the folder.
        if URL(fileURLWithPath: path).lastPathComponent == "data.mdb" {
            path = URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        kind = try StoreKind(at: path)
        self.path = path
    }

    /// LMDB files up to this size are looked at page by page whatever is to be read of them.
    private static let smallFile: Int64 = 64 << 20

    /// Opens the store for reading. A dump is read into memory.
    ///
    /// - Parameter readsAll: whether all of it will be read, so that it is worth while to look for damaged pages first
    ///   where the engine would not notice them.
    func open(readsAll: Bool = true) throws -> any ImportingRowStore {
        guard let configuration else { return try DumpReader(path).load() }
        if kind == .lmdb, readsAll || size < Self.smallFile {
            // LMDB trusts what it maps, and a damaged page would end the process.
            if let problem = try StoreOpening.checkFiles(configuration).first {
                throw SwiftDataError(.corruptStore, operation: .open, file: path, detail: "\(problem)")
            }
        }
        return try StoreOpening.open(configuration)
    }

    /// Opens as much of a damaged store as can be opened.
    func openDamaged() throws -> (store: any ImportingRowStore, losses: [StoreProblem]) {
        guard let configuration else { return (try open(), []) }
        return try StoreOpening.openDamaged(configuration)
    }

    /// The configuration for reading; nil of a dump.
    var configuration: (any DataStoreConfiguration)? { kind.configuration(path, allowsSave: false) }

    /// The files and folders that belong to the store.
    var files: [String] {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        switch kind {
        case .sqlite: return [path, path + "-wal", path + "-shm", "\(folder)/.\(url.lastPathComponent)_SUPPORT"]
        case .json: return [path, path + ".journal"]
        case .lmdb, .dump: return [path]
        }
    }

    /// The bytes of all files of the store.
    var size: Int64 { files.reduce(0) { $0 + Self.size(of: $1) } }

    private static func size(of path: String) -> Int64 {
        var status = stat()
        guard lstat(path, &status) == 0 else { return 0 }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            // The map of an LMDB file may be longer than what was written of it.
            return status.st_mode & S_IFMT == S_IFREG ? min(Int64(status.st_size), Int64(status.st_blocks) * 512) : 0
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.reduce(0) { $0 + size(of: path + "/" + $1) }
    }
}

/// A place for a store that is to be made.
struct NewStorePlace {
    let path: String
    let kind: StoreKind
    let configuration: any DataStoreConfiguration

    /// - Parameters:
    ///   - kind: what `--to-kind` or `--kind` says; nil where the name of the place tells.
    ///   - otherwise: the kind where neither does.
    /// - Throws: ``UsageError`` where the kind is not known.
    init(_ path: String, kind name: String?, option: String, otherwise: StoreKind? = nil) throws(UsageError) {
        guard let kind = name.flatMap({ StoreKind(rawValue: $0) }) ?? StoreKind(nameOf: path) ?? otherwise,
            let configuration = kind.configuration(path, allowsSave: true)
        else {
            throw UsageError(description: "the name '\(path)' tells no kind of store; say it with '--\(option)'")
        }
        self.path = path
        self.kind = kind
        self.configuration = configuration
    }

    /// The option that says of which kind a new store is.
    static func option(_ name: String, or otherwise: String) -> CommandOption {
        CommandOption(
            name, letter: "k", value: "KIND", choices: StoreKind.stores.map(\.rawValue),
            help: "make the new store of this kind: sqlite, lmdb or json\n(default: as its name ends\(otherwise))")
    }
}
