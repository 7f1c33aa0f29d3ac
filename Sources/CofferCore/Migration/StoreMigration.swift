import Foundation

/// Brings a store forward on a copy, and has the copy take the store's place.
///
/// The old store is read only and held against everybody else; new stores are made beside it, one for each step of the
/// plan. When all is done the last one takes the old one's place in one step. Whatever fails before leaves the old store
/// as it is, to the byte.
public struct StoreMigration {
    private let decision: MigrationDecision
    private let place: any StoreMigrationPlace
    private let backup: MigrationBackup

    /// A migration that was decided.
    ///
    /// - Parameters:
    ///   - decision: what has to be done.
    ///   - place: the store, held.
    ///   - backup: whether the store as it was is kept.
    public init(_ decision: MigrationDecision, at place: any StoreMigrationPlace, backup: MigrationBackup) {
        self.decision = decision
        self.place = place
        self.backup = backup
    }

    private static let turn = NSRecursiveLock()

    /// Runs a migration while no other thread of the process does, so that none closes a store for a migration that
    /// another has just made. A closure of a plan may open stores that are migrated themselves.
    ///
    /// - Parameter body: looks at the store once more, and migrates it where that is still needed.
    public static func oneAtATime<T>(_ body: () throws -> T) rethrows -> T {
        turn.lock()
        defer { turn.unlock() }
        return try body()
    }

    /// What code of the program threw, which is handed on as it is.
    private struct ClosureFailure: Error {
        let failure: any Error
    }

    /// A store that a step has come to.
    private struct Current {
        let store: any ImportingRowStore
        /// The number of a store beside; nil of the old one.
        let number: Int?
    }

    /// Migrates, and gives the place free.
    ///
    /// - Parameter isDry: whether the new store is thrown away in the end, and only the report is wanted.
    /// - Throws: what a closure of the plan throws, as it is; otherwise `SwiftDataError`. The old store is as it was.
    public func run(isDry: Bool = false) throws -> MigrationReport {
        defer { place.end() }
        do {
            return try migrate(isDry)
        } catch let error as ClosureFailure {
            throw error.failure
        } catch var error as SwiftDataError {
            // Where it happened is a store beside, which is gone by now.
            (error.operation, error.file) = (.migrate, place.path)
            throw error.adding(store: place.name)
        }
    }

    private func migrate(_ isDry: Bool) throws -> MigrationReport {
        var report = MigrationReport(
            store: place.name, from: decision.stored.version, to: decision.schema.version, way: .copy)
        for number in 0..<2 { place.removeSibling(number) }
        try MigrationPoint.held.reach()
        var current = Current(store: place.source, number: nil)
        do {
            for step in decision.steps { try take(step, &current, &report) }
            guard let number = current.number else { return report }
            try place.finishSibling(number, current.store)
            try MigrationPoint.finished.reach()
            if isDry {
                place.removeSibling(number)
                return report
            }
            if backup == .always || backup == .beforeLoss && report.losesData {
                report.backup = try place.backUp()
                try MigrationPoint.backedUp.reach()
            }
            try place.replace(with: number)
        } catch {
            if let number = current.number { try? place.finishSibling(number, current.store) }
            for number in 0..<2 { place.removeSibling(number) }
            throw error
        }
        try MigrationPoint.replaced.reach()
        return report
    }

    private func take(
        _ step: MigrationDecision.Step, _ current: inout Current, _ report: inout MigrationReport
    ) throws {
        // The old store stays as it is; the program works on a copy of it.
        if step.willMigrate != nil || step.transform != nil, current.number == nil {
            try copy(&current, to: step.from)
        }
        if let willMigrate = step.willMigrate {
            try run(willMigrate, on: current.store, step.from)
            try MigrationPoint.stage(step.stage ?? 0).reach()
        }
        let figures = try copy(&current, to: step.to, step)
        report.steps.append(
            MigrationReport.Step(
                from: step.from.version, to: step.to.version, stage: step.stage, isCustom: step.isCustom,
                entities: figures.values.sorted { $0.name < $1.name }))
        if let didMigrate = step.didMigrate {
            try run(didMigrate, on: current.store, step.to)
            try MigrationPoint.stage(step.stage ?? 0).reach()
        }
    }

    /// Copies a store into a new one, and goes on with that.
    ///
    /// - Parameter step: the step that the copy belongs to; nil for one to work on.
    @discardableResult
    private func copy(
        _ current: inout Current, to schema: Schema, _ step: MigrationDecision.Step? = nil
    ) throws -> [String: MigrationReport.Entity] {
        let mapping = try MigrationMapping(
            from: current.store.schema, to: schema, renames: step == nil ? [:] : decision.renames,
            isLenient: step?.transform != nil)
        let number = current.number.map { 1 - $0 } ?? 0
        let store = try place.makeSibling(number, schema: schema)
        do {
            try MigrationPoint.made(number).reach()
            let copier = StoreCopier(from: current.store, to: store, mapping)
            // Whoever forgets to list a class does not mean to lose its rows. A plan lists all of them.
            copier.losesRows = decision.hasPlan
            try copier.run()
            if let step, let transform = step.transform {
                try run(transform, from: current.store, to: store, step)
                try MigrationPoint.stage(step.stage ?? 0).reach()
            }
            if let before = current.number {
                try place.finishSibling(before, current.store)
                place.removeSibling(before)
            }
            current = Current(store: store, number: number)
            return copier.figures
        } catch {
            try? place.finishSibling(number, store)
            throw error
        }
    }

    /// Runs code of the program on the models of a store, and saves what it has left unsaved.
    private func run(
        _ closure: (ModelContext) throws -> Void, on store: any ImportingRowStore, _ schema: Schema
    ) throws {
        let context = ModelContext(ModelContainer(around: store, schema: schema))
        try runClosure {
            try closure(context)
            if context.hasChanges { try context.save() }
        }
    }

    private func run(
        _ closure: (MigrationTransition) throws -> Void, from old: any ImportingRowStore,
        to new: any ImportingRowStore, _ step: MigrationDecision.Step
    ) throws {
        let transition = MigrationTransition(
            old: ModelContext(ModelContainer(around: old, schema: step.from)),
            new: ModelContext(ModelContainer(around: new, schema: step.to)))
        try runClosure {
            try closure(transition)
            if transition.new.hasChanges { try transition.new.save() }
        }
    }

    private func runClosure(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw ClosureFailure(failure: error)
        }
    }
}
