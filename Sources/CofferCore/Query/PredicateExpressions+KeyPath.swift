import Foundation

extension PredicateExpressions.KeyPath: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        if !(Root.Output.self is any ForeignPredicateHolder.Type), let captured = captured {
            if let lowered = CapturedValue.lowered(any: captured) { return lowered }
        }
        return try scope.lift(scope.lower(root)) { try property(of: $0, scope) }
    }

    private func property(of base: LoweredValue, _ scope: LoweringScope) throws -> LoweredValue {
        switch base {
        case .row(let path):
            return try scope.step(keyPath, from: path)
        case .sequence(let sequence):
            return try quantity(of: sequence, scope.element(of: sequence), scope)
        case .mapped(let sequence, let value):
            return try quantity(of: sequence, .value(value), scope)
        case .list:
            guard let sequence = scope.sequence(base, of: Root.Output.self) else { break }
            return try quantity(of: sequence, scope.element(of: sequence), scope)
        case .value(let value):
            return try derived(from: value, scope)
        case .function where Root.Output.self is any ForeignPredicateHolder.Type:
            return base
        case .object(let object):
            if let property = object[keyPath: keyPath as AnyKeyPath], let lowered = CapturedValue.lowered(any: property)
            {
                return lowered
            }
        case .range, .function, .nested, .wrapped, .choice: break
        }
        throw scope.unsupported("\(keyPath) of \(LoweringScope.name(of: Root.self))")
    }

    private func quantity(
        of sequence: FilterSequence, _ element: LoweredValue, _ scope: LoweringScope
    ) throws -> LoweredValue {
        let property: CollectionProperty? =
            switch kind {
            case .collectionCount: .count
            case .collectionIsEmpty: .isEmpty
            case .collectionFirst: .first
            case .bidirectionalCollectionLast: .last
            default: (Root.Output.self as? any SliceKeyPaths.Type)?.kind(of: keyPath)
            }
        switch property {
        case .count: return .value(.count(sequence))
        case .isEmpty: return .value(.not(.exists(sequence)))
        case .first: return scope.picked(element, of: sequence, .first(isRequired: false))
        case .last: return scope.picked(element, of: sequence, .last(isRequired: false))
        case nil: throw scope.unsupported("\(keyPath) of a collection")
        }
    }

    private func derived(from value: FilterExpression, _ scope: LoweringScope) throws -> LoweredValue {
        switch (value.type.kind, kind) {
        case (.scalar(.text), .collectionCount?): return .value(.length(value))
        case (.scalar(.text), .collectionIsEmpty?):
            return .value(.compare(.equal, value, .constant(.text(""), FilterType(.scalar(.text)))))
        case (.values, .some):
            guard let sequence = scope.sequence(.value(value), of: Root.Output.self) else { break }
            return try quantity(of: sequence, scope.element(of: sequence), scope)
        default: break
        }
        if keyPath == \Root.Output.self { return .value(value) }
        if RawValueKeyPath.isRawValue(keyPath) { return .value(value) }
        guard let member = FilterMember(keyPath) else { throw scope.unsupported("the key path \(keyPath)") }
        return .value(.member(value, member))
    }
}

/// What filters know of a collection.
private enum CollectionProperty { case count, isEmpty, first, last }

/// Foundation knows the key paths of collections, but not those of their parts.
private protocol SliceKeyPaths {
    static func kind(of keyPath: AnyKeyPath) -> CollectionProperty?
}

extension ArraySlice: SliceKeyPaths {
    fileprivate static func kind(of keyPath: AnyKeyPath) -> CollectionProperty? {
        switch keyPath {
        case \ArraySlice<Element>.count: .count
        case \ArraySlice<Element>.isEmpty: .isEmpty
        case \ArraySlice<Element>.first: .first
        case \ArraySlice<Element>.last: .last
        default: nil
        }
    }
}

/// An expression that says nothing of the tested model.
protocol CapturedExpression {
    /// What it stands for; nil where only the tested model tells.
    var captured: Any? { get }
}

extension PredicateExpressions.Value: CapturedExpression {
    var captured: Any? { value }
}

extension PredicateExpressions.CapturedModels: CapturedExpression {
    var captured: Any? { value }
}

extension PredicateExpressions.KeyPath: CapturedExpression {
    var captured: Any? {
        guard let object = (root as? any CapturedExpression)?.captured else { return nil }
        return object[keyPath: keyPath as AnyKeyPath]
    }
}

extension LoweringScope {
    /// Goes on from a row to one of its properties.
    func step(_ keyPath: AnyKeyPath, from path: FilterPath) throws -> LoweredValue {
        guard let type = Swift.type(of: keyPath).rootType as? any PersistentModel.Type else {
            throw unsupported("the key path \(keyPath), which begins at no model")
        }
        return try step(keyPath, from: path, in: type)
    }

    private func step<M: PersistentModel>(
        _ keyPath: AnyKeyPath, from path: FilterPath, in type: M.Type
    ) throws -> LoweredValue {
        let descriptor = M._$descriptor
        guard let slot = descriptor.slot(of: keyPath) else {
            // Nil would have to make the condition unknown, and reading through it would stop the program.
            if KeyPathProbe.isForced(keyPath) {
                throw RefusedFetch(error: unsupported("the key path \(keyPath), which unwraps by force"))
            }
            if let chain = KeyPathProbe.chain(of: keyPath, in: M.self) {
                return try chain.reduce(.row(path)) { value, step in
                    guard case .row(let path) = value else { throw unsupported("the key path \(keyPath)") }
                    return try self.step(slot: step.slot, of: step.descriptor, from: path)
                }
            }
            throw unsupported("the key path \(keyPath), which leads to no persisted property")
        }
        return try self.step(slot: slot, of: descriptor, from: path)
    }

    private func step(slot: Int, of descriptor: _ModelDescriptor, from path: FilterPath) throws -> LoweredValue {
        let property = descriptor.properties[slot]
        if descriptor.special.opaque.contains(slot) {
            throw RefusedFetch(
                error: SwiftDataError(
                    .unsupportedPredicate, operation: .fetch, entity: descriptor.entityName, property: property.name,
                    detail: "its values are kept in coded form (.codable), which is closed to filters"))
        }
        if let attribute = property.metadata.metadata as? Schema.Attribute, attribute.isTransient {
            throw unsupported("\(property.name), which is not stored")
        }
        var type = FilterType(of: property.metadata.valueType)
        if let attribute = property.metadata.metadata as? Schema.Attribute,
            attribute.options.contains(where: { $0._transformerName != nil })
        {
            type.kind = .opaque
        }
        // Nil of a link on the way is nil at the end.
        type.isOptional = type.isOptional || path.type.isOptional
        switch type.kind {
        case .link(let entity):
            return .row(path.appending(FilterStep(slot: slot, name: property.name, destination: entity), type))
        case .rows(let entity):
            let rows = path.appending(FilterStep(slot: slot, name: property.name, destination: entity), type)
            return .sequence(FilterSequence(.rows(rows), variable: newVariable(of: entity)))
        default:
            return .value(.property(path.appending(FilterStep(slot: slot, name: property.name), type)))
        }
    }
}

extension FilterPath {
    func appending(_ step: FilterStep, _ type: FilterType) -> FilterPath {
        FilterPath(variable: variable, steps: steps + [step], type: type)
    }
}

/// Recognises `\Kind.rawValue`.
enum RawValueKeyPath {
    /// Whether a key path is the raw value of its root. An enumeration's key path is not the protocol's, so the types
    /// decide first and then the values: all cases, where the type lists them.
    static func isRawValue(_ keyPath: AnyKeyPath) -> Bool {
        let types = type(of: keyPath)
        guard let raw = types.rootType as? any RawRepresentable.Type else { return false }
        return isRawValue(keyPath, valueType: types.valueType, raw)
    }

    private static func isRawValue<R: RawRepresentable>(
        _ keyPath: AnyKeyPath, valueType: any Any.Type, _ type: R.Type
    ) -> Bool {
        guard valueType == R.RawValue.self else { return false }
        if keyPath == \R.rawValue { return true }
        guard let listed = R.self as? any CaseIterable.Type else { return false }
        return allCases(listed).allSatisfy { one in
            guard let one = one as? R, let value = one[keyPath: keyPath] as? R.RawValue else { return false }
            return StoredForm.value(value) == StoredForm.value(one.rawValue)
        }
    }

    private static func allCases<C: CaseIterable>(_ type: C.Type) -> [Any] { C.allCases.map { $0 as Any } }
}
