import CLMDB
import CofferCore
import Foundation
import Synchronization

/// One folder opened with LMDB. A process opens a folder once, however many stores use it; see ``LMDBRegistry``.
///
/// Readers never wait for a writer. The map is changed, and the file closed, only while no transaction of this process
/// uses it: transactions pass a gate, and readers that are paused have left it.
final class LMDBEnvironment: @unchecked Sendable {
    /// How many named tables a file may have.
    static let maximumTables: UInt32 = 2048
    /// How many read transactions all processes together may have.
    static let maximumReaders: UInt32 = 1022
    /// The largest map that is asked for at first: more than file systems hold, less than processors address.
    static let largestMap = 1 << 45
    /// How many saves a paused reader may lie behind before its state is given up, so that the space can be used again.
    static let patience = 16

    let path: String
    let isReadOnly: Bool
    let handle: OpaquePointer
    let gate = Gate()
    /// Held while a store opens its tables, which LMDB wants done one after the other.
    let opening = Mutex(())
    /// The data file that is open.
    let file: FileIdentity?
    private let turn: WriterLock
    /// By which this process has the folder alone, given up after everything else.
    private var lock: FolderLock?
    private let tables = Mutex<[String: MDB_dbi]>([:])
    private var writes = 0
    private var isClosed = false
    /// False once the system has refused another map.
    private let hasMap = Atomic<Bool>(true)
    private let pauseLock = NSLock()
    /// The readers that are paused; the lock guards the list and their states.
    private var paused: [LMDBReader] = []

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - isReadOnly: whether the file may not be written by this process.
    ///   - mapSize: the address space at first; more where the file needs it.
    ///   - writesReaderList: whether the file in which readers list themselves can be written.
    ///   - lock: given up when the folder is closed.
    init(
        _ path: String, isReadOnly: Bool, mapSize: Int, writesReaderList: Bool = true, lock: FolderLock? = nil
    ) throws {
        var handle: OpaquePointer?
        try LMDBFailure.check(mdb_env_create(&handle))
        guard let handle else { throw LMDBFailure(code: ENOMEM) }
        do {
            try LMDBFailure.check(mdb_env_set_maxdbs(handle, Self.maximumTables))
            try LMDBFailure.check(mdb_env_set_maxreaders(handle, Self.maximumReaders))
            let size = Int(LMDBFile.status(LMDBFile.data(path))?.st_size ?? 0)
            let first = max(min(mapSize, Self.largestMap), size + size / 4)
            try LMDBFailure.check(mdb_env_set_mapsize(handle, Self.rounded(first)))
            // A transaction belongs to the object that has it, not to its thread. Reading ahead makes cold opens slow.
            var flags = UInt32(MDB_NOTLS | MDB_NORDAHEAD)
            if isReadOnly { flags |= UInt32(MDB_RDONLY) }
            // Where the list of readers cannot be written nobody writes the data either, or so it has to be.
            if !writesReaderList { flags |= UInt32(MDB_NOLOCK) } else { try ReaderList.makeRoom(path) }
            try LMDBFailure.check(mdb_env_open(handle, path, flags, StoreRights.file(like: LMDBFile.data(path))))
            var dead: Int32 = 0
            if flags & UInt32(MDB_NOLOCK) == 0 { mdb_reader_check(handle, &dead) }
        } catch {
            mdb_env_close(handle)
            throw error
        }
        self.path = path
        self.isReadOnly = isReadOnly
        self.handle = handle
        file = Self.identity(handle)
        turn = WriterLock(folder: path)
        self.lock = lock
    }

    deinit { close() }

    /// Closes the folder, once nobody has a hold of it: what has one uses the environment, and what only knows the object
    /// does not.
    func close() {
        if isClosed { return }
        isClosed = true
        // The file was sound when it was opened, and LMDB's saves leave it so.
        let size = Int(LMDBFile.status(LMDBFile.data(path))?.st_size ?? 0)
        let leavesMark = writes > 0 && LMDBFile.isLarge(size) && !isBroken
        mdb_env_close(handle)
        lock = nil
        if leavesMark { LMDBMark.leave(path, file) }
    }

    private static func identity(_ handle: OpaquePointer) -> FileIdentity? {
        var descriptor: mdb_filehandle_t = -1
        var status = stat()
        guard mdb_env_get_fd(handle, &descriptor) == MDB_SUCCESS, fstat(descriptor, &status) == 0 else { return nil }
        return FileIdentity(status)
    }

    /// Refuses to go on with a file that is no longer the one at the path: what is written to it is lost.
    ///
    /// - Throws: `storeReplaced`.
    func checkPlace() throws {
        let now = LMDBFile.identity(path)
        if now == file { return }
        throw SwiftDataError(
            .storeReplaced, file: path,
            detail: now == nil ? "data.mdb was removed while it was open" : "data.mdb was replaced while it was open")
    }

    /// The longest key.
    var maximumKeySize: Int { Int(mdb_env_get_maxkeysize(handle)) }

    // MARK: Tables

    /// The handle of a table that was opened before.
    func table(named name: String) -> MDB_dbi? { tables.withLock { $0[name] } }

    func add(_ opened: [String: MDB_dbi]) {
        if !opened.isEmpty { tables.withLock { $0.merge(opened) { _, new in new } } }
    }

    // MARK: The map

    private static func rounded(_ size: Int) -> Int { (size + 0xFFFF) & ~0xFFFF }

    /// The address space in use.
    var mapSize: Int {
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        return info.me_mapsize
    }

    /// Makes the map larger, once all readers of this process have left the gate.
    func grow() throws {
        try gate.alone {
            let old = mapSize
            // Nothing is lost by asking for much: it is address space, not memory. Where there is a limit to it less
            // will do.
            var more = max(old, 1 << 24)
            while !Self.hasRoom(for: more) {
                more /= 2
                if more < 1 << 20 { throw LMDBFailure(code: ENOMEM) }
            }
            try setMapSize(Self.rounded(old + more))
        }
    }

    /// Takes over the size of the map that another process has made larger.
    func adoptMapSize() throws {
        try gate.alone { try setMapSize(0) }
    }

    /// LMDB lets go of the old map first; what it does without one ends the process.
    private func setMapSize(_ size: Int) throws {
        try checkMap()
        let code = mdb_env_set_mapsize(handle, size)
        if code == MDB_SUCCESS { return }
        hasMap.store(false, ordering: .relaxed)
        throw LMDBFailure(code: code)
    }

    /// Refuses to go on without a map.
    @inline(__always)
    func checkMap() throws {
        if !hasMap.load(ordering: .relaxed) { throw LMDBFailure(code: MDB_PANIC) }
    }

    /// Whether the process can have so much more address space.
    private static func hasRoom(for size: Int) -> Bool {
        guard let start = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            start != MAP_FAILED
        else { return false }
        munmap(start, size)
        return true
    }

    // MARK: Writing

    /// Runs a body with a write transaction, again where the map has to grow.
    ///
    /// - Parameter timeout: how long another writer is waited for.
    func write<T>(_ timeout: Duration, _ body: (OpaquePointer) throws -> T) throws -> T {
        try turn.take(timeout)
        defer { turn.release() }
        try checkPlace()
        writes += 1
        if writes & 63 == 0 {
            var dead: Int32 = 0
            mdb_reader_check(handle, &dead)
        }
        while true {
            do {
                return try attempt(body)
            } catch let failure as LMDBFailure where failure.code == MDB_MAP_FULL {
                try grow()
            } catch let failure as LMDBFailure where failure.code == MDB_MAP_RESIZED {
                try adoptMapSize()
            }
        }
    }

    private func attempt<T>(_ body: (OpaquePointer) throws -> T) throws -> T {
        gate.enter()
        defer { gate.leave() }
        try checkMap()
        var transaction: OpaquePointer?
        try LMDBFailure.check(mdb_txn_begin(handle, nil, 0, &transaction))
        guard let transaction else { throw LMDBFailure(code: ENOMEM) }
        let result: T
        do {
            result = try body(transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        let number = mdb_txn_id(transaction)
        try LMDBFailure.check(mdb_txn_commit(transaction))
        giveUpOldStates(number)
        return result
    }

    /// Whether LMDB has given the folder up: a write of a save's last page has failed, and it cannot know what the file
    /// says now, or it has lost its map. The file is sound; it has to be opened anew.
    var isBroken: Bool {
        gate.enter()
        defer { gate.leave() }
        if !hasMap.load(ordering: .relaxed) { return true }
        var transaction: OpaquePointer?
        let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
        if code == MDB_SUCCESS { mdb_txn_abort(transaction) }
        return code == MDB_PANIC
    }

    // MARK: Paused readers

    func pause(_ reader: LMDBReader) {
        pauseLock.withLock { paused.append(reader) }
    }

    /// Ends a pause; the reader's state may have been given up meanwhile.
    func resume(_ reader: LMDBReader) {
        pauseLock.withLock { paused.removeAll { $0 === reader } }
    }

    /// Lets go of the states of paused readers that lie far behind: the file would grow for as long as they stay.
    private func giveUpOldStates(_ number: Int) {
        pauseLock.withLock {
            for reader in paused where reader.state + Self.patience <= number { reader.reset() }
        }
    }
}
