import CofferCore

/// Opens what an engine keeps: lays out a new store, or checks what is there and brings it up to date.
struct RecordOpening {
    let schema: Schema
    let engine: any RecordEngine
    private let plan: (any SchemaMigrationPlan.Type)?
    /// The identifier of a store that is made; nil for one of its own.
    private let newIdentifier: String?

    /// What came of it.
    struct Result {
        let identifier: String
        let layout: RecordSchema
        /// Whether there is a table for the history.
        var hasHistory = true
    }

    init(
        _ schema: Schema, _ engine: any RecordEngine, plan: (any SchemaMigrationPlan.Type)? = nil,
        identifier: String? = nil
    ) {
        self.schema = schema
        self.engine = engine
        self.plan = plan
        newIdentifier = identifier
    }

    /// - Throws: `SwiftDataError`, or `RecordMigrationNeeded`; the engine's tables are then as they were.
    func run() throws -> Result {
        if let metadata = try read() { return try open(metadata) }
        guard !engine.isReadOnly else {
            throw SwiftDataError(
                .storeNotFound, detail: "there is no store, and one opened for reading only is not made")
        }
        return try create()
    }

    /// What the store says about itself; nil where there is nothing yet.
    private func read() throws -> RecordMetadata? {
        try engine.read { reader in
            try reader.openTable(RecordSchema.metadata) ? try RecordMetadata(reader) : nil
        }
    }

    /// Makes all tables in one transaction.
    private func create() throws -> Result {
        // Problems of the schema come up before anything is made.
        let layout = try RecordSchema(schema)
        var metadata = try RecordMetadata(schema, layout)
        if let newIdentifier { metadata.identifier = newIdentifier }
        let isOurs: Bool = try engine.write { writer in
            // Another process may have been faster.
            if try writer.openTable(RecordSchema.metadata) { return false }
            for table in layout.tables { try writer.makeTable(table) }
            try metadata.write(writer)
            return true
        }
        if isOurs { return Result(identifier: metadata.identifier, layout: layout) }
        guard let metadata = try read() else { throw SwiftDataError(.corruptStore) }
        return try open(metadata)
    }

    private func open(_ metadata: RecordMetadata) throws -> Result {
        let isLast = plan == nil || plan?.schemas.last?.versionIdentifier == schema.version
        if isLast, metadata.fingerprint == Array(RecordMetadata.fingerprint(schema).utf8) {
            return try openAsIs(metadata, try RecordSchema(schema, numbering: metadata.numbering))
        }
        let found = try decide(metadata)
        if found.decision.way == .copy {
            throw RecordMigrationNeeded(
                decision: found.decision,
                refusal: found.obstacle ?? found.decision.narrowing
                    ?? SwiftDataError(
                        .unknownSchema, detail: "the store was made with another version of the schema"))
        }
        guard let layout = found.layout, found.obstacle == nil else {
            throw found.obstacle ?? SwiftDataError(.unknownSchema)
        }
        let fingerprint = Array(RecordMetadata.fingerprint(found.decision.schema).utf8)
        if metadata.fingerprint == fingerprint { return try openAsIs(metadata, layout) }
        if engine.isReadOnly {
            guard let difference = found.difference, difference.isEmpty else {
                throw SwiftDataError(
                    .unknownSchema,
                    detail: "the store is open for reading only and its schema is another one: "
                        + (found.difference?.description ?? ""))
            }
            return try openAsIs(metadata, layout)
        }
        try bringUpToDate(found.decision.schema, to: layout)
        return Result(identifier: metadata.identifier, layout: layout)
    }

    /// How a store that is there gets to the schema.
    private struct Finding {
        let decision: MigrationDecision
        let layout: RecordSchema?
        let difference: RecordDifference?
        /// Why it cannot be done in place.
        let obstacle: SwiftDataError?
    }

    private func decide(_ metadata: RecordMetadata) throws -> Finding {
        let old = try oldLayout(metadata)
        var layout: RecordSchema?
        var obstacle: SwiftDataError?
        var difference: RecordDifference?
        do {
            let new = try newLayout(metadata, old)
            let found = RecordDifference(from: old, to: new, of: schema)
            (layout, difference, obstacle) = (new, found, found.obstacles.first.map(Self.error))
        } catch let error as SwiftDataError where error.code == .unknownSchema {
            obstacle = error
        }
        let decision = try MigrationDecision(from: metadata.decodedSchema(), to: schema, plan: plan) { obstacle == nil }
        return Finding(decision: decision, layout: layout, difference: difference, obstacle: obstacle)
    }

    /// What opening would decide; nil where there is no store. Changes nothing.
    func decision() throws -> MigrationDecision? { try read().map { try decide($0).decision } }

    private func openAsIs(_ metadata: RecordMetadata, _ layout: RecordSchema) throws -> Result {
        let hasHistory = try openTables(of: layout)
        return Result(identifier: metadata.identifier, layout: layout, hasHistory: hasHistory)
    }

    private static func error(_ obstacle: RecordDifference.Obstacle) -> SwiftDataError {
        SwiftDataError(
            .unknownSchema, entity: obstacle.entity, property: obstacle.property,
            detail: "the store was made with another schema, and \(obstacle.detail)")
    }

    private func oldLayout(_ metadata: RecordMetadata) throws -> RecordSchema {
        do {
            return try RecordSchema(try metadata.decodedSchema(), numbering: metadata.numbering)
        } catch {
            throw SwiftDataError(.corruptStore, detail: "the schema in it cannot be read", underlying: error)
        }
    }

    /// The layout of the new schema over the numbers of the old one.
    private func newLayout(_ metadata: RecordMetadata, _ old: RecordSchema) throws -> RecordSchema {
        for name in old.entityNames.sorted() where schema.entitiesByName[name] == nil {
            throw SwiftDataError(
                .unknownSchema, entity: name,
                detail: "the store was made with another schema, and the entity is gone")
        }
        for space in old.spaces {
            for field in space.fields {
                guard let entity = schema.entitiesByName[field.entityName],
                    !entity.storedProperties.contains(where: { $0.name == field.property })
                else { continue }
                throw SwiftDataError(
                    .unknownSchema, entity: field.entityName, property: field.property,
                    detail: "the store was made with another schema, and the property is gone")
            }
        }
        return try RecordSchema(schema, numbering: metadata.numbering)
    }

    /// - Returns: whether there is a table for the history.
    private func openTables(of layout: RecordSchema) throws -> Bool {
        let hasHistory: Bool = try engine.read { reader in
            var hasHistory = true
            for table in layout.tables where try !reader.openTable(table) {
                guard table.role == .history else {
                    throw SwiftDataError(.corruptStore, detail: "the table \(table.name) is missing")
                }
                hasHistory = false
            }
            return hasHistory
        }
        if hasHistory || engine.isReadOnly { return hasHistory }
        try engine.write { try $0.makeTable(RecordSchema.history) }
        return true
    }

    // MARK: Light changes

    /// Makes the changes that need no migration, in one transaction.
    private func bringUpToDate(_ latest: Schema, to layout: RecordSchema) throws {
        try engine.write { writer in
            guard try writer.openTable(RecordSchema.metadata) else { throw SwiftDataError(.corruptStore) }
            // Another process may have done the same meanwhile.
            var metadata = try RecordMetadata(writer)
            let difference = RecordDifference(from: try oldLayout(metadata), to: layout, of: schema)
            for name in difference.droppedTables { try writer.dropTable(named: name) }
            for table in layout.tables { try writer.makeTable(table) }
            for table in difference.newTables { try writer.removeAll(table) }
            for space in layout.spaces {
                let fields = difference.newFields.filter { $0.space == space.index }
                if !fields.isEmpty { try extend(space, by: fields, writer) }
            }
            for (space, index) in difference.newIndexes {
                try writer.fill(index, of: layout.spaces[space], maximumKeySize: engine.maximumKeySize)
            }
            for space in difference.newWords.map({ layout.spaces[$0] }) {
                guard let words = space.words else { continue }
                try writer.fill(words, of: space, maximumKeySize: engine.maximumKeySize)
            }
            metadata.schema = try RecordMetadata.encode(latest)
            metadata.fingerprint = Array(RecordMetadata.fingerprint(latest).utf8)
            metadata.numbering = layout.numbering
            try metadata.write(writer)
        }
    }

    /// Rewrites the records of a space with more fields.
    private func extend(_ space: RecordSpace, by fields: [RecordDifference.NewField], _ writer: any RecordWriter) throws
    {
        var keys: [Int64] = []
        try writer.scan(space.rows, .all) { key, _ in
            if let key = IndexKey.row(key) { keys.append(key) }
            return true
        }
        let decoder = RecordDecoder(space)
        let encoder = space.encoder
        let first = space.fields.count - fields.count
        let batch = RowBatch(entityName: space.entityName, width: space.width, storeIdentifier: nil)
        for key in keys {
            guard let bytes = try writer.get(space.rows, key) else { continue }
            let number = try Record(bytes).entity
            batch.removeAll()
            try decoder.append(bytes, key: key, to: batch, fieldCount: first)
            for field in fields where field.numbers?.contains(number) ?? true {
                batch.set(field.value, row: 0, slot: space.fields[field.field].slot)
            }
            let cells = batch._cells(ofRow: 0)
            var links = [Int64](repeating: 0, count: space.fields.count)
            for link in space.links where cells[link.slot].kind == .reference {
                links[link.number] = cells[link.slot].integer
            }
            try withUnsafeBytes(of: key.bigEndian) { rowKey in
                try writer.put(space.rows, rowKey, count: encoder.size(cells), ascending: false) {
                    encoder.write(cells, batch._heap, links: links, to: $0)
                }
            }
        }
    }
}

/// What a store is found with cannot be brought to the schema of the program in place.
///
/// It never leaves the thread that opens the store: closures of a plan are in it.
package struct RecordMigrationNeeded: Error, @unchecked Sendable {
    package let decision: MigrationDecision
    /// What a store says that does not migrate.
    package let refusal: SwiftDataError
}
