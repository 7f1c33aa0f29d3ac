import Foundation

/// Work on text by characters, on stored bytes: UTF-8 in normalisation form C.
public enum FilterText {
    /// The number of characters, as `String.count` gives it.
    ///
    /// Complexity: O(*bytes*), without making a string where the text is ASCII.
    public static func characterCount(_ text: UnsafeRawBufferPointer) -> Int {
        // In ASCII every byte is a character, but a carriage return takes the line feed behind it along.
        if text.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) { return text.count }
        return String(decoding: text, as: UTF8.self).count
    }

    /// Whether the characters of a part come one after another in a text.
    static func contains(_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool {
        if part.isEmpty { return true }
        guard let start = firstOffset(of: part, in: text) else { return false }
        // Equal characters have equal bytes in normalisation form C, but equal bytes can begin or end inside a
        // character.
        if isBreak(text, at: start), isBreak(text, at: start + part.count) { return true }
        let text = String(decoding: text, as: UTF8.self)
        let part = String(decoding: part, as: UTF8.self)
        return text.indices.contains { text[$0...].starts(with: part) }
    }

    /// Where the bytes of a part stand first.
    private static func firstOffset(of part: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
        guard let base = text.baseAddress, let needle = part.baseAddress else { return nil }
        var offset = 0
        while offset + part.count <= text.count {
            let candidates = text.count - part.count - offset + 1
            guard let hit = memchr(base + offset, Int32(part[0]), candidates) else { return nil }
            if Foundation.memcmp(hit, needle, part.count) == 0 { return UnsafeRawPointer(hit) - base }
            offset = UnsafeRawPointer(hit) - base + 1
        }
        return nil
    }

    static func starts(_ text: UnsafeRawBufferPointer, with part: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= part.count, memcmp(text, part, part.count) else { return false }
        if isBreak(text, at: part.count) { return true }
        return String(decoding: text, as: UTF8.self).starts(with: String(decoding: part, as: UTF8.self))
    }

    static func ends(_ text: UnsafeRawBufferPointer, with part: UnsafeRawBufferPointer) -> Bool {
        let start = text.count - part.count
        guard start >= 0, memcmp(UnsafeRawBufferPointer(rebasing: text[start...]), part, part.count) else {
            return false
        }
        if isBreak(text, at: start) { return true }
        return String(decoding: text, as: UTF8.self).hasSuffix(String(decoding: part, as: UTF8.self))
    }

    private static func memcmp(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ count: Int) -> Bool {
        guard count > 0, let left = left.baseAddress, let right = right.baseAddress else { return true }
        return Foundation.memcmp(left, right, count) == 0
    }

    /// Whether one character surely ends and another begins at an offset: at either end, and between ASCII bytes.
    private static func isBreak(_ text: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        if offset == 0 || offset == text.count { return true }
        let (before, after) = (text[offset - 1], text[offset])
        return before < 0x80 && after < 0x80 && !(before == 0x0D && after == 0x0A)
    }
}

extension FilterTextTest {
    /// Whether a text passes the test with a part; both are stored bytes.
    public func matches(_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .contains: FilterText.contains(text, part)
        case .startsWith: FilterText.starts(text, with: part)
        case .endsWith: FilterText.ends(text, with: part)
        case .localizedStandardContains:
            String(decoding: text, as: UTF8.self).localizedStandardContains(String(decoding: part, as: UTF8.self))
        }
    }

    func matches(_ text: String, _ part: String) -> Bool {
        var (text, part) = (text, part)
        return text.withUTF8 { text in
            part.withUTF8 { part in matches(UnsafeRawBufferPointer(text), UnsafeRawBufferPointer(part)) }
        }
    }
}

extension FilterTextOrder {
    /// How one text compares with another, whichever way the characters of each are composed.
    public func compare(_ left: String, _ right: String) -> ComparisonResult {
        // Foundation tells compositions apart. Swift does not, and stores keep one of them only.
        let (left, right) = (TextNormalisation.normalised(left), TextNormalisation.normalised(right))
        return switch self {
        case .caseInsensitiveCompare: left.caseInsensitiveCompare(right)
        case .localizedCompare: left.localizedCompare(right)
        case .localizedStandardCompare: left.localizedStandardCompare(right)
        }
    }
}
