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
        var text = ""
        text.reserveCapacity(27)
        func append(_ number: Int64, _ digits: Int, _ separator: Character?) {
            let plain = String(number)
            for _ in plain.utf8.count..<max(digits, plain.utf8.count) { text.append("0") }
            text += plain
            if let separator { text.append(separator) }
        }
        append(year, 4, "-")
        append(month, 2, "-")
        append(dayOfMonth, 2, "T")
        append(seconds / 3600, 2, ":")
        append(seconds / 60 % 60, 2, ":")
        append(seconds % 60, 2, ".")
        append(rest % second, 6, "Z")
        return text
    }

    /// The date of a text; nil for what is none.
    static func date(_ text: String) -> Date? {
        let parts = text.split(whereSeparator: { "-T:.Z".contains($0) }).map { Int64($0) }
        guard parts.count == 7, let year = parts[0], let month = parts[1], let dayOfMonth = parts[2],
            let hour = parts[3], let minute = parts[4], let seconds = parts[5], let micro = parts[6],
            (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(dayOfMonth),
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
}
