import Foundation

/// The order of a fetch over models: that of the stores, with the models' unsaved changes.
///
/// Ties stand in the order of their keys, new models last in the order of insertion.
final class ModelOrder<M: PersistentModel> {
    private let sortBy: [SortDescriptor<M>]
    private let makeValues: () -> PageOrder<M>?
    /// The stored values by which models are sorted.
    private lazy var values = makeValues()
    /// The keys whose values Swift's operators do not order: not-a-number is neither less than another nor equal to it.
    private lazy var partialKeys: Set<Int> = Set(
        sortBy.indices.filter { index in
            guard let keyPath = sortBy[index].keyPath else { return false }
            let storage = FilterType(of: type(of: keyPath).valueType).storage
            return storage == .real || storage == .date
        })

    init(_ descriptor: FetchDescriptor<M>, home: _ModelHome, context: ModelContext) {
        sortBy = descriptor.sortBy
        makeValues = { try? PageOrder(descriptor, home: home, context: context) }
    }

    /// Whether the left model comes first.
    func isBefore(_ left: M, _ right: M) -> Bool {
        for (index, sort) in sortBy.enumerated() {
            switch sort.compare(left, right) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame:
                let order = partialKeys.contains(index) ? compare(left, right, index) : 0
                if order != 0 { return (order < 0) == (sort.order == .forward) }
            }
        }
        let (a, b) = (left._$key, right._$key)
        return (a > 0) == (b > 0) ? (a > 0 ? a < b : a > b) : a > 0
    }

    private func compare(_ left: M, _ right: M, _ index: Int) -> Int {
        guard let values, let left = try? values.values(of: left), let right = try? values.values(of: right) else {
            return 0
        }
        return StoredOrder.compare(left[index], right[index])
    }
}
