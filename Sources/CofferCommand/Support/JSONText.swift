/// Writes JSON.
enum JSONText {
    /// Text in quotation marks.
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x2028 || scalar.value == 0x2029:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func bool(_ value: Bool) -> String { value ? "true" : "false" }

    /// A list of values that are JSON already.
    static func array(_ values: some Sequence<String>) -> String { "[" + values.joined(separator: ", ") + "]" }

    /// Members with values that are JSON already.
    static func object(_ members: some Sequence<(String, String)>) -> String {
        "{" + members.map { "\(string($0.0)): \($0.1)" }.joined(separator: ", ") + "}"
    }

    /// A number; text for those that JSON lacks. Not-a-number with other bits than the usual ones has them in brackets.
    static func real(_ number: Double) -> String {
        if number.isFinite { return number.description }
        if number.isInfinite { return number < 0 ? "\"-inf\"" : "\"inf\"" }
        if number.bitPattern == Double.nan.bitPattern { return "\"nan\"" }
        return "\"nan(\(String(number.bitPattern, radix: 16)))\""
    }

    /// The number of what ``real(_:)`` writes as text; nil where it is none of these.
    static func real(named text: String) -> Double? {
        switch text {
        case "nan": return .nan
        case "inf": return .infinity
        case "-inf": return -.infinity
        default:
            guard text.hasPrefix("nan("), text.hasSuffix(")"),
                let bits = UInt64(text.dropFirst(4).dropLast(), radix: 16), Double(bitPattern: bits).isNaN
            else { return nil }
            return Double(bitPattern: bits)
        }
    }
}
