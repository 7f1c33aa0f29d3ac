/// A filter in two parts, both of which a row has to pass.
public struct FilterDivision: Hashable, Sendable {
    /// What the store does; nil for nothing.
    public var kept: FilterExpression?
    /// What the core does; nil for nothing.
    public var handedBack: FilterExpression?

    /// Divides a filter. A row matches where both parts do.
    ///
    /// - Parameters:
    ///   - kept: what the store does; nil for nothing.
    ///   - handedBack: what the core does; nil for nothing.
    public init(kept: FilterExpression?, handedBack: FilterExpression?) {
        self.kept = kept
        self.handedBack = handedBack
    }

    /// Divides a filter by its conjuncts.
    ///
    /// - Parameters:
    ///   - filter: the filter.
    ///   - keeps: whether the store does a condition.
    public init(_ filter: FilterExpression, keeps: (FilterExpression) -> Bool) {
        var kept: [FilterExpression] = []
        var handedBack: [FilterExpression] = []
        for condition in filter.conjuncts {
            if keeps(condition) { kept.append(condition) } else { handedBack.append(condition) }
        }
        self.init(kept: .conjunction(kept), handedBack: .conjunction(handedBack))
    }
}

extension FilterExpression {
    /// The conditions all of which the filter demands.
    public var conjuncts: [FilterExpression] {
        if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
    }

    /// All of some conditions; nil for none.
    static func conjunction(_ conditions: [FilterExpression]) -> FilterExpression? {
        conditions.count > 1 ? .all(conditions) : conditions.first
    }
}
