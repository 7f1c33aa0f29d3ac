import Coffer
import Foundation
import Testing

@testable import StoreNeighbour

/// Nobody but the owner may read what a new store keeps, whatever the process's mask says.
@Suite("Files of a new store")
struct FileRightsTests {
    /// The rights of everything in a folder, by path.
    private func rights(_ folder: URL) throws -> [String: mode_t] {
        var found: [String: mode_t] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            var status = stat()
            // Logs come and go.
            if lstat(folder.path + "/" + path, &status) == 0 { found[path] = status.st_mode }
        }
        return found
    }

    private func expectPrivate(_ site: MigrationSite, _ when: Comment) throws {
        let found = try rights(site.folder)
        #expect(!found.isEmpty, when)
        for (path, mode) in found {
            #expect(mode & 0o077 == 0, "\(path) has the rights \(String(mode & 0o777, radix: 8)): \(when)")
        }
    }

    @Test("are the owner's alone: data, logs, locks, journals, large values", arguments: TestStore.migrating)
    func ownersAlone(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        let neighbour = try Neighbour(site)
        #expect(try neighbour.ask("mask 0") == "done")
        #expect(try neighbour.ask("open") == "done")
        try expectPrivate(site, "made")
        #expect(try neighbour.ask("insert a 200000") == "done")
        // The archive is large enough for a journal now.
        #expect(try neighbour.ask("insert b 30") == "done")
        let open = try rights(site.folder)
        switch store.name {
        case "sqlite":
            #expect(Set(open.keys).isSuperset(of: ["test.sqlite", "test.sqlite-wal", "test.sqlite-shm"]))
            #expect(open.keys.contains { $0.hasPrefix(".test.sqlite_SUPPORT/_EXTERNAL_DATA/") })
        case "lmdb":
            #expect(open["test.lmdb"].map { $0 & 0o777 } == 0o700)
            #expect(
                Set(open.keys).isSuperset(of: ["test.lmdb/data.mdb", "test.lmdb/lock.mdb", "test.lmdb/writer.lock"]))
        default: #expect(Set(open.keys) == ["test.json", "test.json.journal"])
        }
        try expectPrivate(site, "in use")
        #expect(try neighbour.ask("close") == "done")
        try expectPrivate(site, "closed")
    }

    @Test("stay so in a migration and in its backup", arguments: TestStore.migrating)
    func migrated(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        let neighbour = try Neighbour(site)
        try neighbour.ask("mask 0")
        try neighbour.ask("open")
        try neighbour.ask("insert a 200000")
        try neighbour.ask("close")
        var wasSeen = false
        try site.open(Schema([LabelledBarrels.Barrel.self])) { context in
            try expectPrivate(site, "migrated")
            wasSeen = try context.count(LabelledBarrels.Barrel.self) == 1
        }
        #expect(wasSeen)
        #expect(try rights(site.folder).keys.contains { $0.contains(".backup") })
    }

    @Test("that its owner shares are shared with what is made beside it", arguments: TestStore.migrating)
    func shared(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        let neighbour = try Neighbour(site)
        try neighbour.ask("mask 22")
        try neighbour.ask("open")
        try neighbour.ask("insert a 200000")
        try neighbour.ask("close")
        let main = store.name == "lmdb" ? site.path + "/data.mdb" : site.path
        #expect(chmod(main, 0o660) == 0)
        for name in ["lock.mdb", "writer.lock"] { unlink(site.path + "/" + name) }
        try? FileManager.default.removeItem(atPath: site.folder.path + "/.test.sqlite_SUPPORT")
        try neighbour.ask("open")
        #expect(try neighbour.ask("insert b 30000") == "done")
        for (path, mode) in try rights(site.folder) where mode & S_IFMT == S_IFREG {
            #expect(mode & 0o777 == 0o660, "\(path) has the rights \(String(mode & 0o777, radix: 8))")
        }
        let folder = site.folder.path + "/.test.sqlite_SUPPORT/_EXTERNAL_DATA"
        if store.name == "sqlite" { #expect(try rights(URL(fileURLWithPath: folder)).count == 1) }
        try neighbour.ask("close")
    }
}

/// The same model without one of its properties.
private enum LabelledBarrels {
    @Model final class Barrel {
        @Attribute(.unique) var name: String
        @Attribute(.externalStorage) var label: Data?
        init() { name = "" }
    }
}
