import CofferCore
import CofferJSON
import Foundation

/// How a copy of the JSON archive differs from the original, in one way: in what opening, closing and migration do.
struct FileMutation: Sendable {
    typealias Base = JSONArchiveStore

    var opened: @Sendable (FileMutantConfiguration) throws -> Void = { _ in }
    var plan: @Sendable ((any SchemaMigrationPlan.Type)?) -> (any SchemaMigrationPlan.Type)? = { $0 }
    /// What is done instead where opening fails; it throws what shall come out.
    var failed: @Sendable (any Error, FileMutantConfiguration) throws -> Again = { error, _ in throw error }
    var allowsSave: @Sendable (Bool) -> Bool = { $0 }
    /// The identifier that the store shows.
    var identifier: @Sendable (String, Schema) -> String = { identifier, _ in identifier }
    var fetch: @Sendable (inout FetchPlan, Schema) -> Void = { _, _ in }
    /// What a value is read as, by the name of its property; nil for what it is.
    var value: (@Sendable (StoredValue, _ property: String) -> StoredValue?)?
    var preview: @Sendable (FileMutantConfiguration) throws -> Void = { _ in }
    /// Whether what is saved reaches the files when the store is closed.
    var writesLate = false

    enum Again { case withPlan, withoutPlan }
}

extension FileMutantConfiguration {
    private var files: FileManager { .default }

    /// The files of the place.
    private func all() throws -> [URL] {
        try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }

    func removeFiles() throws { for file in try all() { try files.removeItem(at: file) } }

    /// Puts the place into the state in which its first opening left it.
    func goBack() throws {
        try removeFiles()
        try Self.copy(from: first, to: folder)
    }

    /// Keeps the first state of the place.
    func keepFirst() throws {
        if files.fileExists(atPath: first.path) || !files.fileExists(atPath: document.path) { return }
        try Self.copy(from: folder, to: first)
    }

    static func copy(from source: URL, to target: URL) throws {
        let files = FileManager.default
        try files.createDirectory(at: target, withIntermediateDirectories: true)
        for file in try files.contentsOfDirectory(at: source, includingPropertiesForKeys: nil) {
            let copy = target.appendingPathComponent(file.lastPathComponent)
            if files.fileExists(atPath: copy.path) { try files.removeItem(at: copy) }
            try files.copyItem(at: file, to: copy)
        }
    }
}
