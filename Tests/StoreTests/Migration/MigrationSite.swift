import Coffer
import CofferJSON
import CofferLMDB
import Foundation
import Testing

@testable import StoreNeighbour

extension TestStore {
    /// The stores that leave something behind which a later program has to migrate.
    static let migrating: [TestStore] = [sqlite, lmdb, json]
}

/// A folder in which one version of a program after the other opens a store.
final class MigrationSite {
    let store: TestStore
    let folder: URL

    init(_ store: TestStore) throws {
        self.store = store
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A copy of what another folder holds now.
    init(copying site: MigrationSite) throws {
        store = site.store
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-tests-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: site.folder, to: folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var configuration: any DataStoreConfiguration {
        (store.configuration(folder, Record()) as? RecordingConfiguration)?.base
            ?? store.configuration(folder, Record())
    }

    /// Where the store lies.
    var path: String {
        let name = ["sqlite": "test.sqlite", "lmdb": "test.lmdb", "json": "test.json"][store.name] ?? ""
        return folder.appendingPathComponent(name).path
    }

    /// The same for a program that may not change the store.
    var readOnlyConfiguration: any DataStoreConfiguration { configuration.forReading }

    /// Opens the store, hands a context on, and closes the store.
    func open(
        _ types: any PersistentModel.Type..., plan: (any SchemaMigrationPlan.Type)? = nil,
        _ body: (ModelContext) throws -> Void
    ) throws {
        try open(Schema(types), plan: plan, body)
    }

    func open(
        _ schema: Schema, plan: (any SchemaMigrationPlan.Type)? = nil, _ body: (ModelContext) throws -> Void
    ) throws {
        let container = try ModelContainer(for: schema, migrationPlan: plan, configurations: [configuration])
        try body(ModelContext(container))
    }

    /// What opening reports.
    func reports(_ schema: Schema, plan: (any SchemaMigrationPlan.Type)? = nil) throws -> [MigrationReport] {
        try ModelContainer(for: schema, migrationPlan: plan, configurations: [configuration]).migrationReports
    }

    func preview(_ schema: Schema, plan: (any SchemaMigrationPlan.Type)? = nil) throws -> MigrationReport {
        try #require(
            try ModelContainer.previewMigration(for: schema, migrationPlan: plan, configurations: [configuration]).first
        )
    }

    /// Every file with its bytes, by its path in the folder; locks of processes apart, which say nothing.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for case let url as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            ?? .init()
        {
            if url.lastPathComponent == "lock.mdb" || url.lastPathComponent == "writer.lock" { continue }
            if url.lastPathComponent.hasSuffix("-shm") { continue }
            guard let data = try? Data(contentsOf: url) else { continue }
            if data.isEmpty { continue }
            files[String(url.path.dropFirst(folder.path.count + 1))] = data
        }
        return files
    }
}

/// Expects two values to be the same. Unlike the macro it lets a closure of one line be known to throw.
func expectSame<T: Equatable>(_ left: T, _ right: T, at location: SourceLocation = #_sourceLocation) {
    #expect(left == right, sourceLocation: location)
}
