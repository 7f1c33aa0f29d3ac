import FieldNotes
import Foundation

/// One run of the command, over a store that is open.
@MainActor struct Session {
    private let words: [String]
    private let notes: StoredNotes
    private let list: NoteList
    private let station: URL

    init(_ invocation: Invocation) throws {
        let container = try invocation.store.open(in: invocation.folder)
        words = invocation.words
        notes = StoredNotes(container, device: invocation.device)
        list = try NoteList(container, notes: notes)
        station = invocation.station
    }

    func run(_ show: (String) -> Void) async throws {
        switch (words.first, words.dropFirst().count) {
        case ("add", 2...3):
            try await notes.write(
                FieldNote(subject: words[1], place: words[2], remarks: words.dropFirst(3).first ?? ""))
        case ("list", 0...1):
            list.search = words.dropFirst().first ?? ""
            for row in list.rows { show(line(row)) }
            if list.waiting > 0 { show("\(list.waiting) waiting for the station") }
        case ("set", 3):
            try await notes.write(changed(row(words[1]).note, words[2], to: words[3]))
        case ("remove", 1):
            try await notes.remove(row(words[1]).id)
        case ("sync", 0):
            let outcome = try await SyncQueue(notes, with: LocalStation(file: station)).sync()
            show("sent \(outcome.sent), received \(outcome.received)")
            for reason in outcome.refused.values.sorted() { show("refused: \(reason)") }
        default: throw UsageError(words.isEmpty ? "what shall be done?" : "that is no command")
        }
    }

    private func line(_ row: NoteList.Row) -> String {
        let note = row.note
        let remarks = note.remarks.isEmpty ? "" : ": \(note.remarks)"
        return
            "\(Self.short(row.id))\(row.isWaiting ? "*" : " ") \(note.count) × \(note.subject), \(note.place)\(remarks)"
    }

    /// The note whose identifier begins so.
    private func row(_ beginning: String) throws -> NoteList.Row {
        let found = list.rows.filter { $0.id.uuidString.lowercased().hasPrefix(beginning.lowercased()) }
        guard let row = found.first else { throw NoteProblem.notFound }
        if found.count > 1 { throw UsageError("\(found.count) notes begin with \(beginning)") }
        return row
    }

    private func changed(_ note: FieldNote, _ field: String, to value: String) throws -> FieldNote {
        var note = note
        switch FieldNote.Field(rawValue: field) {
        case .subject: note.subject = value
        case .place: note.place = value
        case .remarks: note.remarks = value
        case .count:
            guard let count = Int(value) else { throw UsageError("\(value) is no number") }
            note.count = count
        case .isRemoved, nil: throw UsageError("a note has no \(field)")
        }
        return note
    }

    private static func short(_ id: UUID) -> String { String(id.uuidString.lowercased().prefix(8)) }
}
