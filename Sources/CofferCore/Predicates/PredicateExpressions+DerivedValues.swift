import Foundation

// Functions of one value. A filter knows values that a Swift key path derives, so each function is a key path inside.

extension PredicateExpressions {
    /// A function of a value, such as `lowercased()`.
    public struct Function<Input: PredicateExpression, Output>: PredicateExpression {
        /// The value.
        public let input: Input
        /// The function's name in Swift.
        public let name: String
        let keyPath: Swift.KeyPath<Input.Output, Output>

        init(_ input: Input, _ name: String, _ keyPath: Swift.KeyPath<Input.Output, Output>) {
            self.input = input
            self.name = name
            self.keyPath = keyPath
        }

        /// What the function gives.
        ///
        /// - Throws: whatever evaluating the value throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Output {
            try input.evaluate(bindings)[keyPath: keyPath]
        }
    }

    /// A function of a value that is not defined for all values: Swift stops where `Int(x)` does not fit.
    public struct PartialFunction<Input: PredicateExpression, Output>: PredicateExpression {
        /// The value.
        public let input: Input
        /// The function's name in Swift.
        public let name: String
        let keyPath: Swift.KeyPath<Input.Output, Output?>

        init(_ input: Input, _ name: String, _ keyPath: Swift.KeyPath<Input.Output, Output?>) {
            self.input = input
            self.name = name
            self.keyPath = keyPath
        }

        /// What the function gives.
        ///
        /// - Throws: `PredicateError.invalidInput` where the function is not defined for the value.
        public func evaluate(_ bindings: PredicateBindings) throws -> Output {
            guard let output = try input.evaluate(bindings)[keyPath: keyPath] else {
                throw PredicateError.invalidInput
            }
            return output
        }
    }
}

// Key paths are immutable; the type only does not say so.
extension PredicateExpressions.Function: @unchecked Sendable where Input: Sendable {}
extension PredicateExpressions.PartialFunction: @unchecked Sendable where Input: Sendable {}

extension PredicateExpressions.Function: CustomStringConvertible {
    /// The call.
    public var description: String { "\(name)(\(input))" }
}

extension PredicateExpressions.PartialFunction: CustomStringConvertible {
    /// The call.
    public var description: String { "\(name)(\(input))" }
}

extension PredicateExpressions.Function: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        .value(try scope.derived(input, name, keyPath))
    }
}

extension PredicateExpressions.PartialFunction: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let value = try scope.derived(input, name, keyPath)
        return .value(.require(value, value))
    }
}

extension LoweringScope {
    /// What a key path derives from a value.
    func derived(
        _ input: any PredicateExpression, _ name: String, _ keyPath: AnyKeyPath
    ) throws -> FilterExpression {
        guard let member = FilterMember(keyPath, name: name) else { throw unsupported("\(name) of this type") }
        return .member(try value(input), member)
    }
}

// MARK: - The key paths

/// A number type, as an argument of a key path.
struct NumberType<N: SendableMetatype>: Hashable {}

extension FixedWidthInteger where Self: SignedInteger {
    var absoluteValue: Self? { self == .min ? nil : Swift.abs(self) }
}

extension FloatingPoint {
    var magnitudeOfOwnType: Self { Swift.abs(self) }
}

extension BinaryInteger {
    subscript<N: FixedWidthInteger>(exactly type: NumberType<N>) -> N? { N(exactly: self) }
    subscript<N: BinaryFloatingPoint>(rounded type: NumberType<N>) -> N { N(self) }
}

extension BinaryFloatingPoint {
    subscript<N: FixedWidthInteger>(truncated type: NumberType<N>) -> N? {
        N(exactly: self.rounded(.towardZero))
    }
    subscript<N: BinaryFloatingPoint>(rounded type: NumberType<N>) -> N { N(self) }
}

extension String {
    var lowercasedText: String { lowercased() }
    var uppercasedText: String { uppercased() }
    subscript<N: LosslessStringConvertible>(parsed type: NumberType<N>) -> N? { N(self) }
}
