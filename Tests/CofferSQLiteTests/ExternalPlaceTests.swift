import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

@Model final class Scroll {
    var title: String
    @Attribute(.externalStorage) var body: Data?
    init(_ title: String) { self.title = title }
}

/// A store from a stranger cannot have files read, written or removed anywhere but in its own folder.
@Suite struct ExternalPlaceTests {
    private let folder: URL
    private var url: URL { folder.appendingPathComponent("scrolls.sqlite") }
    private var files: ExternalFiles { ExternalFiles(beside: url.path) }
    private let secret = Data(repeating: 0x5A, count: 30_000)
    private var secretPath: String { folder.path + "/secret" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-scrolls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let context = try open()
        let scroll = Scroll("a")
        scroll.body = Data(repeating: 1, count: 30_000)
        context.insert(scroll)
        try context.save()
        try secret.write(to: URL(fileURLWithPath: secretPath))
    }

    private func open() throws -> ModelContext {
        ModelContext(
            try ModelContainer(
                for: Schema([Scroll.self]), configurations: [SQLiteStoreConfiguration("scrolls", url: url)]))
    }

    /// Has the row name another file, as somebody who made the store by hand would.
    private func name(_ name: String) throws {
        let connection = try SQLiteConnection(path: url.path, mode: .readWrite, busyTimeout: .seconds(1))
        try connection.execute("UPDATE Scroll SET body = \(SQLiteName.literal(name))")
    }

    private func read() throws -> (value: Data?, error: SwiftDataError?) {
        let context = try open()
        let scroll = try #require(try context.fetch(FetchDescriptor<Scroll>()).first)
        return (scroll.body, context.loadError as? SwiftDataError)
    }

    /// Expects that the value is an error, before and after the row is changed and deleted, and the secret untouched.
    private func expectRefused(_ codes: SwiftDataError.Code...) throws {
        let (value, error) = try read()
        #expect(value != secret)
        #expect(error.map { codes.contains($0.code) } == true, "\(String(describing: error))")
        let context = try open()
        let scroll = try #require(try context.fetch(FetchDescriptor<Scroll>()).first)
        scroll.body = Data(repeating: 2, count: 40_000)
        do {
            try context.save()
            context.delete(scroll)
            try context.save()
        } catch is SwiftDataError {}
        _ = try open()
        #expect(try Data(contentsOf: URL(fileURLWithPath: secretPath)) == secret)
    }

    @Test(arguments: [
        "../../secret", "../../../secret", "/etc/passwd", "..", ".", "", "secret",
        "../../6E1C5A4E-0000-4000-8000-000000000001-30000.data",
        "6E1C5A4E-0000-4000-8000-000000000001-30000.data/../../../secret",
        "6E1C5A4E-0000-4000-8000-000000000001--1.data", "6E1C5A4E-0000-4000-8000-000000000001-+5.data",
        "6E1C5A4E-0000-4000-8000-00000000000\u{661}-30000.data",
    ]) func namesThatLeadElsewhere(_ name: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try self.name(name)
        try expectRefused(.corruptStore)
    }

    /// A name promises a size; nothing is made room for before there is a file of that size.
    @Test(arguments: ["9223372036854775807", "4000000000000000", "29999", "30001"])
    func namesThatPromiseTooMuch(_ size: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = "6E1C5A4E-0000-4000-8000-000000000001-\(size).data"
        try Data(repeating: 3, count: 30_000).write(to: URL(fileURLWithPath: files.path(of: name)))
        try self.name(name)
        try expectRefused(.corruptStore)
    }

    @Test func aFileThatIsALink() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = "6E1C5A4E-0000-4000-8000-000000000001-30000.data"
        #expect(symlink(secretPath, files.path(of: name)) == 0)
        try self.name(name)
        try expectRefused(.corruptStore)
    }

    /// Opening a pipe would wait for somebody for ever.
    @Test func aFileThatIsAPipe() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = "6E1C5A4E-0000-4000-8000-000000000001-30000.data"
        #expect(mkfifo(files.path(of: name), 0o600) == 0)
        try self.name(name)
        try expectRefused(.corruptStore)
    }

    @Test(arguments: [false, true]) func aFolderThatIsALink(_ outer: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = folder.path + "/elsewhere"
        let link = outer ? files.supportFolder : files.folder
        #expect(rename(link, other) == 0)
        #expect(symlink(other, link) == 0)
        // What looks like a file of ours, and belongs to somebody else.
        let strange = other + (outer ? "/_EXTERNAL_DATA" : "") + "/6E1C5A4E-0000-4000-8000-000000000009-3.data"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: strange))
        let before = try FileManager.default.subpathsOfDirectory(atPath: other).sorted()
        try expectRefused(.corruptStore)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: other).sorted() == before)
    }
}
