import Foundation
import Observation

/// A property that is the up-to-date result of a fetch, in any class or actor that has a context.
///
/// ```swift
/// @MainActor @Observable final class TripList: @MainActor ModelContextProviding {
///     let modelContext: ModelContext
///     @ObservationIgnored @Query(filter: #Predicate { $0.isPlanned }, sort: \.start) var trips: [Trip]
///
///     init(modelContext: ModelContext) { self.modelContext = modelContext }
/// }
/// ```
///
/// The context is the first that there is of these: one that was given, to the query itself or to
/// ``modelContext``; that of the enclosing ``ModelContextProviding``; that of the enclosing ``ModelActor``. Without
/// any the result is empty, and ``fetchError`` is ``SwiftDataError/missingModelContext``.
///
/// What changes the result, and when it is fetched, is said with ``ResultsObserver``. The property is observable by
/// itself, so `@Observable` has to leave it alone.
///
/// When a fetch fails, the property stays what it was.
@propertyWrapper
public struct Query<Element, Result: QueryResult> where Result.QueryElement == Element {
    private let state: QueryState<Element>

    init(
        _ descriptor: FetchDescriptor<Element>, _ sectioning: Sectioning<Element, String>? = nil,
        _ context: ModelContext?
    ) {
        state = QueryState(descriptor, sectioning, context)
    }

    /// All models, in any order. Where the property is one of sections, there is a single one without a title.
    public init() { self.init(FetchDescriptor(), nil, nil) }

    /// What the fetch finds now.
    public var wrappedValue: Result { Result._make(state.observer) }

    /// The query itself, for its context and its error.
    public var projectedValue: Query { self }

    /// What the fetch finds now, in the context of the object that has the property.
    public static subscript<Owner: AnyObject>(
        _enclosingInstance owner: Owner, wrapped wrapped: KeyPath<Owner, Result>,
        storage storage: KeyPath<Owner, Query<Element, Result>>
    ) -> Result {
        let query = owner[keyPath: storage]
        query.state.adopt(owner)
        return query.wrappedValue
    }

    /// The context that the models are fetched from; nil where none is known. Setting it fetches from another.
    ///
    /// A context of the enclosing object is known once the property was read.
    public var modelContext: ModelContext? {
        get { state.context }
        nonmutating set { state.context = newValue }
    }

    /// Why the result could not be brought up to date; nil where it could.
    public var fetchError: (any Error)? { state.error }

    /// The result in sections; empty for a query without `sectionBy`.
    public var sections: SectionedResults<Element, String> {
        state.observer?.sections ?? SectionedResults([]) { _ in "" }
    }
}

/// The state of one ``Query``: a description until it is read in a context, from then on an observer.
final class QueryState<Element: PersistentModel> {
    private let descriptor: FetchDescriptor<Element>
    private let sectioning: Sectioning<Element, String>?
    /// Stands in for an observer where there is no context to observe.
    private let unbound = ResultWatch(isolation: nil)
    private var isolation: (any Actor)?
    private var known: ResultsObserver<Element, String>?

    init(
        _ descriptor: FetchDescriptor<Element>, _ sectioning: Sectioning<Element, String>?, _ context: ModelContext?
    ) {
        self.descriptor = descriptor
        self.sectioning = sectioning
        self.context = context
    }

    var context: ModelContext? {
        didSet {
            guard context !== oldValue else { return }
            let before = known
            known = nil
            before?.live.watch.touch()
            unbound.touch()
        }
    }

    /// Takes the context of the object that has the query, where none is known.
    func adopt(_ owner: AnyObject) {
        guard context == nil else { return }
        isolation = owner as? any Actor
        if let owner = owner as? any ModelContextProviding {
            context = owner.modelContext
        } else if let owner = owner as? any ModelActor {
            context = owner.modelExecutor.modelContext
        }
    }

    var observer: ResultsObserver<Element, String>? {
        if let known { return known }
        guard let context else {
            unbound.access()
            return nil
        }
        // A property has no isolation of its own to ask for; the main thread's is the one that matters most.
        let isolation = isolation ?? (Thread.isMainThread ? MainActor.shared : nil)
        let observer = ResultsObserver(descriptor, sectioning, context: context, isolation: isolation)
        known = observer
        return observer
    }

    var error: (any Error)? {
        if let observer { return observer.fetchError }
        return SwiftDataError(
            .missingModelContext, operation: .fetch, entity: Element._$descriptor.entityName,
            detail: "the query was given no context, and what it is a property of provides none")
    }
}
