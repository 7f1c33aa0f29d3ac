import CofferCore
import Foundation

/// Names a folder with an LMDB file as a store.
///
/// ```swift
/// let container = try ModelContainer(
///     for: Trip.self, configurations: LMDBStoreConfiguration(url: folder.appending(path: "trips.lmdb")))
/// ```
///
/// The folder is made when it does not exist; the folder that it lies in must exist.
public struct LMDBStoreConfiguration: DataStoreConfiguration, Hashable, Sendable {
    /// The store that is opened.
    public typealias Store = LMDBStore

    /// The name by which errors speak of the store.
    public let name: String
    /// The models that go into the store; nil for all of the container's.
    public var schema: Schema?
    /// The folder.
    public let url: URL
    /// Whether the store may be changed. Data of a store that may not be is never written to and needs no rights to.
    public let allowsSave: Bool
    /// How long a save waits while another process is writing.
    public var busyTimeout: Duration = .seconds(5)
    /// How many bytes of address space the file is mapped to at first. The map grows by itself; growing waits until the
    /// process's fetches that are going on have ended. Address space costs neither memory nor disk; of a number beyond
    /// 32 TiB that much is taken.
    public var initialMapSize = 1 << 30
    /// Whether a migration keeps the store as it was.
    public var migrationBackup = MigrationBackup.beforeLoss
    /// The folder's path from the root.
    let path: String

    /// Names a folder as a store.
    ///
    /// - Parameters:
    ///   - name: the name by which errors speak of the store; unique in a container.
    ///   - schema: the models that go into the store; nil for all of the container's.
    ///   - url: the folder.
    ///   - allowsSave: whether the store may be changed.
    public init(_ name: String = "default", schema: Schema? = nil, url: URL, allowsSave: Bool = true) {
        self.name = name
        self.schema = schema
        self.url = url
        self.allowsSave = allowsSave
        var path = url.absoluteURL.standardizedFileURL.path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    /// Refuses a URL that names no folder.
    ///
    /// - Throws: `storeNotFound`, `configurationFileNameContainsInvalidCharacters`.
    public func validate() throws {
        guard url.isFileURL else {
            throw SwiftDataError(
                .storeNotFound, operation: .open, store: name, detail: "the URL names no folder on this machine")
        }
        guard !path.utf8.contains(0) else {
            throw SwiftDataError(
                .configurationFileNameContainsInvalidCharacters, operation: .open, store: name,
                detail: "the path holds a NUL")
        }
    }
}
