import CofferCore
import Foundation

/// A file that is being filled and has not its name yet.
enum SQLiteSibling {
    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - path: where it lies for the time being.
    ///   - configuration: that of the store that it will be.
    ///   - files: where its large values lie.
    static func make(
        _ path: String, _ configuration: SQLiteStoreConfiguration, schema: Schema, identifier: String,
        files: ExternalFiles
    ) throws -> SQLiteStore {
        var own = SQLiteStoreConfiguration(
            configuration.name, schema: schema, url: URL(fileURLWithPath: path), durability: .normal)
        own.busyTimeout = configuration.busyTimeout
        let layout = try SQLiteStore.layout(of: schema, configuration.place)
        let opened = try SQLiteOpening(own, schema: schema, layout: layout, identifier: identifier).run()
        // The file is brought to disk as a whole before it gets its name.
        let prepare: @Sendable (SQLiteConnection) throws -> SQLiteConnection = { connection in
            try connection.execute("PRAGMA synchronous = OFF")
            try layout.followTexts(on: connection)
            return connection
        }
        return SQLiteStore(
            own, schema, layout, try prepare(opened.connection), identifier: opened.identifier,
            files: layout.hasExternals ? files : nil
        ) { [own] in try prepare(SQLiteOpening.connect(own)) }
    }

    /// Closes a store whose log is folded into its file.
    ///
    /// - Throws: `SwiftDataError` where the disk does not take it, which closing alone would not say.
    static func close(_ store: any ImportingRowStore) throws {
        guard let store = store as? SQLiteStore else { return }
        defer { store.close() }
        try store.write(.migrate) { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// Whether a file that was closed holds everything: the last connection folds the log in and removes it.
    static func isAlone(_ path: String) -> Bool {
        var status = stat()
        return stat(path + "-wal", &status) != 0 || status.st_size == 0
    }

    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}

/// A file that another store is copied into.
final class SQLiteCopyTarget: StoreCopyTarget {
    let store: any ImportingRowStore
    private let filled: SQLiteStore
    private let place: SQLitePlace
    private let folder: CopyFolder

    init(_ configuration: SQLiteStoreConfiguration, identifier: String) throws {
        place = configuration.place
        guard try SQLiteFile.inspect(place, willWrite: true) == .missing else {
            throw SwiftDataError(.storeExists)
        }
        try MigrationFiles.checkFree(place.path)
        folder = try CopyFolder(for: place.path)
        filled = try SQLiteSibling.make(
            folder.store, configuration, schema: configuration.schema ?? Schema(), identifier: identifier,
            files: ExternalFiles(beside: folder.store))
        store = filled
    }

    func finish() throws {
        let names = try filled.externalNames()
        filled.close()
        guard SQLiteSibling.isAlone(folder.store) else { throw SwiftDataError(.storeBusy, file: folder.store) }
        try MigrationFiles.checkFree(place.path)
        let files = ExternalFiles(beside: place.path)
        do {
            try files.takeOver(names, from: ExternalFiles(beside: folder.store))
            try MigrationFiles.place(folder.store, at: place.path)
            folder.remove()
        } catch {
            // Somebody may have come first, whose files they are beside now.
            files.remove(names)
            files.removeEmptyFolder()
            throw error
        }
    }

    func abandon() {
        filled.close()
        folder.remove()
    }
}

extension SQLiteStore {
    /// The files that rows refer to.
    func externalNames() throws -> Set<String> {
        externals == nil ? [] : try read(.migrate) { try layout.externalNames($0) }
    }
}
