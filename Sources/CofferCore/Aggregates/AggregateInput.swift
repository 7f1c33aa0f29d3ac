import Foundation

/// What a key path of a grouping or an aggregate gives for each model: as an expression that a store understands where
/// there is one, and by reading the model where there is none.
final class AggregateInput<M: PersistentModel> {
    let keyPath: PartialKeyPath<M>
    /// The value in terms of a plan; nil where only the models can tell.
    let expression: FilterExpression?
    /// The order of the values where it is not that of their stored form.
    let order: AggregateTable.Order?
    private let isCoded: Bool
    /// For values that are kept in coded form, whose text need not be equal where they are: one text for all that are.
    private var texts: [AnyHashable: StoredValue] = [:]

    /// - Parameter isOrdered: whether the order of the values matters.
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for values that have no stored form, and for those that are
    ///   closed to filters.
    init(_ keyPath: PartialKeyPath<M>, isOrdered: Bool) throws {
        self.keyPath = keyPath
        let type = Swift.type(of: keyPath).valueType
        let shape = _ValueShape(type)
        let coding = FilterCoding(type)
        switch shape.kind {
        case .scalar, .rawValue, .toOne: isCoded = false
        case .codable: isCoded = true
        case .toMany, .transformable: throw Self.unsupported("\(keyPath) leads to no value with a stored form")
        }
        let lowered = try Self.expression(keyPath)
        if isOrdered, let coding, !coding.storedOrderIsNatural {
            order = { left, right in
                let (left, right) = (coding.decode(left), coding.decode(right))
                return coding.compare(.less, left, right) ? -1 : coding.compare(.less, right, left) ? 1 : 0
            }
            expression = nil
        } else {
            order = nil
            expression = lowered
        }
    }

    private static func expression(_ keyPath: PartialKeyPath<M>) throws -> FilterExpression? {
        let entity = M._$descriptor.entityName
        let scope = LoweringScope(entityName: entity)
        let row = FilterPath(variable: .row(of: entity), steps: [], type: FilterType(.link(entity: entity)))
        do {
            switch try scope.step(keyPath, from: row) {
            case .value(let value): return value.type.storage == nil ? nil : value
            case .row(let path): return .property(path)
            case .sequence, .mapped, .list, .range, .nested, .function, .object, .wrapped, .choice: return nil
            }
        } catch let refused as RefusedFetch {
            var error = unsupported("its values are kept in coded form (.codable), which is closed to aggregates")
            error.property = refused.error.property
            throw error
        } catch SwiftDataError.unsupportedPredicate {
            return nil
        }
    }

    private static func unsupported(_ detail: String) -> SwiftDataError {
        SwiftDataError(.unsupportedKeyPath, operation: .fetch, entity: M._$descriptor.entityName, detail: detail)
    }

    /// The value of a model by its key path.
    func read(_ model: M) throws -> StoredValue {
        let value = model[keyPath: keyPath]
        guard let plain = _flatten(value) else { return .null }
        if isCoded, let hashable = plain as? AnyHashable {
            if let known = texts[hashable] { return known }
            let text = try Self.stored(plain)
            texts[hashable] = text
            return text
        }
        return try Self.stored(plain)
    }

    private static func stored(_ value: Any) throws -> StoredValue {
        guard let stored = StoredForm.value(value) else {
            throw unsupported("a value of type \(Swift.type(of: value)) cannot be encoded")
        }
        return stored
    }
}
