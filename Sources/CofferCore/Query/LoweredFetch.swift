import Foundation

/// A descriptor in terms of a plan, and what of it could not be put so.
struct LoweredFetch {
    var plan: FetchPlan
    /// The predicate has a part that no plan can express: the context evaluates it over the models that the plan finds.
    var needsFilter = false
    /// The same for the order.
    var needsSort = false
}
