import Foundation
import Observation

/// The results of a fetch that stay up to date, outside any view.
///
/// ```swift
/// let observer = try ResultsObserver<Trip, Never>(
///     filterBy: #Predicate { $0.isPlanned }, sortBy: [SortDescriptor(\.start)], modelContext: context)
/// withObservationTracking {
///     list.show(observer.results)
/// } onChange: {
///     list.setNeedsUpdate()
/// }
/// ```
///
/// Three things change the results: unsaved changes of the observer's context, saves of the container's other contexts,
/// and ``filterBy`` and ``sortBy``. Of these only what touches the fetch counts: that models of the entity come and go,
/// that a property changes which filter, order or sections read, and the same for every entity that a filter or an
/// order goes through. A changed property that none of them reads leaves the results alone; whoever shows it observes
/// the model.
///
/// Nothing is fetched when something changes. The first read after it fetches, so what is read is never behind the
/// context, and many changes in a row cost one fetch. Observation is told at once, so that there is such a read.
///
/// When a fetch fails, the results stay what they were and ``fetchError`` says why.
///
/// Isolation: an observer belongs to the isolation of its context. Of another context's save, which may come from any
/// thread, its observers are told on the isolation that made it, or, where there was none, on the thread that saved.
///
/// Lifetime: the observer keeps its context, and the results keep their models.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable>: Observable {
    let live: LiveResults<Element>
    private let sectioning: Sectioning<Element, SectionTitle>?
    private var knownSections: (version: Int, sections: SectionedResults<Element, SectionTitle>)?

    /// An observer that has not fetched yet.
    init(
        _ descriptor: FetchDescriptor<Element>, _ sectioning: Sectioning<Element, SectionTitle>?,
        context: ModelContext, isolation: (any Actor)?
    ) {
        self.sectioning = sectioning
        live = LiveResults(
            sectioning?.applied(to: descriptor) ?? descriptor, sectionPath: sectioning?.keyPath, context: context,
            isolation: isolation
        ) { models in
            guard let sectioning else { return models }
            return SectionedResults(models, by: sectioning.title).elements
        }
    }

    /// The same, with the first fetch.
    convenience init(
        fetching descriptor: FetchDescriptor<Element>, _ sectioning: Sectioning<Element, SectionTitle>?,
        context: ModelContext, isolation: (any Actor)?
    ) throws {
        self.init(descriptor, sectioning, context: context, isolation: isolation)
        if let error = fetchError { throw error }
    }

    /// The context that the models belong to.
    public var modelContext: ModelContext { live.context }

    /// The models that the fetch finds now, in its order.
    ///
    /// Complexity: one fetch where something has changed since the last read, otherwise O(1).
    public var results: [Element] { live.elements }

    /// The results in sections, which stand in the order of their titles, or, where titles have no order, of their
    /// first models; nil for an observer without sections.
    ///
    /// Complexity: that of ``results``, and O(*results*) at the first read after a fetch.
    public var sections: SectionedResults<Element, SectionTitle>? {
        let elements = live.elements
        guard let sectioning else { return nil }
        if let knownSections, knownSections.version == live.version { return knownSections.sections }
        let sections = SectionedResults(elements, by: sectioning.title)
        knownSections = (live.version, sections)
        return sections
    }

    /// Why the results could not be brought up to date; nil where they could.
    public var fetchError: (any Error)? { live.error }

    /// The fetch, with the order of the sections before that of the models.
    public var fetchDescriptor: FetchDescriptor<Element> {
        live.watch.access()
        return live.descriptor
    }

    /// The condition; nil for all models.
    public var filterBy: Predicate<Element>? {
        get { fetchDescriptor.predicate }
        set {
            var descriptor = live.descriptor
            descriptor.predicate = newValue
            live.setDescriptor(descriptor)
        }
    }

    /// The order. Where there are sections it begins with theirs, which is added to an order that does not.
    public var sortBy: [SortDescriptor<Element>] {
        get { fetchDescriptor.sortBy }
        set {
            var descriptor = live.descriptor
            descriptor.sortBy = newValue
            live.setDescriptor(sectioning?.applied(to: descriptor) ?? descriptor)
        }
    }

    /// What the models of a section have in common; nil for an observer without sections.
    public var sectionBy: PartialKeyPath<Element>? { sectioning?.keyPath }

    /// The model at a place: the position of the section, then that of the model in it. Without sections all models are
    /// in section zero. Nil where there is no such place.
    public func element(at indexPath: IndexPath) -> Element? {
        guard indexPath.count == 2 else { return nil }
        let (section, item) = (indexPath[0], indexPath[1])
        if let sections {
            guard sections.indices.contains(section), sections[section].indices.contains(item) else { return nil }
            return sections[section][item]
        }
        let results = results
        return section == 0 && results.indices.contains(item) ? results[item] : nil
    }

    /// The place of a model, see ``element(at:)``; nil where it is not among the results.
    ///
    /// Complexity: O(*results*).
    public func indexPath(for element: Element) -> IndexPath? {
        if let sections {
            return sections.position(of: element).map { IndexPath(indexes: [$0.section, $0.item]) }
        }
        return results.firstIndex { $0 === element }.map { IndexPath(indexes: [0, $0]) }
    }
}
