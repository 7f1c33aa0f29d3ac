/// The models of two versions side by side, in a stage that turns the ones into the others.
///
/// Rows keep their identifiers, so that an old model and the new one of the same row have the same
/// ``PersistentModel/persistentModelID`` where their classes have one name.
///
/// Isolation: of the stage; it must not outlive the closure it is passed to.
public struct MigrationTransition {
    /// The models as they were. What is changed here is gone.
    public let old: ModelContext
    /// The models as they will be.
    public let new: ModelContext

    /// Goes through the rows that both versions have.
    ///
    /// New models are saved after each batch, and models of earlier batches are let go of.
    ///
    /// - Parameters:
    ///   - oldType: the old class.
    ///   - newType: the new class.
    ///   - batchSize: how many rows are in memory at a time.
    ///   - body: takes the old and the new model of a row; what it throws ends the migration.
    /// - Throws: what the body throws, or `SwiftDataError`.
    public func forEach<Old: PersistentModel, New: PersistentModel>(
        _ oldType: Old.Type, _ newType: New.Type, batchSize: Int = 1000, _ body: (_ old: Old, _ new: New) throws -> Void
    ) throws {
        let size = max(batchSize, 1)
        let keys = try old.fetchIdentifiers(FetchDescriptor<Old>())
        for start in stride(from: 0, to: keys.count, by: size) {
            // Contexts of their own, so that a large store passes through a little memory.
            let (before, after) = (ModelContext(old.container), ModelContext(new.container))
            for key in keys[start..<min(start + size, keys.count)] {
                guard let one = try before.existingModel(for: key, as: Old.self),
                    let two = try after.existingModel(
                        for: key.named(Schema.entityName(for: New.self), for: Old.self), as: New.self)
                else { continue }
                try body(one, two)
            }
            if after.hasChanges { try after.save() }
        }
    }
}

extension PersistentIdentifier {
    /// The identifier of the same row where its entity has another name.
    fileprivate func named<Old: PersistentModel>(_ name: String, for type: Old.Type) -> PersistentIdentifier {
        // A row of a subclass keeps its own name.
        guard entityName == Schema.entityName(for: Old.self), name != entityName else { return self }
        return PersistentIdentifier(
            _space: .shared(entityName: name, storeIdentifier: storeIdentifier), key: _key)
    }
}
