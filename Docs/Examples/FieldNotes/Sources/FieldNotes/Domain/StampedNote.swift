import Foundation

/// A note as devices and station exchange it: each field with the stamp of the change that it is from.
///
/// The conflict rule is ``merge(_:)``, and there is no other: **of two changes of one field the later one counts.** It
/// does not matter in which order changes arrive, nor how often, so all that have heard of the same changes have the same
/// notes. A removal is a change of the field `isRemoved`: edits of other fields do not bring a note back.
public struct StampedNote: Codable, Hashable, Identifiable, Sendable {
    /// A value and where it is from.
    public struct Entry: Codable, Hashable, Sendable {
        public var value: FieldValue
        public var stamp: Stamp
    }

    public let id: UUID
    public private(set) var entries: [FieldNote.Field: Entry]

    public init(id: UUID, entries: [FieldNote.Field: Entry] = [:]) {
        self.id = id
        self.entries = entries
    }

    /// The note that an edit describes.
    public init(_ edit: NoteEdit) {
        id = edit.note
        entries = edit.fields.mapValues { Entry(value: $0, stamp: edit.stamp) }
    }

    /// The latest change of any field.
    public var latest: Stamp? { entries.values.map(\.stamp).max() }

    public var isRemoved: Bool { entries[.isRemoved]?.value == .flag(true) }

    /// Takes over what is later in another version of the note.
    ///
    /// - Returns: the fields that are different now.
    @discardableResult
    public mutating func merge(_ other: StampedNote) -> Set<FieldNote.Field> {
        var changed: Set<FieldNote.Field> = []
        for (field, theirs) in other.entries {
            if let ours = entries[field], ours.stamp >= theirs.stamp { continue }
            if entries[field]?.value != theirs.value { changed.insert(field) }
            entries[field] = theirs
        }
        return changed
    }

    /// Takes an edit back, where nothing later has been written over it.
    ///
    /// - Parameter known: what was there before; nil where there was nothing.
    public mutating func revert(_ edit: NoteEdit, to known: StampedNote?) {
        for field in edit.fields.keys where entries[field]?.stamp == edit.stamp {
            entries[field] = known?.entries[field]
        }
    }

    /// The note for whoever reads it; nil where it was removed, or has no subject yet.
    public var note: FieldNote? {
        guard !isRemoved, case .text(let subject) = entries[.subject]?.value else { return nil }
        var note = FieldNote(id: id, subject: subject, place: "")
        if case .text(let place) = entries[.place]?.value { note.place = place }
        if case .text(let remarks) = entries[.remarks]?.value { note.remarks = remarks }
        if case .number(let count) = entries[.count]?.value { note.count = count }
        return note
    }
}
