import CofferCore
import Foundation

/// A store that is used through SwiftData's own requests, without a context. Snapshots may be of any type.
struct SeamRequests {
    let store: any DataStore
    var state = EditingState(author: "conformance")

    struct SaveResult {
        let storeIdentifier: String
        let remapped: [PersistentIdentifier: PersistentIdentifier]
    }

    /// The snapshot of a model that no context has.
    func snapshot<M: PersistentModel>(_ model: M) -> any DataStoreSnapshot {
        func make<S: DataStore>(_ store: S) -> any DataStoreSnapshot {
            var related: [PersistentIdentifier: any BackingData] = [:]
            return S.Snapshot(from: model.persistentBackingData, relatedBackingDatas: &related)
        }
        return make(store)
    }

    func copy(
        _ snapshot: any DataStoreSnapshot, _ identifier: PersistentIdentifier,
        _ remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    ) -> any DataStoreSnapshot {
        snapshot.copy(persistentIdentifier: identifier, remappedIdentifiers: remapped)
    }

    func save(
        inserted: [any DataStoreSnapshot] = [], updated: [any DataStoreSnapshot] = [],
        deleted: [any DataStoreSnapshot] = []
    ) throws -> SaveResult {
        func save<S: DataStore>(_ store: S) throws -> SaveResult {
            func own(_ snapshots: [any DataStoreSnapshot]) -> [S.Snapshot] {
                snapshots.compactMap { $0 as? S.Snapshot }
            }
            let result = try store.save(
                DataStoreSaveChangesRequest(
                    editingState: state, inserted: own(inserted), updated: own(updated), deleted: own(deleted)))
            return SaveResult(storeIdentifier: result.storeIdentifier, remapped: result.remappedIdentifiers)
        }
        return try save(store)
    }

    func fetch<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) throws -> [any DataStoreSnapshot] {
        func fetch<S: DataStore>(_ store: S) throws -> [any DataStoreSnapshot] {
            try store.fetch(DataStoreFetchRequest(editingState: state, descriptor: descriptor)).fetchedSnapshots
        }
        return try fetch(store)
    }

    func fetchCount<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) throws -> Int {
        try store.fetchCount(DataStoreFetchRequest(editingState: state, descriptor: descriptor))
    }

    func fetchIdentifiers<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) throws -> [PersistentIdentifier] {
        try store.fetchIdentifiers(DataStoreFetchRequest(editingState: state, descriptor: descriptor))
    }

    func cached(_ identifiers: [PersistentIdentifier]) throws -> [PersistentIdentifier: any DataStoreSnapshot] {
        func cached<S: DataStore>(_ store: S) throws -> [PersistentIdentifier: any DataStoreSnapshot] {
            try store.cachedSnapshots(for: identifiers, editingState: state)
        }
        return try cached(store)
    }

    // MARK: Values

    /// What a snapshot says of a property, from its coded form.
    private func value(_ snapshot: any DataStoreSnapshot, _ property: String) throws -> Any? {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(snapshot)) as? [String: Any]
        return object?[property]
    }

    func text(_ snapshot: any DataStoreSnapshot, _ property: String) throws -> String? {
        try value(snapshot, property) as? String
    }

    func link(_ snapshot: any DataStoreSnapshot, _ property: String) throws -> PersistentIdentifier? {
        guard let object = try value(snapshot, property) as? [String: Any] else { return nil }
        return try JSONDecoder().decode(
            PersistentIdentifier.self, from: JSONSerialization.data(withJSONObject: object))
    }

    /// The links of a relationship, to one or to many.
    func links(_ snapshot: any DataStoreSnapshot, _ property: String) throws -> [PersistentIdentifier] {
        guard let objects = try value(snapshot, property) as? [[String: Any]] else {
            return try link(snapshot, property).map { [$0] } ?? []
        }
        return try JSONDecoder().decode(
            [PersistentIdentifier].self, from: JSONSerialization.data(withJSONObject: objects))
    }

    /// Checks that nothing in stored snapshots is a temporary identifier, which means no row once the save is over.
    func expectPermanent<M: PersistentModel>(
        _ trial: ConformanceTrial, _ type: M.Type, file: String = #fileID, line: Int = #line
    ) throws {
        let entity = Schema.entityName(for: type)
        let relationships = store.schema.entitiesByName[entity]?.relationships ?? []
        for snapshot in try fetch(FetchDescriptor<M>()) {
            try trial.equal(
                snapshot.persistentIdentifier.storeIdentifier, store.identifier,
                "the store that the identifier of a stored \(entity) names", file: file, line: line)
            for relationship in relationships {
                for link in try links(snapshot, relationship.name) where link.storeIdentifier == nil {
                    throw trial.failure(
                        "\(entity).\(relationship.name) of a stored snapshot", expected: "permanent identifiers",
                        came: "a temporary one of a new \(link.entityName)", file, line)
                }
            }
        }
    }
}

extension ConformanceTrial {
    /// The store, for SwiftData's own requests.
    func requests() throws -> SeamRequests {
        // A snapshot is decoded by the classes of a container that is open.
        _ = try container()
        close()
        return SeamRequests(store: try store())
    }
}
