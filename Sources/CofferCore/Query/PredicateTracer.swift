import Foundation

/// Writes down what a predicate is made of, apart from the values it has captured: predicates that leave the same trace
/// have the same filter, but for those values.
///
/// Types, key paths, operators and which variable stands where are part of the trace; so are captured values that say
/// more than others of their type: nil, truth values, -1, 0 and 1, empty text and collections, what is no number, and
/// whether two values are equal. All others are constants, to be put into a filter that is known.
///
/// Complexity: one cast an expression, without looking at the schema.
final class PredicateTracer {
    /// What is the same for predicates of one shape.
    struct Shape: Hashable, Sendable {
        fileprivate(set) var tokens: [UInt] = []
        fileprivate(set) var names: [String] = []
    }

    private(set) var shape = Shape()
    /// The captured values that are no part of the shape, none twice.
    private(set) var constants: [TracedConstant] = []
    /// Whether the shape says all; otherwise every predicate is lowered by itself.
    private(set) var isComplete = true
    /// What the tokens stand for: no other may get the same address while they are kept.
    private(set) var keyPaths: [AnyKeyPath] = []
    private var variables: [PredicateExpressions.VariableID: UInt] = [:]

    /// More than this is not looked at: such predicates are made at run time, and hardly twice alike.
    private static let largest = 512

    func visit(_ expression: any PredicateExpression) {
        guard isComplete, shape.tokens.count < Self.largest, let traced = expression as? any TracedExpression else {
            isComplete = false
            return
        }
        add(type: type(of: expression))
        traced.trace(self)
    }

    func add(type: any Any.Type) { add(UInt(bitPattern: ObjectIdentifier(type))) }

    func add(_ token: UInt) { shape.tokens.append(token) }

    func add(_ variable: PredicateExpressions.VariableID) {
        let next = UInt(variables.count)
        let number = variables[variable, default: next]
        variables[variable] = number
        add(number)
    }

    func add(_ keyPath: AnyKeyPath) {
        keyPaths.append(keyPath)
        add(UInt(bitPattern: ObjectIdentifier(keyPath)))
    }

    /// Gives up: the filter depends on something that leaves no trace.
    func abandon() { isComplete = false }

    /// A captured value.
    func add(_ lowered: LoweredValue?) {
        switch lowered {
        case .value(.constant(let value, _)): add(value)
        case .list(let list): add(list)
        case .range(let lower, let upper, let includesUpper):
            add(includesUpper ? 1 : 0)
            for bound in [lower, upper] { add(bound.map { .value($0) } ?? .value(.boolean(false))) }
        case .function(let function):
            function.trace(self)
        default: abandon()
        }
    }

    private func add(_ value: StoredValue) {
        switch value {
        case .null: add(2)
        case .integer(let number) where (-1...1).contains(number): add(4 + UInt(number + 1))
        case .text(let text) where text.isEmpty: add(8)
        case .real(let number) where number.isNaN: add(9)
        // Equal, but not to be mistaken for one another.
        case .real(let number) where number == 0: add(number.sign == .minus ? 10 : 11)
        case .reference(let identifier):
            shape.names.append(identifier.entityName)
            add(constant: .value(value))
        case .references: abandon()
        default: add(constant: .value(value))
        }
    }

    private func add(_ list: FilterList) {
        if list.values.isEmpty { return add(3) }
        add(constant: .list(list))
    }

    private func add(constant: TracedConstant) {
        if let same = constants.firstIndex(of: constant) {
            add(16 + UInt(same))
        } else {
            add(16 + UInt(constants.count))
            constants.append(constant)
        }
    }
}

/// An expression that leaves a trace.
protocol TracedExpression {
    /// Adds all that the type does not say.
    func trace(_ tracer: PredicateTracer)
}
