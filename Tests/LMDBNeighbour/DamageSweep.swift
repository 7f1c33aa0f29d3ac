import CofferCore
import CofferLMDB
import Foundation

/// Changes bytes of a file, one after the other, and has a store opened, read and saved each time.
///
/// It says what came of them: a line for each code of an error, and `opened` for files that did for a store.
struct DamageSweep {
    private let folder: String
    private let schema: Schema
    private let file: URL
    private let sound: Data

    init(_ folder: String, _ schema: Schema) throws {
        self.folder = folder
        self.schema = schema
        file = URL(fileURLWithPath: folder).appendingPathComponent("data.mdb")
        sound = try Data(contentsOf: file)
    }

    /// Changes bytes anywhere, the same at each run.
    func scatter() throws {
        var outcomes: [String: Int] = [:]
        var random: UInt64 = 42
        func next(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % bound
        }
        // Most of a small file is room that nothing uses.
        let places = sound.indices.filter { sound[$0] != 0 }
        for _ in 0..<400 {
            var damaged = sound
            damaged[places[next(places.count)]] ^= UInt8(1 + next(255))
            try damaged.write(to: file)
            outcomes[use(), default: 0] += 1
        }
        try tell(outcomes)
    }

    /// Changes each byte of the pages' headers.
    func run() throws {
        var outcomes: [String: Int] = [:]
        for page in 0..<sound.count / 4096 {
            // The first two pages say where everything is.
            for byte in 0..<(page < 2 ? 152 : 16) {
                // Marks and lengths may be wrong in more ways than numbers of pages.
                for change: UInt8 in (10..<16).contains(byte) ? [0x01, 0x10, 0x80, 0xFF] : [0x01, 0xFF] {
                    var damaged = sound
                    damaged[page * 4096 + byte] ^= change
                    try damaged.write(to: file)
                    outcomes[use(), default: 0] += 1
                }
            }
        }
        try tell(outcomes)
    }

    private func tell(_ outcomes: [String: Int]) throws {
        try sound.write(to: file)
        LMDBNeighbour.say("ready")
        for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) { LMDBNeighbour.say("\(outcome) \(count)") }
    }

    private func use() -> String {
        do {
            let store = try LMDBStore(
                LMDBStoreConfiguration("damaged", schema: schema, url: URL(fileURLWithPath: folder)),
                migrationPlan: nil)
            defer { store.close() }
            let rows = RowBatch(entityName: "Item", width: 2, storeIdentifier: store.identifier)
            try store.fetchRows(FetchPlan(entityName: "Item"), into: rows)
            let batch = RowBatch(entityName: "Item", width: 2, storeIdentifier: nil)
            for key in 1...7 {
                batch.appendRow(key: Int64(-key))
                batch.set(.text("new"), row: key - 1, slot: 0)
                batch.set(.blob(Array(repeating: 7, count: key * 700)), row: key - 1, slot: 1)
            }
            var changes = RowChanges(editingState: EditingState())
            changes.inserted = [batch]
            changes.deleted = [("Item", (0..<rows.count).filter { $0 % 2 == 0 }.map { rows.key(ofRow: $0) })]
            _ = try store.commit(changes)
            return "opened"
        } catch let error as SwiftDataError {
            return error.code.rawValue
        } catch {
            return "\(error)"
        }
    }
}
