import CofferCore

extension RecordStoreCore {
    /// Stores rows under the keys that they have.
    ///
    /// - Throws: `uniquenessConflict` and whatever else a save throws; the store is then as it was.
    public func importRows(_ batches: [RowBatch]) throws {
        do {
            try engine.write { writer in
                var commit = RecordCommit(layout, writer, maximumKeySize: engine.maximumKeySize, isImport: true)
                var changes = RowChanges(editingState: EditingState())
                changes.inserted = batches
                _ = try commit.run(changes)
            }
        } catch {
            throw named(error, .save, nil)
        }
    }

    /// The key that the next new row gets, by space.
    ///
    /// - Throws: what the engine throws.
    public func nextKeys() throws -> [String: Int64] {
        do {
            return try reading { reader in
                var keys: [String: Int64] = [:]
                for space in layout.spaces {
                    let name = RecordMetadata.counterName(space.entityName)
                    keys[space.entityName] =
                        try reader.get(RecordSchema.metadata, name).flatMap { IndexKey.row($0) } ?? 1
                }
                return keys
            }
        } catch {
            throw named(error, .load, nil)
        }
    }

    /// Has no new row get a lower key.
    ///
    /// - Throws: what the engine throws.
    public func reserveKeys(_ next: [String: Int64]) throws {
        do {
            try engine.write { writer in
                for space in layout.spaces {
                    guard let wanted = next[space.entityName] else { continue }
                    let name = RecordMetadata.counterName(space.entityName)
                    let known = try writer.get(RecordSchema.metadata, name).flatMap { IndexKey.row($0) } ?? 1
                    if wanted <= known { continue }
                    try writer.put(RecordSchema.metadata, name, withUnsafeBytes(of: wanted.bigEndian) { Array($0) })
                }
            }
        } catch {
            throw named(error, .save, nil)
        }
    }
}
