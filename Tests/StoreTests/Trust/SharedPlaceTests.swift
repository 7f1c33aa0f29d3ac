import Coffer
import CofferCore
import CofferJSON
import CofferLMDB
import Foundation
import Synchronization
import Testing

@testable import StoreNeighbour

/// Copies that are made for one place at the same time, and what goes on there beside them.
@Suite("A place that several use")
struct SharedPlaceTests {
    private static let identifier = "5F0B8A6E-52E0-4A58-9B0C-6D2C6E3B7A11"

    private func makeCopy(_ configuration: any DataStoreConfiguration) throws -> any StoreCopyTarget {
        switch configuration {
        case var known as SQLiteStoreConfiguration:
            known.schema = Schema([Barrel.self])
            return try SQLiteStore.makeCopy(known, identifier: Self.identifier)
        case var known as LMDBStoreConfiguration:
            known.schema = Schema([Barrel.self])
            return try LMDBStore.makeCopy(known, identifier: Self.identifier)
        case var known as JSONArchiveConfiguration:
            known.schema = Schema([Barrel.self])
            return try JSONArchiveStore.makeCopy(known, identifier: Self.identifier)
        default: throw SwiftDataError(.unsupportedFeature)
        }
    }

    /// A store in memory's stead, of which copies are made.
    private func fill(_ target: any StoreCopyTarget) throws {
        let site = try MigrationSite(#require(TestStore.migrating.first { $0.name == "sqlite" }))
        try site.open(Barrel.self) { try insert("copied", $0) }
        let source = try SQLiteStore.openStored(SQLiteStoreConfiguration(url: URL(fileURLWithPath: site.path)))
        try StoreConversion.copy(source, into: target.store)
    }

    private func insert(_ name: String, _ context: ModelContext) throws {
        let barrel = Barrel(name, 1)
        barrel.label = Data(repeating: 7, count: 20_000)
        context.insert(barrel)
        try context.save()
    }

    private func expectOnly(_ name: String, _ site: MigrationSite) throws {
        try site.open(Barrel.self) { context in
            let barrels = try context.all(Barrel.self)
            #expect(barrels.map(\.name) == [name])
            #expect(barrels.first?.label?.count == 20_000)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: site.folder.path)
        #expect(!names.contains { $0.contains(".copy-") || $0.contains(".migrating-") }, "\(names)")
    }

    @Test("is filled by whoever is done first, and others find a store there", arguments: TestStore.migrating)
    func copies(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try {
            let copies = try (0..<3).map { _ in try makeCopy(site.configuration) }
            for copy in copies { try fill(copy) }
            try copies[1].finish()
            for copy in [copies[0], copies[2]] {
                #expect(throws: SwiftDataError.self) { try copy.finish() }
                copy.abandon()
            }
        }()
        try expectOnly("copied", site)
    }

    @Test("keeps the store that somebody made there before the copy was done", arguments: TestStore.migrating)
    func made(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try {
            let copy = try makeCopy(site.configuration)
            try fill(copy)
            try site.open(Barrel.self) { try insert("made", $0) }
            let error = #expect(throws: SwiftDataError.self) { try copy.finish() }
            #expect(error?.code == .storeExists)
            copy.abandon()
        }()
        try expectOnly("made", site)
    }

    @Test("is cleared of copies that nobody fills any more, and of no others", arguments: TestStore.migrating)
    func left(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        let name = "." + URL(fileURLWithPath: site.path).lastPathComponent + ".copy-"
        let (left, other) = (site.folder.path + "/\(name)ABCDEF", site.folder.path + "/\(name)its-own")
        for folder in [left, other] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/store"))
        }
        let first = try makeCopy(site.configuration)
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: other))
        // The first is in the way of none, and there still.
        try makeCopy(site.configuration).abandon()
        try fill(first)
        try first.finish()
        try FileManager.default.removeItem(atPath: other)
        try expectOnly("copied", site)
    }

    /// A store that may not be written is not held while it is looked what a migration would do, so others may save to it,
    /// and even migrate it.
    @Test("is not touched by a preview for a program that only reads", arguments: TestStore.migrating)
    func preview(_ store: TestStore) throws {
        // An archive is held by whoever may read it.
        if store.name == "json" { return }
        let site = try MigrationSite(store)
        try site.open(Barrel.self) { try insert("old", $0) }
        let sibling = MigrationFiles.sibling(of: site.path, 0)
        try FileManager.default.createDirectory(atPath: sibling, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: sibling + "/data.mdb"))
        // The point is reached on the thread that asks for the preview.
        nonisolated(unsafe) let neighbour = try Neighbour(site)
        let answers = Mutex<[String]>([])
        let configuration = site.readOnlyConfiguration
        let reports = try MigrationPoint.$observer.withValue({ point in
            guard point == .finished else { return }
            for order in ["open", "insert new 20000", "close"] {
                let answer = try neighbour.ask(order)
                answers.withLock { $0.append(answer) }
            }
        }) {
            try ModelContainer.previewMigration(for: Schema([Shrunk.Barrel.self]), configurations: [configuration])
        }
        #expect(reports.first?.way == .copy)
        #expect(answers.withLock { $0 } == ["done", "done", "done"])
        #expect(FileManager.default.fileExists(atPath: sibling + "/data.mdb"))
        try FileManager.default.removeItem(atPath: sibling)
        try site.open(Barrel.self) { context in
            expectSame(try context.all(Barrel.self).map { $0.label?.count }, [20_000, 20_000])
        }
    }

    /// Whoever saved to the new archive before the old one's journal was gone would have his own removed.
    @Test("is locked until a migrated archive is alone there")
    func archive() throws {
        let site = try MigrationSite(#require(TestStore.migrating.first { $0.name == "json" }))
        try site.open(Barrel.self) { try insert("old", $0) }
        let path = site.path
        let found = Mutex<[Bool]>([])
        try MigrationPoint.$observer.withValue({ point in
            guard point == .replaced else { return }
            let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            let isFree = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            found.withLock { $0.append(isFree) }
        }) {
            try site.open(Shrunk.Barrel.self) { expectSame(try $0.all(Shrunk.Barrel.self).count, 1) }
        }
        #expect(found.withLock { $0 } == [false])
    }
}
