import CofferCore
import CofferRecords
import Foundation

/// A folder that is held for a migration.
///
/// Nobody has it open meanwhile, and whoever wants to waits and then finds the new file; see ``FolderLock``.
final class LMDBMigrationPlace: StoreMigrationPlace {
    let name: String
    let path: String
    let source: any ImportingRowStore
    private let configuration: LMDBStoreConfiguration
    /// Where new stores are made of one that may not be written, and so is not held; they are thrown away.
    private var folder: CopyFolder?
    private let core: RecordStoreCore

    /// Another file is in the folder.
    struct Replaced: Error {}

    /// - Parameters:
    ///   - closesOthers: whether the process's own stores of the file are closed.
    ///   - file: the file that is meant; nil for the one in the folder, whichever it is.
    /// - Throws: `storeBusy` where somebody has the folder open; ``Replaced`` where the file is not the one that is meant any
    ///   more.
    init(_ configuration: LMDBStoreConfiguration, closesOthers: Bool, _ file: FileIdentity? = nil) throws {
        self.configuration = configuration
        let path = configuration.path
        (name, self.path) = (configuration.name, path)
        if closesOthers { LMDBRegistry.close(path, file) }
        let detail = "somebody else has it open; a migration, and copying it into another store, need it alone"
        let hold = try LMDBRegistry.waiting(configuration.busyTimeout, detail) {
            // Who was faster may have it open for long.
            if let file, LMDBFile.identity(path) != file { throw Replaced() }
            return try Self.open(configuration)
        }
        let engine = LMDBEngine(path, hold: hold, isReadOnly: true, timeout: configuration.busyTimeout)
        core = try hold.environment.opening.withLock { _ in
            guard let stored = try RecordStoreCore.stored(in: engine) else {
                throw SwiftDataError(.storeNotFound, detail: "there is no store any more")
            }
            return try RecordStoreCore(name: configuration.name, schema: stored.schema, engine: engine)
        }
        source = LMDBStore(configuration, core)
    }

    /// Opens the folder, with its lock, for this process alone.
    ///
    /// The lock is given up while the registry holds its own: if another thread opened the folder before, that would give
    /// up the lock which LMDB has taken for it.
    private static func open(_ configuration: LMDBStoreConfiguration) throws -> LMDBHold {
        let path = configuration.path
        return try LMDBRegistry.hold(path, isMigrating: true) {
            // A folder that may not be written is read as it is.
            try LMDBEnvironment(
                path, isReadOnly: true, mapSize: configuration.initialMapSize, writesReaderList: false,
                lock: configuration.allowsSave ? FolderLock.alone(path) : nil)
        }
    }

    private func sibling(_ number: Int) -> String {
        folder.map { "\($0.store)-\(number)" } ?? MigrationFiles.sibling(of: path, number)
    }

    func makeSibling(_ number: Int, schema: Schema) throws -> any ImportingRowStore {
        if !configuration.allowsSave, folder == nil { folder = try CopyFolder(for: path) }
        return try LMDBStore.makeSibling(sibling(number), configuration, schema: schema, identifier: source.identifier)
    }

    func finishSibling(_ number: Int, _ store: any ImportingRowStore) throws {
        // Each commit is on disk.
        (store as? LMDBStore)?.close()
    }

    func removeSibling(_ number: Int) {
        if !configuration.allowsSave, folder == nil { return }
        LMDBFile.remove(folder: sibling(number))
    }

    func backUp() throws -> URL {
        let backup = MigrationFiles.backup(of: path)
        guard mkdir(backup, StoreRights.folder(like: LMDBFile.data(path))) == 0 else {
            throw LMDBFailure(code: errno).error(backup)
        }
        try MigrationFiles.keep(LMDBFile.data(path), as: LMDBFile.data(backup))
        do {
            try LMDBFile.sync(folder: backup)
            try LMDBFile.sync(folder: LMDBFile.parent(of: backup))
        } catch let failure as LMDBFailure {
            throw failure.error(backup)
        }
        return URL(fileURLWithPath: backup, isDirectory: true)
    }

    func replace(with number: Int) throws {
        try MigrationFiles.replace(LMDBFile.data(path), with: LMDBFile.data(sibling(number)))
        removeSibling(number)
    }

    func end() { core.close() }
}

/// A folder that another store is copied into.
final class LMDBCopyTarget: StoreCopyTarget {
    let store: any ImportingRowStore
    private let filled: LMDBStore
    private let path: String
    private let folder: CopyFolder

    init(_ configuration: LMDBStoreConfiguration, identifier: String) throws {
        path = configuration.path
        guard try LMDBFile.inspect(path, willWrite: true) != .store else { throw SwiftDataError(.storeExists) }
        folder = try CopyFolder(for: path)
        filled = try LMDBStore.makeSibling(
            folder.store, configuration, schema: configuration.schema ?? Schema(), identifier: identifier)
        store = filled
    }

    func finish() throws {
        filled.close()
        for name in ["lock.mdb", "writer.lock"] { unlink(folder.store + "/" + name) }
        // An empty folder gives way, one with something in it does not.
        guard rename(folder.store, path) == 0 else {
            throw errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR
                ? SwiftDataError(.storeExists, file: path) : LMDBFailure(code: errno).error(path)
        }
        do {
            try LMDBFile.sync(folder: LMDBFile.parent(of: path))
        } catch let failure as LMDBFailure {
            rename(path, folder.store)
            throw failure.error(path)
        }
        folder.remove()
    }

    func abandon() {
        filled.close()
        folder.remove()
    }
}

extension LMDBStore {
    /// Makes an empty store beside the place where it will be.
    fileprivate static func makeSibling(
        _ path: String, _ configuration: LMDBStoreConfiguration, schema: Schema, identifier: String
    ) throws -> LMDBStore {
        var own = LMDBStoreConfiguration(
            configuration.name, schema: schema, url: URL(fileURLWithPath: path, isDirectory: true))
        own.initialMapSize = configuration.initialMapSize
        return LMDBStore(own, try open(own, plan: nil, identifier: identifier))
    }
}
