import CofferCore
import CofferLMDB
import Foundation

/// Another process on a store's folder, for tests: `LMDBNeighbour FOLDER grow|hold|die|visit|damage|scatter`.
///
/// It says `ready` once it has done what it was asked for, or is at it.
@main struct LMDBNeighbour {
    @Model final class Item {
        var name: String
        var data: Data
        init(name: String, data: Data) {
            self.name = name
            self.data = data
        }
    }

    static func main() throws {
        let (folder, order) = (CommandLine.arguments[1], CommandLine.arguments[2])
        let schema = Schema([Item.self])
        if order == "visit" { return try visit(folder, schema) }
        if order == "damage" { return try DamageSweep(folder, schema).run() }
        if order == "scatter" { return try DamageSweep(folder, schema).scatter() }
        let store = try LMDBStore(
            LMDBStoreConfiguration("neighbour", schema: schema, url: URL(fileURLWithPath: folder)), migrationPlan: nil)
        switch order {
        case "grow":
            let batch = RowBatch(entityName: "Item", width: 2, storeIdentifier: nil)
            for key in 1...40 {
                batch.appendRow(key: Int64(-key))
                batch.set(.text("neighbour"), row: key - 1, slot: 0)
                batch.set(.blob(Array(repeating: 7, count: 1 << 16)), row: key - 1, slot: 1)
            }
            var changes = RowChanges(editingState: EditingState())
            changes.inserted = [batch]
            _ = try store.commit(changes)
            say("ready")
        case "hold":
            try store.core.engine.write { _ in
                say("ready")
                _ = readLine()
            }
        case "die":
            try store.core.engine.read { _ in
                say("ready")
                kill(getpid(), SIGKILL)
            }
        default: say("unknown order")
        }
    }

    /// Reads as somebody who may write nothing, and says how many items there are.
    static func visit(_ folder: String, _ schema: Schema) throws {
        // Rights mean nothing to the superuser.
        if getuid() == 0, setgid(65534) != 0 || setuid(65534) != 0 { return say("cannot become nobody") }
        do {
            let store = try LMDBStore(
                LMDBStoreConfiguration(
                    "visitor", schema: schema, url: URL(fileURLWithPath: folder), allowsSave: false), migrationPlan: nil
            )
            let count = try store.countRows(FetchPlan(entityName: "Item"))
            say("ready\n\(count)")
        } catch {
            say("\(error)")
        }
    }

    static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
