import Foundation

/// What tells the sections of results apart.
struct Sectioning<Element: PersistentModel, Title: Hashable> {
    let keyPath: PartialKeyPath<Element>
    let title: (Element) -> Title
    /// The order of the sections; empty where titles have none, and sections stand as their first models do.
    ///
    /// An array, not an optional: optimised code that copies an optional descriptor refers to a type that Foundation does
    /// not export, and cannot be linked.
    private let order: [SortDescriptor<Element>]

    init(_ keyPath: KeyPath<Element, Title>) {
        self.keyPath = keyPath
        title = { $0[keyPath: keyPath] }
        if let type = Title.self as? any Comparable.Type {
            order = Self.order(keyPath, as: type)
        } else {
            order = (Title.self as? any OptionalTitle.Type)?.order(of: keyPath) ?? []
        }
    }

    private static func order<Value: Comparable>(
        _ keyPath: PartialKeyPath<Element>, as type: Value.Type
    ) -> [SortDescriptor<Element>] {
        (keyPath as? KeyPath<Element, Value>).map { [SortDescriptor(_sendable($0))] } ?? []
    }

    /// A descriptor whose results have the sections in order and the models of a section one after the other.
    ///
    /// An order that begins with what tells the sections apart is taken as it is; it may be the reverse one.
    func applied(to descriptor: FetchDescriptor<Element>) -> FetchDescriptor<Element> {
        if order.isEmpty { return descriptor }
        if let first = descriptor.sortBy.first?.keyPath, isSort(first) { return descriptor }
        var descriptor = descriptor
        descriptor.sortBy.insert(contentsOf: order, at: 0)
        return descriptor
    }

    private func isSort(_ first: AnyKeyPath) -> Bool {
        if first == keyPath { return true }
        #if canImport(Darwin)
        return false
        #else
        return _LocalizedKeyPath.isSort(first, by: keyPath)
        #endif
    }
}

extension Sectioning where Title == String {
    /// Models without a title have the empty one.
    init(_ keyPath: KeyPath<Element, String?>) {
        self.keyPath = keyPath
        title = { $0[keyPath: keyPath] ?? "" }
        order = [SortDescriptor(_sendable(keyPath))]
    }
}

/// A title that may be missing, and has an order where it is not.
private protocol OptionalTitle {
    static func order<Element>(of keyPath: PartialKeyPath<Element>) -> [SortDescriptor<Element>]
}

extension Optional: OptionalTitle where Wrapped: Comparable {
    fileprivate static func order<Element>(of keyPath: PartialKeyPath<Element>) -> [SortDescriptor<Element>] {
        (keyPath as? KeyPath<Element, Wrapped?>).map { [SortDescriptor(_sendable($0))] } ?? []
    }
}

/// Key paths to properties of models are immutable, which their type does not say: `Sendable` has no run-time form, so
/// the cast changes nothing but the type.
func _sendable<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> any KeyPath<Root, Value> & Sendable {
    unsafeBitCast(keyPath, to: (any KeyPath<Root, Value> & Sendable).self)
}
