import CLMDB
import CofferCore
import CofferRecords
import Foundation
import Testing

@testable import CofferLMDB

@Model final class Item {
    var name: String
    var data: Data
    init(name: String, data: Data) {
        self.name = name
        self.data = data
    }
}

/// A folder of its own for one test, and stores in it.
final class Workshop: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-lmdb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var url: URL { folder.appendingPathComponent("store.lmdb") }
    var data: URL { url.appendingPathComponent("data.mdb") }

    func open(
        _ types: [any PersistentModel.Type] = [Item.self], allowsSave: Bool = true, mapSize: Int = 1 << 30,
        timeout: Duration = .seconds(5)
    ) throws -> LMDBStore {
        var configuration = LMDBStoreConfiguration("test", schema: Schema(types), url: url, allowsSave: allowsSave)
        configuration.initialMapSize = mapSize
        configuration.busyTimeout = timeout
        return try LMDBStore(configuration, migrationPlan: nil)
    }

    /// Inserts items and answers their keys.
    @discardableResult
    func insert(_ count: Int, size: Int = 0, named name: String = "x", into store: LMDBStore) throws -> [Int64] {
        let batch = RowBatch(entityName: "Item", width: 2, storeIdentifier: nil)
        for row in 0..<count {
            batch.appendRow(key: Int64(-1 - row))
            batch.set(.text(name), row: row, slot: 0)
            batch.set(.blob(Array(repeating: UInt8(row & 255), count: size)), row: row, slot: 1)
        }
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = [batch]
        return try store.commit(changes).keys[0]
    }

    func delete(_ keys: [Int64], from store: LMDBStore) throws {
        var changes = RowChanges(editingState: EditingState())
        changes.deleted = [("Item", keys)]
        _ = try store.commit(changes)
    }

    func rename(_ keys: [Int64], to name: String, in store: LMDBStore) throws {
        let batch = RowBatch(entityName: "Item", width: 2, storeIdentifier: store.identifier)
        for key in keys { batch.set(.text(name), row: batch.appendRow(key: key), slot: 0) }
        var changes = RowChanges(editingState: EditingState())
        changes.updated = [batch]
        _ = try store.commit(changes)
    }

    func rows(_ store: LMDBStore, slots: [Int]? = nil) throws -> RowBatch {
        let batch = RowBatch(entityName: "Item", width: 2, storeIdentifier: store.identifier)
        try store.fetchRows(FetchPlan(entityName: "Item", slots: slots), into: batch)
        return batch
    }

    func count(_ store: LMDBStore) throws -> Int { try store.countRows(FetchPlan(entityName: "Item")) }

    func names(_ batch: RowBatch) -> [String] {
        (0..<batch.count).map { row in
            if case .text(let name) = batch.value(of: batch.cell(row: row, slot: 0)) { name } else { "" }
        }
    }

    var fileSize: Int { (try? FileManager.default.attributesOfItem(atPath: data.path)[.size] as? Int) ?? 0 }

    /// Everything in the folder, for finding out that nothing was touched.
    func contents() throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
            found[name] = try Data(contentsOf: url.appendingPathComponent(name))
        }
        return found
    }

    /// Runs a second process on the folder, and waits until it is ready.
    func neighbour(_ order: String) throws -> (process: Process, input: FileHandle) {
        let neighbour = try start(order)
        return (neighbour.process, neighbour.input)
    }

    /// All that a second process says, which has to end by itself.
    func answer(_ order: String) throws -> String {
        let process = Process()
        process.executableURL = Self.neighbour
        process.arguments = [url.path, order]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        return String(decoding: answer, as: UTF8.self)
    }

    private static var neighbour: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("LMDBNeighbour")
    }

    /// The same, with what it says after that.
    func start(_ order: String) throws -> (process: Process, input: FileHandle, output: FileHandle) {
        let process = Process()
        process.executableURL = Self.neighbour
        process.arguments = [url.path, order]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.readData(ofLength: 6)
        #expect(String(decoding: answer, as: UTF8.self) == "ready\n")
        return (process, input.fileHandleForWriting, output.fileHandleForReading)
    }
}

/// Expects an error of a code, and answers it.
@discardableResult
func expect(
    _ code: SwiftDataError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> SwiftDataError? {
    let error = #expect(throws: SwiftDataError.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
    return error
}
