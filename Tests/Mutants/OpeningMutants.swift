import CofferCore
import CofferJSON
import Foundation

extension Mutant {
    /// Faults in how a file is opened, and in what a killed process leaves.
    static var opening: [Mutant] {
        [
            Mutant(file: "a damaged file is taken for none", "damage.") {
                $0.failed = { error, place in
                    guard isDamage(error) else { throw error }
                    try place.removeFiles()
                    return .withPlan
                }
            },
            Mutant(file: "a damaged file gives way to an older one", "interrupted.torn") {
                $0.opened = { try $0.keepFirst() }
                $0.failed = { error, place in
                    guard isDamage(error) else { throw error }
                    try place.goBack()
                    return .withPlan
                }
            },
            Mutant(file: "damage is an error of another kind", "damage.") {
                $0.failed = { error, _ in throw isDamage(error) ? CocoaError(.fileReadCorruptFile) : error }
            },
            Mutant(file: "reading only is no promise", "reopen.read-only") { $0.allowsSave = { _ in true } },
            Mutant(file: "a save reaches the file when the store is closed", "interrupted.") { $0.writesLate = true },
        ]
    }

    /// Faults in how a place of older models is taken in.
    static var migrating: [Mutant] {
        [
            Mutant(file: "models that do not fit begin anew", "migration.refused", "migration.foreign") {
                $0.failed = { error, place in
                    guard hasCode(error, .unknownSchema, .migrationFailure) else { throw error }
                    try place.removeFiles()
                    return .withPlan
                }
            },
            Mutant(file: "older models begin anew", "migration.backward") {
                $0.failed = { error, place in
                    guard hasCode(error, .backwardMigration) else { throw error }
                    try place.removeFiles()
                    return .withPlan
                }
            },
            Mutant(file: "a plan is not looked at", "migration.stage") { $0.plan = { _ in nil } },
            Mutant(file: "what a stage throws is swallowed", "migration.stage-throws") {
                $0.failed = { error, _ in
                    if error is SwiftDataError { throw error }
                    return .withoutPlan
                }
            },
            Mutant(file: "what a stage throws gets another name", "migration.stage-throws") {
                $0.failed = { error, _ in
                    throw error is SwiftDataError ? error : SwiftDataError(.migrationFailure, underlying: error)
                }
            },
            Mutant(file: "a version that the plan does not know is migrated without it", "migration.unknown-version") {
                $0.failed = { error, _ in
                    guard hasCode(error, .unknownSchema) else { throw error }
                    return .withoutPlan
                }
            },
            Mutant(file: "a migration gives rows new identifiers", "migration.kept", "migration.removed") {
                $0.identifier = { "\($0) \($1.entities.reduce(0) { $0 + $1.properties.count })" }
            },
            Mutant(file: "a migration loses lists", "migration.kept") {
                $0.fetch = { plan, schema in
                    guard schema.entitiesByName["Quay"] != nil, case .related("Barge", _, _) = plan.scope else {
                        return
                    }
                    plan.limit = 0
                }
            },
            Mutant(file: "a migration loses a row", "migration.kept", "migration.removed") {
                $0.fetch = { plan, schema in
                    guard isGrown(schema), plan.entityName == "Barge", plan.scope == .all else { return }
                    plan.offset += 1
                }
            },
            Mutant(file: "a new property is zero", "migration.new-default") {
                $0.value = { $1 == "rating" && $0 == .integer(3) ? .integer(0) : nil }
            },
            Mutant(file: "a new optional property is empty text", "migration.new-optional") {
                $0.value = { $1 == "motto" && $0 == .null ? .text("") : nil }
            },
            Mutant(file: "a renamed property starts at zero", "migration.renamed", "migration.removed") {
                $0.value = { $1 == "cargo" ? .integer(0) : nil }
            },
            Mutant(file: "numbers are not converted", "migration.converted") {
                $0.value = { value, property in
                    if case .real(let number) = value, property == "load" {
                        return .real(Double(bitPattern: UInt64(number)))
                    }
                    return nil
                }
            },
            Mutant(file: "a look at a migration migrates", "migration.preview") {
                $0.preview = { place in _ = try JSONArchiveStore(place.base(), migrationPlan: nil) }
            },
        ]
    }

    private static func hasCode(_ error: any Error, _ codes: SwiftDataError.Code...) -> Bool {
        (error as? SwiftDataError).map { codes.contains($0.code) } ?? false
    }

    private static func isDamage(_ error: any Error) -> Bool {
        hasCode(error, .corruptStore, .newerStoreFormat, .storeFailure, .valueDecoding)
    }

    private static func isGrown(_ schema: Schema) -> Bool {
        schema.entitiesByName["Quay"] != nil
            || schema.entitiesByName["Barge"]?.properties.contains { $0.name == "cargo" } == true
    }
}
