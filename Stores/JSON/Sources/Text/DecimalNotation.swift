import CofferCore
import Foundation

/// Decimal numbers as people write them, to and from the form in which stores keep them (see `DecimalText`).
///
/// Digits are moved, never computed with, so nothing is lost: `2501 499` is `4.99`.
enum DecimalNotation {
    private static let bias = 500
    /// How many zeros are written out before an exponent is.
    private static let mostZeros = 6
    private static let mostDigits = 39

    /// The notation of a stored number; nil where the text is none.
    static func notation(_ stored: String) -> String? {
        switch stored {
        case "-": return "nan"
        case "1": return "0"
        default: break
        }
        guard let sign = stored.first, sign == "2" || sign == "0" && stored.last == "~" else { return nil }
        var body = stored.dropFirst().map { $0 }
        if sign == "0" {
            body.removeLast()
            body = body.map { digit in digit.wholeNumberValue.map { Character(String(9 - $0)) } ?? digit }
        }
        let parts = String(body).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let scale = Int(parts[0]), !parts[1].isEmpty else { return nil }
        return (sign == "0" ? "-" : "") + written(parts[1], scale: scale - bias)
    }

    /// 0.*digits* × 10^*scale*.
    private static func written(_ digits: String, scale: Int) -> String {
        let count = digits.utf8.count
        switch scale {
        case 1...count where scale == count: return digits
        case 1..<max(count, 2) where scale < count: return digits.prefix(scale) + "." + digits.dropFirst(scale)
        case (-mostZeros)...0: return "0." + String(repeating: "0", count: -scale) + digits
        case count...(count + mostZeros): return digits + String(repeating: "0", count: scale - count)
        default:
            let rest = digits.dropFirst()
            return digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e\(scale - 1)"
        }
    }

    /// The stored form of a notation; nil where it is no decimal number, or one that `Decimal` does not have.
    static func stored(_ notation: String) -> String? {
        if notation == "nan" { return "-" }
        var rest = notation[...]
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        var exponent = 0
        if let mark = rest.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            guard let number = Int(rest[rest.index(after: mark)...]), abs(number) < 1000 else { return nil }
            exponent = number
            rest = rest[..<mark]
        }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        guard !parts[0].isEmpty || !fraction.isEmpty else { return nil }
        var digits = (parts[0] + fraction)[...]
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        var scale = parts[0].utf8.count + exponent
        while digits.first == "0" {
            digits.removeFirst()
            scale -= 1
        }
        while digits.last == "0" { digits.removeLast() }
        if digits.isEmpty { return "1" }
        guard digits.utf8.count <= mostDigits, scale + bias > 0, scale + bias < 1000 else { return nil }
        let number = String(scale + bias)
        var body = String(repeating: "0", count: 3 - number.utf8.count) + number + " " + digits
        if isNegative {
            body = String(body.map { digit in digit.wholeNumberValue.map { Character(String(9 - $0)) } ?? digit }) + "~"
        }
        let stored = (isNegative ? "0" : "2") + body
        // At the limits of what `Decimal` can say, it is asked itself.
        if digits.utf8.count > 37 || abs(scale) > 80 {
            guard let decimal = DecimalText.decimal(stored), DecimalText.text(decimal) == stored else { return nil }
        }
        return stored
    }
}
