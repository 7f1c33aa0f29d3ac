/// A deletion by filter, which a store that declares ``StoreCapabilities/Features/batchDelete`` runs as part of a commit.
///
/// The rows go as if each had come in ``RowChanges/deleted``, delete rules included: ``DeletionRules`` works these out.
public struct RowBatchDelete: Sendable {
    /// Which rows: those of a filter, without order and page.
    public var plan: FetchPlan
    /// Keys of rows that stay whatever the filter says.
    public var except: [Int64] = []
    /// Rows that go besides those of the filter.
    public var besides: [(entityName: String, keys: [Int64])] = []

    /// A deletion of the rows of a plan; only its entities and its filter count.
    public init(_ plan: FetchPlan) { self.plan = plan }
}

/// An update by filter, which a store that declares ``StoreCapabilities/Features/batchUpdate`` runs as part of a commit.
///
/// It sets attributes that are in no uniqueness constraint and in no file of their own, of an entity without relatives.
public struct RowBatchUpdate: Sendable {
    /// Which rows: those of a filter, without order and page.
    public var plan: FetchPlan
    /// Keys of rows that stay as they are whatever the filter says.
    public var except: [Int64] = []
    /// What the rows get; all values are worked out before any is set.
    public var assignments: [RowAssignment]

    /// An update of the rows of a plan; only its entities and its filter count.
    ///
    /// - Parameters:
    ///   - plan: which rows.
    ///   - assignments: what they get; all values are worked out before any is set.
    public init(_ plan: FetchPlan, _ assignments: [RowAssignment]) {
        self.plan = plan
        self.assignments = assignments
    }
}

/// One property that a batch update sets.
public struct RowAssignment: Hashable, Sendable {
    /// The property's slot.
    public var slot: Int
    /// What it gets: a constant, or an expression over the row's own attributes, which has to have a value: where it is
    /// unknown for a row, the update fails with ``SwiftDataError/valueOutOfRange`` and nothing is changed.
    public var value: FilterExpression

    /// Makes an assignment.
    ///
    /// - Parameters:
    ///   - slot: the attribute.
    ///   - value: what it gets.
    public init(slot: Int, value: FilterExpression) {
        self.slot = slot
        self.value = value
    }
}

extension SwiftDataError {
    /// The error of a batch update that has no value for a row.
    public static func noValue(entity: String, property: String?) -> SwiftDataError {
        SwiftDataError(
            .valueOutOfRange, operation: .update, entity: entity, property: property,
            detail:
                "the expression has no value for one of the rows: a number that does not fit, a division by zero or "
                + "a nil that is unwrapped")
    }
}
