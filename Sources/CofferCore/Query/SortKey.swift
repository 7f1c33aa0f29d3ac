/// One key of a plan's order.
public struct SortKey: Hashable, Sendable {
    /// How values are compared.
    public enum Comparison: String, Codable, Hashable, Sendable {
        /// As Swift's `<` does; text by scalars in normalisation form C, which is the order of the stored bytes.
        case standard
        /// As a person expects to see text in a list: without regard to case, numbers by value.
        case localizedStandard
        /// As the current locale sorts text.
        case localized

        /// How text is compared; nil where it is as it is stored.
        var textOrder: FilterTextOrder? {
            switch self {
            case .standard: nil
            case .localizedStandard: .localizedStandardCompare
            case .localized: .localizedCompare
            }
        }
    }

    /// The slots from the entity through to-one links to the value that is compared.
    public var path: [Int]
    /// Whether the greatest comes first.
    public var isDescending: Bool
    /// How values are compared.
    public var comparison: Comparison

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - path: the slots from the entity through to-one links to the value that is compared.
    ///   - isDescending: whether the greatest comes first.
    ///   - comparison: how values are compared.
    public init(path: [Int], isDescending: Bool = false, comparison: Comparison = .standard) {
        self.path = path
        self.isDescending = isDescending
        self.comparison = comparison
    }
}
