import Foundation

/// Where a page begins: behind the place of a model in the order of a fetch.
///
/// For a store it becomes filters. A single one would be `a > x || (a == x && b > y) || …` with cases for nil and
/// not-a-number, which no index serves; so there is one filter for each part of the order that the first key divides
/// into: nil, values, not-a-number. That of the values begins with `a >= x`.
struct PageStart {
    /// One key of the order, and its value at the place.
    struct Key {
        let path: FilterPath
        let sort: SortKey
        let value: StoredValue

        var isReal: Bool { path.type.storage == .real || path.type.storage == .date }
        var isNotANumber: Bool { value.isNotANumber }
    }

    private let keys: [Key]
    /// The key of the row at the place; negative for a model that was never saved, which stands behind all rows.
    private let rowKey: Int64
    private let row: FilterPath
    private let identifier: PersistentIdentifier

    init(_ keys: [Key], row: FilterPath, identifier: PersistentIdentifier) {
        self.keys = keys
        self.row = row
        self.identifier = identifier
        rowKey = identifier._key
    }

    // MARK: Models

    /// Whether a model with these values and this key comes behind the place.
    func precedes(_ values: [StoredValue], _ key: Int64) -> Bool {
        for (index, mine) in keys.enumerated() {
            let order = StoredOrder.compare(mine.value, values[index], mine.sort.comparison)
            if order != 0 { return (order < 0) != mine.sort.isDescending }
        }
        if (key > 0) != (rowKey > 0) { return rowKey > 0 }
        return rowKey > 0 ? rowKey < key : rowKey > key
    }

    // MARK: Filters

    /// The filters of the parts of the order that are left, in order.
    var filters: [FilterExpression] {
        guard let first = keys.first else { return [behindRow] }
        if first.sort.comparison != .standard || first.path.type.storage == nil {
            return parts(of: first, values: .all([isValue(first), behind(keys[...])].compactMap { $0 }))
        }
        let bound = FilterExpression.compare(
            first.sort.isDescending ? .lessOrEqual : .greaterOrEqual, .property(first.path), constant(first))
        return parts(of: first, values: .all([bound, behind(keys[...])]))
    }

    private func parts(of first: Key, values: FilterExpression) -> [FilterExpression] {
        let property = FilterExpression.property(first.path)
        let isNil = first.path.type.isOptional ? isNil(first) : nil
        let isNotANumber = first.isReal ? FilterExpression.compare(.notEqual, property, property) : nil
        let rest = behind(keys.dropFirst())
        // What is no number is none of the values.
        let isValue = isValue(first)
        let areValues = first.isReal ? FilterExpression.all([isValue, isNumber(first)].compactMap { $0 }) : isValue
        switch (first.value.isNull, first.isNotANumber, first.sort.isDescending) {
        case (true, _, false):
            return [.all([isNil ?? .boolean(false), rest]), areValues ?? .boolean(true)]
                + (isNotANumber.map { [$0] } ?? [])
        case (true, _, true): return [.all([isNil ?? .boolean(false), rest])]
        case (_, true, false): return isNotANumber.map { [.all([$0, rest])] } ?? []
        case (_, true, true):
            return (isNotANumber.map { [.all([$0, rest])] } ?? []) + [areValues ?? .boolean(true)]
                + (isNil.map { [$0] } ?? [])
        case (_, _, false): return [values] + (isNotANumber.map { [$0] } ?? [])
        case (_, _, true): return [values] + (isNil.map { [$0] } ?? [])
        }
    }

    /// The condition that a row come behind the place by some of the keys and, where these are equal, by its own key.
    private func behind(_ keys: ArraySlice<Key>) -> FilterExpression {
        var ways: [FilterExpression] = []
        var equal: [FilterExpression] = []
        for key in keys {
            if let after = after(key) { ways.append(.all(equal + [after])) }
            equal.append(same(key))
        }
        ways.append(.all(equal + [behindRow]))
        return .any(ways)
    }

    private var behindRow: FilterExpression {
        // Of the rows that are equal none comes behind a model that has no row.
        if rowKey < 0 { return .boolean(false) }
        return .compare(.greater, .property(row), .constant(.reference(identifier), row.type))
    }

    private func constant(_ key: Key) -> FilterExpression { .constant(key.value, key.path.type.optional(false)) }

    private func isNil(_ key: Key) -> FilterExpression {
        .compare(.equal, .property(key.path), .constant(.null, key.path.type))
    }

    /// The condition that there be a value; nil where there always is.
    private func isValue(_ key: Key) -> FilterExpression? {
        key.path.type.isOptional
            ? .compare(.notEqual, .property(key.path), .constant(.null, key.path.type)) : nil
    }

    private func isNumber(_ key: Key) -> FilterExpression {
        .compare(.equal, .property(key.path), .property(key.path))
    }

    /// The condition that a row's value be that of the place.
    private func same(_ key: Key) -> FilterExpression {
        let property = FilterExpression.property(key.path)
        if key.value.isNull { return isNil(key) }
        if key.isNotANumber { return .compare(.notEqual, property, property) }
        if let order = textOrder(key) { return .compare(.equal, order, .constant(.integer(0), .integer)) }
        return .compare(.equal, property, constant(key))
    }

    /// The condition that a row's value come behind that of the place; nil where none does.
    private func after(_ key: Key) -> FilterExpression? {
        let property = FilterExpression.property(key.path)
        let isOptional = key.path.type.isOptional
        if key.sort.isDescending {
            if key.value.isNull { return nil }
            if key.isNotANumber { return isNumber(key) }
            let less =
                textOrder(key).map { FilterExpression.compare(.less, $0, .constant(.integer(0), .integer)) }
                ?? .compare(.less, property, constant(key))
            return isOptional ? .any([less, isNil(key)]) : less
        }
        if key.value.isNull { return .compare(.notEqual, property, .constant(.null, key.path.type)) }
        if key.isNotANumber { return nil }
        let greater =
            textOrder(key).map { FilterExpression.compare(.greater, $0, .constant(.integer(0), .integer)) }
            ?? .compare(.greater, property, constant(key))
        return key.isReal ? .any([greater, .compare(.notEqual, property, property)]) : greater
    }

    /// How a row's text compares with that of the place, where it is not compared as it is stored.
    private func textOrder(_ key: Key) -> FilterExpression? {
        // Of nil nothing is asked.
        key.sort.comparison.textOrder.map { .textOrder($0, .property(key.path), constant(key)) }
    }
}
