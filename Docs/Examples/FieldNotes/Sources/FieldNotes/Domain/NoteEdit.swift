import Foundation

/// When a change was made, and on which device: the order in which changes count.
///
/// Clocks of devices differ. Whoever has seen a stamp makes later ones than that (``after(_:on:at:)``), so that a change
/// that answers another one never counts as older, whatever the clocks say.
public struct Stamp: Codable, Hashable, Comparable, Sendable {
    /// In milliseconds since 1970.
    public let time: Int64
    public let device: String

    public init(time: Int64, device: String) {
        self.time = time
        self.device = device
    }

    /// The stamp of a change that is made now, by somebody who has seen another stamp.
    public static func after(_ latest: Stamp?, on device: String, at date: Date) -> Stamp {
        let now = Int64(date.timeIntervalSince1970 * 1000)
        return Stamp(time: max(now, (latest?.time ?? 0) + 1), device: device)
    }

    /// By time; of two changes in the same millisecond the device's name decides, the same way everywhere.
    public static func < (left: Stamp, right: Stamp) -> Bool {
        (left.time, left.device) < (right.time, right.device)
    }
}

/// A change of one note that was made at once: what waits in the queue, and what the station is told.
public struct NoteEdit: Codable, Hashable, Identifiable, Sendable {
    public let id: UUID
    public let note: UUID
    public let fields: [FieldNote.Field: FieldValue]
    public let stamp: Stamp

    public init(id: UUID = UUID(), note: UUID, fields: [FieldNote.Field: FieldValue], stamp: Stamp) {
        self.id = id
        self.note = note
        self.fields = fields
        self.stamp = stamp
    }
}
