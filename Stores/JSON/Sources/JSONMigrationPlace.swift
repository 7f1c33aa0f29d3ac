import CofferCore
import CofferRecords
import Foundation

/// An archive that is held for a migration.
///
/// The document is locked, so that nobody saves; readers go on. The new document has a later generation, which puts the
/// old one's journal out of date in the moment in which it takes its place.
final class JSONMigrationPlace: StoreMigrationPlace {
    let name: String
    let source: any ImportingRowStore
    var path: String { place.path }
    private let place: ArchivePlace
    private let configuration: JSONArchiveConfiguration
    private let generation: Int64
    private let core: RecordStoreCore
    private var lock: ArchiveLock?

    init(_ configuration: JSONArchiveConfiguration, _ place: ArchivePlace) throws {
        self.configuration = configuration
        self.place = place
        name = configuration.name
        var wait = Wait(configuration.busyTimeout)
        guard let lock = try ArchiveLock.take(place.path, &wait) else {
            throw SwiftDataError(.storeNotFound, detail: "the archive is gone")
        }
        self.lock = lock
        let hold = ArchiveRegistry.hold(place)
        generation = try hold.archive.current().generation
        let engine = JSONArchiveEngine(hold, isReadOnly: true, timeout: configuration.busyTimeout)
        guard let stored = try RecordStoreCore.stored(in: engine) else {
            throw SwiftDataError(.storeNotFound, detail: "the archive is gone")
        }
        core = try RecordStoreCore(name: configuration.name, schema: stored.schema, engine: engine)
        source = JSONArchiveStore(configuration, core, engine, nil)
    }

    private func sibling(_ number: Int) -> ArchivePlace {
        ArchivePlace(URL(fileURLWithPath: MigrationFiles.sibling(of: path, number)))
    }

    func makeSibling(_ number: Int, schema: Schema) throws -> any ImportingRowStore {
        try JSONArchiveStore.makeSibling(
            sibling(number), configuration, schema: schema, identifier: source.identifier, after: generation)
    }

    func finishSibling(_ number: Int, _ store: any ImportingRowStore) throws {
        guard let store = store as? JSONArchiveStore else { return }
        defer { store.close() }
        try store.fold()
    }

    func removeSibling(_ number: Int) {
        sibling(number).remove()
    }

    func backUp() throws -> URL {
        let backup = MigrationFiles.backup(of: path)
        if FileStamp(place.journal) != nil { try MigrationFiles.keep(place.journal, as: backup + ".journal") }
        try MigrationFiles.keep(path, as: backup)
        try MigrationFiles.sync(place.folder)
        return URL(fileURLWithPath: backup)
    }

    func replace(with number: Int) throws {
        // Whoever saves to the new document finds it locked until the old one's journal is gone, and has one of his own.
        guard let document = try OpenFile(reading: sibling(number).path), try document.lock() else {
            throw SwiftDataError(.migrationFailure, file: path, detail: "somebody else uses the new archive")
        }
        try MigrationFiles.replace(path, with: sibling(number).path)
        lock?.move(to: document)
        unlink(place.journal)
    }

    func end() {
        core.close()
        lock = nil
    }
}

/// A file that another store is copied into.
final class JSONCopyTarget: StoreCopyTarget {
    let store: any ImportingRowStore
    private let filled: JSONArchiveStore
    private let place: ArchivePlace
    private let folder: CopyFolder

    init(_ configuration: JSONArchiveConfiguration, _ place: ArchivePlace, identifier: String) throws {
        self.place = place
        try MigrationFiles.checkFree(place.path)
        try place.inspect(willWrite: true)
        folder = try CopyFolder(for: place.path)
        filled = try JSONArchiveStore.makeSibling(
            ArchivePlace(URL(fileURLWithPath: folder.store)), configuration, schema: configuration.schema ?? Schema(),
            identifier: identifier, after: 0)
        store = filled
    }

    func finish() throws {
        defer { filled.close() }
        try filled.fold()
        try MigrationFiles.place(folder.store, at: place.path)
        folder.remove()
    }

    func abandon() {
        filled.close()
        folder.remove()
    }
}

extension ArchivePlace {
    /// Removes document and journal.
    fileprivate func remove() {
        unlink(path)
        unlink(journal)
    }
}

extension JSONArchiveStore {
    /// Makes an empty store beside the place where it will be.
    ///
    /// - Parameter generation: the generation that its document comes after.
    fileprivate static func makeSibling(
        _ place: ArchivePlace, _ configuration: JSONArchiveConfiguration, schema: Schema, identifier: String,
        after generation: Int64
    ) throws -> JSONArchiveStore {
        let own = JSONArchiveConfiguration(configuration.name, schema: schema, url: URL(fileURLWithPath: place.path))
        let opened = try open(own, plan: nil, identifier: identifier) {
            ArchiveHold(Archive($0, after: generation), allowSave: {}, release: {})
        }
        return JSONArchiveStore(own, opened.core, opened.engine, nil)
    }
}
