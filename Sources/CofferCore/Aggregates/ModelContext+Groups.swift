import Foundation

extension ModelContext {
    /// Divides the models that a descriptor describes into groups by what they have in common, and works values out for
    /// each group.
    ///
    /// ```swift
    /// for group in try context.groups(
    ///     FetchDescriptor<Trip>(), by: \.country, giving: .count, .sum(\.budget),
    ///     order: [.value(.count, order: .reverse)], limit: 10)
    /// {
    ///     print(group.key, group.values.0, group.values.1)
    /// }
    /// ```
    ///
    /// A key may be any stored property, one of a model that to-one links lead to, or a to-one link itself. Nil is a key
    /// like any other, and so is not-a-number. The groups come in the order of their keys unless another is given, which
    /// the keys then complete.
    ///
    /// - Parameters:
    ///   - descriptor: which models count.
    ///   - key: what the models of a group have in common. There may be three keys; a group's key is then a tuple.
    ///   - a: what is worked out for each group. There may be five values, or none; a group's values are then a tuple.
    ///   - order: the order of the groups.
    ///   - limit: the largest number of groups; nil for all.
    ///   - offset: how many groups at the start to leave out.
    /// - Throws: ``SwiftDataError/unsupportedSortDescriptor`` for an order by what is no key, and as
    ///   ``aggregate(_:_:)`` does.
    /// - Complexity: one request, and one more for each key that leads to models of several classes.
    public func groups<M: PersistentModel, K: Hashable, A>(
        _ descriptor: FetchDescriptor<M>, by key: KeyPath<M, K>, giving a: Aggregate<M, A>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<K, A>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(descriptor, [key], [a.request], page, { try $0.next(a) }) {
            try $0.next(key)
        }
    }

    /// Groups whose keys and values are read by closures.
    func makeGroups<M: PersistentModel, Key, Values>(
        _ descriptor: FetchDescriptor<M>, _ keys: [PartialKeyPath<M>], _ requests: [AggregateRequest<M>],
        _ page: GroupPage<M>, _ values: (AggregateReader<M>) throws -> Values,
        key: (GroupKeyReader<M>) throws -> Key
    ) throws -> [AggregateGroup<Key, Values>] {
        let rows = try aggregateRows(
            descriptor, keys: keys, requests: requests, order: page.order, limit: page.limit, offset: page.offset)
        let keyReader = try GroupKeyReader(keys, rows, self)
        var groups: [AggregateGroup<Key, Values>] = []
        groups.reserveCapacity(rows.count)
        for row in rows {
            keyReader.begin(row)
            let key = try key(keyReader)
            groups.append(AggregateGroup(key: key, values: try values(AggregateReader(row.values))))
        }
        return groups
    }
}

/// Which groups are wanted, in which order.
struct GroupPage<M: PersistentModel> {
    var order: [GroupOrder<M>] = []
    var limit: Int?
    var offset = 0
}

/// Makes Swift values of the keys of groups.
final class GroupKeyReader<M: PersistentModel> {
    /// The models of keys that are links.
    private var models: [Int: [PersistentIdentifier: any PersistentModel]] = [:]
    private let codings: [FilterCoding?]
    private var keys: [StoredValue] = []
    private var index = 0

    init(_ keyPaths: [PartialKeyPath<M>], _ rows: [AggregateRow], _ context: ModelContext) throws {
        codings = keyPaths.map { FilterCoding(type(of: $0).valueType) }
        for (index, keyPath) in keyPaths.enumerated() {
            guard case .toOne(let type) = _ValueShape(Swift.type(of: keyPath).valueType).kind else { continue }
            let identifiers = rows.compactMap { row -> PersistentIdentifier? in
                if case .reference(let identifier) = row.keys[index] { identifier } else { nil }
            }
            models[index] = try context.models(at: identifiers, as: type)
        }
    }

    func begin(_ row: AggregateRow) {
        keys = row.keys
        index = 0
    }

    func next<V>(_ keyPath: KeyPath<M, V>) throws -> V {
        defer { index += 1 }
        if let value: V = value() { return value }
        throw SwiftDataError(
            .valueDecoding, operation: .fetch, entity: M._$descriptor.entityName,
            property: M._$descriptor.slot(of: keyPath).map { M._$descriptor.properties[$0].name })
    }

    private func value<V>() -> V? {
        let key = keys[index]
        if key.isNull { return _nilValue(of: V.self) }
        if case .reference(let identifier) = key {
            if let models = models[index] { return models[identifier] as? V }
            return identifier as? V
        }
        return codings[index]?.decode(key) as? V
    }
}

extension ModelContext {
    /// The models that links lead to, each to be loaded when it is read, by the identifiers that stores give for links:
    /// these name the class that the link is declared with, or the topmost of a hierarchy.
    fileprivate func models(
        at identifiers: [PersistentIdentifier], as type: any PersistentModel.Type
    ) throws -> [PersistentIdentifier: any PersistentModel] {
        var found: [PersistentIdentifier: any PersistentModel] = [:]
        guard let home = home(of: type._$descriptor) else { return found }
        var open: [Int64: PersistentIdentifier] = [:]
        for identifier in identifiers {
            if identifier._isTemporary || home.store.rows == nil {
                found[identifier] = model(for: identifier)
            } else if home.isPolymorphic {
                open[identifier._key] = identifier
            } else {
                found[identifier] = home.fault(identifier._key)
            }
        }
        if open.isEmpty { return found }
        for model in try faults(of: open.keys.sorted(), in: home) {
            if let identifier = open[model._$key] { found[identifier] = model }
        }
        return found
    }
}
