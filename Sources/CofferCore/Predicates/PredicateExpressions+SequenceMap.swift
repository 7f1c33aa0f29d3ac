import Foundation

extension PredicateExpressions {
    /// What an expression gives for each element of a collection.
    public struct SequenceMap<Elements: PredicateExpression, Transform: PredicateExpression>: PredicateExpression
    where Elements.Output: Sequence {
        /// The values, in the order of the elements.
        public typealias Output = [Transform.Output]
        /// The collection.
        public let elements: Elements
        /// What stands for an element.
        public let variable: Variable<Elements.Output.Element>
        /// What is made of it.
        public let transform: Transform

        init(_ elements: Elements, _ transform: (Variable<Elements.Output.Element>) -> Transform) {
            self.elements = elements
            variable = Variable()
            self.transform = transform(variable)
        }

        /// The values.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Output {
            var bindings = bindings
            return try elements.evaluate(bindings).map { element in
                bindings[variable] = element
                return try transform.evaluate(bindings)
            }
        }
    }
}

extension PredicateExpressions.SequenceMap: Sendable where Elements: Sendable, Transform: Sendable {}

extension PredicateExpressions.SequenceMap: CustomStringConvertible {
    /// The node with its parts.
    public var description: String {
        "SequenceMap(elements: \(elements), variable: \(variable), transform: \(transform))"
    }
}

extension PredicateExpressions.SequenceMap: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.elements(elements) { sequence, element in
            scope.bind(variable.key, to: element)
            return .mapped(sequence, try scope.value(transform))
        }
    }
}
