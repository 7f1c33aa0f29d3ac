import Foundation
import SwiftData

/// A note in the store. Nobody outside of this folder sees one: a model belongs to its context, values go anywhere.
@Model final class StoredNote {
    @Attribute(.unique) var key: UUID
    // What lists sort and filter by, as columns of their own.
    var subject: String
    var place: String
    var isRemoved: Bool
    /// The whole note, with the stamps of its fields.
    var stamped: StampedNote

    init(_ note: StampedNote) {
        key = note.id
        stamped = note
        let value = note.note
        subject = value?.subject ?? ""
        place = value?.place ?? ""
        isRemoved = value == nil
    }

    func update(_ note: StampedNote) {
        stamped = note
        let value = note.note
        subject = value?.subject ?? subject
        place = value?.place ?? place
        isRemoved = value == nil
    }
}

/// An edit that the station has not been told of, in the order in which edits were made.
@Model final class PendingEdit {
    #Index<PendingEdit>([\.number])
    @Attribute(.unique) var key: UUID
    var number: Int
    var edit: NoteEdit
    /// How often it was sent without an answer.
    var attempts = 0

    init(_ edit: NoteEdit, number: Int) {
        key = edit.id
        self.number = number
        self.edit = edit
    }
}

/// What a device knows of the station; there is one of it.
@Model final class SyncState {
    /// Up to where the station's notes have been taken in.
    var revision = 0
    /// The number of the latest edit.
    var lastNumber = 0
    /// The latest stamp that was seen.
    var latest: Stamp?

    init() {}
}
