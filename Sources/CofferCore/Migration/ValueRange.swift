import Foundation

extension Schema.Attribute {
    /// Whether every value that a store may have of an older version of the attribute is, as it lies there, a value of
    /// this one.
    ///
    /// Where it is not, values have to be looked at one by one before the store may be used. A different
    /// ``hashModifier`` says that they have to be, though the type has the name that it had.
    func takesEveryValue(of old: Schema.Attribute) -> Bool {
        guard hashModifier == old.hashModifier else { return false }
        let (from, to) = (old.encodedType, encodedType)
        switch (from.form, to.form) {
        case (.transformable, .transformable):
            return from.name == to.name && transformerName == old.transformerName
        case (.codable, .codable), (.codable, .opaque), (.opaque, .codable), (.opaque, .opaque):
            guard from.name == to.name else { return false }
            // The members of a struct of the same name may have changed.
            guard let members = self as? Schema.CompositeAttribute, let before = old as? Schema.CompositeAttribute
            else { return true }
            return members.properties == before.properties
        case (.relationship, .relationship): return true
        case (.rawValue, .rawValue): return from.name == to.name && from.raw == to.raw
        case (.scalar, .scalar), (.rawValue, .scalar):
            guard let before = from.scalarType, let now = to.scalarType else { return from.name == to.name }
            return Self.holds(before, in: now)
        default: return false
        }
    }

    private var transformerName: String? { options.lazy.compactMap(\._transformerName).first }

    /// Whether one type has all values of another, kept the same.
    private static func holds(_ old: any PersistentScalar.Type, in new: any PersistentScalar.Type) -> Bool {
        if old == new { return true }
        guard old._storage == new._storage else { return false }
        if let old = old as? any FixedWidthInteger.Type, let new = new as? any FixedWidthInteger.Type {
            func isWider<Old: FixedWidthInteger, New: FixedWidthInteger>(_: Old.Type, _: New.Type) -> Bool {
                New(exactly: Old.min) != nil && New(exactly: Old.max) != nil
            }
            return isWider(old, new)
        }
        return old == Float.self && new == Double.self || old == Character.self && new == String.self
    }

    /// What tells whether a cell holds a value of the attribute's type; nil where the program does not know the type.
    var valueCheck: ((RowCell, _RowReader) -> Bool)? {
        switch encodedType.form {
        case .scalar: encodedType.scalarType.map { type in { type._decode($0, $1) != nil } }
        case .rawValue:
            if case .rawValue(let type, let raw) = _valueShape.kind { Self.rawValueCheck(type, raw) } else { nil }
        case .transformable: transformedCheck
        case .codable, .opaque, .relationship: nil
        }
    }

    /// The type whose values are kept as their coding has them; nil where values are kept otherwise, or the program does
    /// not know the type.
    var codedType: (any Codable.Type)? {
        switch encodedType.form {
        case .codable, .opaque: _valueShape.wrapped as? any Codable.Type
        case .scalar, .rawValue, .transformable, .relationship: nil
        }
    }

    private static func rawValueCheck<R: RawRepresentable & Codable, P: PersistentScalar>(
        _ type: R.Type, _ raw: P.Type
    ) -> (RowCell, _RowReader) -> Bool {
        { cell, row in
            guard let value = P._decode(cell, row) as? R.RawValue else { return false }
            return R(rawValue: value) != nil
        }
    }

    private var transformedCheck: ((RowCell, _RowReader) -> Bool)? {
        let option = options.first { $0._transformerName != nil }
        let transformer =
            (option?._transformer as? ValueTransformer.Type)?.init()
            ?? option?._transformerName.flatMap { ValueTransformer(forName: NSValueTransformerName($0)) }
        guard let transformer else { return nil }
        func check<T>(_ type: T.Type) -> (RowCell, _RowReader) -> Bool {
            { cell, row in transformer.reverseTransformedValue(Data(row.bytes(cell))) is T }
        }
        return _openExistential(_valueShape.wrapped, do: check)
    }
}

extension Schema {
    /// The first attribute that need not take every value which a store of an older schema has of it.
    func firstNarrowed(from old: Schema) -> (entity: String, property: String)? {
        for entity in entities.sorted(by: { $0.name < $1.name }) {
            guard let before = old.entitiesByName[entity.name] else { continue }
            for case let attribute as Attribute in entity.storedProperties where !attribute.isTransient {
                guard let known = before.attributesByName[attribute.name], !known.isTransient else { continue }
                if !attribute.takesEveryValue(of: known) { return (entity.name, attribute.name) }
            }
        }
        return nil
    }
}
