import CofferConformance
import CofferCore
import CofferJSON
import Foundation

struct FileMutantSubject: ConformanceSubject {
    let name: String
    let mutation: FileMutation

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration { configured(place, true) }

    func readOnlyConfiguration(at place: ConformancePlace) -> (any DataStoreConfiguration)? {
        configured(place, false)
    }

    private func configured(_ place: ConformancePlace, _ allowsSave: Bool) -> FileMutantConfiguration {
        FileMutantConfiguration(place: place.folder, allowsSave: allowsSave, mutation: mutation)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.reopening, .checking] }

    func files(at place: ConformancePlace) -> [URL] { [configured(place, true).document] }

    func remove(_ place: ConformancePlace) throws {
        for folder in [place.folder, configured(place, true).first, configured(place, true).late]
        where FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder)
        }
    }
}

struct FileMutantConfiguration: DataStoreConfiguration {
    typealias Store = FileMutantStore
    let name = "mutant"
    var schema: Schema?
    let folder: URL
    let allowsSave: Bool
    let mutation: FileMutation

    init(place: URL, allowsSave: Bool, mutation: FileMutation) {
        folder = place
        self.allowsSave = allowsSave
        self.mutation = mutation
    }

    var document: URL { folder.appendingPathComponent("store.json") }
    /// Beside the place, where no copy of it is looked for.
    var first: URL { folder.appendingPathExtension("first") }
    var late: URL { folder.appendingPathExtension("late") }

    func base() -> JSONArchiveConfiguration {
        let url = mutation.writesLate ? late.appendingPathComponent("store.json") : document
        return JSONArchiveConfiguration(name, schema: schema, url: url, allowsSave: mutation.allowsSave(allowsSave))
    }

    static func == (left: FileMutantConfiguration, right: FileMutantConfiguration) -> Bool {
        left.folder == right.folder && left.allowsSave == right.allowsSave
    }

    func hash(into hasher: inout Hasher) { hasher.combine(folder) }
}

/// The JSON archive with one fault.
final class FileMutantStore: RowStore, MigratingStore {
    typealias Snapshot = DefaultSnapshot
    let configuration: FileMutantConfiguration
    private let base: JSONArchiveStore
    private var mutation: FileMutation { configuration.mutation }

    init(_ configuration: FileMutantConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        let mutation = configuration.mutation
        self.configuration = configuration
        if mutation.writesLate { try FileMutantConfiguration.copy(from: configuration.folder, to: configuration.late) }
        let plan = mutation.plan(migrationPlan)
        do {
            base = try JSONArchiveStore(configuration.base(), migrationPlan: plan)
        } catch {
            switch try mutation.failed(error, configuration) {
            case .withPlan: base = try JSONArchiveStore(configuration.base(), migrationPlan: plan)
            case .withoutPlan: base = try JSONArchiveStore(configuration.base(), migrationPlan: nil)
            }
        }
        try mutation.opened(configuration)
    }

    deinit {
        guard configuration.mutation.writesLate else { return }
        base.close()
        // The place may be gone before the store.
        guard FileManager.default.fileExists(atPath: configuration.folder.path) else { return }
        try? FileMutantConfiguration.copy(from: configuration.late, to: configuration.folder)
    }

    var identifier: String { mutation.identifier(base.identifier, schema) }
    var schema: Schema { base.schema }
    var capabilities: StoreCapabilities {
        var capabilities = base.capabilities
        capabilities.features.subtract([.severalProcesses, .aggregates, .batchDelete, .batchUpdate, .history])
        return capabilities
    }

    func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws {
        let start = batch.count
        var plan = plan
        mutation.fetch(&plan, schema)
        try base.fetchRows(plan, into: batch)
        guard let value = mutation.value else { return }
        let names = schema.entitiesByName[plan.entityName]?.properties.map(\.name) ?? []
        for row in start..<batch.count {
            for (slot, name) in names.enumerated() {
                let cell = batch.cell(row: row, slot: slot)
                if cell.kind == .absent || cell.kind == .reference || cell.kind == .references { continue }
                if let new = value(batch.value(of: cell), name) { batch.set(new, row: row, slot: slot) }
            }
        }
    }

    func countRows(_ plan: FetchPlan) throws -> Int { try base.countRows(plan) }
    func fetchKeys(_ plan: FetchPlan) throws -> [Int64] { try base.fetchKeys(plan) }
    func commit(_ changes: RowChanges) throws -> RowChangesResult { try base.commit(changes) }
    func erase() throws { try base.erase() }

    // MARK: Migration

    var migrationReport: MigrationReport? { base.migrationReport }

    static func previewMigration(
        _ configuration: FileMutantConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws -> MigrationReport {
        let report = try JSONArchiveStore.previewMigration(configuration.base(), migrationPlan: migrationPlan)
        try configuration.mutation.preview(configuration)
        return report
    }

    static func hold(_ configuration: FileMutantConfiguration) throws -> any StoreMigrationPlace {
        try JSONArchiveStore.hold(configuration.base())
    }

    static func openStored(_ configuration: FileMutantConfiguration) throws -> any ImportingRowStore {
        try JSONArchiveStore.openStored(configuration.base())
    }

    static func makeCopy(
        _ configuration: FileMutantConfiguration, identifier: String
    ) throws -> any StoreCopyTarget {
        try JSONArchiveStore.makeCopy(configuration.base(), identifier: identifier)
    }
}
