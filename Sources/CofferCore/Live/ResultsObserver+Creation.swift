import Foundation

// In all of them: the first fetch is made at once, and what it throws is thrown. The isolation is that of whoever makes
// the observer; there its observers hear of other contexts' saves.

extension ResultsObserver where SectionTitle == Never {
    /// Observes the results of a fetch.
    ///
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetching: fetchDescriptor, nil, context: modelContext, isolation: isolation)
    }

    /// Observes the models that meet a condition, in an order; all models in any order unless said otherwise.
    ///
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, context: modelContext,
            isolation: isolation)
    }

    /// Observes the results of a fetch in a new context.
    ///
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: fetchDescriptor, nil, context: ModelContext(modelContainer), isolation: isolation)
    }

    /// Observes the models that meet a condition, in an order, in a new context.
    ///
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil,
            context: ModelContext(modelContainer), isolation: isolation)
    }
}

extension ResultsObserver {
    /// Observes the results of a fetch in sections.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the fetch.
    ///   - sectionBy: what the models of a section have in common.
    ///   - modelContext: the context to fetch in.
    ///   - isolation: where news of other contexts' saves are told; the caller's isolation unless given.
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, SectionTitle>,
        modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: fetchDescriptor, Sectioning(sectionBy), context: modelContext, isolation: isolation)
    }

    /// Observes the models that meet a condition, in an order and in sections.
    ///
    /// - Parameters:
    ///   - filterBy: the condition; nil for all models.
    ///   - sortBy: the order; nil for none.
    ///   - sectionBy: what the models of a section have in common.
    ///   - modelContext: the context to fetch in.
    ///   - isolation: where news of other contexts' saves are told; the caller's isolation unless given.
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, SectionTitle>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), Sectioning(sectionBy),
            context: modelContext, isolation: isolation)
    }

    /// Observes the results of a fetch in sections, in a new context.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the fetch.
    ///   - sectionBy: what the models of a section have in common.
    ///   - modelContainer: the container to make a context of.
    ///   - isolation: where news of other contexts' saves are told; the caller's isolation unless given.
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, SectionTitle>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: fetchDescriptor, Sectioning(sectionBy), context: ModelContext(modelContainer),
            isolation: isolation)
    }

    /// Observes the models that meet a condition, in an order and in sections, in a new context.
    ///
    /// - Parameters:
    ///   - filterBy: the condition; nil for all models.
    ///   - sortBy: the order; nil for none.
    ///   - sectionBy: what the models of a section have in common.
    ///   - modelContainer: the container to make a context of.
    ///   - isolation: where news of other contexts' saves are told; the caller's isolation unless given.
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, SectionTitle>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), Sectioning(sectionBy),
            context: ModelContext(modelContainer), isolation: isolation)
    }
}

extension ResultsObserver where SectionTitle == String {
    /// Observes the results of a fetch in sections; models without a title are in the section with the empty one.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the fetch.
    ///   - sectionBy: what the models of a section have in common.
    ///   - modelContext: the context to fetch in.
    ///   - isolation: where news of other contexts' saves are told; the caller's isolation unless given.
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: fetchDescriptor, Sectioning(sectionBy), context: modelContext, isolation: isolation)
    }

    /// Observes the models that meet a condition, in an order and in sections; models without a title are in the
    /// section with the empty one.
    ///
    /// - Parameters:
    ///   - filterBy: the condition; nil for all models.
    ///   - sortBy: the order; nil for none.
    ///   - sectionBy: what the models of a section have in common.
    ///   - modelContext: the context to fetch in.
    ///   - isolation: where news of other contexts' saves are told; the caller's isolation unless given.
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), Sectioning(sectionBy),
            context: modelContext, isolation: isolation)
    }

    /// Observes the results of a fetch in sections, in a new context; models without a title are in the section with
    /// the empty one.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the fetch.
    ///   - sectionBy: what the models of a section have in common.
    ///   - modelContainer: the container to make a context of.
    ///   - isolation: where news of other contexts' saves are told; the caller's isolation unless given.
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, String?>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: fetchDescriptor, Sectioning(sectionBy), context: ModelContext(modelContainer),
            isolation: isolation)
    }

    /// Observes the models that meet a condition, in an order and in sections, in a new context; models without a title
    /// are in the section with the empty one.
    ///
    /// - Parameters:
    ///   - filterBy: the condition; nil for all models.
    ///   - sortBy: the order; nil for none.
    ///   - sectionBy: what the models of a section have in common.
    ///   - modelContainer: the container to make a context of.
    ///   - isolation: where news of other contexts' saves are told; the caller's isolation unless given.
    /// - Throws: what the first fetch throws, see ``ModelContext/fetch(_:)``.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetching: FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), Sectioning(sectionBy),
            context: ModelContext(modelContainer), isolation: isolation)
    }
}
