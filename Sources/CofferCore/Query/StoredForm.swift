import Foundation

/// The stored form of Swift values of any type, as filters need it for what predicates have captured.
enum StoredForm {
    /// The stored form of a value; nil where its type cannot be stored.
    static func value(_ value: Any) -> StoredValue? {
        switch value {
        case let scalar as any PersistentScalar: scalar._stored
        case let identifier as PersistentIdentifier: .reference(identifier)
        case let model as any PersistentModel: .reference(model.persistentModelID)
        case let optional as any _OptionalType:
            optional._flattened.map { Self.value($0) } ?? .some(.null)
        case let raw as any (RawRepresentable & Codable): rawValue(raw)
        case let codable as any Codable: (try? CompositeCoding.encode(codable)).map(StoredValue.text)
        default: nil
        }
    }

    private static func rawValue<R: RawRepresentable & Codable>(_ value: R) -> StoredValue? {
        if let scalar = value.rawValue as? any PersistentScalar { return scalar._stored }
        return (try? CompositeCoding.encode(value)).map(StoredValue.text)
    }

    /// The stored form of each element; nil where one cannot be stored.
    ///
    /// Complexity: O(*elements*), with one look at the type where it is a scalar.
    static func values<E>(_ elements: [E]) -> [StoredValue]? {
        if let scalar = E.self as? any PersistentScalar.Type { return scalars(elements, as: scalar) }
        if let identifiers = elements as? [PersistentIdentifier] { return identifiers.map { .reference($0) } }
        if let raw = E.self as? any (RawRepresentable & Codable).Type, let values = rawValues(elements, as: raw) {
            return values
        }
        var stored: [StoredValue] = []
        stored.reserveCapacity(elements.count)
        for element in elements {
            guard let form = value(element) else { return nil }
            stored.append(form)
        }
        return stored
    }

    /// The elements of a type that is kept as its raw value.
    private static func rawValues<E, R: RawRepresentable>(_ elements: [E], as type: R.Type) -> [StoredValue]? {
        guard let raw = R.RawValue.self as? any PersistentScalar.Type, let elements = elements as? [R] else {
            return nil
        }
        return scalars(elements.map(\.rawValue), as: raw)
    }

    private static func scalars<E, S: PersistentScalar>(_ elements: [E], as type: S.Type) -> [StoredValue]? {
        (elements as? [S])?.map(\._stored)
    }
}

/// The order of stored values of one kind.
enum ValueOrder {
    enum Result { case less, equal, greater, unordered }

    /// Compares as Swift's operators do on the values that are stored; nothing is ordered with nil or not-a-number.
    static func compare(_ left: StoredValue, _ right: StoredValue) -> Result {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): order(a, b)
        case (.unsigned(let a), .unsigned(let b)): order(a, b)
        case (.integer, .unsigned): .less
        case (.unsigned, .integer): .greater
        case (.real(let a), .real(let b)): a < b ? .less : a > b ? .greater : a == b ? .equal : .unordered
        case (.text(let a), .text(let b)): order(a, b)
        case (.blob(let a), .blob(let b)):
            a == b ? .equal : a.lexicographicallyPrecedes(b) ? .less : .greater
        case (.reference(let a), .reference(let b)): order(a, b)
        default: .unordered
        }
    }

    @inline(__always)
    private static func order<T: Comparable>(_ left: T, _ right: T) -> Result {
        left == right ? .equal : left < right ? .less : .greater
    }
}
