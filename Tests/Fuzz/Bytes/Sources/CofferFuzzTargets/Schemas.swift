import Coffer
import Foundation

@testable import CofferRecords
@testable import CofferSQLite

extension FuzzTarget {
    /// Encoded schemas, as every store keeps its own.
    static let schemas = FuzzTarget(name: "schemas", summary: "encoded schemas") { bytes in
        let schema: Schema
        do {
            schema = try JSONDecoder().decode(Schema.self, from: Data(bytes))
        } catch is DecodingError {
            return
        }
        let text = try encoded(schema)
        let again = try JSONDecoder().decode(Schema.self, from: Data(text))
        try demand(try encoded(again) == text, "a schema is another one each time it is encoded")
        for entity in schema.entities {
            _ = (entity.rootEntity.name, entity.subtree.map(\.name), entity.properties.map(\.name))
            _ = entity.debugDescription
        }
        // A store of such a schema is refused by name, or it works.
        try laidOut { try FuzzWorld.use(InMemoryStore(InMemoryStoreConfiguration("fuzz", schema: schema))) }
        try laidOut {
            let layout = try SQLiteSchema(schema)
            let connection = try SQLiteConnection(path: ":memory:", mode: .readWrite, creates: true, busyTimeout: .zero)
            for statement in layout.creation { try connection.execute(statement) }
        }
    }

    private static func encoded(_ schema: Schema) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return Array(try encoder.encode(schema))
    }

    private static func laidOut(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as SwiftDataError where error.code != .storeFailure {}
    }
}
