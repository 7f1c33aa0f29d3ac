import FieldNotes
import Foundation
import Testing

@testable import FieldNotesCommand

@MainActor @Suite struct CommandTests {
    private let folder = URL.temporaryDirectory.appending(path: "fieldnotes-\(UUID().uuidString)")

    private func run(_ device: String, _ store: String, _ words: String...) async throws -> [String] {
        var lines: [String] = []
        let options = [
            "--store", store, "--device", device, "--folder", folder.appending(path: device).path,
            "--station", folder.appending(path: "station.json").path,
        ]
        try await Session(Invocation(options + words)).run { lines.append($0) }
        return lines
    }

    @Test func twoDevicesWithDifferentStores() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try await run("a", "sqlite", "add", "Kite", "Weir")
        let listed = try await run("a", "sqlite", "list")
        #expect(listed.count == 2 && listed[0].hasSuffix("* 1 × Kite, Weir") && listed[1].hasPrefix("1 waiting"))
        #expect(try await run("a", "sqlite", "sync") == ["sent 1, received 1"])
        #expect(try await run("b", "json", "sync") == ["sent 0, received 1"])
        let id = String(try await run("b", "json", "list")[0].prefix(8))
        _ = try await run("b", "json", "set", id, "count", "3")
        _ = try await run("b", "json", "set", id, "remarks", "circling")
        _ = try await run("b", "json", "sync")
        _ = try await run("a", "sqlite", "sync")
        #expect(try await run("a", "sqlite", "list") == ["\(id)  3 × Kite, Weir: circling"])
        _ = try await run("a", "sqlite", "remove", id)
        #expect(try await run("a", "sqlite", "list") == ["1 waiting for the station"])
    }

    @Test func aWrongCommandLineIsSaidSo() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        await #expect(throws: UsageError.self) { try await run("a", "memory") }
        await #expect(throws: UsageError.self) { try await run("a", "memory", "fly") }
        await #expect(throws: UsageError.self) { try await run("a", "paper", "list") }
        await #expect(throws: NoteProblem.notFound) { try await run("a", "memory", "remove", "12") }
    }
}
