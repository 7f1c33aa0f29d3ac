import CofferCore
import Synchronization

/// A store of records over an ordered key-value engine: everything that a `RowStore` does, written once.
///
/// A store of a new engine owns one of these and conforms to ``RecordRowStore``:
///
/// ```swift
/// public final class LogStore: RecordRowStore {
///     public let configuration: LogConfiguration
///     public let core: RecordStoreCore
///
///     public init(_ configuration: LogConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
///         core = try RecordStoreCore(
///             name: configuration.name, schema: configuration.schema ?? Schema(),
///             engine: try LogEngine(configuration.url))
///         self.configuration = configuration
///     }
/// }
/// ```
///
/// Isolation: may be used from any thread.
public final class RecordStoreCore: Sendable {
    /// The name of the store's configuration, for errors.
    public let name: String
    /// The models of the store.
    public let schema: Schema
    /// The engine that keeps the tables.
    public let engine: any RecordEngine
    /// A UUID that the store keeps.
    public let identifier: String
    /// The tables and the fields of the schema.
    public let layout: RecordSchema
    /// Makes the history of saves.
    let recorder: HistoryRecorder
    let hasHistory: Bool
    /// What a fetch of all fields reads, by space.
    let decoders: [RecordDecoder]
    private let identifierSpaces: [_IdentifierSpace]
    /// Whether ``withOneState(_:)`` runs; nobody else uses the store then.
    private let holdsState = Atomic<Bool>(false)
    nonisolated(unsafe) private var heldReader: (any RecordReader)?

    /// Opens what an engine keeps as a store, making it where there is nothing yet.
    ///
    /// New entities, new properties that are optional or have a default value, new relationships, and new or dropped
    /// indexes are dealt with at once.
    ///
    /// - Throws: `SwiftDataError`, `unknownSchema` for other differences between schema and store; the engine's tables
    ///   are then as they were, and the engine is closed.
    public convenience init(name: String, schema: Schema, engine: any RecordEngine) throws {
        do {
            try self.init(name: name, schema: schema, engine: engine, plan: nil)
        } catch let needed as RecordMigrationNeeded {
            throw needed.refusal.adding(operation: .open, store: name, file: engine.path)
        }
    }

    /// The same for a store that migrates.
    ///
    /// - Parameters:
    ///   - plan: how data of older schemas becomes that of the current one.
    ///   - identifier: that of a store that is made; nil for one of its own.
    /// - Throws: `RecordMigrationNeeded` too; the engine is closed then.
    package init(
        name: String, schema: Schema, engine: any RecordEngine, plan: (any SchemaMigrationPlan.Type)?,
        identifier newIdentifier: String? = nil
    ) throws {
        do {
            let opened = try RecordOpening(schema, engine, plan: plan, identifier: newIdentifier).run()
            (identifier, layout, hasHistory) = (opened.identifier, opened.layout, opened.hasHistory)
        } catch {
            engine.close()
            throw (error as? SwiftDataError)?.adding(operation: .open, store: name, file: engine.path) ?? error
        }
        self.name = name
        self.schema = schema
        self.engine = engine
        recorder = HistoryRecorder(schema)
        decoders = layout.spaces.map { RecordDecoder($0) }
        let identifier = identifier
        identifierSpaces = layout.spaces.map { .shared(entityName: $0.entityName, storeIdentifier: identifier) }
    }

    /// The schema that an engine's tables were left with, and the identifier; nil where there is no store yet.
    package static func stored(in engine: any RecordEngine) throws -> (schema: Schema, identifier: String)? {
        let metadata = try engine.read { reader in
            try reader.openTable(RecordSchema.metadata) ? try RecordMetadata(reader) : nil
        }
        return try metadata.map { (try $0.decodedSchema(), $0.identifier) }
    }

    /// How what an engine keeps would get to a schema; nil where there is no store. Changes nothing.
    package static func decision(
        _ schema: Schema, _ engine: any RecordEngine, plan: (any SchemaMigrationPlan.Type)?
    ) throws -> MigrationDecision? {
        try RecordOpening(schema, engine, plan: plan).decision()
    }

    /// Ends the use of the store. Later calls throw `storeClosed`.
    public func close() { engine.close() }

    // MARK: Spaces

    @inline(__always)
    func space(of plan: FetchPlan, _ batch: RowBatch) throws -> RecordSpace {
        for (index, space) in identifierSpaces.enumerated() where space === batch.space {
            let found = layout.spaces[index]
            if found.entityName == plan.entityName, found.width == batch.width, found.hierarchy == nil { return found }
        }
        let found = try space(named: plan.entityName)
        if let hierarchy = found.hierarchy {
            let names = [plan.entityName] + plan.subentityNames
            if batch.entityName == plan.entityName,
                names.allSatisfy({ hierarchy.slots(of: $0).count <= batch.width })
            {
                return found
            }
        } else if found.width == batch.width, batch.entityName == plan.entityName {
            return found
        }
        throw SwiftDataError(
            .storeFailure, operation: .fetch, store: name, entity: plan.entityName,
            detail: "the batch is for \(batch.entityName) with \(batch.width) properties")
    }

    func space(named entityName: String) throws -> RecordSpace {
        if let space = layout.space(of: entityName) { return space }
        throw SwiftDataError(
            .unknownModelType, operation: .fetch, store: name, entity: entityName,
            detail: "the store's schema does not have it")
    }

    // MARK: Transactions

    @inline(__always)
    func read<T>(_ entity: String, _ body: (any RecordReader) throws -> T) throws -> T {
        do {
            return try reading(body)
        } catch {
            throw named(error, .fetch, entity)
        }
    }

    /// Runs reads on one state, which is the held one while there is one.
    @inline(__always)
    func reading<T>(_ body: (any RecordReader) throws -> T) throws -> T {
        if holdsState.load(ordering: .relaxed), let heldReader { return try body(heldReader) }
        return try engine.read(body)
    }

    /// Runs a body whose reads see one state of the tables. Called on one thread, while no other uses the store.
    ///
    /// - Parameter body: what reads.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, and what the engine throws.
    public func withOneState<T>(_ body: () throws -> T) throws -> T {
        if holdsState.load(ordering: .relaxed) { return try body() }
        let result: Result<T, any Error>
        do {
            result = try engine.read { reader in
                heldReader = HeldReader(reader)
                holdsState.store(true, ordering: .relaxed)
                defer {
                    holdsState.store(false, ordering: .relaxed)
                    heldReader = nil
                }
                return Result { try body() }
            }
        } catch {
            throw named(error, .fetch, nil)
        }
        return try result.get()
    }

    @inline(never)
    func named(_ error: any Error, _ operation: SwiftDataError.Operation, _ entity: String?) -> any Error {
        (error as? SwiftDataError)?.adding(operation: operation, store: name, entity: entity, file: engine.path)
            ?? error
    }

    /// Stores changes, all or none, and gives the inserted rows their keys.
    ///
    /// Deletions come first. A new row whose unique values a row already has is written onto that row, and takes its
    /// key; everything else that two rows may not share is refused.
    ///
    /// - Throws: `SwiftDataError` that names entity and property; the store is then as it was.
    /// - Complexity: O(*changed rows* log *rows*).
    public func commit(_ changes: RowChanges) throws -> RowChangesResult {
        do {
            return try engine.write { writer in
                let (resolved, deleted, updated) = try RecordBatch(core: self, reader: writer).resolve(changes)
                let preserved = try preserved(of: resolved.deleted, writer)
                var commit = RecordCommit(layout, writer, maximumKeySize: engine.maximumKeySize)
                var result = try commit.run(resolved)
                (result.batchDeleted, result.batchUpdated) = (deleted, updated)
                let upserted = commit.upserted(changes.inserted.count)
                var told = changes
                if !commit.missing.isEmpty {
                    for (index, rows) in told.deleted.enumerated() {
                        guard let space = layout.space(of: rows.entityName)?.index else { continue }
                        told.deleted[index].keys.removeAll { commit.missing.contains(.init(space: space, key: $0)) }
                    }
                }
                if let entry = recorder.transaction(told, result, upserted, preserved: preserved) {
                    result.historyNumber = try RecordHistory.append(entry, writer)
                }
                return result
            }
        } catch {
            throw named(error, .save, nil)
        }
    }

    /// Removes all rows and the history; keys are not given out again.
    ///
    /// - Throws: what the engine throws; nothing is removed then.
    public func erase() throws {
        do {
            try engine.write { writer in
                for table in layout.tables where table.role != .metadata && table.role != .history {
                    try writer.removeAll(table)
                }
                try RecordHistory.removeAll(writer)
            }
        } catch {
            throw named(error, .erase, nil)
        }
    }
}
