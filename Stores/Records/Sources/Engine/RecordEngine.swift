/// An ordered key-value engine: all that a store of records needs from what lies below it.
///
/// An engine keeps tables. A table maps keys, strings of bytes, to values, strings of bytes, and knows the order of its
/// keys: byte by byte, without signs, a shorter key before a longer one that begins with it. What keys and values mean
/// is not the engine's business; records, indexes, filters, uniqueness and schema checks are written once, above it, in
/// ``RecordStoreCore``.
///
/// Memory that an engine hands out belongs to the engine. It is valid to the end of the transaction; in a write
/// transaction only until the next change of the same table.
///
/// Errors are thrown as `SwiftDataError`, with code, file and cause; whoever calls adds store and operation.
///
/// Isolation: all members may be called from several threads at once.
public protocol RecordEngine: AnyObject, Sendable {
    /// The longest key in bytes that every table takes; 64 at least. Indexes cut long values so that keys fit.
    var maximumKeySize: Int { get }
    /// The file or folder, for errors; nil for an engine without one.
    var path: String? { get }
    /// Whether changes are refused.
    var isReadOnly: Bool { get }

    /// Runs reads on one state of all tables, whatever is written meanwhile.
    ///
    /// - Parameter body: is run on the calling thread, once. It must not begin another transaction but inside
    ///   ``RecordReader/pause(_:)``.
    /// - Throws: what the body throws; `storeClosed` after ``close()``.
    func read<T>(_ body: (any RecordReader) throws -> T) throws -> T

    /// Runs changes that are stored all or none; one at a time.
    ///
    /// - Parameter body: is run on the calling thread, and again from the start where the engine had to make room: it
    ///   must have no effect but on the tables. When it throws, nothing is changed.
    /// - Throws: what the body throws; `storeBusy` when another process writes for too long; `storeFull`;
    ///   `storeNotWritable`.
    func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T

    /// Ends the use of the engine; waits for transactions that are going on.
    func close()
}

/// A read transaction. It must not leave the call it is passed to.
public protocol RecordReader: AnyObject {
    /// Makes a table usable for this and all later transactions. Only called while a store is being opened.
    ///
    /// - Returns: false where there is no such table.
    /// - Throws: what the engine refuses.
    func openTable(_ table: RecordTable) throws -> Bool

    /// The value of a key; nil where there is none.
    ///
    /// - Throws: what the engine throws.
    func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer?

    /// Goes through a range of a table in the order of keys, or against it.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - range: which keys.
    ///   - descending: whether the greatest key comes first.
    ///   - body: takes key and value, and answers whether to go on. It may read, of the same table too; it must not
    ///     change that table.
    /// - Throws: what the engine and the body throw.
    /// - Complexity: O(log *entries* + *entries visited*).
    func scan(
        _ table: RecordTable, _ range: KeyRange, descending: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool) throws

    /// The number of entries of a table. Complexity: O(1).
    ///
    /// - Throws: what the engine throws.
    func count(_ table: RecordTable) throws -> Int

    /// Runs a body that reads nothing through this transaction, as user code that takes rows does; it may begin other
    /// transactions, a write among them.
    ///
    /// An engine whose old states cost something may go on with a newer one afterwards. Memory handed out before is not
    /// valid any more; a scan must have ended.
    ///
    /// - Throws: what the body throws.
    func pause<T>(_ body: () throws -> T) throws -> T
}

/// A write transaction: it reads what it has written. It must not leave the call it is passed to.
public protocol RecordWriter: RecordReader {
    /// Makes a table, usable for this and, once it is stored, for all later transactions. Nothing happens where it is
    /// there.
    ///
    /// - Throws: what the engine throws; the transaction is then to be given up.
    func makeTable(_ table: RecordTable) throws

    /// Removes a table and all its entries. Nothing happens where it is not there.
    ///
    /// - Throws: what the engine throws; the transaction is then to be given up.
    func dropTable(named name: String) throws

    /// Sets the value of a key.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - key: the key.
    ///   - count: the size of the value in bytes.
    ///   - ascending: whether the call is one of several with ascending keys that probably lie behind all others; the
    ///     result is the same.
    ///   - fill: writes the value, every byte of it, and touches no table.
    /// - Throws: what the engine throws; the transaction is then to be given up.
    func put(
        _ table: RecordTable, _ key: UnsafeRawBufferPointer, count: Int, ascending: Bool,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void) throws

    /// Removes a key.
    ///
    /// - Returns: false where it was not there.
    /// - Throws: what the engine throws; the transaction is then to be given up.
    @discardableResult
    func delete(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> Bool

    /// Removes all entries of a table.
    ///
    /// - Throws: what the engine throws; the transaction is then to be given up.
    func removeAll(_ table: RecordTable) throws
}

extension RecordReader {
    public func pause<T>(_ body: () throws -> T) throws -> T { try body() }

    /// Goes through a range in ascending order of the keys.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - range: the range.
    ///   - body: is given each key with its value, which are valid during the call; false ends the walk.
    /// - Throws: what the engine and the body throw.
    @inlinable
    public func scan(
        _ table: RecordTable, _ range: KeyRange,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try scan(table, range, descending: false, body)
    }

    /// The value of a key in an array.
    ///
    /// - Throws: what the engine throws.
    public func get(_ table: RecordTable, _ key: [UInt8]) throws -> UnsafeRawBufferPointer? {
        try key.withUnsafeBytes { try get(table, $0) }
    }

    /// The value of a row key.
    ///
    /// - Throws: what the engine throws.
    @inlinable
    public func get(_ table: RecordTable, _ key: Int64) throws -> UnsafeRawBufferPointer? {
        try withUnsafeBytes(of: key.bigEndian) { try get(table, $0) }
    }
}

extension RecordWriter {
    /// Copies a value.
    ///
    /// - Throws: what the engine throws; the transaction is then to be given up.
    @inlinable
    public func put(
        _ table: RecordTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, ascending: Bool = false
    ) throws {
        try put(table, key, count: value.count, ascending: ascending) { $0.copyMemory(from: value) }
    }

    /// Copies key and value of arrays.
    ///
    /// - Throws: what the engine throws; the transaction is then to be given up.
    public func put(_ table: RecordTable, _ key: [UInt8], _ value: [UInt8] = []) throws {
        try key.withUnsafeBytes { key in try value.withUnsafeBytes { try put(table, key, $0) } }
    }

    /// Deletes an entry.
    ///
    /// - Returns: whether there was one.
    /// - Throws: what the engine throws.
    @discardableResult
    public func delete(_ table: RecordTable, _ key: [UInt8]) throws -> Bool {
        try key.withUnsafeBytes { try delete(table, $0) }
    }

    /// Deletes the entry of a row key, as eight bytes with the highest first.
    ///
    /// - Returns: whether there was one.
    /// - Throws: what the engine throws.
    @discardableResult
    @inlinable
    public func delete(_ table: RecordTable, _ key: Int64) throws -> Bool {
        try withUnsafeBytes(of: key.bigEndian) { try delete(table, $0) }
    }
}
