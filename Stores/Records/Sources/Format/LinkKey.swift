/// The key of a link: the row it leads from, in the sense of the table, and the row it leads to.
///
/// The table of a to-one relationship is kept from the far side: the keys of the rows that have the link lie together
/// under the row they lead to. A table of pairs is kept from both sides, one table each. The value is empty, or the
/// row's place in the list, four bytes with the highest first; rows without a place come after those with one, in the
/// order of their keys.
public enum LinkKey {
    /// The size of a key.
    public static let size = 16

    /// Runs a body with the bytes of a key.
    @inline(__always)
    package static func with<T>(
        _ owner: Int64, _ member: Int64, _ body: (UnsafeRawBufferPointer) throws -> T
    ) rethrows -> T {
        let key = (owner.bigEndian, member.bigEndian)
        return try withUnsafeBytes(of: key, body)
    }

    /// All links of a row.
    static func range(of owner: Int64) -> KeyRange {
        let lower = withUnsafeBytes(of: owner.bigEndian) { Array($0) }
        return KeyRange(from: lower, to: withUnsafeBytes(of: (owner &+ 1).bigEndian) { Array($0) })
    }

    /// The row at the near side.
    @inline(__always)
    public static func owner(_ key: UnsafeRawBufferPointer) -> Int64 { number(key, 0) }

    /// The row at the far side.
    @inline(__always)
    public static func member(_ key: UnsafeRawBufferPointer) -> Int64 { number(key, 8) }

    @inline(__always)
    private static func number(_ key: UnsafeRawBufferPointer, _ offset: Int) -> Int64 {
        guard key.count >= offset + 8 else { return -1 }
        return Int64(bigEndian: key.loadUnaligned(fromByteOffset: offset, as: Int64.self))
    }

    /// The place in the list that a value says; nil for none.
    @inline(__always)
    public static func place(_ value: UnsafeRawBufferPointer) -> UInt32? {
        value.count == 4 ? UInt32(bigEndian: value.loadUnaligned(as: UInt32.self)) : nil
    }
}
