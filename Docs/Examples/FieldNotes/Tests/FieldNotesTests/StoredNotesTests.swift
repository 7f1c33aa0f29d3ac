import FieldNotes
import Foundation
import SwiftData
import Testing

@Suite struct StoredNotesTests {
    @Test(arguments: StoreChoice.allCases) func notesAreKept(in store: StoreChoice) async throws {
        let device = try Device("a", store, with: LocalStation())
        var kite = FieldNote(subject: "Kite", place: "Weir")
        try await device.notes.write(kite)
        try await device.notes.write(FieldNote(subject: "Heron", place: "Mill", count: 2))
        kite.remarks = "circling"
        try await device.notes.write(kite)
        #expect(try await device.told() == ["2 Heron @ Mill", "1 Kite @ Weir: circling"])
        #expect(try await device.notes.notes(containing: "weir").map(\.subject) == ["Kite"])
        try await device.notes.remove(kite.id)
        #expect(try await device.told() == ["2 Heron @ Mill"])
    }

    @Test(arguments: [StoreChoice.sqlite, .lmdb, .json]) func theyAreThereAgain(in store: StoreChoice) async throws {
        let folder = URL.temporaryDirectory.appending(path: "fieldnotes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for count in 1...3 {
            let notes = StoredNotes(try store.open(in: folder), device: "a")
            try await notes.write(FieldNote(subject: "Kite \(count)", place: "Weir"))
            #expect(try await notes.notes().count == count)
            #expect(try await notes.pending().count == count)
        }
    }

    @Test func onlyWhatIsDifferentIsQueued() async throws {
        let device = try Device("a", with: LocalStation())
        var kite = FieldNote(subject: "Kite", place: "Weir")
        try await device.notes.write(kite)
        kite.count = 3
        try await device.notes.write(kite)
        try await device.notes.write(kite)
        let pending = try await device.notes.pending()
        #expect(pending.count == 2)
        #expect(pending.last?.fields == [.count: .number(3)])
    }

    @Test func whatIsRefusedLeavesNothingBehind() async throws {
        let device = try Device("a", with: LocalStation())
        await #expect(throws: NoteProblem.withoutSubject) {
            try await device.notes.write(FieldNote(subject: "", place: "Weir"))
        }
        await #expect(throws: NoteProblem.notFound) { try await device.notes.remove(UUID()) }
        #expect(try await device.notes.pending().isEmpty)
    }

    @Test func aNoteAndItsEditAreOneSave() async throws {
        let folder = URL.temporaryDirectory.appending(path: "fieldnotes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try StoreChoice.sqlite.open(in: folder)
        let notes = StoredNotes(container, device: "a")
        try await notes.write(FieldNote(subject: "Kite", place: "Weir"))
        let history = try ModelContext(container).fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(history.count == 1 && history.first?.author == "a")
        let entities = Set((history.first?.changes ?? []).map(\.changedPersistentIdentifier.entityName))
        #expect(entities == ["StoredNote", "PendingEdit", "SyncState"])
    }
}
