import CofferCore

/// Lists of values as JSON text, to be bound as one parameter and read by `json_each`.
///
/// Whole numbers and text are themselves. Where a list holds anything else every text of it is coded, by a letter in
/// front: `t` text, `x` text as hexadecimal digits of its bytes, `b` bytes, `r` the bits of a floating-point number.
/// The SQL function `coffer_value` takes the coding off.
enum SQLList {
    /// The text of a list, and whether its elements are coded.
    ///
    /// - Parameters:
    ///   - values: the elements.
    ///   - storeIdentifier: the store that keys are of.
    ///   - alwaysCodes: codes elements also where it is not necessary.
    static func json(
        _ values: [StoredValue], storeIdentifier: String? = nil, alwaysCodes: Bool = false
    ) -> (text: String, isCoded: Bool) {
        let isCoded =
            alwaysCodes
            || values.contains { value in
                switch value {
                case .null, .integer, .reference: false
                // SQLite ends a JSON text at a NUL.
                case .text(let text): text.utf8.contains(0)
                case .unsigned, .real, .blob, .references: true
                }
            }
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        bytes.reserveCapacity(values.count * 24)
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(value, isCoded, to: &bytes, storeIdentifier)
        }
        bytes.append(UInt8(ascii: "]"))
        return (String(decoding: bytes, as: UTF8.self), isCoded)
    }

    private static func append(
        _ value: StoredValue, _ isCoded: Bool, to bytes: inout [UInt8], _ storeIdentifier: String?
    ) {
        switch value {
        case .null, .references: bytes += "null".utf8
        case .integer(let number): bytes += String(number).utf8
        case .reference(let identifier):
            // No row has the key zero.
            let isHere = identifier.storeIdentifier == storeIdentifier && identifier._textKey == nil
            bytes += String(isHere ? identifier._key : 0).utf8
        case .text(let text):
            if !isCoded {
                appendText(text, prefix: nil, to: &bytes)
            } else if text.utf8.contains(0) {
                appendDigits(Array(text.utf8), "x", to: &bytes)
            } else {
                appendText(text, prefix: UInt8(ascii: "t"), to: &bytes)
            }
        case .blob(let blob): appendDigits(blob, "b", to: &bytes)
        case .unsigned(let number):
            appendDigits(withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }, "b", to: &bytes)
        case .real(let number):
            appendDigits(
                withUnsafeBytes(of: number.bitPattern.bigEndian) { [UInt8]($0) }, number.isNaN ? "b" : "r", to: &bytes)
        }
    }

    private static func appendText(_ text: String, prefix: UInt8?, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if let prefix { bytes.append(prefix) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                bytes += "\\u00".utf8
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendDigits(_ blob: [UInt8], _ prefix: Character, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(prefix.asciiValue ?? 0)
        for byte in blob {
            bytes.append(digit(byte >> 4))
            bytes.append(digit(byte & 15))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    /// The value of a coded element; nil for anything else.
    static func value(_ coded: UnsafeRawBufferPointer) -> StoredValue? {
        guard let prefix = coded.first else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: coded.dropFirst())
        switch prefix {
        case UInt8(ascii: "t"): return .text(String(decoding: rest, as: UTF8.self))
        case UInt8(ascii: "x"): return .text(String(decoding: blob(rest), as: UTF8.self))
        case UInt8(ascii: "b"): return .blob(blob(rest))
        case UInt8(ascii: "r"):
            return .real(Double(bitPattern: blob(rest).reduce(0) { $0 << 8 | UInt64($1) }))
        default: return nil
        }
    }

    private static func blob(_ digits: UnsafeRawBufferPointer) -> [UInt8] {
        (0..<digits.count / 2).map { nibble(digits[$0 * 2]) << 4 | nibble(digits[$0 * 2 + 1]) }
    }

    private static func nibble(_ digit: UInt8) -> UInt8 {
        digit >= UInt8(ascii: "a") ? digit &- UInt8(ascii: "a") &+ 10 : digit &- UInt8(ascii: "0")
    }

    /// A text that is larger than all that begin with a prefix, and not larger than any other that is larger; nil where
    /// there is none.
    static func textAfter(_ prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // After the last scalar before the surrogates comes the first one behind them.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return String(text)
        }
        return nil
    }
}
