/// How a context carries a fetch out: which part the store runs and how, which part memory, and why.
///
/// ```swift
/// print(try context.explain(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" })))
/// // Trip in "default"
/// //   filter    store   $0.name == "Rome"
/// //   access    index trip_name
/// //   …
/// ```
///
/// The text holds the values that the predicate has captured; ``StoreExplanation/statement`` does not.
public struct FetchExplanation: Hashable, Codable, Sendable {
    /// A part of a fetch that either side can do.
    public enum Part: String, Hashable, Codable, Sendable {
        /// The predicate: which models.
        case filter
        /// The order in which they come.
        case sort
    }

    /// Who does a part.
    public enum Place: String, Hashable, Codable, Sendable {
        /// The store.
        case store
        /// The store does what it can, memory the rest.
        case storeAndMemory
        /// Memory, on rows that the store handed out.
        case memory
    }

    /// Why memory does a part.
    public enum Reason: String, Hashable, Codable, Sendable {
        /// No plan can express it, so that no store could be asked.
        case notExpressible
        /// The store cannot do it with Swift's meaning, or at all, and handed it back.
        case handedBack
        /// The store knows nothing of class hierarchies: each class is asked for by itself.
        case separateClasses
        /// Unsaved changes of other models count, which no store can see. It is no fallback: after a save the store
        /// does it.
        case unsavedChanges
    }

    /// Something that memory does.
    public struct MemoryStep: Hashable, Codable, Sendable {
        /// Which part of the fetch the step belongs to.
        public var part: Part
        /// The condition, or the sort key.
        public var piece: String
        /// Why the store does not do it.
        public var reason: Reason
        /// The reason in words.
        public var detail: String

        /// Whether a strict context refuses it (``ModelContext/allowsInMemoryFallback``).
        public var isFallback: Bool { reason != .unsavedChanges }
    }

    /// How unsaved changes of the fetched classes take part.
    public struct PendingChanges: Hashable, Codable, Sendable {
        /// Whether they count: ``FetchDescriptor/includePendingChanges``.
        public var isIncluded: Bool
        /// How many models are tested in memory and merged into what the store gives; limit and offset come after that.
        public var merged: Int
        /// How many of those wait to be deleted.
        public var deleted: Int
    }

    /// The entity that is fetched.
    public var entityName: String
    /// The name of the store's configuration.
    public var storeName: String
    /// The predicate; nil where there is none.
    public var predicate: String?
    /// The sort keys.
    public var sortKeys: [String]
    /// The page: limit and offset.
    public var limit: Int?
    /// How many models are left out at the beginning.
    public var offset: Int
    /// Who filters; nil where there is no predicate.
    public var filter: Place?
    /// Who sorts; nil where no order is asked for.
    public var sort: Place?
    /// Who cuts the page out; nil where everything is wanted.
    public var page: Place?
    /// What the store does; nil for a store that takes no plans, of which nothing is known but what it hands back.
    public var store: StoreExplanation?
    /// What memory does beside merging, and why.
    public var memory: [MemoryStep]
    /// The unsaved changes that are merged into what the store finds.
    public var pendingChanges: PendingChanges
    /// The requests that a fetch makes of the store, one an element. Lists and links that a filter in memory follows are
    /// loaded as they are met, and stand as one.
    public var requests: [String]

    /// Whether a strict context refuses the fetch.
    public var fallsBack: Bool { memory.contains(where: \.isFallback) }
}

extension FetchExplanation: CustomStringConvertible {
    /// The explanation in lines of a name and a text.
    public var description: String {
        var lines: [(String, String)] = []
        func add(_ name: String, _ text: String) { lines.append((name, text)) }
        if let filter { add("filter", filter.words + "  " + (predicate ?? "")) }
        if let sort { add("sort", sort.words + "  " + sortKeys.joined(separator: ", ")) }
        if let page {
            let bounds = [limit.map { "limit \($0)" }, offset > 0 ? "offset \(offset)" : nil]
            add("page", page.words + "  " + bounds.compactMap { $0 }.joined(separator: " "))
        }
        if let store {
            if let statement = store.statement { add("runs", statement) }
            add("access", store.access.description)
            if sort == .store { add("order", store.order.description) }
            for step in store.steps { add("", step) }
        } else {
            add("access", "rows as the store gives them; it takes no plans")
        }
        for step in memory { add("memory", "\(step.part.rawValue): \(step.piece): \(step.detail)") }
        if !pendingChanges.isIncluded {
            add("changes", "unsaved ones do not count")
        } else if pendingChanges.merged > 0 {
            let deleted = pendingChanges.deleted > 0 ? ", \(pendingChanges.deleted) of them deleted" : ""
            add("changes", "\(pendingChanges.merged) unsaved models are merged\(deleted)")
        }
        for (index, request) in requests.enumerated() { add(index == 0 ? "requests" : "", request) }
        let width = 10
        return "\(entityName) in \"\(storeName)\""
            + lines.map { name, text in
                "\n  " + name + String(repeating: " ", count: max(width - name.count, 1)) + text
            }.joined()
    }
}

extension FetchExplanation.Place {
    fileprivate var words: String {
        switch self {
        case .store: "store "
        case .memory: "memory"
        case .storeAndMemory: "store, then memory"
        }
    }
}
