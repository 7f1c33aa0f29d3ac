import Coffer
import CofferJSON
import CofferLMDB
import Foundation

/// A durable store that is crashed.
public enum CrashStore: String, CaseIterable, Sendable {
    case sqlite
    case lmdb
    /// A JSON archive that is written as a whole at each save.
    case json
    /// A JSON archive that is so large that saves go to its journal.
    case journal
    /// An SQLite store that does not wait for the disk.
    case relaxed

    /// Those that a sweep covers where nothing else is said.
    public static let usual: [CrashStore] = [.sqlite, .lmdb, .json, .journal]

    var fileName: String {
        switch self {
        case .sqlite, .relaxed: "store.sqlite"
        case .lmdb: "store.lmdb"
        case .json, .journal: "store.json"
        }
    }

    /// Whether large values lie in files of their own.
    var keepsFiles: Bool { self == .sqlite || self == .relaxed }
}

/// A store in a folder.
struct Site: Sendable {
    let store: CrashStore
    /// Without symbolic links.
    let folder: String
    var backup = MigrationBackup.beforeLoss
    /// The address space of an LMDB store at first.
    var mapSize: Int?

    init(_ store: CrashStore, _ folder: String) {
        self.store = store
        self.folder = folder
    }

    var path: String { folder + "/" + store.fileName }

    var configuration: any DataStoreConfiguration {
        let url = URL(fileURLWithPath: path)
        switch store {
        case .sqlite, .relaxed:
            var configuration = SQLiteStoreConfiguration(
                "crash", url: url, durability: store == .sqlite ? .full : .normal)
            configuration.migrationBackup = backup
            return configuration
        case .lmdb:
            var configuration = LMDBStoreConfiguration("crash", url: url)
            configuration.migrationBackup = backup
            if let mapSize { configuration.initialMapSize = mapSize }
            return configuration
        case .json, .journal:
            var configuration = JSONArchiveConfiguration("crash", url: url)
            configuration.migrationBackup = backup
            return configuration
        }
    }

    func open(_ schema: Schema = World.schema, plan: (any SchemaMigrationPlan.Type)? = nil) throws -> ModelContainer {
        try ModelContainer(for: schema, migrationPlan: plan, configurations: [configuration])
    }

    /// The store as it is, held, by the schema that it keeps of itself.
    func hold() throws -> any StoreMigrationPlace {
        func hold<C: DataStoreConfiguration>(_ configuration: C) throws -> (any StoreMigrationPlace)? {
            try (C.Store.self as? any MigratingStore.Type).flatMap { try Self.hold($0, configuration) }
        }
        guard let place = try hold(configuration) else { throw CrashFault("the store cannot be held") }
        return place
    }

    private static func hold<S: MigratingStore>(_ kind: S.Type, _ configuration: Any) throws -> any StoreMigrationPlace
    {
        guard let configuration = configuration as? S.Configuration else { throw CrashFault("a foreign configuration") }
        return try kind.hold(configuration)
    }

    /// The state of the store in a word; `none` where there is no store.
    ///
    /// - Parameter isRanked: whether it does not matter which keys rows have.
    func state(isRanked: Bool = false) throws -> String {
        let place: any StoreMigrationPlace
        do {
            place = try hold()
        } catch let error as SwiftDataError where error.code == .storeNotFound {
            return "none"
        }
        defer { place.end() }
        return isRanked ? try StoreDigest.ranked(place.source) : try StoreDigest(of: place.source).word
    }
}

extension StoreDigest {
    /// All entities in one line.
    var word: String { entities.map { "\($0.name):\($0.rows):\($0.digest)" }.joined(separator: ",") }
}
