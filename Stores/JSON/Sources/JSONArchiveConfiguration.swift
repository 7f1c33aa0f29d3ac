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
}
