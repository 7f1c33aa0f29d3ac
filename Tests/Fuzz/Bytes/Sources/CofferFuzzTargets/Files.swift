import Coffer
import Foundation

@testable import CofferLMDB

/// An LMDB file of a few models.
private struct SampleFile {
    let bytes: [UInt8]
    let folder = FuzzFolder()

    static let shared = Result { try SampleFile() }

    init() throws {
        let path = folder.path + "/sample"
        try FuzzWorld.fill(Self.configuration(path))
        bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb")))
        try FileManager.default.removeItem(atPath: path)
    }

    private static func configuration(_ path: String) -> LMDBStoreConfiguration {
        LMDBStoreConfiguration("fuzz", url: URL(fileURLWithPath: path))
    }

    /// The configuration of a folder with some bytes as its file.
    func store(_ bytes: [UInt8]) throws -> LMDBStoreConfiguration {
        let path = folder.path + "/store"
        mkdir(path, 0o700)
        unlink(path + "/lock.mdb")
        unlink(path + "/writer.lock")
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/data.mdb"))
        var configuration = Self.configuration(path)
        configuration.schema = FuzzWorld.schema
        configuration.initialMapSize = 1 << 22
        return configuration
    }
}

extension FuzzTarget {
    /// Files of LMDB with some bytes changed: what is not refused is handed to LMDB itself.
    ///
    /// The bytes are changes: a place in three bytes, a number of bytes, and these.
    static let lmdb = FuzzTarget(name: "lmdb", summary: "damaged files of LMDB stores") { bytes in
        let sample = try SampleFile.shared.get()
        var file = sample.bytes
        var rest = bytes[...]
        while rest.count > 4 {
            let place = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
            let count = Int(rest[rest.startIndex + 3])
            rest = rest.dropFirst(4)
            if count == 255 {
                file.removeLast(min(place, file.count))
                continue
            }
            for (offset, byte) in rest.prefix(count).enumerated() where place + offset < file.count {
                file[place + offset] = byte
            }
            rest = rest.dropFirst(count)
        }
        let configuration = try sample.store(file)
        do {
            let store = try LMDBStore(configuration, migrationPlan: nil)
            defer { store.close() }
            try FuzzWorld.use(store)
        } catch let error as SwiftDataError where error.code != .storeFailure {}
        // What is left of it is read without LMDB.
        _ = try sample.store(file)
        let (salvaged, _) = try LMDBStore.openDamaged(configuration)
        try FuzzWorld.use(salvaged, changes: false)
    }
}
