/// Copies stores of one kind into stores of another: schema, rows under their identifiers, links, the order of lists and
/// large values.
///
/// No model classes are needed: the store says itself what is in it.
///
/// ```swift
/// try StoreConversion.convert(
///     from: SQLiteStoreConfiguration(url: old), to: JSONArchiveConfiguration(url: new)
/// ) { print($0.entityName, $0.rows, "of", $0.total) }
/// ```
public enum StoreConversion {
    /// How far a conversion is.
    public struct Progress: Sendable {
        /// The entity whose rows are being copied.
        public let entityName: String
        /// Rows of the entity that are copied.
        public let rows: Int
        /// Rows of the entity.
        public let total: Int
    }

    /// Copies the store at one place into a new one at another, and compares them.
    ///
    /// The old store is held meanwhile, so that nobody saves to it, and stays as it is. The new one is there once it is
    /// complete and on disk.
    ///
    /// - Parameters:
    ///   - source: the store; its schema is not looked at.
    ///   - target: the place of the new store, at which there must be none.
    ///   - progress: is called after each block of rows; what it throws ends the conversion.
    /// - Returns: the digest of both stores.
    /// - Throws: `SwiftDataError`; `unsupportedFeature` where one of the stores cannot be copied so.
    @discardableResult
    public static func convert(
        from source: any DataStoreConfiguration, to target: any DataStoreConfiguration,
        progress: ((Progress) throws -> Void)? = nil
    ) throws -> StoreDigest {
        try source.validate()
        try target.validate()
        let place = try hold(source)
        defer { place.end() }
        let copy = try StoreOpening.make(target, schema: place.source.schema, identifier: place.source.identifier)
        do {
            let digest = try self.copy(place.source, into: copy.store, progress: progress)
            try copy.finish()
            return digest
        } catch {
            copy.abandon()
            throw error
        }
    }

    /// Copies an open store into an empty one with the same schema, and compares them.
    ///
    /// Nobody else may use either of them meanwhile. The rows' identifiers are the same where the stores have one
    /// identifier.
    ///
    /// - Returns: the digest of both stores.
    /// - Throws: `SwiftDataError`; rows may have been copied then.
    @discardableResult
    public static func copy(
        _ source: any ImportingRowStore, into target: any ImportingRowStore,
        progress: ((Progress) throws -> Void)? = nil
    ) throws -> StoreDigest {
        guard source.schema.entitiesByName == target.schema.entitiesByName else {
            throw SwiftDataError(.unknownSchema, operation: .convert, detail: "the two stores have different schemas")
        }
        for entity in target.schema.entities where try target.countRows(FetchPlan(entityName: entity.name)) > 0 {
            throw SwiftDataError(
                .storeFailure, operation: .convert, entity: entity.name, detail: "the new store has rows already")
        }
        let mapping = try MigrationMapping(from: source.schema, to: target.schema)
        let copier = StoreCopier(from: source, to: target, mapping)
        if let progress {
            // Counted before, since a store that is held may have one connection only, which reads the rows.
            var totals: [String: Int] = [:]
            for entity in source.schema.entities {
                totals[entity.name] = try source.countRows(FetchPlan(entityName: entity.name))
            }
            copier.progress = { name, rows in
                try progress(Progress(entityName: name, rows: rows, total: totals[name] ?? rows))
            }
        }
        try copier.run()
        let digest = try StoreDigest(of: source)
        if let entity = try digest.firstDifference(from: StoreDigest(of: target)) {
            throw SwiftDataError(
                .migrationFailure, operation: .convert, entity: entity,
                detail: "the copy is not like the original")
        }
        return digest
    }

    // MARK: Opening

    private static func hold<C: DataStoreConfiguration>(_ configuration: C) throws -> any StoreMigrationPlace {
        func hold<S: MigratingStore>(_ kind: S.Type) throws -> (any StoreMigrationPlace)? {
            try (configuration as? S.Configuration).map { try kind.hold($0) }
        }
        if let kind = C.Store.self as? any MigratingStore.Type, let place = try hold(kind) { return place }
        throw SwiftDataError(
            .unsupportedFeature, operation: .convert, store: configuration.name,
            detail: "stores of this kind cannot be opened without their models")
    }
}

/// A store that is being filled and is not at its place yet.
public protocol StoreCopyTarget: AnyObject {
    /// The store that is being filled.
    var store: any ImportingRowStore { get }
    /// Closes the store, with all that it holds on disk, and puts it at its place, where nothing may be.
    ///
    /// - Throws: ``SwiftDataError/storeExists`` where something is at the place; what the system refuses.
    func finish() throws
    /// Closes the store and removes it.
    func abandon()
}
