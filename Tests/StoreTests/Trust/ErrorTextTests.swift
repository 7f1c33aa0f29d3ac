import Coffer
import Foundation
import Testing

@testable import StoreNeighbour

/// What the text of an error says: names and places, and no values.
@Suite("Errors")
struct ErrorTextTests {
    private static let secret = "geheim-4711"

    private func expectNoValue(_ error: (any Error)?, _ location: SourceLocation = #_sourceLocation) {
        guard let error else { return }
        for text in ["\(error)", error.localizedDescription, (error as? any LocalizedError)?.failureReason ?? ""] {
            #expect(!text.contains(Self.secret), sourceLocation: location)
        }
    }

    @Model final class Diary {
        #Unique<Diary>([\.day, \.text])
        @Attribute(.unique) var text: String
        var day: Int
        var other: Diary?
        init(_ text: String, _ day: Int) {
            self.text = text
            self.day = day
        }
    }

    @Test("of a save that violates what is unique name the property", arguments: TestStore.rowStores)
    func unique(_ store: TestStore) throws {
        let place = try TestPlace(store, Diary.self)
        let context = place.context()
        context.insert(Diary(Self.secret, 1))
        let other = Diary("other", 2)
        context.insert(other)
        try context.save()
        other.text = Self.secret
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error?.property != nil)
        expectNoValue(error)
    }

    @Test(
        "of damaged archives name the line",
        arguments: ["\"\(secret)", "{\(secret)}", "\"\(secret)\\q\"", "[\"\(secret)\"]"])
    func archives(_ piece: String) throws {
        let site = try MigrationSite(.json)
        try site.open(Diary.self) { context in
            context.insert(Diary(Self.secret, 1))
            try context.save()
        }
        let text = try String(contentsOfFile: site.path, encoding: .utf8)
        let damaged = text.replacingOccurrences(of: "\"text\": \"\(Self.secret)\"", with: "\"text\": \(piece)")
        #expect(damaged != text)
        try Data(damaged.utf8).write(to: URL(fileURLWithPath: site.path))
        let error = #expect(throws: SwiftDataError.self) { try site.open(Diary.self) { _ in } }
        #expect(error?.code == .corruptStore && error?.detail?.contains("line ") == true)
        expectNoValue(error)
    }

    @Test("of values that cannot be migrated name the property", arguments: TestStore.migrating)
    func migrations(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(Diary.self) { context in
            context.insert(Diary(Self.secret, 1))
            try context.save()
        }
        let error = #expect(throws: (any Error).self) { try site.open(Schema([Numbers.Diary.self])) { _ in } }
        expectNoValue(error)
    }

    enum Numbers {
        @Model final class Diary {
            var text: Int
            var day: Int
            init() { (text, day) = (0, 0) }
        }
    }
}
