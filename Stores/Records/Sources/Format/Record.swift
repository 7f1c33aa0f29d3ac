import CofferCore

/// One row as it is stored, read in place: nothing is decoded but what is asked for.
///
/// A record is a header of eight bytes, one byte for the kind of each field, one little-endian word of eight bytes for
/// each field, and a heap with the bytes of text and blobs. `Docs/Formats.md` has the details. Fields are numbered by
/// the store's layout (``RecordSpace``), not by the class: a property keeps its field when others come.
///
/// A record is a view of memory that belongs to an engine; it is valid as long as that memory is.
public struct Record {
    /// The version of the format that this version of Coffer writes.
    public static let version: UInt8 = 1
    /// The bytes before the kinds.
    public static let headerSize = 8

    /// The whole record.
    public let bytes: UnsafeRawBufferPointer
    /// How many fields it has.
    public let fieldCount: Int
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let heapStart: Int

    /// Looks at a record.
    ///
    /// - Throws: `corruptStore` where the bytes are no record, `newerStoreFormat` where they are one of a later format.
    @inlinable @inline(__always)
    public init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count >= Self.headerSize, let base = bytes.baseAddress,
            base.load(as: UInt8.self) == Self.version
        else { throw Self.misread(bytes) }
        let count = Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: 4, as: UInt16.self)))
        let heapStart = Self.headerSize &+ count &* 9
        guard heapStart <= bytes.count else { throw Self.misread(bytes) }
        self.bytes = bytes
        self.base = base
        fieldCount = count
        self.heapStart = heapStart
    }

    /// The same for a record that has to have some number of fields: others are not to be asked for.
    ///
    /// - Throws: `corruptStore` for one with fewer, too.
    @inlinable @inline(__always)
    public init(_ bytes: UnsafeRawBufferPointer, fields: Int) throws {
        try self.init(bytes)
        guard fieldCount >= fields else { throw Self.misread(bytes) }
    }

    /// The number that the store's layout gives the row's entity.
    @inlinable
    public var entity: Int { Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: 2, as: UInt16.self))) }

    /// What a field holds: nothing, a number, text, bytes or a link. There has to be such a field, as for what follows.
    @inlinable @inline(__always)
    public func kind(_ field: Int) -> CellKind {
        // Bytes that are no kind are told from damage when the value is read; here they must not be undefined.
        Self.kind(base.load(fromByteOffset: Self.headerSize &+ field, as: UInt8.self))
    }

    /// A field's word: the number or key itself, or offset and length in the heap.
    @inlinable @inline(__always)
    public func word(_ field: Int) -> UInt64 {
        UInt64(
            littleEndian: base.loadUnaligned(
                fromByteOffset: Self.headerSize &+ fieldCount &+ field &* 8, as: UInt64.self))
    }

    /// The value of a field that holds an integer, a truth value or a link.
    @inlinable public func integer(_ field: Int) -> Int64 { Int64(bitPattern: word(field)) }
    /// The value of a field that holds a floating-point number or a date.
    @inlinable public func real(_ field: Int) -> Double { Double(bitPattern: word(field)) }

    /// The bytes of a text or blob field; empty where they would lie outside the record.
    @inlinable @inline(__always)
    public func bytes(_ field: Int) -> UnsafeRawBufferPointer {
        let word = word(field)
        let offset = Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
        let length = Int(truncatingIfNeeded: word >> 32)
        guard heapStart &+ offset &+ length <= bytes.count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: base + (heapStart &+ offset), count: length)
    }

    /// All the bytes of text and blobs.
    @inlinable
    public var heap: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + heapStart, count: bytes.count &- heapStart)
    }

    /// The key that a link field leads to; nil where it leads nowhere.
    @inlinable
    public func link(_ field: Int) -> Int64? {
        field < fieldCount && kind(field) == .reference ? integer(field) : nil
    }

    @usableFromInline @inline(__always)
    static func kind(_ byte: UInt8) -> CellKind {
        byte &- 1 <= CellKind.reference.rawValue &- 1 ? unsafeBitCast(byte, to: CellKind.self) : .null
    }

    @usableFromInline @inline(never)
    static func misread(_ bytes: UnsafeRawBufferPointer) -> SwiftDataError {
        if let version = bytes.first, version > Self.version {
            return SwiftDataError(
                .newerStoreFormat,
                detail: "a record has the format \(version), and this version of Coffer knows \(Self.version)")
        }
        return SwiftDataError(.corruptStore, detail: "a record is damaged")
    }
}
