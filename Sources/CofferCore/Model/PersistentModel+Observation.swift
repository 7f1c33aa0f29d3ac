import CofferRuntime
import Observation

// What an expansion of SwiftData's macro has as members. Models keep their registrar out of sight and make it when it is
// first needed, so these two are all that code of a model may want of it.

extension PersistentModel {
    /// Tells Observation that a property is read: for a property that is no persisted one, and is observed all the same.
    ///
    /// ```swift
    /// @Transient private var _selection: Int?
    /// var selection: Int? {
    ///     get { access(keyPath: \.selection); return _selection }
    ///     set { withMutation(keyPath: \.selection) { _selection = newValue } }
    /// }
    /// ```
    ///
    /// Persisted properties do it by themselves. Costs nothing while nobody tracks what is read.
    public nonisolated func access<Member>(keyPath: KeyPath<Self, Member>) {
        if coffer_is_observing() != 0 {
            _registrar().access(self, keyPath: keyPath)
        } else if _$flags & _Flag.observed != 0 {
            _$extras?.registrar?.access(self, keyPath: keyPath)
        }
    }

    /// Tells Observation that a mutation changes a property that is no persisted one; see ``access(keyPath:)``.
    ///
    /// The model is not marked as changed.
    ///
    /// - Returns: what the mutation returns.
    /// - Throws: what the mutation throws.
    public nonisolated func withMutation<Member, MutationResult>(
        keyPath: KeyPath<Self, Member>, _ mutation: () throws -> MutationResult
    ) rethrows -> MutationResult {
        guard _$flags & _Flag.observed != 0, let registrar = _$extras?.registrar else { return try mutation() }
        return try registrar.withMutation(of: self, keyPath: keyPath, mutation)
    }
}
