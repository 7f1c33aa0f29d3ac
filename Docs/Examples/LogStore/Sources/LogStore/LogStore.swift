import CofferCore
import CofferRecords
import Foundation

/// Names a log file as a store. The file is made when it does not exist.
public struct LogStoreConfiguration: DataStoreConfiguration, Hashable, Sendable {
    public typealias Store = LogStore
    public let name: String
    public var schema: Schema?
    public let url: URL
    public let allowsSave: Bool

    public init(_ name: String = "log", schema: Schema? = nil, url: URL, allowsSave: Bool = true) {
        self.name = name
        self.schema = schema
        self.url = url
        self.allowsSave = allowsSave
    }
}

/// A store that appends each save to one file, and has everything in memory while it is open.
public final class LogStore: RecordRowStore {
    public typealias Configuration = LogStoreConfiguration
    public typealias Snapshot = DefaultSnapshot
    public let configuration: LogStoreConfiguration
    public let core: RecordStoreCore

    /// - Throws: `SwiftDataError`: `corruptStore`, `newerStoreFormat`, `storeNotFound`, `storeNotWritable`, or
    ///   `storeBusy` while somebody else has the file open for saving.
    public init(_ configuration: LogStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        let schema = configuration.schema ?? Schema()
        do {
            // What the record layer cannot keep is refused before a file is made.
            _ = try RecordSchema(schema)
            let path = configuration.url.isFileURL ? configuration.url.path : ""
            let engine = try LogEngine(path, isReadOnly: !configuration.allowsSave)
            core = try RecordStoreCore(name: configuration.name, schema: schema, engine: engine)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .open, store: configuration.name, file: configuration.url.path)
        }
    }

    deinit { core.close() }

    public var capabilities: StoreCapabilities {
        StoreCapabilities(
            [
                .nativeFiltering, .nativeSorting, .uniqueness, .indexes, .transactions, .durable,
                .orderedRelationships, .inheritance, .history,
            ], maximumValueSize: Int(Int32.max))
    }
}
