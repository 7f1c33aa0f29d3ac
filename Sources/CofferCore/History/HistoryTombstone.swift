/// The values of a deleted model that history keeps: those of properties marked
/// ``Schema/Attribute/Option/preserveValueOnDeletion``.
///
/// ```swift
/// let name = tombstone[\.name] as? String
/// ```
public struct HistoryTombstone<Model: PersistentModel>: Sequence, @unchecked Sendable {
    // Key paths are immutable and the values are sendable, which is what makes the whole so.
    private let entries: [(keyPath: PartialKeyPath<Model>, value: any Sendable)]

    /// Makes a tombstone; for stores.
    ///
    /// - Parameter values: the preserved values with their properties, in the order in which they are to be listed.
    ///   Values that are nil are left out.
    public init(_ values: [(keyPath: PartialKeyPath<Model>, value: (any Sendable)?)]) {
        entries = values.compactMap { entry in entry.value.map { (entry.keyPath, $0) } }
    }

    /// Makes a tombstone without values.
    public init() { entries = [] }

    /// The preserved value of a property, or nil when there is none.
    ///
    /// Complexity: grows with the number of preserved values.
    public subscript(_ keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
        if let entry = entries.first(where: { $0.keyPath == keyPath }) { return entry.value }
        // An inherited property's own key path is that of the superclass.
        let descriptor = Model._$descriptor
        if descriptor.superclass == nil { return nil }
        guard let slot = descriptor.slot(of: keyPath) else { return nil }
        return entries.first { descriptor.slot(of: $0.keyPath) == slot }?.value
    }

    /// The properties that have a preserved value, in the order of the values.
    public var keyPaths: [PartialKeyPath<Model>] { entries.map(\.keyPath) }

    /// Goes through the preserved values.
    public func makeIterator() -> Iterator { Iterator(entries: entries[...]) }

    /// Goes through the preserved values of a tombstone.
    public struct Iterator: IteratorProtocol {
        fileprivate var entries: ArraySlice<(keyPath: PartialKeyPath<Model>, value: any Sendable)>

        /// The next value, or nil after the last.
        public mutating func next() -> Any? { entries.popFirst()?.value }
    }
}
