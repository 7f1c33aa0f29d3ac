import CofferCore
import Foundation

/// The key of an index entry: some values of a row in an order-preserving form, and the row's key.
///
/// The order of the bytes is the order of the values as every store has it: nil first, then integers, unsigned numbers
/// above them, floating-point numbers, not-a-number, text by scalars, bytes, links. A value ends where the next begins,
/// so that the keys of rows with equal first values lie together, in the order of the next.
///
/// Keys have a greatest length. A longer text is cut and marked, with a hash of all of it behind the cut: keys that share
/// a cut prefix are equal to the index but for that hash, and the record has to be looked at. ``isLossy`` says so.
///
/// Use one value again and again: it keeps its memory.
public struct IndexKey {
    /// What a value begins with; its order is the order of kinds.
    enum Tag: UInt8 {
        case null = 0x01
        case integer, unsigned, real, notANumber, text, blob, reference
        /// Behind every value of any kind.
        case end = 0x20
    }

    /// What stands behind the zero byte at the end of text: nothing of an index key that may come there is equal.
    static let cutMark: UInt8 = 0xFE
    static let escapeMark: UInt8 = 0xFF
    /// Behind an encoded value, it is greater than any key that begins with the value alone.
    static let behind: UInt8 = 0x80
    /// The bytes of a row key.
    static let rowKeySize = 8

    /// The key so far.
    public private(set) var bytes: [UInt8] = []
    /// Whether different values may have this key's bytes.
    public private(set) var isLossy = false
    /// How many bytes of a text or blob are kept.
    let longestValue: Int

    /// A writer of keys.
    ///
    /// - Parameters:
    ///   - valueCount: the number of values in the index.
    ///   - maximumSize: the longest key.
    public init(valueCount: Int, maximumSize: Int) {
        // Each text takes a tag, twice its bytes at worst, an end or a cut with its hash.
        let room = (maximumSize - Self.rowKeySize) / max(valueCount, 1) - 11
        longestValue = max(room / 2, 1)
        bytes.reserveCapacity(min(maximumSize, 512))
    }

    /// The entry of a stored row in an index.
    init(of index: RecordIndex, _ record: Record, _ key: Int64, maximumSize: Int) {
        self.init(valueCount: index.fields.count, maximumSize: maximumSize)
        for field in index.fields {
            let kind = record.kind(field)
            let holdsBytes = kind == .text || kind == .blob
            append(
                kind, word: record.word(field),
                content: holdsBytes ? record.bytes(field) : UnsafeRawBufferPointer(start: nil, count: 0))
        }
        append(row: key)
    }

    /// Begins a new key.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isLossy = false
    }

    /// Appends a value.
    ///
    /// - Parameters:
    ///   - kind: what the value is.
    ///   - word: a number's or a link's bits.
    ///   - content: the bytes of text and blobs.
    public mutating func append(_ kind: CellKind, word: UInt64, content: UnsafeRawBufferPointer) {
        switch kind {
        case .integer: append(.integer, word ^ (1 << 63))
        case .unsigned: append(.unsigned, word)
        case .reference: append(.reference, word ^ (1 << 63))
        case .real:
            let number = Double(bitPattern: word)
            if number.isNaN {
                bytes.append(Tag.notANumber.rawValue)
                isLossy = true
            } else {
                // Both zeros are one value.
                let bits = number == 0 ? 0 : word
                append(.real, bits >> 63 == 0 ? bits | (1 << 63) : ~bits)
            }
        case .text: append(.text, content)
        case .blob: append(.blob, content)
        case .absent, .null, .references, .identifier, .identifiers: bytes.append(Tag.null.rawValue)
        }
    }

    /// Appends the row's key, which completes the entry.
    public mutating func append(row key: Int64) { append(UInt64(bitPattern: key)) }

    /// Appends one byte, for the bounds of ranges.
    mutating func append(mark: UInt8) { bytes.append(mark) }

    private mutating func append(_ tag: Tag, _ number: UInt64) {
        bytes.append(tag.rawValue)
        append(number)
    }

    private mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ tag: Tag, _ content: UnsafeRawBufferPointer) {
        bytes.append(tag.rawValue)
        let isCut = content.count > longestValue
        let kept = isCut ? UnsafeRawBufferPointer(rebasing: content[..<longestValue]) : content
        if kept.contains(0) {
            for byte in kept {
                bytes.append(byte)
                if byte == 0 { bytes.append(Self.escapeMark) }
            }
        } else {
            bytes.append(contentsOf: kept)
        }
        bytes.append(0)
        if isCut {
            bytes.append(Self.cutMark)
            append(Self.hash(content))
            isLossy = true
        }
    }

    /// FNV-1a by words; part of the format.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            hash = (hash ^ word) &* 0x0000_0100_0000_01B3
            hash ^= hash >> 29
            offset += 8
        }
        while offset < bytes.count {
            hash = (hash ^ UInt64(bytes[offset])) &* 0x0000_0100_0000_01B3
            offset += 1
        }
        return hash
    }

    /// The row key at the end of an entry; nil where the entry is too short to be one.
    @inline(__always)
    public static func row(_ entry: UnsafeRawBufferPointer) -> Int64? {
        guard entry.count >= rowKeySize else { return nil }
        return Int64(bigEndian: entry.loadUnaligned(fromByteOffset: entry.count - rowKeySize, as: Int64.self))
    }
}
