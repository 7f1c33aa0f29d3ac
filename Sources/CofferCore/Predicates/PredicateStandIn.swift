import Foundation

// A predicate describes itself by a protocol of Foundation's own that only its nodes conform to, and stops the program
// where it meets another one. So a tree with other nodes is kept in a captured value, which describes itself, and
// Foundation sees an expression that is evaluated.

/// What Foundation wants to be `Codable` and nobody encodes: predicates themselves are not, on Linux.
protocol NeverCoded: Codable {}

extension NeverCoded {
    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "a predicate over models cannot be decoded"))
    }

    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "a predicate over models cannot be encoded"))
    }
}

/// A tree of nodes as a captured value of a predicate or expression.
///
/// The type of the expression is one parameter: a stored property whose type has a pack in it crashes at run time.
struct PredicateStandIn<Evaluated: Sendable>: NeverCoded, Sendable {
    let expression: Evaluated
    let tree: any PredicateExpression & Sendable
    let variables: [PredicateExpressions.VariableID]

    /// The expression's place, as an expression of a predicate. A key path literal may not stand where there are packs.
    fileprivate static func node(
        _ expression: Evaluated, _ tree: any PredicateExpression & Sendable,
        _ variables: [PredicateExpressions.VariableID]
    ) -> PredicateExpressions.KeyPath<PredicateExpressions.Value<Self>, Evaluated> {
        PredicateExpressions.KeyPath(
            root: PredicateExpressions.Value(Self(expression, tree, variables)), keyPath: \.expression)
    }

    private init(
        _ expression: Evaluated, _ tree: any PredicateExpression & Sendable,
        _ variables: [PredicateExpressions.VariableID]
    ) {
        self.expression = expression
        self.tree = tree
        self.variables = variables
    }
}

/// A tree that Foundation does not know all the nodes of.
protocol ForeignPredicateTree: StandardPredicateExpression {
    /// The tree itself where Foundation knows all of its nodes, otherwise an expression that stands for it.
    func standIn<each Input>(
        _ variable: repeat PredicateExpressions.Variable<each Input>
    ) -> any StandardPredicateExpression<Output>
}

extension ForeignPredicateTree {
    func standIn<each Input>(
        _ variable: repeat PredicateExpressions.Variable<each Input>
    ) -> any StandardPredicateExpression<Output> {
        let outer = (repeat each variable)
        let expression = Expression<repeat each Input, Output> {
            (inner: repeat PredicateExpressions.Variable<each Input>) in
            let inner = (repeat each inner)
            return PredicateRebinding(tree: self) { bindings in
                var rebound = bindings
                func rebind<T>(
                    _ outer: PredicateExpressions.Variable<T>, _ inner: PredicateExpressions.Variable<T>
                ) throws {
                    rebound[outer] = try inner.evaluate(bindings)
                }
                repeat try rebind(each outer, each inner)
                return rebound
            }
        }
        var variables: [PredicateExpressions.VariableID] = []
        for variable in repeat each variable { variables.append(variable.key) }
        return PredicateExpressions.ExpressionEvaluate(
            expression: PredicateStandIn.node(expression, self, variables), input: repeat each variable)
    }
}

/// The tree itself where Foundation knows all of its nodes, otherwise an expression that stands for it.
func wholePredicate<each Input, Output>(
    _ tree: any StandardPredicateExpression<Output>, _ variable: repeat PredicateExpressions.Variable<each Input>
) -> any StandardPredicateExpression<Output> {
    func standIn<Tree: ForeignPredicateTree>(_ tree: Tree) -> Any { tree.standIn(repeat each variable) }
    guard let foreign = tree as? any ForeignPredicateTree else { return tree }
    return standIn(foreign) as? any StandardPredicateExpression<Output> ?? tree
}

/// A captured value that holds such a tree.
protocol ForeignPredicateHolder {}

extension PredicateStandIn: ForeignPredicateHolder {}
extension PredicateRoot: ForeignPredicateTree {}
extension PredicateComposition: ForeignPredicateTree {}

extension PredicateStandIn: LowerableFunction {
    var body: any PredicateExpression { tree }

    var parameters: [PredicateExpressions.VariableID] { variables }
}

extension PredicateStandIn: CustomStringConvertible {
    /// The tree. Its variables are numbered anew, so that trees made alike describe themselves alike.
    var description: String {
        var numbers: [Substring: Int] = [:]
        return "\(tree)".replacing(#/Variable\((\d+)\)/#) { match in
            let number = numbers[match.1, default: numbers.count]
            numbers[match.1] = number
            return "$\(number)"
        }
    }
}

/// A tree whose variables get the values of others.
private struct PredicateRebinding<Tree: ForeignPredicateTree>: StandardPredicateExpression, NeverCoded {
    let tree: Tree
    let rebind: @Sendable (PredicateBindings) throws -> PredicateBindings

    init(tree: Tree, rebind: @escaping @Sendable (PredicateBindings) throws -> PredicateBindings) {
        self.tree = tree
        self.rebind = rebind
    }

    func evaluate(_ bindings: PredicateBindings) throws -> Tree.Output { try tree.evaluate(rebind(bindings)) }
}
