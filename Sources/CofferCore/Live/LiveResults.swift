import Foundation

/// The results of a fetch, kept up to date: what observers, queries and sequences of results share.
///
/// A change makes the results outdated, no more; they are fetched at the next read. A read is never behind the
/// context, and a thousand changes in a row cost one fetch.
final class LiveResults<Element: PersistentModel> {
    let context: ModelContext
    let watch: ResultWatch
    private(set) var descriptor: FetchDescriptor<Element>
    private let sectionPath: PartialKeyPath<Element>?
    /// Puts what was fetched in the order of the sections.
    private let arrange: ([Element]) -> [Element]

    private var known: [Element] = []
    private var lastError: (any Error)?
    /// How often the results were fetched.
    private(set) var version = 0

    /// - Parameters:
    ///   - sectionPath: what tells the sections apart; nil for none.
    ///   - isolation: where observers hear of other contexts' saves.
    init(
        _ descriptor: FetchDescriptor<Element>, sectionPath: PartialKeyPath<Element>? = nil, context: ModelContext,
        isolation: (any Actor)?, arrange: @escaping ([Element]) -> [Element] = { $0 }
    ) {
        self.context = context
        self.descriptor = descriptor
        self.sectionPath = sectionPath
        self.arrange = arrange
        watch = ResultWatch(isolation: isolation)
        startWatching()
    }

    private func startWatching() {
        context.watch(
            watch, ResultInterest(descriptor, sectionPath: sectionPath, schema: context.container.schema))
    }

    /// Fetches something else from now on.
    func setDescriptor(_ descriptor: FetchDescriptor<Element>) {
        self.descriptor = descriptor
        startWatching()
        watch.touch()
    }

    /// What the fetch gives now; what it gave last where it fails now.
    var elements: [Element] {
        refresh()
        return known
    }

    /// Why the latest fetch failed; nil where it did not.
    var error: (any Error)? {
        refresh()
        return lastError
    }

    /// Brings the results up to date, and has Observation know that they were read.
    func refresh() {
        watch.access()
        guard watch.takeOutdated() else { return }
        version += 1
        do {
            known = arrange(try context.fetch(descriptor))
            lastError = nil
        } catch {
            lastError = error
        }
    }
}
