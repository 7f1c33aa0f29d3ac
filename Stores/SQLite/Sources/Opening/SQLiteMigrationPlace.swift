import CofferCore
import Foundation

/// A file that is held for a migration: by a connection in SQLite's exclusive locking mode, beside which there is no
/// other.
///
/// New files are made beside it. Their large values lie in the folder of the old one, where names are never used twice:
/// what a migration that ends early leaves there is swept at the next opening, and what only the old file refers to once
/// the new one is in its place.
final class SQLiteMigrationPlace: StoreMigrationPlace {
    let source: any ImportingRowStore
    private let configuration: SQLiteStoreConfiguration
    private let store: SQLiteStore
    /// Nil once the place is free.
    private var connection: SQLiteConnection?
    /// The file's path, without symbolic links.
    let path: String
    private let files: ExternalFiles
    /// Whether files of large values may have been written that only the old file's successor would refer to.
    private var hasNewFiles = false

    var name: String { configuration.name }

    /// - Parameter closesOthers: whether the process's own stores of the file are closed.
    /// - Throws: ``SwiftDataError/storeBusy`` where somebody has the file open.
    init(_ configuration: SQLiteStoreConfiguration, closesOthers: Bool) throws {
        self.configuration = configuration
        path = configuration.place.resolvedPath
        files = ExternalFiles(beside: path)
        if closesOthers { SQLiteOpenStores.close(path) }
        let hadJournal = SQLiteFile.hasJournal(path)
        let connection = try SQLiteOpening.connect(configuration)
        self.connection = connection
        // A transaction would begin by writing a first page.
        if hadJournal, try SQLiteOpening.isEmpty(connection) {
            throw SwiftDataError(.storeNotFound, detail: "the process that was making it ended before it was done")
        }
        do {
            // From the first read on, the file belongs to this connection alone, in WAL mode too. One that may not be
            // written is read as it is.
            if configuration.allowsSave {
                try connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
            } else {
                connection.keepLogOnClose()
            }
        } catch let failure as SQLiteFailure where failure.isBusy {
            throw SwiftDataError(
                .storeBusy,
                detail: "somebody else has it open; a migration, and copying it into another store, need it alone",
                underlying: failure)
        }
        let place = configuration.place
        let stored = try SQLiteOpening.stored(connection, place)
        store = SQLiteStore(
            configuration, stored.schema, try SQLiteSchema(stored.schema), connection, identifier: stored.identifier,
            files: files
        ) {
            throw SwiftDataError(
                .storeBusy, store: place.name, file: place.path, detail: "it is read elsewhere in a migration")
        }
        source = store
    }

    private func sibling(_ number: Int) -> String { MigrationFiles.sibling(of: path, number) }

    func makeSibling(_ number: Int, schema: Schema) throws -> any ImportingRowStore {
        hasNewFiles = true
        return try SQLiteSibling.make(
            sibling(number), configuration, schema: schema, identifier: source.identifier, files: files)
    }

    func finishSibling(_ number: Int, _ store: any ImportingRowStore) throws {
        try SQLiteSibling.close(store)
        guard SQLiteSibling.isAlone(sibling(number)) else {
            throw SwiftDataError(
                .migrationFailure, file: path,
                detail: "code of the program still uses the context that it was given")
        }
    }

    func removeSibling(_ number: Int) {
        SQLiteSibling.remove(sibling(number))
    }

    func backUp() throws -> URL {
        try foldLog()
        let backup = MigrationFiles.backup(of: path)
        var names: Set<String> = []
        if let connection, store.layout.hasExternals { names = try store.layout.externalNames(connection) }
        if !names.isEmpty {
            let kept = ExternalFiles(beside: backup)
            try kept.makeFolders()
            for name in names { try MigrationFiles.keep(files.path(of: name), as: kept.path(of: name)) }
            try kept.sync()
        }
        try MigrationFiles.keep(path, as: backup) { [connection, path] in
            guard let connection else { throw SwiftDataError(.storeClosed) }
            try SQLiteBytes(connection.handle).copy(to: backup, like: path)
        }
        try MigrationFiles.sync(MigrationFiles.folder(of: path))
        return URL(fileURLWithPath: backup)
    }

    /// A log that is left beside the new file would be taken for its own.
    private func foldLog() throws {
        var status = stat()
        guard stat(path + "-wal", &status) == 0, status.st_size > 0 else { return }
        try connection?.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        guard stat(path + "-wal", &status) != 0 || status.st_size == 0 else {
            throw SwiftDataError(.storeBusy, detail: "the log cannot be folded into the file")
        }
    }

    func replace(with number: Int) throws {
        try foldLog()
        try files.sync()
        // What is beside the path belongs to the new file from here on.
        connection?.keepLogOnClose()
        try MigrationFiles.replace(path, with: sibling(number))
        hasNewFiles = false
    }

    func end() {
        if hasNewFiles, !files.names().isEmpty, let connection,
            let names = try? store.layout.externalNames(connection)
        {
            files.sweep(keeping: names)
            files.removeEmptyFolder()
        }
        store.close()
        connection = nil
    }
}
