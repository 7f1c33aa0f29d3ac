import CofferCore
import Foundation

/// SwiftData's configuration: a SQLite file, or memory.
///
/// ```swift
/// let container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
/// ```
///
/// Without a URL the file is `<name>.store` in the user's Application Support folder, `default.store` for a
/// configuration without a name; a group has a folder of its own. For another kind of store use that store's own configuration.
public struct ModelConfiguration: DataStoreConfiguration, Identifiable, Sendable {
    /// The store that is opened.
    public typealias Store = DefaultStore

    /// The file; `/dev/null` for a store in memory.
    public let url: URL
    public let name: String
    /// The group whose folder holds the file; see ``GroupContainer``.
    public let groupContainer: GroupContainer
    /// The CloudKit database to keep in step with; see ``CloudKitDatabase``.
    public let cloudKitDatabase: CloudKitDatabase
    public var schema: Schema?
    /// Whether the store may be written to.
    public let allowsSave: Bool
    /// Whether the models live in memory, and end with their container.
    public let isStoredInMemoryOnly: Bool
    /// Tells one store in memory from another.
    private let memoryIdentifier: UUID?

    public var id: URL { url }
    /// The name of the group, where one was given.
    public var groupAppContainerIdentifier: String? { groupContainer.name }
    /// The name of the private CloudKit database, where one was given.
    public var cloudKitContainerIdentifier: String? { cloudKitDatabase.name }

    /// Whose folder a file without a URL lies in: the user's, or that of a group of programs.
    ///
    /// Outside Apple's systems nobody asks for entitlements. A group is a folder of its name that every program of the
    /// user reaches, `Group Containers/<name>/Library/Application Support` in the user's folder for application data, so
    /// that programs that name one group meet at one file; ``automatic`` and ``none`` mean the user's own folder.
    public struct GroupContainer: Hashable, Sendable {
        let name: String?

        /// The user's folder, since there are no entitlements that could name a group.
        public static let automatic = GroupContainer(name: nil)
        /// The user's folder.
        public static let none = GroupContainer(name: nil)
        /// The folder of a group.
        ///
        /// - Parameter groupName: the group's identifier.
        public static func identifier(_ groupName: String) -> GroupContainer { GroupContainer(name: groupName) }

        /// The folder that files without a URL lie in. A name that can be no folder's is refused when the container
        /// opens.
        var folder: URL {
            guard let name,
                let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name)
            else { return .applicationSupportDirectory }
            return group.appendingPathComponent("Library/Application Support", isDirectory: true)
        }
    }

    /// Which CloudKit database a store is kept in step with.
    ///
    /// CloudKit exists on Apple's systems only, and Coffer does not use it: ``automatic`` and ``none`` give a local
    /// store, and a configuration with a private database is refused when its container opens.
    public struct CloudKitDatabase: Hashable, Sendable {
        let name: String?

        /// The database of the program's entitlements; there are none here, so it means the same as ``none``.
        public static let automatic = CloudKitDatabase(name: nil)
        /// No database: the store is a local one.
        public static let none = CloudKitDatabase(name: nil)
        /// A private database, with which no store here can be kept in step: opening the container throws.
        ///
        /// - Parameter privateDBName: the database's identifier.
        public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
            CloudKitDatabase(name: privateDBName)
        }
    }

    /// The default file, or a store in memory.
    public init(isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// The default file, or a store in memory, for these models.
    public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// A named file in the Application Support folder, or a store in memory.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
        groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        let name = name ?? "default"
        self.init(
            name: name, schema: schema,
            url: isStoredInMemoryOnly
                ? URL(fileURLWithPath: "/dev/null")
                : groupContainer.folder.appendingPathComponent(name + ".store"),
            allowsSave: allowsSave, isStoredInMemoryOnly: isStoredInMemoryOnly, groupContainer: groupContainer,
            cloudKitDatabase: cloudKitDatabase)
    }

    /// A file.
    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.init(
            name: name ?? url.deletingPathExtension().lastPathComponent, schema: schema, url: url,
            allowsSave: allowsSave, isStoredInMemoryOnly: url.path == "/dev/null", groupContainer: .none,
            cloudKitDatabase: cloudKitDatabase)
    }

    private init(
        name: String, schema: Schema?, url: URL, allowsSave: Bool, isStoredInMemoryOnly: Bool,
        groupContainer: GroupContainer, cloudKitDatabase: CloudKitDatabase
    ) {
        self.name = name
        self.schema = schema
        self.url = url
        self.allowsSave = allowsSave
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.groupContainer = groupContainer
        self.cloudKitDatabase = cloudKitDatabase
        memoryIdentifier = isStoredInMemoryOnly ? UUID() : nil
    }

    /// Checks the file's name and that nothing is asked for that does not exist here.
    ///
    /// - Throws: ``SwiftDataError`` that names the configuration.
    public func validate() throws {
        if let database = cloudKitDatabase.name {
            throw SwiftDataError(
                .unsupportedFeature, operation: .open, store: name,
                detail: "there is no CloudKit here to hold the private database “\(database)”")
        }
        if isStoredInMemoryOnly { return }
        if let group = groupContainer.name,
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) == nil
        {
            throw SwiftDataError(
                .configurationFileNameContainsInvalidCharacters, operation: .open, store: name,
                detail: "a group's name may be neither empty nor a path")
        }
        let file = url.lastPathComponent
        if file.utf8.count > 255 {
            throw SwiftDataError(
                .configurationFileNameTooLong, operation: .open, store: name, file: url.path,
                detail: "a file's name may have 255 bytes")
        }
        if name.contains("/") || name.contains("\0") || url.path.contains("\0") {
            throw SwiftDataError(
                .configurationFileNameContainsInvalidCharacters, operation: .open, store: name, file: url.path,
                detail: "a name may have neither “/” nor NUL")
        }
    }
}

extension ModelConfiguration: CustomDebugStringConvertible {
    public var debugDescription: String {
        "ModelConfiguration(\(name), \(isStoredInMemoryOnly ? "in memory" : url.path)\(allowsSave ? "" : ", read-only"))"
    }
}
