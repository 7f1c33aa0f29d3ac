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
        guard try Self.naming(place, { try look(decision) }) else { return nil }
        let held = try Self.hold(configuration, closesOthers: true)
        guard decision.starts(from: held.source.schema) else {
            held.end()
            return nil
        }
        return try StoreMigration(decision, at: held, backup: configuration.migrationBackup).run()
    }

    /// Refuses what can be told to fail, before stores that are open are closed for it.
    private func look(_ decision: MigrationDecision) throws -> Bool {
        let reading = SQLiteStoreConfiguration(configuration.name, url: configuration.url, allowsSave: false)
        let connection = try SQLiteOpening.connect(reading)
        connection.keepLogOnClose()
        let stored = try SQLiteOpening.stored(connection, place)
        let store = SQLiteStore(
            reading, stored.schema, try SQLiteSchema(stored.schema), connection, identifier: stored.identifier,
            files: nil
        ) { try SQLiteOpening.connect(reading) }
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
        return try StoreMigration(decision, at: Self.hold(configuration, closesOthers: false), backup: .never).run(
            isDry: true)
    }

    static func hold(_ configuration: SQLiteStoreConfiguration, closesOthers: Bool) throws -> SQLiteMigrationPlace {
        try naming(configuration.place) { try SQLiteMigrationPlace(configuration, closesOthers: closesOthers) }
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
