import Foundation

/// Decimals as text whose byte order is the numbers' order, and which loses nothing.
///
/// A positive number is `2`, its exponent of ten plus 500 in three digits, a space, and its digits without trailing
/// zeros: 4.99 is `2501 499` (0.499 × 10¹). A negative number is `0` with every digit replaced by its complement to nine
/// and a closing `~`, so that larger magnitudes sort first. Zero is `1`, and not-a-number, which sorts first, is `-`.
public enum DecimalText {
    private static let bias = 500

    /// The text of a number.
    public static func text(_ number: Decimal) -> String {
        if number.isNaN { return "-" }
        if number.isZero { return "1" }
        var magnitude = number.magnitude
        var digits = ""
        let exponent = magnitude.exponent
        // The significand as an integer: its description then has neither point nor exponent.
        magnitude = Decimal(sign: .plus, exponent: 0, significand: magnitude.significand)
        digits = magnitude.description
        let scale = exponent + digits.utf8.count
        while digits.hasSuffix("0") { digits.removeLast() }
        let scaleText = String(scale + bias)
        let body = String(repeating: "0", count: max(0, 3 - scaleText.utf8.count)) + scaleText + " " + digits
        if number.sign == .plus { return "2" + body }
        return "0" + String(body.map { $0.wholeNumberValue.map { Character(String(9 - $0)) } ?? $0 }) + "~"
    }

    /// The number of a text; nil where it is none.
    public static func decimal(_ text: String) -> Decimal? {
        if text == "-" { return Decimal.nan }
        if text == "1" { return Decimal.zero }
        guard let sign = text.first, sign == "2" || sign == "0" else { return nil }
        var body = text.dropFirst()
        if sign == "0" {
            guard body.last == "~" else { return nil }
            body = Substring(
                body.dropLast().map { $0.wholeNumberValue.map { Character(String(9 - $0)) } ?? $0 }.map(String.init)
                    .joined())
        }
        let parts = body.split(separator: " ")
        guard parts.count == 2, let scale = Int(parts[0]), let significand = Decimal(string: String(parts[1])),
            parts[1].utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { return nil }
        return Decimal(
            sign: sign == "0" ? .minus : .plus, exponent: scale - bias - parts[1].utf8.count, significand: significand)
    }
}
