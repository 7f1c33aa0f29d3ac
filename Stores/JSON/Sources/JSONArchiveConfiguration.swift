import CofferCore
import Foundation

/// Names a JSON file as a store.
///
/// ```swift
/// let container = try ModelContainer(
///     for: Trip.self, configurations: JSONArchiveConfiguration(url: folder.appending(path: "trips.json")))
/// ```
///
/// The file is made when it does not exist; the folder that it lies in must exist.
public struct JSONArchiveConfiguration: DataStoreConfiguration, Hashable, Sendable {
    /// The store that is opened.
    public typealias Store = JSONArchiveStore

    /// The name by which errors speak of the store.
    public let name: String
    /// The models that go into the store; nil for all of the container's.
    public var schema: Schema?
    /// The file. Where it is a symbolic link, the file that the link leads to.
    public let url: URL
    /// Whether the store may be changed. Data of a store that may not be is never written to and needs no rights to.
    public let allowsSave: Bool
    /// How long a save waits while somebody else is writing.
    public var busyTimeout: Duration = .seconds(5)
    /// Whether a migration keeps the store as it was.
    public var migrationBackup = MigrationBackup.beforeLoss

    /// Names a file as a store.
    ///
    /// - Parameters:
    ///   - name: the name by which errors speak of the store; unique in a container.
    ///   - schema: the models that go into the store; nil for all of the container's.
    ///   - url: the file.
    ///   - allowsSave: whether the store may be changed.
    public init(_ name: String = "default", schema: Schema? = nil, url: URL, allowsSave: Bool = true) {
        self.name = name
        self.schema = schema
        self.url = url
        self.allowsSave = allowsSave
    }

    /// Refuses a URL that names no file.
    ///
    /// - Throws: `storeNotFound`, `configurationFileNameContainsInvalidCharacters`.
    public func validate() throws {
        guard url.isFileURL else {
            throw SwiftDataError(
                .storeNotFound, operation: .open, store: name, detail: "the URL names no file on this machine")
        }
        guard !url.path.utf8.contains(0) else {
            throw SwiftDataError(
                .configurationFileNameContainsInvalidCharacters, operation: .open, store: name,
                detail: "the path holds a NUL")
        }
    }

    /// Writes what the journal of the archive holds into the file, so that the file by itself has the state of the last
    /// save and can be copied or committed. Nothing happens where it has.
    ///
    /// Containers may have the archive open meanwhile; they go on as they were.
    ///
    /// - Throws: `storeNotFound` where there is no archive; `storeNotWritable`; `storeBusy` when somebody else writes for
    ///   too long; `storeFull`; `corruptStore`. The file is then as it was, and the journal stays.
    /// - Complexity: O(*size of the archive*).
    public func fold() throws {
        let place = ArchivePlace(url)
        do {
            try validate()
            guard allowsSave else {
                throw SwiftDataError(.storeNotWritable, detail: "the configuration is for reading only")
            }
            try place.inspect(willWrite: true)
            guard FileStamp(place.path) != nil else {
                throw SwiftDataError(.storeNotFound, detail: "there is no archive")
            }
            let hold = ArchiveRegistry.hold(place)
            try withExtendedLifetime(hold) { try hold.archive.fold(busyTimeout) }
        } catch let error as SwiftDataError {
            throw error.adding(operation: .save, store: name, file: place.path)
        }
    }
}
