import Foundation

/// Where devices meet. A real one answers over a network; what matters is that calls may fail, and that an answer may get
/// lost after the station has done what it was asked for.
public protocol Station: Sendable {
    /// Takes edits, and tells what has changed since a revision.
    ///
    /// - Parameters:
    ///   - edits: what the device has changed, oldest first. The station may have got some of them before.
    ///   - revision: up to where the device has heard of the station's notes; 0 for the beginning.
    func exchange(_ edits: [NoteEdit], since revision: Int) async throws -> StationAnswer
}

/// What a station says to a device.
public struct StationAnswer: Codable, Sendable {
    /// The notes that have changed since the revision that the device named, and those that it has sent edits of.
    public var notes: [StampedNote]
    /// Edits that the station does not take, with the reason.
    public var refused: [UUID: String]
    /// Up to where the device has heard of everything now.
    public var revision: Int

    public init(notes: [StampedNote], refused: [UUID: String] = [:], revision: Int) {
        self.notes = notes
        self.refused = refused
        self.revision = revision
    }
}

/// A station in memory, or in a file that devices on one machine share.
public actor LocalStation: Station {
    private struct Contents: Codable {
        var notes: [UUID: StampedNote] = [:]
        /// The revision in which a note changed last.
        var revisions: [UUID: Int] = [:]
        var revision = 0
    }

    private let file: URL?
    private var contents: Contents

    /// - Parameter file: where the station keeps its notes; nil for memory.
    public init(file: URL? = nil) throws {
        self.file = file
        if let file, FileManager.default.fileExists(atPath: file.path) {
            contents = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file))
        } else {
            contents = Contents()
        }
    }

    public func exchange(_ edits: [NoteEdit], since revision: Int) throws -> StationAnswer {
        var changed = contents
        var refused: [UUID: String] = [:]
        for edit in edits {
            if let reason = Self.objection(to: edit) {
                refused[edit.id] = reason
                continue
            }
            var note = changed.notes[edit.note] ?? StampedNote(id: edit.note)
            let before = note
            note.merge(StampedNote(edit))
            // An edit that came before changes nothing, so nobody hears of it again.
            if note == before { continue }
            changed.revision += 1
            changed.notes[edit.note] = note
            changed.revisions[edit.note] = changed.revision
        }
        if let file, changed.revision != contents.revision {
            try JSONEncoder().encode(changed).write(to: file, options: .atomic)
        }
        contents = changed
        let concerned = Set(edits.map(\.note))
        let news = changed.notes.values.filter {
            concerned.contains($0.id) || changed.revisions[$0.id, default: 0] > revision
        }
        return StationAnswer(notes: Array(news), refused: refused, revision: changed.revision)
    }

    /// What speaks against an edit. A station has rules that devices need not know.
    private static func objection(to edit: NoteEdit) -> String? {
        if edit.fields[.subject] == .text("") { return "a note needs a subject" }
        if case .number(let count) = edit.fields[.count], count < 0 { return "nobody sees fewer than none" }
        return nil
    }
}
