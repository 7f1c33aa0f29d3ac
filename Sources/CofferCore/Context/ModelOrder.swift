import Foundation

/// The order of a fetch, over models in memory: that of every store.
///
/// Sort descriptors compare with `<`, which finds not-a-number equal to every number: no order at all. Stores have it
/// behind all numbers, as `RowSorter` does.
struct ModelOrder<M: PersistentModel> {
    private let descriptors: [SortDescriptor<M>]
    /// The key paths that lead to floating-point numbers, by descriptor.
    private let reals: [AnyKeyPath?]

    init(_ descriptors: [SortDescriptor<M>]) {
        self.descriptors = descriptors
        reals = descriptors.map { descriptor in
            guard let keyPath = descriptor.keyPath else { return nil }
            switch type(of: keyPath as AnyKeyPath).valueType {
            case is Double.Type, is Double?.Type, is Float.Type, is Float?.Type, is Date.Type, is Date?.Type:
                return keyPath
            default: return nil
            }
        }
    }

    /// Whether one model comes before another; ties stand in the order of their keys, new models last in the order of
    /// insertion.
    func isBefore(_ left: M, _ right: M) -> Bool {
        for index in descriptors.indices {
            switch descriptors[index].compare(left, right) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame:
                guard let keyPath = reals[index] else { continue }
                let (a, b) = (Self.isNotANumber(left, keyPath), Self.isNotANumber(right, keyPath))
                if a != b { return b == (descriptors[index].order == .forward) }
            }
        }
        let (a, b) = (left._$key, right._$key)
        return (a > 0) == (b > 0) ? (a > 0 ? a < b : a > b) : a > 0
    }

    private static func isNotANumber(_ model: M, _ keyPath: AnyKeyPath) -> Bool {
        switch model[keyPath: keyPath] {
        case let number as Double: number.isNaN
        case let number as Float: number.isNaN
        case let date as Date: date.timeIntervalSinceReferenceDate.isNaN
        default: false
        }
    }
}
