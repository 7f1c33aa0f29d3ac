/// A range of keys in the order of their bytes: from one on, up to but without another.
public struct KeyRange: Hashable, Sendable {
    /// The first key that belongs to the range; empty for a range that has no beginning.
    public var lower: [UInt8]
    /// The first key behind the range; nil for a range that has no end.
    public var upper: [UInt8]?

    /// Makes a range.
    ///
    /// - Parameters:
    ///   - lower: the first key that may be in it; empty for the beginning of the table.
    ///   - upper: the first key behind it; nil for the end of the table.
    public init(from lower: [UInt8] = [], to upper: [UInt8]? = nil) {
        self.lower = lower
        self.upper = upper
    }

    /// All keys.
    public static let all = KeyRange()

    /// All keys that begin with some bytes.
    public init(prefix: [UInt8]) {
        lower = prefix
        upper = Self.successor(of: prefix)
    }

    /// The least key behind all that begin with some bytes; nil where there is none.
    public static func successor(of prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        var bytes = Array(prefix[...last])
        bytes[last] += 1
        return bytes
    }
}
