import CofferCore
import Foundation

/// Names an SQLite file as a store.
///
/// ```swift
/// let container = try ModelContainer(
///     for: Trip.self, configurations: SQLiteStoreConfiguration(url: folder.appending(path: "trips.sqlite")))
/// ```
///
/// The folder must exist; the file is made when it does not.
public struct SQLiteStoreConfiguration: DataStoreConfiguration, Hashable, Sendable {
    /// The store that is opened.
    public typealias Store = SQLiteStore

    /// When a save counts as stored.
    public enum Durability: String, Hashable, Sendable {
        /// Once the disk has confirmed it: a save that returned outlives the machine's power.
        case full
        /// Once the system has it: a save that returned outlives the process. After a power failure the last saves may
        /// be missing, never parts of one.
        case normal
    }

    /// The name by which errors speak of the store.
    public let name: String
    /// The models that go into the store; nil for all of the container's.
    public var schema: Schema?
    /// The file.
    public let url: URL
    /// Whether the store may be changed. A store that may not be is never written to and needs no rights to.
    public let allowsSave: Bool
    /// When a save counts as stored.
    public let durability: Durability
    /// How long a save or an opening waits while another process is writing.
    public var busyTimeout: Duration = .seconds(5)
    /// Whether a migration keeps the store as it was.
    public var migrationBackup = MigrationBackup.beforeLoss
    /// The file's path from the root.
    let path: String

    /// Names a file as a store.
    ///
    /// - Parameters:
    ///   - name: the name by which errors speak of the store; unique in a container.
    ///   - schema: the models that go into the store; nil for all of the container's.
    ///   - url: the file.
    ///   - allowsSave: whether the store may be changed.
    ///   - durability: when a save counts as stored.
    public init(
        _ name: String = "default", schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        durability: Durability = .full
    ) {
        self.name = name
        self.schema = schema
        self.url = url
        self.allowsSave = allowsSave
        self.durability = durability
        path = url.absoluteURL.standardizedFileURL.path
    }

    /// Refuses a URL that names no file.
    ///
    /// - Throws: `storeNotFound`, `configurationFileNameContainsInvalidCharacters`.
    public func validate() throws {
        guard url.isFileURL else {
            throw SwiftDataError(
                .storeNotFound, operation: .open, store: name, detail: "the URL names no file on this machine")
        }
        guard !path.utf8.contains(0) else {
            throw SwiftDataError(
                .configurationFileNameContainsInvalidCharacters, operation: .open, store: name,
                detail: "the path holds a NUL")
        }
    }

    /// The place that errors name.
    var place: SQLitePlace { SQLitePlace(name: name, path: path) }
}
