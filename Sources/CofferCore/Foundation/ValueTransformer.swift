#if !canImport(Darwin)
import Foundation
import Synchronization

/// Turns values of one kind into values of another, and back where it can. What Foundation has on Apple's systems.
///
/// A property declared `@Attribute(.transformable(by: "Colour"))` is stored as what the transformer of that name makes
/// of it:
///
/// ```swift
/// final class ColourTransformer: ValueTransformer {
///     override class func allowsReverseTransformation() -> Bool { true }
///     override func transformedValue(_ value: Any?) -> Any? { (value as? Colour)?.data }
///     override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? Data).flatMap(Colour.init) }
/// }
/// ValueTransformer.setValueTransformer(ColourTransformer(), forName: NSValueTransformerName("Colour"))
/// ```
///
/// A transformer that is registered must be usable from several threads at once.
open class ValueTransformer: _RegisteredTransformer {
    /// Makes a transformer. Required, so that one can be made of the class that `.transformable(by:)` names.
    public required init() {}

    private struct Registry: @unchecked Sendable {
        var transformers: [NSValueTransformerName: ValueTransformer] = [:]
    }

    private static let registry = Mutex(Registry())

    /// Makes a transformer known by a name; nil takes the name away.
    public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        let update = Registry(transformers: transformer.map { [name: $0] } ?? [:])
        registry.withLock { $0.transformers[name] = update.transformers[name] }
    }

    /// The names that are taken, in no order.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
        registry.withLock { Array($0.transformers.keys) }
    }

    static func _registered(_ name: NSValueTransformerName) -> ValueTransformer? {
        registry.withLock { registry in
            Registry(transformers: registry.transformers.filter { $0.key == name })
        }.transformers[name]
    }

    /// The class of transformed values. `NSObject` unless overridden; nothing here depends on it.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether ``reverseTransformedValue(_:)`` works. False unless overridden; true is needed to store values.
    open class func allowsReverseTransformation() -> Bool { false }

    /// The value in its transformed form, or nil when there is none. The value itself unless overridden.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value that has this transformed form, or nil when there is none.
    ///
    /// Unless overridden, the same as ``transformedValue(_:)``.
    open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }
}

/// The name of a ``ValueTransformer``.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name as text.
    public let rawValue: String

    /// Makes a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Lets ``ValueTransformer`` have an initialiser that answers an instance which exists already.
public protocol _RegisteredTransformer {}

extension _RegisteredTransformer {
    /// Answers the transformer of that name, not a new one; nil when the name is not taken.
    public init?(forName name: NSValueTransformerName) {
        guard let transformer = ValueTransformer._registered(name) as? Self else { return nil }
        self = transformer
    }
}
#endif
