import FieldNotes
import Foundation
import Testing

@Suite struct SyncTests {
    @Test(arguments: StoreChoice.allCases) func devicesMeetAtTheStation(with store: StoreChoice) async throws {
        let station = try LocalStation()
        let a = try Device("a", store, with: station)
        let b = try Device("b", store, with: station)
        let kite = FieldNote(subject: "Kite", place: "Weir")
        try await a.notes.write(kite)
        #expect(try await a.queue.sync().sent == 1)
        #expect(try await a.notes.pending().isEmpty)
        #expect(try await b.queue.sync().received == 1)
        #expect(try await b.told() == ["1 Kite @ Weir"])
        try await b.notes.remove(kite.id)
        _ = try await b.queue.sync()
        _ = try await a.queue.sync()
        #expect(try await a.told().isEmpty)
    }

    @Test func changesOfOneNoteMeetFieldByField() async throws {
        let station = try LocalStation()
        let a = try Device("a", with: station)
        let b = try Device("b", with: station)
        var kite = FieldNote(subject: "Kite", place: "Weir")
        try await a.notes.write(kite)
        _ = try await a.queue.sync()
        _ = try await b.queue.sync()

        // Both work without a connection. The later change of the place is b's.
        a.clock.set(2000)
        b.clock.set(3000)
        kite.place = "Mill"
        kite.remarks = "circling"
        try await a.notes.write(kite)
        kite.place = "Old mill"
        kite.remarks = ""
        kite.count = 2
        try await b.notes.write(kite)
        for device in [b, a, b] { _ = try await device.queue.sync() }
        #expect(try await a.told() == ["2 Kite @ Old mill: circling"])
        #expect(try await b.told() == a.told())
    }

    @Test func anEditWaitsUntilThereIsAConnection() async throws {
        let line = BadLine(try LocalStation())
        let device = try Device("a", with: line)
        try await device.notes.write(FieldNote(subject: "Kite", place: "Weir"))
        line.fail(.noConnection)
        await #expect(throws: BadLine.Failure.noConnection) { try await device.queue.sync() }
        #expect(try await device.told() == ["1 Kite @ Weir"])
        #expect(try await device.notes.pending().count == 1)
        #expect(try await device.queue.sync().sent == 1)
    }

    @Test func anEditThatIsSentTwiceCountsOnce() async throws {
        let station = try LocalStation()
        let line = BadLine(station)
        let device = try Device("a", with: line)
        var kite = FieldNote(subject: "Kite", place: "Weir")
        try await device.notes.write(kite)
        line.fail(.answerLost)
        await #expect(throws: BadLine.Failure.answerLost) { try await device.queue.sync() }
        // The station has it, which the device does not know. Meanwhile somebody else goes on.
        let other = try Device("b", with: station, at: 2000)
        _ = try await other.queue.sync()
        kite.count = 5
        try await other.notes.write(kite)
        _ = try await other.queue.sync()
        _ = try await device.queue.sync()
        #expect(line.sizes == [1, 1])
        #expect(try await device.told() == ["5 Kite @ Weir"])
    }

    @Test func whatTheStationRefusesIsTakenBack() async throws {
        let station = try LocalStation()
        let device = try Device("a", with: station)
        var kite = FieldNote(subject: "Kite", place: "Weir")
        try await device.notes.write(kite)
        _ = try await device.queue.sync()
        kite.count = -1
        kite.place = "Mill"
        try await device.notes.write(kite)
        #expect(try await device.told() == ["-1 Kite @ Mill"])
        let outcome = try await device.queue.sync()
        #expect(outcome.refused.count == 1 && outcome.sent == 0)
        #expect(try await device.told() == ["1 Kite @ Weir"])

        // A note that the station has never had goes altogether.
        try await device.notes.write(FieldNote(subject: "Ghost", place: "Mill", count: -2))
        _ = try await device.queue.sync()
        #expect(try await device.told() == ["1 Kite @ Weir"])
        #expect(try await device.notes.pending().isEmpty)
    }

    @Test func aFullQueueGoesInParts() async throws {
        let line = BadLine(try LocalStation())
        let device = try Device("a", with: line)
        for number in 1...7 { try await device.notes.write(FieldNote(subject: "Kite \(number)", place: "Weir")) }
        let outcome = try await SyncQueue(device.notes, with: line, batch: 3).sync()
        #expect(outcome.sent == 7)
        #expect(line.sizes == [3, 3, 1])
    }

    @Test func aStationInAFileIsThereForTheNextProgram() async throws {
        let file = URL.temporaryDirectory.appending(path: "station-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let a = try Device("a", with: LocalStation(file: file))
        try await a.notes.write(FieldNote(subject: "Kite", place: "Weir"))
        _ = try await a.queue.sync()
        let b = try Device("b", with: LocalStation(file: file))
        _ = try await b.queue.sync()
        #expect(try await b.told() == ["1 Kite @ Weir"])
    }
}
