/// Whether a migration keeps the store as it was beside the new one.
///
/// The backup is a store of its own that can be opened: `trips.sqlite.backup` beside `trips.sqlite`, with `-2`, `-3`, …
/// behind it where there is one already. Coffer never removes it.
public enum MigrationBackup: String, Hashable, Codable, Sendable {
    /// Before a migration that loses values: of a property or a model that is gone.
    case beforeLoss
    /// Before every migration that works on a copy.
    case always
    /// Never.
    case never
}
