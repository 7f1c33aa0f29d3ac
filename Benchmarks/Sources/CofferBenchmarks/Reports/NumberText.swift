import Foundation

extension Double {
    /// The number with that many digits behind the point.
    func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }

    /// Seconds as milliseconds, with digits enough for their size.
    var milliseconds: String {
        let milliseconds = self * 1000
        return milliseconds.text(milliseconds < 1 ? 3 : milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0)
    }

    /// A count in two or three digits.
    var short: String { self == 0 ? "0" : self < 0.005 ? "<0.01" : text(self < 9.95 ? 2 : self < 99.5 ? 1 : 0) }
}

extension Int {
    /// `1234567` as `1,234,567`.
    var grouped: String {
        var text = ""
        for (index, digit) in String(magnitude).enumerated() {
            if index > 0, (String(magnitude).count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }

    /// Bytes with a unit.
    var bytes: String {
        switch self {
        case ..<10_240: "\(self) B"
        case ..<10_485_760: "\((Double(self) / 1024).text(0)) KiB"
        default: "\((Double(self) / 1_048_576).text(1)) MiB"
        }
    }
}
