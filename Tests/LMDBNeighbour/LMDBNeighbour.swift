import CofferCore
import CofferLMDB
import Foundation

/// Another process on a store's folder, for tests: `LMDBNeighbour FOLDER grow|narrow|hold|die|visit|damage|scatter`.
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
        if order == "narrow" { return try narrow(folder, schema) }
        if order == "visit" { return try visit(folder, schema) }
        if order == "damage" { return try DamageSweep(folder, schema).run() }
        if order == "scatter" { return try DamageSweep(folder, schema).scatter() }
        let store = try LMDBStore(
            LMDBStoreConfiguration("neighbour", schema: schema, url: URL(fileURLWithPath: folder)), migrationPlan: nil)
        switch order {
        case "grow":
            try insert(40, into: store)
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

    private static func insert(_ count: Int, into store: LMDBStore) throws {
        let batch = RowBatch(entityName: "Item", width: 2, storeIdentifier: nil)
        for key in 1...count {
            batch.appendRow(key: Int64(-key))
            batch.set(.text("neighbour"), row: key - 1, slot: 0)
            batch.set(.blob(Array(repeating: 7, count: 1 << 16)), row: key - 1, slot: 1)
        }
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = [batch]
        _ = try store.commit(changes)
    }

    /// Saves, with little address space, until the map cannot grow; then with as much as it wants.
    private static func narrow(_ folder: String, _ schema: Schema) throws {
        var configuration = LMDBStoreConfiguration("narrow", schema: schema, url: URL(fileURLWithPath: folder))
        configuration.initialMapSize = 1 << 20
        let store = try LMDBStore(configuration, migrationPlan: nil)
        let other = try LMDBStore(configuration, migrationPlan: nil)
        try insert(1, into: store)
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }
        let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        let soft = limit.rlim_cur
        limit.rlim_cur = (rlim_t(pages) ?? 0) * rlim_t(getpagesize()) + 64 << 20
        setrlimit(resource, &limit)
        var stored = 1
        do {
            while stored < 4_000 {
                try insert(40, into: store)
                stored += 40
            }
            say("did not run out")
        } catch let error as SwiftDataError {
            say("\(error.code)")
        }
        let plan = FetchPlan(entityName: "Item")
        say(try store.countRows(plan) == stored && other.countRows(plan) == stored ? "same" : "other")
        limit.rlim_cur = soft
        setrlimit(resource, &limit)
        try insert(400, into: store)
        say(try other.countRows(plan) == stored + 400 ? "stored" : "lost")
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
