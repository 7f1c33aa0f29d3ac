/// FNV-1a, which is the same in every process.
struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}

/// Writes the parts of a page token.
struct PageTokenWriter {
    private var bytes: [UInt8] = []

    mutating func put(byte: UInt8) { bytes.append(byte) }

    mutating func put(_ word: UInt64) { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }

    mutating func put(_ text: String) { put(content: Array(text.utf8)) }

    private mutating func put(content: [UInt8]) {
        put(UInt64(content.count))
        bytes += content
    }

    mutating func put(_ value: StoredValue) {
        switch value {
        case .integer(let number):
            put(byte: 1)
            put(UInt64(bitPattern: number))
        case .unsigned(let number):
            put(byte: 2)
            put(number)
        case .real(let number):
            put(byte: 3)
            put(number.bitPattern)
        case .text(let text):
            put(byte: 4)
            put(text)
        case .blob(let content):
            put(byte: 5)
            put(content: content)
        case .null, .reference, .references: put(byte: 0)
        }
    }

    /// All of it, with a checksum in front.
    func checked() -> [UInt8] {
        var hash = StableHash()
        hash.combine(bytes)
        return withUnsafeBytes(of: hash.value.littleEndian) { Array($0) } + bytes
    }
}

/// Reads the parts of a page token; nil where they end too early.
struct PageTokenReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    /// Whether the bytes behind the checksum are those it was made of.
    mutating func checksum() -> Bool {
        guard let sum = word() else { return false }
        var hash = StableHash()
        hash.combine(bytes[index...])
        return sum == hash.value
    }

    mutating func byte() -> UInt8? {
        guard index < bytes.count else { return nil }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func word() -> UInt64? {
        guard bytes.count - index >= 8 else { return nil }
        defer { index += 8 }
        return bytes[index..<index + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func text() -> String? { content().map { String(decoding: $0, as: UTF8.self) } }

    private mutating func content() -> [UInt8]? {
        guard let count = word().flatMap({ Int(exactly: $0) }), count <= bytes.count - index else { return nil }
        defer { index += count }
        return Array(bytes[index..<index + count])
    }

    mutating func value() -> StoredValue? {
        switch byte() {
        case 0: .null
        case 1: word().map { .integer(Int64(bitPattern: $0)) }
        case 2: word().map { .unsigned($0) }
        case 3: word().map { .real(Double(bitPattern: $0)) }
        case 4: text().map { .text($0) }
        case 5: content().map { .blob($0) }
        default: nil
        }
    }
}
