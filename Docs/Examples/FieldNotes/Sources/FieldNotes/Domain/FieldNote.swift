import Foundation

/// What somebody saw, where and when: a value that may go anywhere, and knows nothing of how it is kept.
public struct FieldNote: Identifiable, Hashable, Sendable {
    public let id: UUID
    public var subject: String
    public var place: String
    public var remarks: String
    public var count: Int

    public init(id: UUID = UUID(), subject: String, place: String, remarks: String = "", count: Int = 1) {
        self.id = id
        self.subject = subject
        self.place = place
        self.remarks = remarks
        self.count = count
    }
}

extension FieldNote {
    /// What can be changed by itself. Two people who change different fields of a note do not disturb each other.
    public enum Field: String, Codable, CaseIterable, Sendable {
        case subject, place, remarks, count
        /// Whether the note was thrown away. It is a field like the others, so that a removal can lose, too.
        case isRemoved
    }

    /// The value of a field, in the form in which it travels.
    public func value(of field: Field) -> FieldValue {
        switch field {
        case .subject: .text(subject)
        case .place: .text(place)
        case .remarks: .text(remarks)
        case .count: .number(count)
        case .isRemoved: .flag(false)
        }
    }

    /// The fields in which a note differs from an older one, with what they are now.
    public func changes(since old: FieldNote?) -> [Field: FieldValue] {
        var changes: [Field: FieldValue] = [:]
        for field in Field.allCases where old?.value(of: field) != value(of: field) {
            changes[field] = value(of: field)
        }
        return changes
    }
}

/// The value of a field while it travels or waits.
public enum FieldValue: Codable, Hashable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
}
