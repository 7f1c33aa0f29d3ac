/// Changes bytes as somebody would who does not know what they mean, or knows it all too well; the same for a seed.
struct Mutation {
    private var state: UInt64
    private let others: [[UInt8]]

    /// - Parameter others: what pieces are taken from.
    init(seed: UInt64, others: [[UInt8]]) {
        state = seed
        self.others = others
    }

    mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((word ^ (word >> 31)) % UInt64(max(bound, 1)))
    }

    /// What numbers are replaced by.
    private static let numbers = [
        "0", "-1", "1", "65536", "2147483648", "4294967295", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", "18446744073709551615", "1e309", "-0.0", "1e-400", "0.1",
    ].map { Array($0.utf8) }

    private static let pieces = [
        "null", "true", "[]", "{}", "\"\"", "\"\\u0000\"", "[[", "{\"a\":", "\u{FFFD}", "\0", "\n", "'", "\\", "((((",
        "\"",
    ].map { Array($0.utf8) }

    mutating func mutate(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0...next(4) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = next(bytes.count + 1)
        switch next(10) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(next(8)) }
        case 1: if place < bytes.count { bytes[place] = UInt8(next(256)) }
        case 2: bytes.insert(UInt8(next(256)), at: place)
        case 3: bytes.removeSubrange(place..<min(place + next(8) + 1, bytes.count))
        case 4: bytes.removeSubrange(place...)
        case 5:
            let piece = bytes[place..<min(place + next(64), bytes.count)]
            bytes.insert(contentsOf: piece, at: next(bytes.count + 1))
        case 6:
            let other = others[next(others.count)]
            let start = next(other.count + 1)
            bytes.insert(contentsOf: other[start..<min(start + next(64), other.count)], at: place)
        case 7: bytes.insert(contentsOf: Self.pieces[next(Self.pieces.count)], at: place)
        case 8:
            // A word of little-endian ones that mean a length somewhere.
            let word: [UInt8] = [[0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0x80], [0xFF, 0xFF, 0xFF, 0xFF]][next(3)]
            for (offset, byte) in word.enumerated() where place + offset < bytes.count { bytes[place + offset] = byte }
        default: replaceNumber(&bytes, from: place)
        }
    }

    /// Replaces the next number by another one.
    private mutating func replaceNumber(_ bytes: inout [UInt8], from place: Int) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start..<end, with: Self.numbers[next(Self.numbers.count)])
    }
}
