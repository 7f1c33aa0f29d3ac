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
    public let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// The configurations the container was made with, with their schemas filled in.
    public let storeConfigurations: [any DataStoreConfiguration]
    let stores: [StoreHandle]
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
        var stores: [StoreHandle] = []
        var storesByEntity: [String: StoreHandle] = [:]
        for configuration in configurations {
            let store = try StoreHandle.open(configuration, schema: schema, migrationPlan: migrationPlan)
            for entity in (store.configuration.schema ?? schema).entities where storesByEntity[entity.name] == nil {
                storesByEntity[entity.name] = store
            }
            stores.append(store)
        }
        self.stores = stores
        self.storesByEntity = storesByEntity
        storeConfigurations = stores.map(\.configuration)
        try checkLinksBetweenStores()
    }

    /// Opens the stores of model types and everything they are related to.
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

    private func checkLinksBetweenStores() throws {
        for entity in schema.entities {
            guard let store = storesByEntity[entity.name] else {
                throw SwiftDataError(
                    .loadIssueModelContainer, operation: .open, entity: entity.name,
                    detail: "no configuration's schema has this model")
            }
            for relationship in entity.relationships {
                guard let other = storesByEntity[relationship.destination], other !== store else { continue }
                throw SwiftDataError(
                    .invalidRelationship, operation: .open, store: store.name, entity: entity.name,
                    property: relationship.name,
                    detail: "it leads to \(relationship.destination), which is in the store “\(other.name)”")
            }
        }
    }

    public static func == (left: ModelContainer, right: ModelContainer) -> Bool { left === right }

    func store(of entityName: String) -> StoreHandle? { storesByEntity[entityName] }

    /// The class of an entity; nil where the schema was made without classes.
    func modelType(named entityName: String) -> (any PersistentModel.Type)? {
        schema.entitiesByName[entityName]?._modelType
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
    }

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
        NotificationCenter.default.post(name: Self.remoteChange, object: self)
    }

    /// Posted after something was stored by any context of the container, on the thread that saved; the object is the
    /// container.
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
    /// Models that are in memory stay readable; their context forgets them at its next use.
    ///
    /// - Throws: the first store's error; the stores after it are then untouched.
    public func erase() throws {
        for store in stores { try store.store.erase() }
        announce(SavedChanges(everythingErased: true), from: nil)
    }

    /// Removes all data; ``erase()`` says why it failed.
    @available(*, deprecated, renamed: "erase()")
    public func deleteAllData() { try? erase() }

    private final class MainContext: @unchecked Sendable {
        @MainActor var context: ModelContext?
        nonisolated init() {}
    }
}
