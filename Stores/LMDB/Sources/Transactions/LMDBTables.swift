import CLMDB
import CofferCore
import CofferRecords
import Synchronization

/// The handles of one store's tables, by their places in the store.
///
/// They change only while the store is being opened, by the thread that opens it.
final class LMDBTables: @unchecked Sendable {
    @exclusivity(unchecked) private var handles: [MDB_dbi?] = []
    /// Tables that were opened by a transaction that is still going on.
    private var new: [String: MDB_dbi] = [:]
    private unowned let environment: LMDBEnvironment
    private let isClosed = Mutex(false)

    init(_ environment: LMDBEnvironment) { self.environment = environment }

    @inline(__always)
    func handle(_ index: Int) throws -> MDB_dbi {
        if index < handles.count, let handle = handles[index] { return handle }
        throw SwiftDataError(.storeFailure, detail: "the table \(index) was not opened")
    }

    var hasNew: Bool { !new.isEmpty }

    /// Opens a table in a transaction; false where it is not there.
    func open(_ table: RecordTable, _ transaction: OpaquePointer, creates: Bool) throws -> Bool {
        while handles.count <= table.index { handles.append(nil) }
        if let known = environment.table(named: table.name) ?? new[table.name] {
            handles[table.index] = known
            return true
        }
        var handle: MDB_dbi = 0
        let code = mdb_dbi_open(transaction, table.name, creates ? UInt32(MDB_CREATE) : 0, &handle)
        if code == MDB_NOTFOUND { return false }
        try LMDBFailure.check(code)
        handles[table.index] = handle
        new[table.name] = handle
        return true
    }

    /// Makes what was opened known, now that the transaction is stored.
    func keepNew(in environment: LMDBEnvironment) {
        if new.isEmpty { return }
        environment.add(new)
        new = [:]
    }

    /// Forgets what was opened in a transaction that was taken back, which closes it.
    func dropNew() {
        if new.isEmpty { return }
        for handle in new.values {
            for index in handles.indices where handles[index] == handle { handles[index] = nil }
        }
        new = [:]
    }

    // MARK: The end

    func close() { isClosed.withLock { $0 = true } }

    @inline(__always)
    func checkOpen() throws {
        if isClosed.withLock({ $0 }) { throw SwiftDataError(.storeClosed) }
    }
}
