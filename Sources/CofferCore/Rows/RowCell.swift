/// What a cell of a row holds.
@frozen
public enum CellKind: UInt8, Sendable {
    /// The row does not say: the property was not fetched, or is not part of an update.
    case absent
    /// No value.
    case null
    /// A signed integer in `bits`.
    case integer
    /// An unsigned integer above `Int64.max` in `bits`.
    case unsigned
    /// A `Double`'s bit pattern in `bits`.
    case real
    /// UTF-8 text in normalisation form C: `length` bytes of the batch's heap from the offset in `bits`.
    case text
    /// Raw bytes, kept like text.
    case blob
    /// The key of one row of the relationship's destination in `bits`; negative for a row not yet saved.
    case reference
    /// Keys of rows, in order: `length` bytes of the heap, eight to a key.
    case references
    /// An index into the batch's side table of single identifiers, for keys that are no integers.
    case identifier
    /// An index into the batch's side table of lists of identifiers.
    case identifiers
}

/// One value of a row, packed into two words.
@frozen
public struct RowCell: Sendable {
    /// The value itself, or where the batch's heap holds it.
    public var bits: UInt64
    /// The kind in the lowest byte, the length in bytes above it.
    public var info: UInt64

    /// Makes a cell of its parts; the batch's methods make those that refer to bytes.
    ///
    /// - Parameters:
    ///   - kind: what the cell holds.
    ///   - bits: the value itself, or where its bytes begin.
    ///   - length: how many bytes there are, for text, bytes and lists.
    @inlinable
    public init(_ kind: CellKind, bits: UInt64 = 0, length: Int = 0) {
        self.bits = bits
        self.info = UInt64(kind.rawValue) | UInt64(length) << 8
    }

    /// What the cell holds.
    @inlinable
    public var kind: CellKind {
        // Only the initialiser above writes `info`, so the byte is always that of a kind.
        unsafeBitCast(UInt8(truncatingIfNeeded: info), to: CellKind.self)
    }

    /// The length of text, bytes or a list of keys, in bytes.
    @inlinable
    public var length: Int { Int(info >> 8) }

    /// The value of an integer, a truth value or a link's key.
    @inlinable public var integer: Int64 { Int64(bitPattern: bits) }
    /// The value of a floating-point number or a date.
    @inlinable public var real: Double { Double(bitPattern: bits) }
}
