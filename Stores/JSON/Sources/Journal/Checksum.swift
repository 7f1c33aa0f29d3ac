/// CRC-32 as in ZIP, PNG and Ethernet.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
    }

    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        var rest = UInt32.max
        for byte in bytes { rest = table[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] ^ rest >> 8 }
        return ~rest
    }

    /// The eight digits at the beginning of a line.
    static func digits(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let text = String(crc32(bytes), radix: 16)
        return Array((String(repeating: "0", count: 8 - text.utf8.count) + text).utf8)
    }
}
