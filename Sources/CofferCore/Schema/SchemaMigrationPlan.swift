/// The versions a program's data went through, and how it gets from each to the next.
///
/// ```swift
/// enum TripsPlan: SchemaMigrationPlan {
///     static var schemas: [any VersionedSchema.Type] { [TripsV1.self, TripsV2.self] }
///     static var stages: [MigrationStage] { [.lightweight(fromVersion: TripsV1.self, toVersion: TripsV2.self)] }
/// }
/// ```
///
/// A store is brought forward from the version it is found in, stage by stage. Models that changed in a way that a
/// ``MigrationStage/lightweight(fromVersion:toVersion:)`` stage covers need no plan at all.
public protocol SchemaMigrationPlan {
    /// The versions, oldest first.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The steps between them, in order.
    static var stages: [MigrationStage] { get }
    /// The old names of entities whose classes have new ones, by the new names; by default none.
    ///
    /// SwiftData knows no such thing: there the rows of a class that is renamed are gone.
    static var entityRenames: [String: String] { get }
}

extension SchemaMigrationPlan {
    /// None.
    public static var entityRenames: [String: String] { [:] }
}
