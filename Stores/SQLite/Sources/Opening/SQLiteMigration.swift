import CSQLite
import CofferCore

/// Opens a file, and has it migrated where that is needed.
struct SQLiteMigration {
    private let configuration: SQLiteStoreConfiguration
    private let schema: Schema
    private let layout: SQLiteSchema
    private let plan: (any SchemaMigrationPlan.Type)?

    init(
        _ configuration: SQLiteStoreConfiguration, schema: Schema, layout: SQLiteSchema,
        plan: (any SchemaMigrationPlan.Type)?
    ) {
        self.configuration = configuration
        self.schema = schema
        self.layout = layout
        self.plan = plan
    }

    private var place: SQLitePlace { configuration.place }

    /// - Throws: ``SwiftDataError``, or what a closure of the plan throws.
    func open() throws -> (connection: SQLiteConnection, identifier: String, report: MigrationReport?) {
        var report: MigrationReport?
        var attempts = 0
        while true {
            do {
                let opened = try SQLiteOpening(configuration, schema: schema, layout: layout, plan: plan).run()
                return (opened.connection, opened.identifier, report)
            } catch let needed as SQLiteMigrationNeeded {
                attempts += 1
                // After a migration there is nothing left to do, unless others keep replacing the store.
                if !configuration.allowsSave || attempts > 3 {
                    throw needed.refusal.adding(operation: .open, store: place.name, file: place.path)
                }
                if let done = try StoreMigration.oneAtATime({ try migrate(needed.decision) }) { report = done }
            }
        }
    }

    /// Nil where somebody else was faster.
    private func migrate(_ decision: MigrationDecision) throws -> MigrationReport? {
        let file = FileIdentity(place.path)
        guard try Self.naming(place, { try look(decision) }) else { return nil }
        let held: SQLiteMigrationPlace
        do {
            held = try Self.naming(place) { try SQLiteMigrationPlace(configuration, closesOthers: true, file) }
        } catch is SQLiteMigrationPlace.Replaced {
            return nil
        }
        guard decision.starts(from: held.source.schema) else {
            held.end()
            return nil
        }
        return try StoreMigration(decision, at: held, backup: configuration.migrationBackup).run()
    }

    /// Refuses what can be told to fail, before stores that are open are closed for it.
    private func look(_ decision: MigrationDecision) throws -> Bool {
        let store = try Self.look(configuration)
        defer { store.close() }
        return try decision.check(store)
    }

    /// What opening would do.
    func preview() throws -> MigrationReport {
        let decision = try Self.naming(place) {
            try SQLiteOpening(configuration, schema: schema, layout: layout, plan: plan).decision()
        }
        guard let decision else { return MigrationReport(newStore: place.name, schema) }
        guard decision.way == .copy else { return MigrationReport(decision, store: place.name) }
        return try StoreMigration(decision, at: Self.hold(configuration), backup: .never).run(isDry: true)
    }

    static func hold(_ configuration: SQLiteStoreConfiguration) throws -> SQLiteMigrationPlace {
        try naming(configuration.place) { try SQLiteMigrationPlace(configuration, closesOthers: false) }
    }

    /// Has errors name the store.
    static func naming<T>(_ place: SQLitePlace, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let failure as SQLiteFailure {
            throw failure.error(place, operation: .open)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .open, store: place.name, file: place.path)
        }
    }
}

// MARK: - Without the models of a program

extension SQLiteMigration {
    /// The store as it is, for reading only.
    static func openStored(_ configuration: SQLiteStoreConfiguration) throws -> SQLiteStore {
        try SQLiteFile.requireStore(configuration.place)
        return try naming(configuration.place) { try look(configuration) }
    }

    /// The same for a file of which parts may be missing.
    static func openDamaged(_ configuration: SQLiteStoreConfiguration) throws -> SQLiteStore {
        do {
            _ = try SQLiteFile.inspect(configuration.place, willWrite: false)
        } catch let error as SwiftDataError where error.code == .corruptStore {
            // Cut off, perhaps; whether it is a store at all shows when its schema is read.
        }
        return try naming(configuration.place) { try look(configuration, isDamaged: true) }
    }

    /// The store as it is, for reading only; the file has been looked at.
    ///
    /// - Parameter isDamaged: whether a file that is cut off is opened too.
    private static func look(
        _ configuration: SQLiteStoreConfiguration, isDamaged: Bool = false
    ) throws -> SQLiteStore {
        let reading = SQLiteReading(configuration, isDamaged: isDamaged)
        let (connection, stored) = try reading.run { try SQLiteOpening.stored($0, configuration.place) }
        let layout = try SQLiteSchema(stored.schema)
        let files = layout.hasExternals ? ExternalFiles(beside: configuration.place.resolvedPath) : nil
        return SQLiteStore(
            reading.configuration, stored.schema, layout, connection, identifier: stored.identifier, files: files
        ) { try reading.connect() }
    }

    /// What SQLite finds wrong with the file.
    static func checkFiles(_ configuration: SQLiteStoreConfiguration) throws -> [StoreProblem] {
        try SQLiteFile.requireStore(configuration.place)
        return try naming(configuration.place) {
            try SQLiteReading(configuration).run { try problems(in: $0) }.result
        }
    }

    private static func problems(in connection: SQLiteConnection) throws -> [StoreProblem] {
        try connection.snapshot {
            var problems: [StoreProblem] = []
            do {
                let pages = try SQLiteStatement("PRAGMA integrity_check", on: connection.handle)
                while try pages.step() {
                    // SQLite puts several problems into one row.
                    for text in pages.text(0)?.split(separator: "\n") ?? [] where text != "ok" {
                        problems.append(StoreProblem(String(text)))
                    }
                }
            } catch let failure as SQLiteFailure where failure.primaryCode == SQLITE_CORRUPT {
                return problems + [StoreProblem(failure.message)]
            }
            let links = try SQLiteStatement("PRAGMA foreign_key_check", on: connection.handle)
            while try links.step() {
                problems.append(
                    StoreProblem(
                        entity: links.text(0), key: links.isNull(1) ? nil : links.integer(1),
                        "a link leads to no row of the table \(links.text(2) ?? "")"))
            }
            return problems
        }
    }
}
