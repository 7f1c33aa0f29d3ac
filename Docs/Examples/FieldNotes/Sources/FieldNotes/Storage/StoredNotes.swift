import Foundation
import SwiftData

/// The notes of one device in a store, and the edits that wait for the station.
///
/// Each call is one save, of all or nothing: a note is never there without the edit that the station has to hear of, nor
/// an edit without its note, whenever the process ends.
@ModelActor public actor StoredNotes: NoteRepository {
    /// The name under which this device makes its changes.
    private var device = "device"
    private var clock: @Sendable () -> Date = { Date() }

    /// - Parameters:
    ///   - container: where the notes are.
    ///   - device: the name under which this device makes its changes; no two devices of a station have the same.
    ///   - clock: tells the time; tests bring their own.
    public init(_ container: ModelContainer, device: String, clock: @escaping @Sendable () -> Date = { Date() }) {
        let context = ModelContext(container)
        context.author = device
        modelContainer = container
        modelExecutor = DefaultSerialModelExecutor(modelContext: context)
        self.device = device
        self.clock = clock
    }

    // MARK: Reading

    public func notes(containing text: String = "") throws -> [FieldNote] {
        let wanted = #Predicate<StoredNote> { note in
            !note.isRemoved
                && (text.isEmpty || note.subject.localizedStandardContains(text)
                    || note.place.localizedStandardContains(text))
        }
        let descriptor = FetchDescriptor(
            predicate: wanted, sortBy: [SortDescriptor(\.subject), SortDescriptor(\.place), SortDescriptor(\.key)])
        return try modelContext.fetch(descriptor).compactMap(\.stamped.note)
    }

    // MARK: Writing

    public func write(_ note: FieldNote) throws {
        if note.subject.isEmpty { throw NoteProblem.withoutSubject }
        let old = try stored(note.id)?.stamped
        let fields = note.changes(since: old?.note)
        if !fields.isEmpty { try apply(fields, to: note.id) }
    }

    public func remove(_ id: FieldNote.ID) throws {
        guard try stored(id)?.stamped.note != nil else { throw NoteProblem.notFound }
        try apply([.isRemoved: .flag(true)], to: id)
    }

    /// Makes an edit here, and puts it into the queue, in one save.
    private func apply(_ fields: [FieldNote.Field: FieldValue], to id: FieldNote.ID) throws {
        try saving {
            let state = try state()
            let stamp = Stamp.after(state.latest, on: device, at: clock())
            let edit = NoteEdit(note: id, fields: fields, stamp: stamp)
            try merge(StampedNote(edit))
            state.latest = stamp
            state.lastNumber += 1
            modelContext.insert(PendingEdit(edit, number: state.lastNumber))
        }
    }

    // MARK: The queue

    /// The edits that wait, oldest first.
    public func pending(limit: Int = 100) throws -> [NoteEdit] {
        try pendingModels(limit).map(\.edit)
    }

    /// Up to where the station's notes have been taken in.
    public func revision() throws -> Int { try state().revision }

    /// Notes that edits were sent and that no answer came. They stay in the queue.
    public func noteFailure(of edits: [NoteEdit]) throws {
        let keys = Set(edits.map(\.id))
        try saving {
            let waiting = FetchDescriptor<PendingEdit>(predicate: #Predicate { keys.contains($0.key) })
            for pending in try modelContext.fetch(waiting) { pending.attempts += 1 }
        }
    }

    /// Takes in what the station has answered: its notes, what it has accepted, and what it has refused.
    ///
    /// An edit that was made while the answer was on its way is later than what the answer holds, and stays. What the
    /// station refuses is taken back field by field: the station's value takes its place.
    public func take(_ answer: StationAnswer, to edits: [NoteEdit]) throws {
        try saving {
            let state = try state()
            let theirs = Dictionary(uniqueKeysWithValues: answer.notes.map { ($0.id, $0) })
            for edit in edits where answer.refused[edit.id] != nil {
                guard let model = try stored(edit.note) else { continue }
                var note = model.stamped
                note.revert(edit, to: theirs[edit.note])
                model.update(note)
            }
            for note in answer.notes {
                try merge(note)
                state.latest = [state.latest, note.latest].compactMap(\.self).max()
            }
            let keys = Set(edits.map(\.id))
            try modelContext.delete(model: PendingEdit.self, where: #Predicate { keys.contains($0.key) })
            state.revision = answer.revision
        }
    }

    // MARK: In the context

    private func merge(_ theirs: StampedNote) throws {
        guard let model = try stored(theirs.id) else { return modelContext.insert(StoredNote(theirs)) }
        var note = model.stamped
        note.merge(theirs)
        model.update(note)
    }

    private func stored(_ id: FieldNote.ID) throws -> StoredNote? {
        var descriptor = FetchDescriptor<StoredNote>(predicate: #Predicate { $0.key == id })
        descriptor.fetchLimit = 1
        return try modelContext.fetch(descriptor).first
    }

    private func pendingModels(_ limit: Int) throws -> [PendingEdit] {
        var descriptor = FetchDescriptor<PendingEdit>(sortBy: [SortDescriptor(\.number)])
        descriptor.fetchLimit = limit
        return try modelContext.fetch(descriptor)
    }

    private func state() throws -> SyncState {
        if let state = try modelContext.fetch(FetchDescriptor<SyncState>()).first { return state }
        let state = SyncState()
        modelContext.insert(state)
        return state
    }

    /// Makes changes and saves them. Where something fails nothing is stored, and the context is as it was.
    private func saving(_ body: () throws -> Void) throws {
        do {
            try body()
            try modelContext.save()
        } catch {
            modelContext.rollback()
            throw error
        }
    }
}
