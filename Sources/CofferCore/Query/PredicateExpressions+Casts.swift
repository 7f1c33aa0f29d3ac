import Foundation

// `is`, `as?` and `as!`, of rows and of values.

extension PredicateExpressions.TypeCheck: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        if Input.Output.self == Desired.self { return .value(.boolean(true)) }
        let lowered = try scope.lower(input)
        if Input.Output.self == Desired?.self { return .value(try scope.presence(of: lowered)) }
        return try scope.lift(lowered) { lowered in
            if let path = scope.cast(lowered, from: Input.Output.self, to: Desired.self) {
                return .value(try scope.presence(of: .row(path)))
            }
            let value = try scope.value(lowered, of: input)
            let function = try ValueCast(Input.Output.self, Desired.self, scope).test
            return .value(.call(function, [value]))
        }
    }
}

extension PredicateExpressions.ConditionalCast: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let lowered = try scope.lower(input)
        if Input.Output.self == Desired.self || Input.Output.self == Desired?.self { return lowered }
        return try scope.cast(lowered, of: input, to: Desired.self)
    }
}

extension PredicateExpressions.ForceCast: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let lowered = try scope.lower(input)
        if Input.Output.self == Desired.self { return lowered }
        if Input.Output.self == Desired?.self { return scope.forced(lowered) }
        // A cast to an optional takes nil along.
        if Desired.self is any _OptionalType.Type, !(Input.Output.self is any _OptionalType.Type) {
            return scope.forced(try scope.cast(lowered, of: input, to: Desired.self))
        }
        if Desired.self is any _OptionalType.Type {
            throw scope.unsupported("\(Input.Output.self) as! \(Desired.self)")
        }
        return scope.forced(try scope.cast(lowered, of: input, to: Desired.self))
    }
}

extension LoweringScope {
    /// `as?`
    fileprivate func cast<E: PredicateExpression, D>(
        _ lowered: LoweredValue, of input: E, to desired: D.Type
    ) throws -> LoweredValue {
        try lift(lowered) { lowered in
            if let path = cast(lowered, from: E.Output.self, to: D.self) { return .row(path) }
            let value = try value(lowered, of: input)
            return .value(.call(try ValueCast(E.Output.self, D.self, self).cast(self), [value]))
        }
    }

    /// A row as one of a class of its hierarchy, nil where it is of another; nil where there is no row or the types are
    /// no models.
    fileprivate func cast(_ lowered: LoweredValue, from input: any Any.Type, to desired: any Any.Type) -> FilterPath? {
        guard case .row(let path) = lowered,
            let from = _ValueShape(input).wrapped as? any PersistentModel.Type,
            let to = _ValueShape(desired).wrapped as? any PersistentModel.Type
        else { return nil }
        // Every row of a class is one of its superclasses; a cast to any other class than one below finds nothing.
        if Schema._lineage(of: from).contains(where: { $0 == to }) { return path }
        let entity = to._$descriptor.entityName
        return path.appending(.cast(to: entity), FilterType(.link(entity: entity), isOptional: true))
    }
}

/// A cast of values that are stored.
private struct ValueCast<Input, Desired> {
    private let coding: FilterCoding

    init(_ input: Input.Type, _ desired: Desired.Type, _ scope: LoweringScope) throws {
        guard let coding = FilterCoding(Input.self) else {
            throw scope.unsupported("a cast of \(Input.self) to \(Desired.self)")
        }
        self.coding = coding
    }

    private var identity: AnyHashable {
        [ObjectIdentifier(Input.self), ObjectIdentifier(Desired.self)] as [ObjectIdentifier]
    }

    /// The stored value as one of the desired type.
    private func desired(_ value: StoredValue) -> Desired? {
        let whole: Any = coding.decode(value) as Any
        guard let input = whole as? Input else { return nil }
        return input as? Desired
    }

    var test: FilterFunction {
        FilterFunction("is \(Desired.self)", .boolean, parameters: [coding.storage], identity: identity) { arguments in
            .integer(desired(arguments[0]) == nil ? 0 : 1)
        }
    }

    func cast(_ scope: LoweringScope) throws -> FilterFunction {
        guard FilterCoding(Desired.self) != nil else {
            throw scope.unsupported("a cast to \(Desired.self), which is none that is stored")
        }
        return FilterFunction(
            "as? \(Desired.self)", FilterType(of: Desired.self).optional(), parameters: [coding.storage],
            identity: identity
        ) { arguments in
            desired(arguments[0]).map { StoredForm.value($0) ?? .null } ?? .null
        }
    }
}
