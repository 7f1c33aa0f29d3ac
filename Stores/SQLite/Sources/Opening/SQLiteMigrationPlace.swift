import CSQLite
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
    /// Where new files are made of a store that may not be written, and so is not held; they are thrown away.
    private var folder: CopyFolder?
    /// The files of large values that those have.
    private var newFiles: Set<String> = []

    var name: String { configuration.name }

    /// Another file is at the path.
    struct Replaced: Error {}

    /// - Parameters:
    ///   - closesOthers: whether the process's own stores of the file are closed.
    ///   - file: the file that is meant; nil for the one at the path, whichever it is.
    /// - Throws: ``SwiftDataError/storeBusy`` where somebody has the file open; ``Replaced`` where it is not the one that is
    ///   meant any more.
    init(
        _ configuration: SQLiteStoreConfiguration, closesOthers: Bool, _ file: FileIdentity? = nil
    ) throws {
        self.configuration = configuration
        path = configuration.place.resolvedPath
        files = ExternalFiles(beside: path)
        if closesOthers, let file = file ?? FileIdentity(path) { SQLiteOpenStores.close(file) }
        let connection: SQLiteConnection
        let stored: (schema: Schema, identifier: String)
        if configuration.allowsSave {
            connection = try Self.alone(configuration, file)
            stored = try SQLiteOpening.stored(connection, configuration.place)
        } else {
            // A file that may not be written is read as it is.
            (connection, stored) = try SQLiteReading(configuration).run {
                try SQLiteOpening.stored($0, configuration.place)
            }
        }
        self.connection = connection
        let place = configuration.place
        store = SQLiteStore(
            configuration, stored.schema, try SQLiteSchema(stored.schema), connection, identifier: stored.identifier,
            files: files
        ) {
            throw SwiftDataError(
                .storeBusy, store: place.name, file: place.path, detail: "it is read elsewhere in a migration")
        }
        source = store
    }

    /// A connection that has the file for itself from the first read on, in WAL mode too.
    ///
    /// Who has waited in vain lets go of the file: two who kept their part of it would wait for each other, and who had
    /// opened it before another file took its place would go on with the old one.
    private static func alone(
        _ configuration: SQLiteStoreConfiguration, _ file: FileIdentity?
    ) throws -> SQLiteConnection {
        let path = configuration.path
        do {
            return try SQLiteBusyWait(configuration.busyTimeout).tryAgain {
                if let file, FileIdentity(path) != file { throw Replaced() }
                let hadJournal = SQLiteFile.hasJournal(path)
                let connection = try SQLiteOpening.connect(configuration)
                // A transaction would begin by writing a first page.
                if hadJournal, try SQLiteOpening.isEmpty(connection) {
                    throw SwiftDataError(
                        .storeNotFound, detail: "the process that was making it ended before it was done")
                }
                try connection.takeAlone()
                // Without a log the file can be replaced between two statements.
                if connection.hasMoved {
                    connection.keepLogOnClose()
                    throw SQLiteFailure(code: SQLITE_BUSY, message: "the file was replaced")
                }
                return connection
            }
        } catch let failure as SQLiteFailure where failure.isBusy {
            throw SwiftDataError(
                .storeBusy,
                detail: "somebody else has it open; a migration, and copying it into another store, need it alone",
                underlying: failure)
        }
    }

    private func sibling(_ number: Int) -> String {
        folder.map { "\($0.store)-\(number)" } ?? MigrationFiles.sibling(of: path, number)
    }

    func makeSibling(_ number: Int, schema: Schema) throws -> any ImportingRowStore {
        if !configuration.allowsSave, folder == nil { folder = try CopyFolder(for: path) }
        hasNewFiles = true
        return try SQLiteSibling.make(
            sibling(number), configuration, schema: schema, identifier: source.identifier, files: files)
    }

    func finishSibling(_ number: Int, _ store: any ImportingRowStore) throws {
        // Somebody else may be saving beside a store that is not held, so that a sweep would take his files.
        if folder != nil, let store = store as? SQLiteStore { newFiles.formUnion(try store.externalNames()) }
        try SQLiteSibling.close(store)
        guard SQLiteSibling.isAlone(sibling(number)) else {
            throw SwiftDataError(
                .migrationFailure, file: path,
                detail: "code of the program still uses the context that it was given")
        }
    }

    func removeSibling(_ number: Int) {
        if !configuration.allowsSave, folder == nil { return }
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
        if folder != nil {
            files.remove(newFiles)
            files.removeEmptyFolder()
        } else if hasNewFiles, !files.names().isEmpty, let connection,
            let names = try? store.layout.externalNames(connection)
        {
            files.sweep(keeping: names)
            files.removeEmptyFolder()
        }
        store.close()
        connection = nil
    }
}
