import Coffer
import CofferJSON
import CofferLMDB
import Foundation

/// A kind of store that random programs run on.
public struct FuzzStore: Sendable {
    public let name: String
    /// Whether a new row whose unique values are taken goes onto the row that has them.
    public let enforcesUniqueness: Bool
    /// Whether what was saved can be opened again.
    public let keepsData: Bool
    /// A configuration for a store in a folder of its own.
    public let configuration: @Sendable (URL) -> any DataStoreConfiguration

    public init(
        name: String, enforcesUniqueness: Bool = true, keepsData: Bool,
        configuration: @escaping @Sendable (URL) -> any DataStoreConfiguration
    ) {
        self.name = name
        self.enforcesUniqueness = enforcesUniqueness
        self.keepsData = keepsData
        self.configuration = configuration
    }

    public static let memory = FuzzStore(name: "memory", keepsData: false) { _ in InMemoryStoreConfiguration("fuzz") }

    public static let sqlite = FuzzStore(name: "sqlite", keepsData: true) {
        // Nobody pulls the plug here, and waiting for the disk would take most of the time.
        SQLiteStoreConfiguration("fuzz", url: $0.appendingPathComponent("fuzz.sqlite"), durability: .normal)
    }

    public static let lmdb = FuzzStore(name: "lmdb", keepsData: true) {
        LMDBStoreConfiguration("fuzz", url: $0.appendingPathComponent("fuzz.lmdb"))
    }

    public static let json = FuzzStore(name: "json", keepsData: true) {
        JSONArchiveConfiguration("fuzz", url: $0.appendingPathComponent("fuzz.json"))
    }

    /// All kinds.
    public static let all: [FuzzStore] = [.memory, .sqlite, .lmdb, .json]

    func open(_ folder: URL) throws -> ModelContainer {
        try ModelContainer(for: Schema(Shape.types), configurations: [configuration(folder)])
    }
}
