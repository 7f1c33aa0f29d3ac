import FieldNotes
import Foundation
import Observation
import Synchronization
import Testing

@MainActor @Suite struct NoteListTests {
    private let notes: StoredNotes
    private let list: NoteList

    init() throws {
        let container = try StoreChoice.memory.open(in: URL.temporaryDirectory)
        notes = StoredNotes(container, device: "a")
        list = try NoteList(container, notes: notes)
    }

    @Test func theListShowsAnEditBeforeTheStationKnowsOfIt() async throws {
        await list.write(FieldNote(subject: "Kite", place: "Weir"))
        #expect(list.rows.map(\.note.subject) == ["Kite"])
        #expect(list.rows.map(\.isWaiting) == [true])
        _ = try await SyncQueue(notes, with: LocalStation()).sync()
        #expect(list.rows.map(\.isWaiting) == [false])
        #expect(list.waiting == 0)
    }

    @Test func observationTellsOfWhatTheQueueBrings() async throws {
        let station = try LocalStation()
        let other = try Device("b", with: station)
        try await other.notes.write(FieldNote(subject: "Heron", place: "Mill"))
        _ = try await other.queue.sync()
        let told = Mutex(false)
        withObservationTracking {
            _ = list.rows
        } onChange: {
            told.withLock { $0 = true }
        }
        _ = try await SyncQueue(notes, with: station).sync()
        for _ in 0..<1000 where !told.withLock({ $0 }) { await Task.yield() }
        #expect(told.withLock { $0 })
        #expect(list.rows.map(\.note.subject) == ["Heron"])
    }

    @Test func theSearchLooksIntoSubjectAndPlace() async throws {
        await list.write(FieldNote(subject: "Kite", place: "Weir"))
        await list.write(FieldNote(subject: "Heron", place: "Mill"))
        list.search = "mill"
        #expect(list.rows.map(\.note.subject) == ["Heron"])
        list.search = ""
        #expect(list.rows.map(\.note.subject) == ["Heron", "Kite"])
    }

    @Test func whatIsRefusedIsSaid() async throws {
        await list.write(FieldNote(subject: "", place: "Weir"))
        #expect(list.problem == "a note needs a subject")
        await list.write(FieldNote(subject: "Kite", place: "Weir"))
        #expect(list.problem == nil)
        await list.remove(list.rows[0])
        #expect(list.rows.isEmpty)
    }
}
