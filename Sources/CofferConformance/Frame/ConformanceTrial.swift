import CofferCore
import Foundation

/// One case's work with one store: a place of its own, the store that is open there, and the checks.
///
/// A case that uses contexts saves in a session and reads in another:
///
/// ```swift
/// trial.use(Ship.self)
/// try trial.write { $0.insert(Ship("Argo")) }
/// try trial.read { context in
///     try trial.equal(context.all(Ship.self).map(\.name), ["Argo"], "the names")
/// }
/// ```
///
/// Isolation: belongs to the thread that runs the case.
public final class ConformanceTrial {
    /// The store that the case runs on.
    public let subject: any ConformanceSubject
    /// The folder that the case has to itself.
    public let place: ConformancePlace
    /// What the store has; see ``ConformanceRun/facilities()``.
    public let facilities: Set<ConformanceNeed>
    /// What contexts asked the store for.
    public let record = StoreRecord()
    /// More layers between the containers that are opened from now on and the store.
    public var layers: [any StoreLayer] = []
    /// Whether containers have the store itself, without a layer, for cases of the optional protocols of a `DataStore`,
    /// which layers do not pass on. The record then counts nothing.
    var isDirect = false
    private var types = Story.models
    private var opened: ModelContainer?
    private weak var last: ModelContainer?

    init(_ subject: any ConformanceSubject, facilities: Set<ConformanceNeed>) throws {
        self.subject = subject
        self.facilities = facilities
        place = try ConformancePlace()
    }

    /// Runs a case at a fresh place, and removes the place.
    static func run(
        _ item: ConformanceCase, on subject: any ConformanceSubject, facilities: Set<ConformanceNeed>
    ) throws {
        let trial = try ConformanceTrial(subject, facilities: facilities)
        let result = Result { try item.body(trial) }
        trial.close()
        let removal = Result { try subject.remove(trial.place) }
        try result.get()
        try removal.get()
    }

    /// Whether the store has something.
    public func has(_ need: ConformanceNeed) -> Bool { facilities.contains(need) }

    // MARK: Containers and contexts

    /// Chooses the models of the containers that are opened from now on; the story's, unless said otherwise.
    public func use(_ types: any PersistentModel.Type...) {
        close()
        last = nil
        self.types = types
    }

    /// The models that are used.
    public var schema: Schema { Schema(types) }

    /// The container that is open at the place, opened now where there is none.
    ///
    /// - Throws: what opening the place throws.
    public func container() throws -> ModelContainer {
        if let opened { return opened }
        // Where something of the case still keeps the place open, such a store cannot be opened once more.
        let container = try has(.severalOpenings) ? openContainer() : last ?? openContainer()
        opened = container
        last = container
        return container
    }

    /// One more container at the place; needs ``ConformanceNeed/severalOpenings`` while another is open.
    ///
    /// - Throws: what opening the place throws.
    public func openContainer() throws -> ModelContainer {
        let store = try subject.configuration(at: place)
        let configuration = isDirect ? store : layered(store, layers + [record])
        return try ModelContainer(for: schema, configurations: [configuration])
    }

    /// A new context, without autosave, of the open container.
    ///
    /// - Throws: what opening the place throws.
    public func context() throws -> ModelContext { ModelContext(try container()) }

    /// Lets go of the container, so that its store closes once no context or model keeps it.
    public func close() { opened = nil }

    /// Runs a block with a new context and saves.
    ///
    /// - Throws: what the block and the save throw.
    public func write(_ body: (ModelContext) throws -> Void) throws {
        let context = try context()
        try body(context)
        try context.save()
    }

    /// Runs a block with a new context, which has to read everything from the store; and once more after closing and
    /// reopening the store, where its data outlives that.
    ///
    /// - Throws: what opening the place and the block throw.
    public func read(_ body: (ModelContext) throws -> Void) throws {
        try body(context())
        guard has(.reopening) else { return }
        close()
        try body(context())
    }

    // MARK: The store itself

    /// Opens the store at the place, without a container.
    ///
    /// - Throws: what opening the place throws.
    public func store() throws -> any DataStore {
        try StoreOpening.open(subject.configuration(at: place), schema: schema)
    }

    /// The store as one of rows.
    ///
    /// - Throws: ``ConformanceFailure`` where it is none; a case that calls this needs ``ConformanceNeed/rows``.
    func rows() throws -> SeamRows {
        guard let store = try store() as? any RowStore else {
            throw failure("the store", expected: "a RowStore", came: "another DataStore", #fileID, #line)
        }
        return SeamRows(store, trial: self)
    }
}
