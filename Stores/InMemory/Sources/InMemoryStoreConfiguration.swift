import CofferCore

/// Names a store that lives in memory and ends with its container.
///
/// ```swift
/// let container = try ModelContainer(for: Trip.self, configurations: InMemoryStoreConfiguration())
/// ```
///
/// Every container that is opened with a configuration gets an empty store of its own; its contexts share it.
public struct InMemoryStoreConfiguration: DataStoreConfiguration, Hashable, Sendable {
    /// The store that is opened.
    public typealias Store = InMemoryStore

    /// The name by which errors speak of the store.
    public let name: String
    /// The models that go into the store; nil for all of the container's.
    public var schema: Schema?

    /// Names a store.
    ///
    /// - Parameters:
    ///   - name: the name by which errors speak of the store; unique in a container.
    ///   - schema: the models that go into the store; nil for all of the container's.
    public init(_ name: String = "default", schema: Schema? = nil) {
        self.name = name
        self.schema = schema
    }
}
