import Foundation
import Synchronization

/// A schema and the stores that keep its models; makes the contexts in which a program works with them.
///
/// ```swift
/// let container = try ModelContainer(
///     for: Trip.self, configurations: SQLiteStoreConfiguration(url: file))
/// let context = ModelContext(container)
/// ```
///
/// Several configurations split the schema between stores, of different kinds if wanted: an entity belongs to the
/// first configuration whose schema names it.
///
/// Isolation: a container may be used from any thread.
public class ModelContainer: Equatable, @unchecked Sendable {
    /// The models of all stores.
    public let schema: Schema
    /// The plan by which stores of older versions were migrated; nil for none.
    public let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// The configurations the container was made with, with their schemas filled in.
    public var storeConfigurations: [any DataStoreConfiguration] {
        configurationLock.withLock { knownConfigurations }
    }
    private let configurationLock = NSLock()
    private var knownConfigurations: [any DataStoreConfiguration]
    let stores: [StoreHandle]
    /// Whether some model class has another one as its superclass.
    let hasHierarchies: Bool
    /// The store of each entity.
    private let storesByEntity: [String: StoreHandle]

    private struct Members {
        var contexts: [WeakContext] = []
        var historyObservers: [WeakHistoryObserver] = []
    }
    private struct WeakHistoryObserver {
        weak var observer: HistoryObserver?
    }
    private struct WeakContext: @unchecked Sendable {
        weak var context: ModelContext?
        let inbox: ChangeInbox
    }
    private let members = Mutex(Members())
    /// The histories that the container keeps, by store; nil where it keeps none.
    let supplies = Mutex<[ObjectIdentifier: HistorySupply]?>(nil)
    /// The policy, and how many saves there were since it was last applied.
    let retention = Mutex<(policy: HistoryRetention?, saves: Int)>((nil, 0))
    /// What other processes and containers save.
    let remoteChanges: RemoteChanges

    /// Opens the stores of a schema.
    ///
    /// - Parameters:
    ///   - schema: the models.
    ///   - migrationPlan: how data of older schemas becomes that of the current one; every store receives it.
    ///   - configurations: the stores; at least one.
    /// - Throws: ``SwiftDataError`` when the schema or a configuration is not sound, or what a store throws that cannot
    ///   be opened. No file is changed then.
    public init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [any DataStoreConfiguration]
    ) throws {
        try schema.validate()
        try Self.check(configurations, against: schema)
        _ModelDescriptor.announce(schema)
        self.schema = schema
        self.migrationPlan = migrationPlan
        hasHierarchies = schema.entities.contains { $0.superentity != nil }
        let places = try Self.places(of: schema, in: configurations)
        let stores = try configurations.map {
            try StoreHandle.open($0, schema: schema, migrationPlan: migrationPlan)
        }
        // A migration may have announced older classes meanwhile.
        _ModelDescriptor.announce(schema)
        self.stores = stores
        storesByEntity = places.mapValues { stores[$0] }
        knownConfigurations = stores.map(\.configuration)
        remoteChanges = RemoteChanges(stores, schema)
        if hasHierarchies { try checkHierarchies() }
    }

    deinit { remoteChanges.stop() }

    /// A container of one store that is open already; for the code of a program that takes part in a migration.
    init(around store: any DataStore, schema: Schema) {
        _ModelDescriptor.announce(schema)
        self.schema = schema
        migrationPlan = nil
        hasHierarchies = schema.entities.contains { $0.superentity != nil }
        let handle = StoreHandle(store)
        stores = [handle]
        storesByEntity = schema.entitiesByName.mapValues { _ in handle }
        knownConfigurations = []
        remoteChanges = RemoteChanges([], schema)
    }

    /// Opens the stores of model types and everything they are related to.
    ///
    /// - Throws: as the initialiser of a schema does.
    @_disfavoredOverload
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: any DataStoreConfiguration...
    ) throws {
        try self.init(for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
    }

    private static func check(_ configurations: [any DataStoreConfiguration], against schema: Schema) throws {
        guard !configurations.isEmpty else {
            throw SwiftDataError(.loadIssueModelContainer, operation: .open, detail: "there is no configuration")
        }
        var names: Set<String> = []
        for configuration in configurations {
            guard names.insert(configuration.name).inserted else {
                throw SwiftDataError(
                    .duplicateConfiguration, operation: .open, store: configuration.name,
                    detail: "two configurations have this name")
            }
            for entity in configuration.schema?.entities ?? [] where schema.entitiesByName[entity.name] == nil {
                throw SwiftDataError(
                    .configurationSchemaNotFoundInContainerSchema, operation: .open, store: configuration.name,
                    entity: entity.name, detail: "the container's schema has no such model")
            }
        }
    }

    /// Which configuration, by index, each entity goes to: the first whose schema has it.
    ///
    /// - Throws: ``SwiftDataError`` for a model without a store, and for a relationship that would lead from one store
    ///   to another. Nothing has been opened then.
    private static func places(
        of schema: Schema, in configurations: [any DataStoreConfiguration]
    ) throws -> [String: Int] {
        var places: [String: Int] = [:]
        for (index, configuration) in configurations.enumerated() {
            for entity in (configuration.schema ?? schema).entities where places[entity.name] == nil {
                places[entity.name] = index
            }
        }
        for entity in schema.entities {
            guard let place = places[entity.name] else {
                throw SwiftDataError(
                    .loadIssueModelContainer, operation: .open, entity: entity.name,
                    detail: "no configuration's schema has this model")
            }
            for relationship in entity.relationships {
                guard let other = places[relationship.destination], other != place else { continue }
                throw SwiftDataError(
                    .invalidRelationship, operation: .open, store: configurations[place].name, entity: entity.name,
                    property: relationship.name,
                    detail:
                        "it leads to \(relationship.destination), which is in the store “\(configurations[other].name)”"
                )
            }
        }
        return places
    }

    /// A hierarchy lies in one store, and a store of rows has to know of hierarchies.
    private func checkHierarchies() throws {
        for entity in schema.entities {
            guard let parent = entity.superentity, let store = storesByEntity[entity.name] else { continue }
            guard storesByEntity[parent.name] === store else {
                throw SwiftDataError(
                    .loadIssueModelContainer, operation: .open, store: store.name, entity: entity.name,
                    detail:
                        "its superclass \(parent.name) is in the store “\(storesByEntity[parent.name]?.name ?? "")”; "
                        + "a hierarchy of classes lies in one store")
            }
            if store.rows != nil, !store.capabilities.features.contains(.inheritance) {
                throw SwiftDataError(
                    .unsupportedFeature, operation: .open, store: store.name, entity: entity.name,
                    detail: "the store does not keep subclasses of models")
            }
        }
    }

    public static func == (left: ModelContainer, right: ModelContainer) -> Bool { left === right }

    /// Changes what the container tells of its configurations; its stores stay open as they are.
    package func replaceStoreConfigurations(with configurations: [any DataStoreConfiguration]) {
        configurationLock.withLock { knownConfigurations = configurations }
    }

    func store(of entityName: String) -> StoreHandle? { storesByEntity[entityName] }

    /// The class of an entity; nil where the schema was made without classes.
    func modelType(named entityName: String) -> (any PersistentModel.Type)? {
        schema.entitiesByName[entityName]?._modelType
    }

    /// Some entities' names and those of all entities above them.
    func withEntitiesAbove(_ names: Set<String>) -> Set<String> {
        if !hasHierarchies { return names }
        return schema.withEntitiesAbove(names)
    }

    // MARK: Contexts

    private let main = MainContext()

    /// The context for work on the main actor; saves by itself after changes.
    @MainActor public var mainContext: ModelContext {
        if let context = main.context { return context }
        let context = ModelContext(self)
        context.autosaveEnabled = true
        context.isMainContext = true
        main.context = context
        return context
    }

    /// Enters a context, so that it hears of the others' saves.
    func enter(_ context: ModelContext, inbox: ChangeInbox) {
        members.withLock { members in
            members.contexts.removeAll { $0.context == nil }
            members.contexts.append(WeakContext(context: context, inbox: inbox))
        }
        remoteChanges.start { [weak self] in self?.announce($0, from: nil) }
    }

    // MARK: Saves of others

    /// Looks now for what other processes, and other containers at the same places, have saved, and tells contexts,
    /// observers and ``remoteChange`` of it.
    ///
    /// Mostly there is no need to call it: the container hears of writes to its stores' files soon after they happen. It
    /// does not where the system has no watch to give, on file systems that report nothing (those of a network), and on
    /// systems other than Linux; and a program may want to know for sure. Stores without a history are passed over.
    ///
    /// - Throws: what a store throws whose history cannot be read.
    /// - Complexity: O(*changed rows since the last look*).
    public func checkForRemoteChanges() throws { try remoteChanges.look() }

    /// Why the last look that the container took by itself failed; nil where it went well. The next one makes up for it.
    public var remoteChangesError: (any Error)? { remoteChanges.lastFailure }

    /// Tells everybody else what was saved: contexts, with the results that depend on them, history observers, and
    /// whoever listens to ``remoteChange``. Whatever learns of changes to a store reports them here.
    ///
    /// - Parameter context: who saved; nil where it was another process.
    func announce(_ changes: SavedChanges, from context: ModelContext?) {
        if changes.isEmpty { return }
        let (others, observers) = members.withLock { members in
            (
                members.contexts.filter { $0.context != nil && $0.context !== context },
                members.historyObservers.compactMap(\.observer)
            )
        }
        for other in others { other.inbox.put(changes) }
        for observer in observers { observer.hear(changes) }
        NotificationCenter.default.post(
            name: Self.remoteChange, object: self, userInfo: [Self.historyTokensKey: changes.historyTokens])
    }

    /// The key under which ``remoteChange`` has the places of the save in the histories of the stores, a dictionary of
    /// tokens by store identifier.
    public static let historyTokensKey = "historyTokens"

    /// Posted after something was stored by any context of the container, on the thread that saved, or by another
    /// process or container, on some thread; the object is the container.
    public static let remoteChange = Notification.Name("CofferModelContainerRemoteChange")

    /// Has a history observer hear of what is stored.
    func enter(_ observer: HistoryObserver) {
        members.withLock { members in
            members.historyObservers.removeAll { $0.observer == nil }
            members.historyObservers.append(WeakHistoryObserver(observer: observer))
        }
    }

    /// Removes all data of all stores at once; it cannot be undone.
    ///
    /// Models that are in memory stay readable; their context forgets them, and what it had not saved, at its next use.
    /// Models that are inserted afterwards stay.
    ///
    /// - Throws: the first store's error; the stores after it are then untouched, and those before it erased.
    public func erase() throws {
        do {
            for store in stores {
                try store.store.erase()
                historySupply(of: store)?.noteUnknown()
            }
        } catch {
            // Those before it have lost their rows, as their histories tell.
            try? remoteChanges.look()
            throw error
        }
        try remoteChanges.skipErasure()
        announce(
            SavedChanges(everythingErased: true, lastTemporaryKey: TemporaryKeys.latest), from: nil)
    }

    /// Removes all data where that can be done. Use ``erase()``, which says why it failed.
    public func deleteAllData() { try? erase() }

    private final class MainContext: @unchecked Sendable {
        @MainActor var context: ModelContext?
        nonisolated init() {}
    }
}
