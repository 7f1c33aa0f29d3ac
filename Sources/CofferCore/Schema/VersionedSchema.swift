/// One released version of a program's models.
///
/// ```swift
/// enum TripsV1: VersionedSchema {
///     static let versionIdentifier = Schema.Version(1, 0, 0)
///     static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
///
///     @Model final class Trip { … }
///     @Model final class Stop { … }
/// }
/// ```
///
/// An entity is known by the bare name of its class, so `TripsV1.Trip` and `TripsV2.Trip` are one entity.
public protocol VersionedSchema {
    /// All model classes of the version.
    static var models: [any PersistentModel.Type] { get }
    /// The version's number.
    static var versionIdentifier: Schema.Version { get }
}
