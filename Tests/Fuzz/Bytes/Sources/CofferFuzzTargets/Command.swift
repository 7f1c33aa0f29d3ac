import Coffer
import Foundation

#if canImport(CofferCommandParts)
@testable import CofferCommandParts
#else
@testable import CofferCommand
#endif

/// A store of a few models in memory, for filters.
private enum SampleStore {
    static let shared = Result {
        let store = try InMemoryStore(InMemoryStoreConfiguration("fuzz", schema: FuzzWorld.schema))
        let batch = RowBatch(
            entityName: "FuzzBush", width: 2, storeIdentifier: store.identifier)
        for key in 1...3 { batch.set(.text("bush \(key)"), row: batch.appendRow(key: Int64(-key)), slot: 0) }
        var request = RowChanges(editingState: EditingState())
        request.inserted = [batch]
        _ = try store.commit(request)
        return store
    }
}

extension FuzzTarget {
    /// Lists of packages, as the demo reads them.
    static let debian = FuzzTarget(name: "debian", summary: "Debian package lists") { bytes in
        var list = DebianPackageList(bytes: Array(bytes), name: "list")
        do {
            for package in try list.readAll() { _ = (package.isPresent, package.line, package.relations.count) }
        } catch let error as DebianListError {
            try demand(error.file == "list" && !error.description.contains("\n"), "\(error)")
        }
    }

    /// Filters of `coffer query`. The first byte says of which entity.
    static let filters = FuzzTarget(name: "filters", summary: "filters of the command") { bytes in
        let store = try SampleStore.shared.get()
        let name = (bytes.first ?? 0) & 1 == 0 ? "FuzzBerry" : "FuzzBush"
        guard let entity = store.schema.entitiesByName[name] else { return }
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        var plan = FetchPlan(entityName: name)
        do {
            plan.filter = try FilterParser.expression(text, of: entity, in: store)
        } catch let fault as FilterFault {
            try demand(fault.column > 0 && fault.column <= text.count + 1, "a fault is at the column \(fault.column)")
            return
        }
        _ = plan.description
        _ = try store.countRows(plan)
        _ = try store.explain(plan)
    }

    /// Dumps, as `coffer load` reads them.
    static let dumps = FuzzTarget(name: "dumps", summary: "dumps of stores") { bytes in
        let first: any ImportingRowStore
        do {
            first = try read(bytes)
        } catch is CommandFailure {
            return
        }
        try FuzzWorld.use(first, changes: false)
        let text = try written(first)
        let second: any ImportingRowStore
        do {
            second = try text.withUnsafeBytes { try read($0) }
        } catch {
            throw FuzzFinding("a dump cannot be read once it is written: \(error)")
        }
        try demand(try written(second) == text, "a dump is another one once it was read")
    }

    private static let folder = FuzzFolder()

    private static func read(_ bytes: some Sequence<UInt8>) throws -> any ImportingRowStore {
        try DumpReader(try folder.write(bytes, "dump")).load()
    }

    private static func written(_ store: any ImportingRowStore) throws -> [UInt8] {
        var text = ""
        try DumpWriter(store: store) { text += $0 }.run { _, _ in }
        return Array(text.utf8)
    }
}
