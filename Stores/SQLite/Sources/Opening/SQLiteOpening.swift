import CSQLite
import CofferCore
import Foundation

/// Opens a store's file: makes it, or checks what is there and brings it up to date.
struct SQLiteOpening {
    let configuration: SQLiteStoreConfiguration
    let schema: Schema
    let layout: SQLiteSchema
    let place: SQLitePlace
    private let plan: (any SchemaMigrationPlan.Type)?
    /// The identifier of a store that is made; nil for one of its own.
    private let newIdentifier: String?

    /// What came of it.
    struct Result {
        let connection: SQLiteConnection
        let identifier: String
    }

    init(
        _ configuration: SQLiteStoreConfiguration, schema: Schema, layout: SQLiteSchema,
        plan: (any SchemaMigrationPlan.Type)? = nil, identifier: String? = nil
    ) {
        self.plan = plan
        newIdentifier = identifier
        self.configuration = configuration
        self.schema = schema
        self.layout = layout
        place = configuration.place
    }

    /// Opens the file.
    ///
    /// - Throws: ``SwiftDataError``, or ``SQLiteMigrationNeeded``; the file and its folder are then as they were.
    func run() throws -> Result {
        do {
            guard configuration.allowsSave else { return try openForReading() }
            for _ in 0..<10 {
                let state = try SQLiteFile.inspect(place, willWrite: true)
                if let result = try openForWriting(state) { return result }
            }
            throw SwiftDataError(.storeBusy, detail: "the file keeps being replaced")
        } catch let failure as SQLiteFailure {
            throw failure.error(place, operation: .open)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .open, store: place.name, file: place.path)
        }
    }

    // MARK: Reading only

    private func openForReading() throws -> Result {
        try SQLiteFile.requireStore(place)
        let (connection, metadata) = try SQLiteReading(configuration).run { try Self.check($0, place) }
        if !isCurrent(metadata) {
            let found = try decide(metadata)
            if let needed = found.needed { throw needed }
            guard found.difference.isEmpty else {
                throw SwiftDataError(
                    .unknownSchema,
                    detail: "the store is open for reading only and its schema is another one: \(found.difference)")
            }
        }
        return Result(connection: connection, identifier: metadata.identifier)
    }

    // MARK: Reading and writing

    /// Nil where what was found is not so any more: another file is in the place, or another process has changed the schema.
    private func openForWriting(_ state: SQLiteFile.State) throws -> Result? {
        let stamp = SQLiteFile.stamp(of: place.path)
        let hadLog = stamp?.hasLog == true
        let hadJournal = SQLiteFile.hasJournal(place.path)
        let connection = try Self.connect(configuration, creates: state == .missing)
        do {
            // A process that was making the store may have ended before it was done; SQLite takes back what it had.
            let isUnmade = try state == .missing || hadJournal && Self.isEmpty(connection)
            if isUnmade, let identifier = try create(connection) {
                return Result(connection: connection, identifier: identifier)
            }
            // A file that came into being meanwhile has not been looked at.
            if isUnmade { try checkMark(connection) }
            let metadata = try Self.check(connection, place)
            // What was looked at before may have been another file.
            if state != .missing, FileIdentity(place.path) != stamp?.file.identity {
                connection.keepLogOnClose()
                return nil
            }
            if !isCurrent(metadata), try !bringUpToDate(connection, metadata) { return nil }
            try layout.completeTexts(on: connection)
            if state != .store(usesLog: true) {
                try connection.useLog()
                // With a log a connection keeps the file in its place; without one it does not between two statements.
                if connection.hasMoved {
                    connection.keepLogOnClose()
                    return nil
                }
            }
            return Result(connection: connection, identifier: metadata.identifier)
        } catch {
            // A log that somebody else left behind is theirs to recover.
            if hadLog { connection.keepLogOnClose() }
            throw error
        }
    }

    /// Lays out a new file in one transaction; nil where another process was faster.
    private func create(_ connection: SQLiteConnection) throws -> String? {
        var metadata = try SQLiteMetadata(schema, layout: layout)
        if let newIdentifier { metadata.identifier = newIdentifier }
        let isOurs: Bool = try connection.transaction {
            guard try connection.integer("PRAGMA application_id") == 0,
                try connection.integer("SELECT count(*) FROM sqlite_master") == 0
            else { return false }
            try connection.execute("PRAGMA application_id = \(SQLiteFile.applicationID)")
            try connection.execute("PRAGMA user_version = \(SQLiteFile.formatVersion)")
            try connection.execute(SQLiteMetadata.creation)
            try SQLiteHistory.prepare(connection)
            for statement in layout.creation { try connection.execute(statement) }
            try metadata.write(connection, layout: layout)
            return true
        }
        guard isOurs else { return nil }
        try connection.useLog()
        return metadata.identifier
    }

    private func checkMark(_ connection: SQLiteConnection) throws {
        guard try connection.integer("PRAGMA application_id") == Int64(SQLiteFile.applicationID) else {
            throw SwiftDataError(.corruptStore, detail: "it is an SQLite file, but no store of Coffer's")
        }
    }

    /// Checks that the file is a store that this version knows.
    private static func check(_ connection: SQLiteConnection, _ place: SQLitePlace) throws -> SQLiteMetadata {
        let metadata: SQLiteMetadata
        do {
            metadata = try SQLiteMetadata(connection, at: place)
        } catch let failure as SQLiteFailure where failure.primaryCode == SQLITE_ERROR {
            throw SwiftDataError(
                .corruptStore, detail: "the table \(SQLiteMetadata.tableName) is missing", underlying: failure)
        }
        guard metadata.format <= SQLiteFile.formatVersion else {
            throw SwiftDataError(
                .newerStoreFormat,
                detail: "it has the format \(metadata.format), and this version of Coffer knows "
                    + "\(SQLiteFile.formatVersion)")
        }
        return metadata
    }

    /// Whether there is nothing in the file, once SQLite has taken back what a journal beside it tells it to.
    static func isEmpty(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer("PRAGMA page_count") == 0
    }

    /// Whether there is nothing to decide.
    private func isCurrent(_ metadata: SQLiteMetadata) -> Bool {
        let isLast = plan == nil || plan?.schemas.last?.versionIdentifier == schema.version
        return isLast && metadata.fingerprint == SQLiteMetadata.fingerprint(schema, layout)
    }

    /// How a store that is there gets to the schema.
    private struct Finding {
        let decision: MigrationDecision
        let difference: SchemaDifference

        /// What is thrown where rows have to be copied.
        var needed: SQLiteMigrationNeeded? {
            guard decision.way == .copy else { return nil }
            let obstacle = difference.obstacles.first
            if obstacle == nil, let narrowing = decision.narrowing {
                return SQLiteMigrationNeeded(decision: decision, refusal: narrowing)
            }
            return SQLiteMigrationNeeded(
                decision: decision,
                refusal: SwiftDataError(
                    .unknownSchema, entity: obstacle?.entity, property: obstacle?.property,
                    detail: "the store was made with another schema, and "
                        + (obstacle?.detail ?? "there are stages of the migration plan to run")))
        }
    }

    private func decide(_ metadata: SQLiteMetadata) throws -> Finding {
        let stored: Schema
        let difference: SchemaDifference
        do {
            stored = try metadata.decodedSchema()
            difference = SchemaDifference(from: try SQLiteSchema(stored), to: layout, of: schema)
        } catch {
            throw SwiftDataError(.corruptStore, detail: "the schema in the file cannot be read", underlying: error)
        }
        return Finding(
            decision: try MigrationDecision(from: stored, to: schema, plan: plan) { difference.obstacles.isEmpty },
            difference: difference)
    }

    /// What opening would decide; nil where there is no store. Changes nothing.
    func decision() throws -> MigrationDecision? {
        guard try SQLiteFile.inspect(place, willWrite: configuration.allowsSave) != .missing else { return nil }
        // As a reader: a file that is only looked at shall not get a log.
        return try decide(SQLiteReading(configuration).run { try Self.check($0, place) }.result).decision
    }

    /// What the file says about itself.
    static func stored(
        _ connection: SQLiteConnection, _ place: SQLitePlace
    ) throws -> (schema: Schema, identifier: String) {
        let metadata = try check(connection, place)
        do {
            return (try metadata.decodedSchema(), metadata.identifier)
        } catch {
            throw SwiftDataError(.corruptStore, detail: "the schema in the file cannot be read", underlying: error)
        }
    }

    /// Makes the changes that need no migration, or refuses.
    ///
    /// - Returns: false where another process has changed the schema since it was read.
    private func bringUpToDate(_ connection: SQLiteConnection, _ metadata: SQLiteMetadata) throws -> Bool {
        var metadata = metadata
        let found = try decide(metadata)
        if let needed = found.needed { throw needed }
        let (difference, latest) = (found.difference, found.decision.schema)
        let fingerprint = SQLiteMetadata.fingerprint(latest, layout)
        if metadata.fingerprint == fingerprint { return true }
        if let obstacle = difference.obstacles.first {
            throw SwiftDataError(
                .unknownSchema, entity: obstacle.entity, property: obstacle.property,
                detail: "the store was made with another schema, and \(obstacle.detail)")
        }
        let before = metadata
        metadata.schema = try SQLiteMetadata.encode(latest)
        metadata.fingerprint = fingerprint
        if !layout.fullTexts.isEmpty { try connection.installFunctions() }
        return try connection.transaction {
            let now = try SQLiteMetadata(connection, at: place)
            guard now.schema == before.schema, now.fingerprint == before.fingerprint else { return false }
            for statement in difference.statements { try connection.execute(statement) }
            let files = ExternalFiles(beside: place.resolvedPath)
            for (table, column) in difference.movedIn { try files.moveIn(column, of: table, connection) }
            try metadata.writeSchema(connection, layout: layout)
            return true
        }
    }

    // MARK: Connections

    /// Opens one more connection to a file that was opened before.
    ///
    /// - Parameter isDamaged: whether a file that has fewer pages than it should is opened too, for reading only.
    static func connect(
        _ configuration: SQLiteStoreConfiguration, creates: Bool = false, isDamaged: Bool = false
    ) throws -> SQLiteConnection {
        for _ in 0..<10 {
            if let connection = try connectOnce(configuration, creates: creates, isDamaged: isDamaged) {
                return connection
            }
        }
        throw SwiftDataError(.storeBusy, detail: "the file keeps being replaced")
    }

    /// Nil where another file came to the place meanwhile.
    private static func connectOnce(
        _ configuration: SQLiteStoreConfiguration, creates: Bool, isDamaged: Bool
    ) throws -> SQLiteConnection? {
        let path = configuration.path
        let timeout = configuration.busyTimeout
        if !configuration.allowsSave {
            let stamp = SQLiteFile.stamp(of: path)
            let mode: SQLiteConnection.Mode = stamp?.hasLog == true ? .readOnly : .immutable
            let connection = try SQLiteConnection(path: path, mode: mode, busyTimeout: timeout)
            if mode == .readOnly, try !connection.keepPlace() { return nil }
            connection.stamp = mode == .immutable ? stamp : nil
            // SQLite takes such a file as it is where somebody may want to repair the schema.
            if isDamaged { try connection.execute("PRAGMA writable_schema = ON") }
            try connection.execute("PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY")
            return connection
        }
        // SQLite would let everybody read it; its log and its journal follow the file.
        let isMade = creates && StoreRights.make(path)
        let connection = try SQLiteConnection(path: path, mode: .readWrite, creates: creates, busyTimeout: timeout)
        if creates, !isMade, errno != EEXIST { chmod(path, StoreRights.file) }
        if try !connection.keepPlace() { return nil }
        // Links are looked after by the writer, which knows which rows are new; see SQLiteTargets and SQLiteDeleter.
        try connection.execute(
            """
            PRAGMA synchronous = \(configuration.durability == .full ? "FULL" : "NORMAL");
            PRAGMA foreign_keys = OFF;
            PRAGMA secure_delete = OFF;
            PRAGMA cache_size = -16384;
            PRAGMA temp_store = MEMORY
            """)
        return connection
    }
}

/// What a file is found with cannot be brought to the schema of the program in place.
///
/// It never leaves the thread that opens the store: closures of a plan are in it.
struct SQLiteMigrationNeeded: Error, @unchecked Sendable {
    let decision: MigrationDecision
    /// What a store says that does not migrate.
    let refusal: SwiftDataError
}
