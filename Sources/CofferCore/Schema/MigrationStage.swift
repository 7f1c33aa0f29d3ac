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

    /// The version the step starts from.
    var _fromVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(let from, _), .custom(let from, _, _, _): from
        }
    }

    /// The version the step ends in.
    var _toVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(_, let to), .custom(_, let to, _, _): to
        }
    }
}
