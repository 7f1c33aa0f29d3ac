import Foundation
import Observation
import SwiftData

/// What a screen shows: the notes as they are now, and what waits for the station.
///
/// The lists are live. Whoever writes, this object, the sync queue or another process, `rows` is never behind what was
/// saved, and observation tells when to look again. Nothing is fetched for a list that nobody reads.
@MainActor @Observable public final class NoteList {
    /// One line of the list.
    public struct Row: Identifiable, Hashable, Sendable {
        public let note: FieldNote
        /// Whether the station has not heard of all of it yet.
        public let isWaiting: Bool

        public var id: FieldNote.ID { note.id }
    }

    private let notes: any NoteRepository
    private let stored: ResultsObserver<StoredNote, Never>
    private let queue: ResultsObserver<PendingEdit, Never>

    /// Why the last change was not made.
    public private(set) var problem: String?
    /// What subject or place must contain; empty for all notes.
    public var search = "" {
        didSet { stored.filterBy = Self.filter(search) }
    }

    public init(_ container: ModelContainer, notes: any NoteRepository) throws {
        self.notes = notes
        stored = try ResultsObserver(
            filterBy: Self.filter(""), sortBy: [SortDescriptor(\.subject), SortDescriptor(\.place)],
            modelContext: container.mainContext)
        queue = try ResultsObserver(sortBy: [SortDescriptor(\.number)], modelContext: container.mainContext)
    }

    public var rows: [Row] {
        let waiting = Set(queue.results.map(\.edit.note))
        return stored.results.compactMap { model in
            model.stamped.note.map { Row(note: $0, isWaiting: waiting.contains($0.id)) }
        }
    }

    /// How many edits wait for the station.
    public var waiting: Int { queue.results.count }

    public func write(_ note: FieldNote) async {
        await attempt { try await $0.write(note) }
    }

    public func remove(_ row: Row) async {
        await attempt { try await $0.remove(row.id) }
    }

    private func attempt(_ change: (any NoteRepository) async throws -> Void) async {
        do {
            try await change(notes)
            problem = nil
        } catch {
            problem = "\(error)"
        }
    }

    private static func filter(_ text: String) -> Predicate<StoredNote> {
        #Predicate { note in
            !note.isRemoved
                && (text.isEmpty || note.subject.localizedStandardContains(text)
                    || note.place.localizedStandardContains(text))
        }
    }
}
