import Foundation

/// The order of a fetch in terms of stored values, and the place of a model in it.
final class PageOrder<M: PersistentModel> {
    private let keys: [(path: FilterPath, sort: SortKey)]
    private let home: _ModelHome
    private let context: ModelContext
    private let row: FilterPath
    private let values: RowValues
    private let source: ModelRows
    /// A hash of entity and order.
    private let hash: UInt64

    /// - Throws: ``SwiftDataError/unsupportedSortDescriptor`` for an order by something that is not stored.
    init(_ descriptor: FetchDescriptor<M>, home: _ModelHome, context: ModelContext) throws {
        self.home = home
        self.context = context
        let entity = home.descriptor.entityName
        row = FilterPath(variable: .row(of: entity), steps: [], type: FilterType(.link(entity: entity)))
        var text = entity
        var keys: [(FilterPath, SortKey)] = []
        do {
            for sort in descriptor.sortBy {
                let key = try SortLowering.key(sort)
                let path = Self.path(key.path, from: home.descriptor, row)
                keys.append((path, key))
                text += "\n\(path) \(key.isDescending) \(key.comparison.rawValue)"
            }
        } catch let refused as RefusedFetch {
            throw refused.error
        }
        self.keys = keys
        var hash = StableHash()
        hash.combine(text.utf8)
        self.hash = hash.value
        values = RowValues(keys.map { .property($0.0) })
        source = ModelRows(context, followsLinks: keys.contains { $0.0.leadsElsewhere })
    }

    private static func path(_ slots: [Int], from descriptor: _ModelDescriptor, _ row: FilterPath) -> FilterPath {
        var path = row
        var descriptor = descriptor
        for slot in slots {
            let property = descriptor.properties[slot]
            var type = FilterType(of: property.metadata.valueType)
            type.isOptional = type.isOptional || path.type.isOptional
            let destination = descriptor.relationships[safe: slot].flatMap { $0 }?.destination
            path = path.appending(
                FilterStep(slot: slot, name: property.name, destination: destination?.entityName), type)
            if let destination { descriptor = destination }
        }
        return path
    }

    /// The values by which a model is sorted.
    func values(of model: M) throws -> [StoredValue] {
        if keys.isEmpty { return [] }
        let row = try source.row(of: model)
        return try keys.indices.map { try values.value($0, of: row, in: source) }
    }

    // MARK: Tokens

    /// The token of a page that ends with a model.
    func token(of model: M) throws -> PageToken {
        PageToken(identifier: model.persistentModelID, fetch: hash, values: try values(of: model))
    }

    /// The place that a token remembers.
    ///
    /// - Throws: ``SwiftDataError/invalidPageToken`` where it is one of another fetch or store, or of a model that was
    ///   never saved and is not in the context.
    func start(_ token: PageToken) throws -> PageStart {
        guard token.fetch == hash, token.values.count == keys.count else {
            throw invalid("the token is of a fetch of another model, or in another order")
        }
        var identifier = token.identifier
        if identifier._isTemporary {
            let key = context.remapped.permanentKey(entityName: identifier.entityName, temporary: identifier._key)
            if let key {
                identifier = PersistentIdentifier(
                    _space: .shared(
                        entityName: identifier.entityName, storeIdentifier: home.store.identifier), key: key)
            } else if !home.family().contains(where: { $0.inserted.contains { $0._$key == identifier._key } }) {
                throw invalid("the token begins behind a model that was never saved and is not in this context")
            }
        } else if identifier.storeIdentifier != home.store.identifier {
            throw invalid("the token is of another store")
        }
        let places = zip(keys, token.values).map { PageStart.Key(path: $0.path, sort: $0.sort, value: $1) }
        return PageStart(places, row: row, identifier: identifier)
    }

    private func invalid(_ detail: String) -> SwiftDataError {
        SwiftDataError(
            .invalidPageToken, operation: .fetch, store: home.store.name, entity: home.descriptor.entityName,
            detail: detail)
    }
}
