import Foundation

/// The time of a transaction as text that sorts as the times do: `2026-01-31T09:05:00.000250Z`.
///
/// Whole microseconds come back as they were, and the text does not depend on locale or calendar settings.
enum HistoryTime {
    private static let second: Int64 = 1_000_000
    private static let day: Int64 = 86_400 * second

    private static func microseconds(_ date: Date) -> Int64 {
        // Texts have four digits for the year.
        let seconds = min(max(date.timeIntervalSince1970, 0), 253_402_300_799)
        // A date that is not-a-number is before all others.
        if seconds.isNaN { return 0 }
        return Int64((seconds * Double(second)).rounded(.down))
    }

    private static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / Double(second))
    }

    /// The date that comes back from the text of a date.
    static func rounded(_ date: Date) -> Date { Self.date(microseconds(date)) }

    static func text(_ date: Date) -> String {
        let count = Int64((date.timeIntervalSince1970 * Double(second)).rounded())
        let (days, rest) = (max(count, 0) / day, max(count, 0) % day)
        // Civil dates of the Gregorian calendar: years begin in March, so that leap days come last.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let seconds = rest / second
        return String(unsafeUninitializedCapacity: 27) { bytes in
            var place = 0
            func append(_ number: Int64, _ digits: Int, _ separator: Unicode.Scalar) {
                var rest = number
                for digit in (place..<place + digits).reversed() {
                    bytes[digit] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                bytes[place + digits] = UInt8(ascii: separator)
                place += digits + 1
            }
            append(year, 4, "-")
            append(month, 2, "-")
            append(dayOfMonth, 2, "T")
            append(seconds / 3600, 2, ":")
            append(seconds / 60 % 60, 2, ":")
            append(seconds % 60, 2, ".")
            append(rest % second, 6, "Z")
            return place
        }
    }

    /// The date of a text; nil for what is none.
    static func date(_ text: String) -> Date? {
        guard let parts = numbers(text) else { return nil }
        let (year, month, dayOfMonth, hour, minute) = (parts[0], parts[1], parts[2], parts[3], parts[4])
        let (seconds, micro) = (parts[5], parts[6])
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(dayOfMonth),
            (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(seconds), (0..<second).contains(micro)
        else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + dayOfMonth - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return date(days * day + ((hour * 60 + minute) * 60 + seconds) * second + micro)
    }

    /// The seven numbers of a text; nil where it has others.
    private static func numbers(_ text: String) -> SIMD8<Int64>? {
        var numbers = SIMD8<Int64>()
        var (count, digits) = (0, 0)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if digits == 0 { count += 1 }
                digits += 1
                // No part has more, and none can become too large.
                if count > 7 || digits > 6 { return nil }
                numbers[count - 1] = numbers[count - 1] * 10 + Int64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "-"), UInt8(ascii: "T"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "Z"):
                digits = 0
            default: return nil
            }
        }
        return count == 7 ? numbers : nil
    }
}
