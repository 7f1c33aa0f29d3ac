import Coffer
import Foundation

/// A fresh place for one test's store, and the container that is open there; the place is removed once object and
/// containers are gone.
final class TestPlace {
    let store: TestStore
    let folder: URL
    /// What the store was asked for since it was opened; see ``Record``.
    let record: Record
    private let types: [any PersistentModel.Type]
    let container: ModelContainer

    /// Opens a store in an empty folder.
    convenience init(_ store: TestStore, _ types: any PersistentModel.Type...) throws {
        try self.init(store, models: types)
    }

    /// The same with a list of models.
    init(_ store: TestStore, models types: [any PersistentModel.Type]) throws {
        self.store = store
        self.types = types
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        record = Record(removing: folder)
        container = try Self.open(store, folder, types, record)
    }

    private static func open(
        _ store: TestStore, _ folder: URL, _ types: [any PersistentModel.Type], _ record: Record
    ) throws -> ModelContainer {
        try ModelContainer(for: Schema(types), configurations: [store.configuration(folder, record)])
    }

    /// A new context without autosave.
    func context() -> ModelContext { ModelContext(container) }

    /// A context of another container at the same place, opened now: it knows nothing but what is stored there, and
    /// ``container`` does not hear of what it saves.
    ///
    /// A store without a place cannot go that far: there it is a new context of the same container, so that what was
    /// saved is still read back from the store and not from the objects that were saved.
    func reopen() throws -> ModelContext {
        guard store.withoutPlace == nil else { return context() }
        return ModelContext(try Self.open(store, folder, types, record))
    }

    /// A context of a container for other classes at the same place, as a later version of the program has them.
    func reopen(as types: any PersistentModel.Type...) throws -> ModelContext {
        ModelContext(try Self.open(store, folder, types, record))
    }

    /// A new context, and one of a container that was opened anew: what was saved has to look the same in both.
    func newContexts() throws -> [ModelContext] { [context(), try reopen()] }
}

extension ModelContext {
    /// Every model of a type.
    func all<M: PersistentModel>(
        _ type: M.Type, by sortBy: SortDescriptor<M>..., where predicate: Predicate<M>? = nil
    ) throws -> [M] {
        try fetch(FetchDescriptor(predicate: predicate, sortBy: sortBy))
    }

    /// How many models of a type there are.
    func count<M: PersistentModel>(_ type: M.Type, where predicate: Predicate<M>? = nil) throws -> Int {
        try fetchCount(FetchDescriptor(predicate: predicate))
    }

    /// The model of an identifier that is in memory.
    func registered<M: PersistentModel>(_ type: M.Type, _ identifier: PersistentIdentifier) -> M? {
        registeredModel(for: identifier)
    }

    /// The only model of a type that matches.
    func only<M: PersistentModel>(_ type: M.Type, where predicate: Predicate<M>? = nil) throws -> M {
        let found = try all(type, where: predicate)
        guard found.count == 1 else { throw NotOne(type: "\(type)", count: found.count) }
        return found[0]
    }
}

/// There should have been one model.
struct NotOne: Error, CustomStringConvertible {
    let type: String
    let count: Int
    var description: String { "\(count) models of type \(type) instead of one" }
}
