import FieldNotes
import Foundation
import Testing

/// The rule by itself: of two changes of one field the later one counts.
@Suite struct ConflictTests {
    private let id = UUID()

    private func edit(_ fields: [FieldNote.Field: FieldValue], at time: Int64, by device: String = "a") -> StampedNote {
        StampedNote(NoteEdit(note: id, fields: fields, stamp: Stamp(time: time, device: device)))
    }

    @Test func differentFieldsDoNotDisturbEachOther() {
        var note = edit([.subject: .text("Kite"), .place: .text("Weir")], at: 1)
        note.merge(edit([.place: .text("Mill")], at: 2))
        note.merge(edit([.count: .number(4)], at: 3))
        #expect(note.note == FieldNote(id: id, subject: "Kite", place: "Mill", count: 4))
    }

    @Test func theLaterChangeOfAFieldCounts() {
        var note = edit([.subject: .text("Kite")], at: 5)
        #expect(note.merge(edit([.subject: .text("Buzzard")], at: 4)).isEmpty)
        #expect(note.note?.subject == "Kite")
        #expect(note.merge(edit([.subject: .text("Red kite")], at: 6)) == [.subject])
        #expect(note.note?.subject == "Red kite")
    }

    @Test func inOneMillisecondTheDeviceDecides() {
        let left = edit([.subject: .text("Kite")], at: 5, by: "a")
        let right = edit([.subject: .text("Buzzard")], at: 5, by: "b")
        var one = left
        one.merge(right)
        var other = right
        other.merge(left)
        #expect(one == other && one.note?.subject == "Buzzard")
    }

    @Test func aRemovedNoteStaysRemovedUntilSomebodyBringsItBack() {
        var note = edit([.subject: .text("Kite")], at: 1)
        note.merge(edit([.isRemoved: .flag(true)], at: 2))
        note.merge(edit([.count: .number(2)], at: 3))
        #expect(note.isRemoved && note.note == nil)
        note.merge(edit([.isRemoved: .flag(false)], at: 4))
        #expect(note.note?.count == 2)
    }

    @Test func everyOrderOfChangesLeadsToTheSameNote() {
        var edits: [StampedNote] = []
        for (place, device) in ["a", "b", "c"].enumerated() {
            let time = Int64(place)
            edits.append(edit([.subject: .text(device), .count: .number(place)], at: time * 7 % 5, by: device))
            edits.append(edit([.place: .text(device)], at: 3, by: device))
        }
        var results: Set<StampedNote> = []
        for seed in 0..<100 {
            var random = Steps(UInt64(seed))
            var note = StampedNote(id: id)
            for edit in edits.shuffled(using: &random) { note.merge(edit) }
            results.insert(note)
        }
        #expect(results.count == 1)
    }

    @Test func whoHasSeenAChangeMakesLaterOnes() {
        let theirs = Stamp(time: 9_000_000, device: "fast")
        let answer = Stamp.after(theirs, on: "slow", at: Date(timeIntervalSince1970: 1))
        #expect(answer > theirs)
        #expect(Stamp.after(nil, on: "slow", at: Date(timeIntervalSince1970: 1)).time == 1000)
    }

    /// Random numbers that are the same each time.
    private struct Steps: RandomNumberGenerator {
        private var state: UInt64

        init(_ seed: UInt64) { state = seed &* 2 &+ 1 }

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }
}
