#if !canImport(Darwin)
import Foundation

/// How a sort descriptor compares text as people do: what Foundation's `String.StandardComparator` has on Apple's
/// systems beyond `.lexical`.
///
/// ```swift
/// SortDescriptor(\Trip.name, comparator: .localizedStandard)
/// ```
///
/// A sort descriptor made this way sorts plain arrays too. Coffer recognises it and gives the order to the store, or
/// sorts by itself.
public enum LocalizedStringComparator: String, Codable, Hashable, Sendable {
    /// As a file manager lists names: without regard to case, runs of digits by their value, in the current locale.
    case localizedStandard
    /// By the rules of the current locale.
    case localized

    /// Compares two texts. What Swift takes for equal is the same here, however it is composed.
    public func compare(_ left: String, _ right: String) -> ComparisonResult {
        switch self {
        case .localizedStandard: FilterTextOrder.localizedStandardCompare.compare(left, right)
        case .localized: FilterTextOrder.localizedCompare.compare(left, right)
        }
    }
}

extension String.StandardComparator {
    /// Compares as a file manager lists names.
    public static var localizedStandard: LocalizedStringComparator { .localizedStandard }
    /// Compares by the rules of the current locale.
    public static var localized: LocalizedStringComparator { .localized }
}

/// Text that is ordered by a ``LocalizedStringComparator``; what a sort descriptor's key path ends in.
public protocol _LocalizedSortText: Comparable {
    /// The comparator the order comes from.
    static var _comparator: LocalizedStringComparator { get }
    /// The text.
    var text: String { get }
}

extension _LocalizedSortText {
    /// Whether the comparator finds no difference.
    public static func == (left: Self, right: Self) -> Bool {
        _comparator.compare(left.text, right.text) == .orderedSame
    }

    /// Whether the left text comes first.
    public static func < (left: Self, right: Self) -> Bool {
        _comparator.compare(left.text, right.text) == .orderedAscending
    }
}

/// Text that is ordered as a file manager lists names.
public struct _LocalizedStandardText: _LocalizedSortText, Sendable {
    /// The comparator the order comes from.
    public static var _comparator: LocalizedStringComparator { .localizedStandard }
    /// The text.
    public let text: String
}

/// Text that is ordered by the rules of the current locale.
public struct _LocalizedText: _LocalizedSortText, Sendable {
    /// The comparator the order comes from.
    public static var _comparator: LocalizedStringComparator { .localized }
    /// The text.
    public let text: String
}

extension String {
    /// The text, ordered as a file manager lists names.
    public var _localizedStandard: _LocalizedStandardText { _LocalizedStandardText(text: self) }
    /// The text, ordered by the rules of the current locale.
    public var _localized: _LocalizedText { _LocalizedText(text: self) }
}

extension String? {
    /// The text, ordered as a file manager lists names; nil comes first.
    public var _localizedStandard: _LocalizedStandardText? { map { _LocalizedStandardText(text: $0) } }
    /// The text, ordered by the rules of the current locale; nil comes first.
    public var _localized: _LocalizedText? { map { _LocalizedText(text: $0) } }
}

extension SortDescriptor {
    /// Sorts by text as people do.
    ///
    /// - Parameters:
    ///   - keyPath: the text.
    ///   - comparator: how it is compared.
    ///   - order: forward unless given.
    public init(
        _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedStringComparator,
        order: SortOrder = .forward
    ) {
        switch comparator {
        case .localizedStandard:
            self.init(_sendable(keyPath.appending(path: \._localizedStandard)), order: order)
        case .localized:
            self.init(_sendable(keyPath.appending(path: \._localized)), order: order)
        }
    }

    /// Sorts by text as people do; models without text come first.
    ///
    /// - Parameters:
    ///   - keyPath: the text.
    ///   - comparator: how it is compared.
    ///   - order: forward unless given.
    public init(
        _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedStringComparator,
        order: SortOrder = .forward
    ) {
        switch comparator {
        case .localizedStandard:
            self.init(_sendable(keyPath.appending(path: \._localizedStandard)), order: order)
        case .localized:
            self.init(_sendable(keyPath.appending(path: \._localized)), order: order)
        }
    }
}

/// What a sort descriptor's key path says about the comparison of text.
enum _LocalizedKeyPath {
    /// The comparator in which a key path ends, or nil for a plain key path.
    static func comparator(of keyPath: AnyKeyPath) -> LocalizedStringComparator? {
        let type = _ValueShape(Swift.type(of: keyPath).valueType).wrapped
        return (type as? any _LocalizedSortText.Type)?._comparator
    }

    /// Whether a key path is a property's with a comparator appended.
    ///
    /// - Parameters:
    ///   - keyPath: the key path of a sort descriptor.
    ///   - property: the key path of a property of type `String` or `String?`.
    static func isSort(_ keyPath: AnyKeyPath, by property: AnyKeyPath) -> Bool {
        guard let comparator = comparator(of: keyPath) else { return false }
        let suffixes: [AnyKeyPath] =
            switch comparator {
            case .localizedStandard: [\String._localizedStandard, \String?._localizedStandard]
            case .localized: [\String._localized, \String?._localized]
            }
        return suffixes.contains { property.appending(path: $0) == keyPath }
    }
}
#endif
