import CofferCore

/// Opens stores of records that lie in files, and has those migrated that need it.
package enum RecordMigration {
    /// Opens a store.
    ///
    /// - Parameters:
    ///   - refuses: whether the store may not be changed.
    ///   - open: opens the store as far as that can be done in place.
    ///   - look: opens the store as it is, for reading only, beside whoever has it open.
    ///   - hold: takes hold of the place for a migration; nil where another process has replaced the store since the look.
    /// - Returns: the store, and what a migration did.
    package static func open(
        refuses: Bool, backup: MigrationBackup, _ open: () throws -> RecordStoreCore,
        look: () throws -> any ImportingRowStore, hold: () throws -> (any StoreMigrationPlace)?
    ) throws -> (core: RecordStoreCore, report: MigrationReport?) {
        var report: MigrationReport?
        var attempts = 0
        while true {
            do {
                return (try open(), report)
            } catch let needed as RecordMigrationNeeded {
                attempts += 1
                // After a migration there is nothing left to do, unless others keep replacing the store.
                if refuses || attempts > 3 { throw needed.refusal }
                let done = try StoreMigration.oneAtATime { () throws -> MigrationReport? in
                    // Refuses what can be told to fail, before stores that are open are closed for it.
                    guard try needed.decision.check(look()) else { return nil }
                    guard let place = try hold() else { return nil }
                    guard needed.decision.starts(from: place.source.schema) else {
                        // Another process was faster.
                        place.end()
                        return nil
                    }
                    return try StoreMigration(needed.decision, at: place, backup: backup).run()
                }
                if let done { report = done }
            }
        }
    }

    /// What opening a store would do.
    package static func preview(
        _ name: String, _ decision: MigrationDecision?, _ schema: Schema, hold: () throws -> any StoreMigrationPlace
    ) throws -> MigrationReport {
        guard let decision else { return MigrationReport(newStore: name, schema) }
        guard decision.way == .copy else { return MigrationReport(decision, store: name) }
        return try StoreMigration(decision, at: hold(), backup: .never).run(isDry: true)
    }
}
