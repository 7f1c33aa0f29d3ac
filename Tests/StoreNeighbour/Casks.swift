import Coffer
import CofferJSON
import CofferLMDB
import Foundation

/// The barrels of a ``Trial``, in several versions.
protocol Cask: PersistentModel {
    var label: Data? { get set }
    init(_ name: String, _ count: Int)
}

@Model final class Barrel: Cask {
    @Attribute(.unique) var name: String
    var count: Int
    @Attribute(.externalStorage) var label: Data?
    init(_ name: String, _ count: Int) {
        self.name = name
        self.count = count
    }
}

/// One property more, which a store is given in place.
enum Refitted {
    @Model final class Barrel: Cask {
        @Attribute(.unique) var name: String
        var count: Int
        var hoops: Int = 6
        @Attribute(.externalStorage) var label: Data?
        init(_ name: String, _ count: Int) {
            self.name = name
            self.count = count
        }
    }
}

/// A property of a smaller type, for which the rows are copied.
enum Shrunk {
    @Model final class Barrel: Cask {
        @Attribute(.unique) var name: String
        var count: Int16
        @Attribute(.externalStorage) var label: Data?
        init(_ name: String, _ count: Int) {
            self.name = name
            self.count = Int16(clamping: count)
        }
    }
}

extension DataStoreConfiguration {
    /// The same for a program that may not change the store.
    var forReading: any DataStoreConfiguration {
        switch self {
        case let known as SQLiteStoreConfiguration: SQLiteStoreConfiguration(url: known.url, allowsSave: false)
        case let known as LMDBStoreConfiguration: LMDBStoreConfiguration(url: known.url, allowsSave: false)
        case let known as JSONArchiveConfiguration: JSONArchiveConfiguration(url: known.url, allowsSave: false)
        default: self
        }
    }
}
