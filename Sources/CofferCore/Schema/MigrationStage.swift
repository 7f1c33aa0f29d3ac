/// One step of a ``SchemaMigrationPlan``: from one version of the models to the next.
public enum MigrationStage {
    /// The stores do the step by themselves.
    ///
    /// That covers new models, new properties that are optional or have a default value, removed properties, renames
    /// through `originalName`, changed delete rules and options, new indexes, uniqueness over data that is unique
    /// already, and new subclasses.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)

    /// The program takes part in the step.
    ///
    /// - Parameters:
    ///   - fromVersion: the version the step starts from.
    ///   - toVersion: the version it ends in.
    ///   - willMigrate: runs first, on the old models; save the context in it.
    ///   - didMigrate: runs after the stores took the lightweight part of the step, on the new models; save the context
    ///     in it.
    case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: ((_ context: ModelContext) throws -> Void)?,
        didMigrate: ((_ context: ModelContext) throws -> Void)?)

    /// The program gives the new models their values from the old ones, row by row.
    ///
    /// SwiftData has nothing like it. The stores take the lightweight part of the step first; here that leaves out what
    /// it cannot do: a required property that is new, or whose type is another one, has an empty value (0, `""`, the first
    /// case) until the program gives it one.
    ///
    /// ```swift
    /// .transform(fromVersion: TripsV1.self, toVersion: TripsV2.self) { transition in
    ///     try transition.forEach(TripsV1.Trip.self, TripsV2.Trip.self) { old, new in
    ///         new.length = Measurement(value: Double(old.kilometres), unit: .kilometers)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fromVersion: the version the step starts from.
    ///   - toVersion: the version it ends in.
    ///   - transform: runs once, with the models of both versions. What it leaves unsaved is saved.
    case transform(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        _ transform: (_ transition: MigrationTransition) throws -> Void)

    /// The version the step starts from.
    var _fromVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(let from, _), .custom(let from, _, _, _), .transform(let from, _, _): from
        }
    }

    /// The version the step ends in.
    var _toVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(_, let to), .custom(_, let to, _, _), .transform(_, let to, _): to
        }
    }
}
