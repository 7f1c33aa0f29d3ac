import CofferCore

/// The index of the words of a space's texts, as `#FullText` declares them.
///
/// It has an entry for every different word of every text: the word (see `TextWords`), a zero byte, the field in two bytes
/// and the row key in eight, the highest first. So the rows with a word lie together, by field, and the words that begin
/// alike beside each other.
struct RecordWords: Sendable {
    let table: RecordTable
    /// The fields with the texts, in ascending order.
    let fields: [Int]

    /// What stands behind a word.
    static let tailSize = 11

    /// How many bytes of a word an entry has; only an engine with very short keys cuts any.
    static func longestWord(maximumKeySize: Int) -> Int { max(maximumKeySize - tailSize, 1) }

    /// The field of an entry, which ends with it and the row key.
    @inline(__always)
    static func field(_ entry: UnsafeRawBufferPointer) -> Int {
        guard entry.count >= tailSize - 1 else { return -1 }
        return Int(UInt16(bigEndian: entry.loadUnaligned(fromByteOffset: entry.count - 10, as: UInt16.self)))
    }
}
