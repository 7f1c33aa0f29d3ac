import Foundation

// The forms of SwiftData's `@Query`, without what belongs to views. Each takes a context, for code that makes its queries
// in an initialiser.

extension Query where Result == [Element] {
    /// The results of a fetch.
    public init(_ descriptor: FetchDescriptor<Element>, modelContext: ModelContext? = nil) {
        self.init(descriptor, nil, modelContext)
    }

    /// The models that meet a condition, in an order.
    public init(
        filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
        modelContext: ModelContext? = nil
    ) {
        self.init(FetchDescriptor(predicate: filter, sortBy: descriptors), nil, modelContext)
    }

    /// The models that meet a condition, in the order of a value.
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
        modelContext: ModelContext? = nil
    ) {
        self.init(filter: filter, sort: [SortDescriptor(_sendable(keyPath), order: order)], modelContext: modelContext)
    }

    /// The models that meet a condition, in the order of a value; those without one come first.
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
        modelContext: ModelContext? = nil
    ) {
        self.init(filter: filter, sort: [SortDescriptor(_sendable(keyPath), order: order)], modelContext: modelContext)
    }
}

extension Query {
    /// The results of a fetch, in sections.
    public init(
        _ descriptor: FetchDescriptor<Element>, sectionBy sectionKeyPath: KeyPath<Element, String>,
        modelContext: ModelContext? = nil
    ) {
        self.init(descriptor, Sectioning(sectionKeyPath), modelContext)
    }

    /// The models that meet a condition, in an order and in sections.
    public init(
        filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
        sectionBy sectionKeyPath: KeyPath<Element, String>, modelContext: ModelContext? = nil
    ) {
        self.init(
            FetchDescriptor(predicate: filter, sortBy: descriptors), sectionBy: sectionKeyPath,
            modelContext: modelContext)
    }

    /// The models that meet a condition, in the order of a value and in sections.
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
        sectionBy sectionKeyPath: KeyPath<Element, String>, modelContext: ModelContext? = nil
    ) {
        self.init(
            filter: filter, sort: [SortDescriptor(_sendable(keyPath), order: order)], sectionBy: sectionKeyPath,
            modelContext: modelContext)
    }

    /// The models that meet a condition, in the order of a value and in sections.
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
        sectionBy sectionKeyPath: KeyPath<Element, String>, modelContext: ModelContext? = nil
    ) {
        self.init(
            filter: filter, sort: [SortDescriptor(_sendable(keyPath), order: order)], sectionBy: sectionKeyPath,
            modelContext: modelContext)
    }

    /// The results of a fetch, in sections; models without a title are in the section with the
    /// empty one.
    public init(
        _ descriptor: FetchDescriptor<Element>, sectionBy sectionKeyPath: KeyPath<Element, String?>,
        modelContext: ModelContext? = nil
    ) {
        self.init(descriptor, Sectioning(sectionKeyPath), modelContext)
    }

    /// The models that meet a condition, in an order and in sections; models without a title are in the section with the
    /// empty one.
    public init(
        filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
        sectionBy sectionKeyPath: KeyPath<Element, String?>, modelContext: ModelContext? = nil
    ) {
        self.init(
            FetchDescriptor(predicate: filter, sortBy: descriptors), sectionBy: sectionKeyPath,
            modelContext: modelContext)
    }

    /// The models that meet a condition, in the order of a value and in sections; models without a title are in the section with the
    /// empty one.
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
        sectionBy sectionKeyPath: KeyPath<Element, String?>, modelContext: ModelContext? = nil
    ) {
        self.init(
            filter: filter, sort: [SortDescriptor(_sendable(keyPath), order: order)], sectionBy: sectionKeyPath,
            modelContext: modelContext)
    }

    /// The models that meet a condition, in the order of a value and in sections; models without a title are in the section with the
    /// empty one.
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
        sectionBy sectionKeyPath: KeyPath<Element, String?>, modelContext: ModelContext? = nil
    ) {
        self.init(
            filter: filter, sort: [SortDescriptor(_sendable(keyPath), order: order)], sectionBy: sectionKeyPath,
            modelContext: modelContext)
    }
}
