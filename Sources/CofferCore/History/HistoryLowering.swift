import Foundation

/// What of a history descriptor's predicate a store can do: bounds of tokens and numbers, and the author.
///
/// The predicate is evaluated in any case unless the query says all of it.
struct HistoryLowering {
    /// What tokens call the store by.
    let tokenKey: String
    /// Whether tokens of several stores are compared, which numbers of one do not decide.
    let isOneOfSeveral: Bool
    private(set) var query = HistoryQuery()
    /// Whether the query says all that the predicate does.
    private(set) var isWhole = true
    /// The place after which everything is asked for; nil where the predicate names no token so.
    private(set) var since: Int64?
    /// Whether everything after a token is asked for that does not know the store.
    private(set) var namesStranger = false

    init(_ predicate: Predicate<DefaultHistoryTransaction>?, tokenKey: String, isOneOfSeveral: Bool) {
        self.tokenKey = tokenKey
        self.isOneOfSeveral = isOneOfSeveral
        if let predicate { visit(predicate.expression) }
        if isOneOfSeveral, predicate != nil { isWhole = false }
    }

    mutating func visit(_ expression: any PredicateExpression) {
        if let condition = expression as? any HistoryCondition {
            condition.narrow(&self)
        } else {
            isWhole = false
        }
    }

    enum Relation {
        case above, atLeast, below, atMost, equal

        /// The same seen from the other side.
        var turned: Relation {
            switch self {
            case .above: .below
            case .atLeast: .atMost
            case .below: .above
            case .atMost: .atLeast
            case .equal: .equal
            }
        }
    }

    /// A property of the transaction is compared with a value.
    mutating func compare(_ left: any PredicateExpression, _ relation: Relation, _ right: any PredicateExpression) {
        guard let left = left as? any HistoryTerm, let right = right as? any HistoryTerm else {
            isWhole = false
            return
        }
        if let property = left.historyProperty, let value = right.historyConstant {
            compare(property, relation, value)
        } else if let property = right.historyProperty, let value = left.historyConstant {
            compare(property, relation.turned, value)
        } else {
            isWhole = false
        }
    }

    private mutating func compare(_ property: AnyKeyPath, _ relation: Relation, _ value: Any) {
        switch property {
        case \DefaultHistoryTransaction.token:
            guard let token = value as? DefaultHistoryToken else { break }
            guard let number = token.tokenValue?[tokenKey] else {
                if relation == .above, token.tokenValue?.isEmpty == false { namesStranger = true }
                break
            }
            if relation == .above { since = max(since ?? number, number) }
            // The other stores' part decides among transactions of one number.
            if token.tokenValue?.count != 1 { isWhole = false }
            return bound(isOneOfSeveral && relation == .below ? .atMost : relation, number)
        case \DefaultHistoryTransaction.transactionIdentifier, \DefaultHistoryTransaction.id:
            guard let number = value as? Int64 else { break }
            return bound(relation, number)
        case \DefaultHistoryTransaction.author:
            guard relation == .equal, query.author == nil else { break }
            guard let text = _flatten(value) else {
                query.author = .nobody
                return
            }
            guard let text = text as? String else { break }
            query.author = .named(text)
            return
        default: break
        }
        isWhole = false
    }

    private mutating func bound(_ relation: Relation, _ number: Int64) {
        if relation == .above { query.narrow(after: number) }
        if relation == .atLeast || relation == .equal { query.narrow(after: number == .min ? .min : number - 1) }
        if relation == .below { query.narrow(through: number == .min ? .min : number - 1) }
        if relation == .atMost || relation == .equal { query.narrow(through: number) }
    }
}

/// A condition of which a history query may say something.
protocol HistoryCondition {
    func narrow(_ lowering: inout HistoryLowering)
}

/// An operand: a property of the transaction, or a value.
protocol HistoryTerm {
    var historyProperty: AnyKeyPath? { get }
    var historyConstant: Any? { get }
}

private protocol HistoryVariable {}
extension PredicateExpressions.Variable: HistoryVariable {}

extension PredicateExpressions.Value: HistoryTerm {
    var historyProperty: AnyKeyPath? { nil }
    var historyConstant: Any? { value }
}

extension PredicateExpressions.KeyPath: HistoryTerm {
    var historyProperty: AnyKeyPath? { root is any HistoryVariable ? keyPath : nil }
    var historyConstant: Any? {
        guard let value = (root as? any HistoryTerm)?.historyConstant as? Root.Output else { return nil }
        return value[keyPath: keyPath]
    }
}

extension PredicateExpressions.Conjunction: HistoryCondition {
    func narrow(_ lowering: inout HistoryLowering) {
        lowering.visit(lhs)
        lowering.visit(rhs)
    }
}

extension PredicateExpressions.Comparison: HistoryCondition {
    func narrow(_ lowering: inout HistoryLowering) {
        let relation: HistoryLowering.Relation =
            switch op {
            case .greaterThan: .above
            case .greaterThanOrEqual: .atLeast
            case .lessThan: .below
            case .lessThanOrEqual: .atMost
            @unknown default: .equal
            }
        lowering.compare(lhs, relation, rhs)
    }
}

extension PredicateExpressions.Equal: HistoryCondition {
    func narrow(_ lowering: inout HistoryLowering) { lowering.compare(lhs, .equal, rhs) }
}
