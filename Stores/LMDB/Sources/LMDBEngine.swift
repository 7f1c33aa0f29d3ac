import CLMDB
import CofferCore
import CofferRecords
import Foundation
import Synchronization

/// LMDB as an engine of records: a named database for each table, records read from the mapped file as they lie.
final class LMDBEngine: RecordEngine, @unchecked Sendable {
    let path: String?
    let isReadOnly: Bool
    let maximumKeySize: Int
    let timeout: Duration
    private let folder: String
    private let tables: LMDBTables
    /// Guards what follows.
    private let lock = NSLock()
    /// Nil once the engine is closed.
    private var hold: LMDBHold?
    /// Readers that wait for their next use.
    private var idle: [LMDBReader] = []

    /// What the store expects of the tables; nil while it is being opened.
    private let expected = Mutex<RecordSchemaCheck?>(nil)
    /// The last state of the file that was found to be so.
    private let checkedState = Atomic<Int>(-1)

    private static let maximumIdle = 8

    /// - Parameters:
    ///   - isReadOnly: whether changes are refused.
    ///   - timeout: how long another writer is waited for.
    init(_ path: String, hold: LMDBHold, isReadOnly: Bool, timeout: Duration) {
        self.path = path
        folder = path
        self.isReadOnly = isReadOnly
        self.timeout = timeout
        maximumKeySize = hold.environment.maximumKeySize
        tables = LMDBTables(hold.environment)
        self.hold = hold
    }

    /// The hold of the folder, for whoever uses it directly: the engine may be closed meanwhile.
    func currentHold() throws -> LMDBHold {
        guard let hold = lock.withLock({ hold }) else { throw SwiftDataError(.storeClosed, file: path) }
        return hold
    }

    /// The folder, for tests.
    var environment: LMDBEnvironment? { lock.withLock { hold }?.environment }

    // MARK: The schema

    /// Takes note of how the tables lie, now that the store is open: another process may bring them up to date.
    func expect(_ layout: RecordSchema) { expected.withLock { $0 = RecordSchemaCheck(layout) } }

    @inline(never)
    private func check(_ reader: any RecordReader, state: Int?) throws {
        let isKnown: Bool = try expected.withLock { check in
            try check?.run(reader)
            return check != nil
        }
        if isKnown, let state { checkedState.store(state, ordering: .relaxed) }
    }

    // MARK: Reading

    func read<T>(_ body: (any RecordReader) throws -> T) throws -> T {
        lock.lock()
        let (known, hold) = (idle.popLast(), hold)
        lock.unlock()
        guard let hold else { throw SwiftDataError(.storeClosed, file: path) }
        let environment = hold.environment
        environment.gate.enter()
        defer {
            environment.gate.leave()
            withExtendedLifetime(hold) {}
        }
        do {
            let reader = try begin(known, hold)
            defer { giveBack(reader) }
            let state = reader.state
            if state != checkedState.load(ordering: .relaxed) { try check(reader, state: state) }
            let result = try body(reader)
            try reader.keepOpenedTables()
            return result
        } catch let failure as LMDBFailure {
            if failure.code == MDB_PANIC {
                environment.gate.leave()
                defer { environment.gate.enter() }
                close()
            }
            throw failure.error(folder)
        }
    }

    /// A reader on the newest state.
    @inline(__always)
    private func begin(_ known: LMDBReader?, _ hold: LMDBHold) throws -> LMDBReader {
        while true {
            do {
                try hold.environment.checkMap()
                guard let known else { return try LMDBReader(hold, tables) }
                try known.renew()
                return known
            } catch let failure as LMDBFailure where failure.code == MDB_MAP_RESIZED {
                hold.environment.gate.leave()
                defer { hold.environment.gate.enter() }
                try hold.environment.adoptMapSize()
            }
        }
    }

    private func giveBack(_ reader: LMDBReader) {
        // What a failed opening has opened ends with its transaction.
        if tables.hasNew {
            tables.dropNew()
            return
        }
        reader.reset()
        lock.lock()
        if hold != nil, idle.count < Self.maximumIdle { idle.append(reader) }
        lock.unlock()
    }

    // MARK: Writing

    func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T {
        guard let hold = lock.withLock({ hold }) else { throw SwiftDataError(.storeClosed, file: path) }
        guard !isReadOnly else {
            throw SwiftDataError(.storeNotWritable, file: path, detail: "the store is open for reading only")
        }
        do {
            let result = try hold.environment.write(timeout) { transaction in
                try tables.checkOpen()
                tables.dropNew()
                let writer = LMDBWriter(transaction, tables)
                do {
                    try check(writer, state: nil)
                    return try body(writer)
                } catch {
                    tables.dropNew()
                    throw error
                }
            }
            tables.keepNew(in: hold.environment)
            return result
        } catch let failure as LMDBFailure {
            tables.dropNew()
            // The store is closed at once, so that its folder can be opened anew.
            if hold.environment.isBroken { close() }
            throw failure.error(folder)
        }
    }

    func close() {
        guard let hold = lock.withLock({ hold }) else { return }
        hold.environment.gate.alone {
            tables.close()
            lock.withLock {
                idle = []
                self.hold = nil
            }
        }
    }
}
