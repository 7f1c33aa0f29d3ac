import CLMDB
import CofferCore
import CofferRecords
import Foundation

/// What read and write transactions have in common: handles of tables, cursors, reading.
class LMDBTransaction {
    let tables: LMDBTables
    @exclusivity(unchecked) fileprivate(set) var transaction: OpaquePointer
    /// A cursor of each table for single keys: it finds neighbours without a search from the root.
    @exclusivity(unchecked) private var cursors: [OpaquePointer?] = []
    /// Whether a cursor belongs to the present state.
    @exclusivity(unchecked) private var isCurrent: [Bool] = []
    /// Cursors for walks that are not in use.
    @exclusivity(unchecked) private var idle: [(table: Int, cursor: OpaquePointer)] = []
    /// Whether cursors can be used again in another state.
    private let keepsCursors: Bool

    init(_ transaction: OpaquePointer, _ tables: LMDBTables, keepsCursors: Bool) {
        self.transaction = transaction
        self.tables = tables
        self.keepsCursors = keepsCursors
    }

    /// Closes all cursors of a read transaction; those of a write transaction end with it.
    fileprivate func closeCursors() {
        for cursor in cursors { if let cursor { mdb_cursor_close(cursor) } }
        for (_, cursor) in idle { mdb_cursor_close(cursor) }
        cursors = []
        isCurrent = []
        idle = []
    }

    /// Says that the state is another one.
    fileprivate func expireCursors() {
        for index in isCurrent.indices { isCurrent[index] = false }
    }

    // MARK: Cursors

    @inline(__always)
    func cursor(_ table: RecordTable) throws -> OpaquePointer {
        let index = table.index
        if index < cursors.count, isCurrent[index], let cursor = cursors[index] { return cursor }
        return try makeCursor(index)
    }

    @inline(never)
    private func makeCursor(_ index: Int) throws -> OpaquePointer {
        while cursors.count <= index {
            cursors.append(nil)
            isCurrent.append(false)
        }
        if let cursor = cursors[index] {
            try LMDBFailure.check(mdb_cursor_renew(transaction, cursor))
            isCurrent[index] = true
            return cursor
        }
        let cursor = try open(index)
        cursors[index] = cursor
        isCurrent[index] = true
        return cursor
    }

    private func open(_ index: Int) throws -> OpaquePointer {
        var cursor: OpaquePointer?
        try LMDBFailure.check(mdb_cursor_open(transaction, try tables.handle(index), &cursor))
        guard let cursor else { throw LMDBFailure(code: ENOMEM) }
        return cursor
    }

    /// Runs a body with a cursor of its own.
    private func withWalk(_ index: Int, _ body: (OpaquePointer) throws -> Void) throws {
        let cursor: OpaquePointer
        if let place = idle.lastIndex(where: { $0.table == index }) {
            cursor = idle.remove(at: place).cursor
            if keepsCursors { try LMDBFailure.check(mdb_cursor_renew(transaction, cursor)) }
        } else {
            cursor = try open(index)
        }
        defer { idle.append((index, cursor)) }
        try body(cursor)
    }

    // MARK: Reading

    @inline(__always)
    static func value(_ bytes: UnsafeRawBufferPointer) -> MDB_val {
        MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    @inline(__always)
    static func bytes(_ value: MDB_val) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }

    func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        let cursor = try cursor(table)
        var key = Self.value(key)
        var value = MDB_val()
        let code = mdb_cursor_get(cursor, &key, &value, MDB_SET)
        if code == MDB_SUCCESS { return Self.bytes(value) }
        if code == MDB_NOTFOUND { return nil }
        throw LMDBFailure(code: code)
    }

    func scan(
        _ table: RecordTable, _ range: KeyRange, descending: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try withWalk(table.index) { cursor in
            try range.lower.withUnsafeBytes { lower in
                guard let upper = range.upper else {
                    return try walk(cursor, lower, nil, descending: descending, body)
                }
                try upper.withUnsafeBytes { try walk(cursor, lower, $0, descending: descending, body) }
            }
        }
    }

    private func walk(
        _ cursor: OpaquePointer, _ lower: UnsafeRawBufferPointer, _ upper: UnsafeRawBufferPointer?, descending: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        var key = MDB_val()
        var value = MDB_val()
        var code: Int32
        if !descending {
            key = Self.value(lower)
            code = mdb_cursor_get(cursor, &key, &value, lower.isEmpty ? MDB_FIRST : MDB_SET_RANGE)
            while code == MDB_SUCCESS {
                let found = Self.bytes(key)
                if let upper, Self.compare(found, upper) >= 0 { return }
                guard try body(found, Self.bytes(value)) else { return }
                code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
            }
        } else {
            if let upper {
                key = Self.value(upper)
                code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
                code = mdb_cursor_get(cursor, &key, &value, code == MDB_NOTFOUND ? MDB_LAST : MDB_PREV)
            } else {
                code = mdb_cursor_get(cursor, &key, &value, MDB_LAST)
            }
            while code == MDB_SUCCESS {
                let found = Self.bytes(key)
                if Self.compare(found, lower) < 0 { return }
                guard try body(found, Self.bytes(value)) else { return }
                code = mdb_cursor_get(cursor, &key, &value, MDB_PREV)
            }
        }
        if code != MDB_NOTFOUND { throw LMDBFailure(code: code) }
    }

    @inline(__always)
    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let count = min(left.count, right.count)
        if count > 0, let a = left.baseAddress, let b = right.baseAddress {
            let order = Int(memcmp(a, b, count))
            if order != 0 { return order }
        }
        return left.count - right.count
    }

    func count(_ table: RecordTable) throws -> Int {
        var status = MDB_stat()
        try LMDBFailure.check(mdb_stat(transaction, try tables.handle(table.index), &status))
        return status.ms_entries
    }

    func openTable(_ table: RecordTable) throws -> Bool {
        try tables.open(table, transaction, creates: false)
    }
}

/// A read transaction that can be used again and again, each time on the newest state.
final class LMDBReader: LMDBTransaction, RecordReader {
    private let hold: LMDBHold
    /// Whether the state was given up during a pause.
    private var isReset = true

    init(_ hold: LMDBHold, _ tables: LMDBTables) throws {
        self.hold = hold
        super.init(try Self.begin(hold.environment), tables, keepsCursors: true)
        isReset = false
    }

    private static func begin(_ environment: LMDBEnvironment) throws -> OpaquePointer {
        var transaction: OpaquePointer?
        var code = mdb_txn_begin(environment.handle, nil, UInt32(MDB_RDONLY), &transaction)
        if code == MDB_READERS_FULL {
            var dead: Int32 = 0
            mdb_reader_check(environment.handle, &dead)
            code = mdb_txn_begin(environment.handle, nil, UInt32(MDB_RDONLY), &transaction)
        }
        try LMDBFailure.check(code)
        guard let transaction else { throw LMDBFailure(code: ENOMEM) }
        return transaction
    }

    deinit {
        closeCursors()
        mdb_txn_abort(transaction)
    }

    /// The number of the state.
    var state: Int { isReset ? .max - LMDBEnvironment.patience : Int(mdb_txn_id(transaction)) }

    /// Takes the newest state.
    @inline(__always)
    func renew() throws {
        guard isReset else { return }
        try LMDBFailure.check(mdb_txn_renew(transaction))
        isReset = false
        expireCursors()
    }

    /// Lets go of the state.
    @inline(__always)
    func reset() {
        guard !isReset else { return }
        mdb_txn_reset(transaction)
        isReset = true
    }

    func pause<T>(_ body: () throws -> T) throws -> T {
        let environment = hold.environment
        environment.pause(self)
        environment.gate.leave()
        let result = Result { try body() }
        environment.resume(self)
        environment.gate.enter()
        // The map may lie elsewhere now, and cursors point into it.
        expireCursors()
        let value = try result.get()
        try tables.checkOpen()
        while isReset {
            do {
                try environment.checkMap()
                try renew()
            } catch let failure as LMDBFailure where failure.code == MDB_MAP_RESIZED {
                environment.gate.leave()
                defer { environment.gate.enter() }
                try environment.adoptMapSize()
            }
        }
        return value
    }

    /// Makes the tables that were opened usable for all transactions, and takes a new state.
    func keepOpenedTables() throws {
        guard tables.hasNew else { return }
        closeCursors()
        try LMDBFailure.check(mdb_txn_commit(transaction))
        tables.keepNew(in: hold.environment)
        transaction = try Self.begin(hold.environment)
        isReset = false
    }
}

/// A write transaction.
final class LMDBWriter: LMDBTransaction, RecordWriter {
    /// How often keys were not behind all others though they were said to be probably.
    private var wrongGuesses = 0

    init(_ transaction: OpaquePointer, _ tables: LMDBTables) {
        super.init(transaction, tables, keepsCursors: false)
    }

    func makeTable(_ table: RecordTable) throws { _ = try tables.open(table, transaction, creates: true) }

    func dropTable(named name: String) throws {
        var handle: MDB_dbi = 0
        let code = mdb_dbi_open(transaction, name, 0, &handle)
        if code == MDB_NOTFOUND { return }
        try LMDBFailure.check(code)
        // The name stays with an empty table: another store in this process may have its handle.
        try LMDBFailure.check(mdb_drop(transaction, handle, 0))
    }

    func put(
        _ table: RecordTable, _ key: UnsafeRawBufferPointer, count: Int, ascending: Bool,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws {
        let cursor = try cursor(table)
        var keyValue = Self.value(key)
        var value = MDB_val(mv_size: count, mv_data: nil)
        var code = MDB_KEYEXIST
        if ascending, wrongGuesses < 64 {
            code = mdb_cursor_put(cursor, &keyValue, &value, UInt32(MDB_RESERVE | MDB_APPEND))
            wrongGuesses = code == MDB_KEYEXIST ? wrongGuesses + 1 : 0
        }
        if code == MDB_KEYEXIST { code = mdb_cursor_put(cursor, &keyValue, &value, UInt32(MDB_RESERVE)) }
        try LMDBFailure.check(code)
        fill(UnsafeMutableRawBufferPointer(start: value.mv_data, count: count))
    }

    func delete(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> Bool {
        let cursor = try cursor(table)
        var key = Self.value(key)
        var value = MDB_val()
        let code = mdb_cursor_get(cursor, &key, &value, MDB_SET)
        if code == MDB_NOTFOUND { return false }
        try LMDBFailure.check(code)
        try LMDBFailure.check(mdb_cursor_del(cursor, 0))
        return true
    }

    func removeAll(_ table: RecordTable) throws {
        try LMDBFailure.check(mdb_drop(transaction, try tables.handle(table.index), 0))
    }
}
