import CofferConformance
import CofferCore
import CofferInMemory
import CofferJSON
import CofferLMDB
import CofferSQLite
import Foundation

struct MemorySubject: ConformanceSubject {
    let name = "memory"

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        InMemoryStoreConfiguration("memory")
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.checking] }
}

struct SQLiteSubject: ConformanceSubject {
    let name = "sqlite"

    private func file(_ place: ConformancePlace) -> URL { place.folder.appendingPathComponent("store.sqlite") }

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        SQLiteStoreConfiguration("sqlite", url: file(place), durability: .normal)
    }

    func readOnlyConfiguration(at place: ConformancePlace) -> (any DataStoreConfiguration)? {
        SQLiteStoreConfiguration("sqlite", url: file(place), allowsSave: false)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> {
        [.reopening, .severalOpenings, .checking]
    }

    func files(at place: ConformancePlace) -> [URL] { [file(place)] }
}

struct LMDBSubject: ConformanceSubject {
    let name = "lmdb"

    private func folder(_ place: ConformancePlace) -> URL { place.folder.appendingPathComponent("store.lmdb") }

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        LMDBStoreConfiguration("lmdb", url: folder(place))
    }

    func readOnlyConfiguration(at place: ConformancePlace) -> (any DataStoreConfiguration)? {
        LMDBStoreConfiguration("lmdb", url: folder(place), allowsSave: false)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> {
        [.reopening, .severalOpenings, .checking]
    }

    func files(at place: ConformancePlace) -> [URL] { [folder(place).appendingPathComponent("data.mdb")] }
}

struct JSONSubject: ConformanceSubject {
    let name = "json"

    private func file(_ place: ConformancePlace) -> URL { place.folder.appendingPathComponent("store.json") }

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        JSONArchiveConfiguration("json", url: file(place))
    }

    func readOnlyConfiguration(at place: ConformancePlace) -> (any DataStoreConfiguration)? {
        JSONArchiveConfiguration("json", url: file(place), allowsSave: false)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> {
        [.reopening, .severalOpenings, .checking]
    }

    func files(at place: ConformancePlace) -> [URL] { [file(place)] }
}
