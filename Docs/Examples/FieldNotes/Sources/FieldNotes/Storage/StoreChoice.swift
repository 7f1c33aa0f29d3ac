import CofferJSON
import CofferLMDB
import Foundation
import SwiftData

/// The kind of store that notes are kept in. This is the only file that knows of kinds.
public enum StoreChoice: String, CaseIterable, Sendable {
    case sqlite, lmdb, json, memory

    /// Opens the notes in a folder, which is made where it does not exist.
    ///
    /// - Throws: what the container throws when it opens a store.
    public func open(in folder: URL) throws -> ModelContainer {
        if self != .memory { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        return try ModelContainer(
            for: Schema([StoredNote.self, PendingEdit.self, SyncState.self]), configurations: [configuration(folder)])
    }

    private func configuration(_ folder: URL) -> any DataStoreConfiguration {
        switch self {
        case .sqlite: ModelConfiguration(url: folder.appending(path: "notes.sqlite"))
        case .lmdb: LMDBStoreConfiguration(url: folder.appending(path: "notes.lmdb"))
        case .json: JSONArchiveConfiguration(url: folder.appending(path: "notes.json"))
        case .memory: ModelConfiguration(isStoredInMemoryOnly: true)
        }
    }
}
