import Foundation

/// Swift compares text by canonical equivalence; stores compare bytes. Text kept in normalisation form C makes the two
/// the same, in equality and in order.
@usableFromInline
enum TextNormalisation {
    /// Whether the bytes are certainly in normalisation form C; false means only that it takes a closer look.
    ///
    /// Everything below U+0300 is (precomposed Latin included), and so are the large blocks of letters that neither
    /// decompose nor combine: Cyrillic without marks, CJK ideographs, Hangul syllables, kana without marks, emoji.
    ///
    /// Complexity: O(*bytes*), eight bytes at a time while they are ASCII.
    @usableFromInline
    static func isSurelyNormal(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = bytes.count
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return true }
        var index = 0
        while index + 8 <= count {
            if base.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { break }
            index += 8
        }
        while index < count {
            let first = bytes[index]
            if first < 0x80 {
                index += 1
            } else if first < 0xCC {
                index += 2
            } else {
                return scan(bytes, from: index)
            }
        }
        return true
    }

    private static func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
        var decoder = UTF8()
        var rest = bytes[start...].makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&rest) {
            switch scalar.value {
            case 0..<0x300, 0x400...0x482, 0x2010...0x2027, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF,
                0xAC00...0xD7A3, 0x1F300...0x1FAFF:
                continue
            default:
                return false
            }
        }
        return true
    }

    /// The text in normalisation form C.
    @usableFromInline
    static func normalised(_ text: String) -> String {
        var text = text
        return text.withUTF8 { isSurelyNormal($0) } ? text : text.precomposedStringWithCanonicalMapping
    }
}
