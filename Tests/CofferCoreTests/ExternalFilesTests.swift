import Foundation
import Testing

@testable import CofferCore

/// A folder of its own, with external files beside a store that is not there.
private final class Place {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-files-\(UUID().uuidString)")
    let files: ExternalFiles

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        files = ExternalFiles(beside: folder.appendingPathComponent("trips.sqlite").path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ bytes: [UInt8]) throws -> String { try bytes.withUnsafeBytes { try files.write($0) } }
    func read(_ name: String) throws -> [UInt8] { try files.read(name) { [UInt8]($0) } }

    /// Everything in the folder, foreign files included.
    var listing: [String] { (try? FileManager.default.contentsOfDirectory(atPath: files.folder).sorted()) ?? [] }

    func put(_ name: String) throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: files.path(of: name)))
    }
}

@Suite("External files")
struct ExternalFilesTests {
    static let large = [UInt8](repeating: 7, count: ExternalFiles.threshold + 1)

    @Test("lie in a hidden folder with the store's whole name, so that stores side by side never share one")
    func folders() {
        let one = ExternalFiles(beside: "/data/trips.sqlite")
        #expect(one.folder == "/data/.trips.sqlite_SUPPORT/_EXTERNAL_DATA")
        #expect(one.folder != ExternalFiles(beside: "/data/trips.json").folder)
    }

    @Test("hold the bytes and nothing else", arguments: [0, 1, 100_000])
    func roundTrip(count: Int) throws {
        let place = try Place()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let name = try place.write(bytes)
        #expect(try place.read(name) == bytes)
        #expect(ExternalFiles.byteCount(of: name) == count)
        #expect(place.listing == [name])
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.files.path(of: name))) == Data(bytes))
        #expect(bytes.withUnsafeBytes { place.files.holds($0, in: name) })
        #expect((bytes + [1]).withUnsafeBytes { !place.files.holds($0, in: name) })
    }

    @Test("that are missing, cut off or grown are named")
    func damage() throws {
        let place = try Place()
        let name = try place.write([1, 2, 3, 4])
        let path = place.files.path(of: name)
        for damaged in [Data([1, 2]), Data([1, 2, 3, 4, 5])] {
            try damaged.write(to: URL(fileURLWithPath: path))
            let error = try #require(#expect(throws: SwiftDataError.self) { try place.read(name) })
            #expect(error.code == .corruptStore && error.file == path)
        }
        unlink(path)
        let error = try #require(#expect(throws: SwiftDataError.self) { try place.read(name) })
        #expect(error.code == .externalFileMissing && error.file == path)
        #expect("\(error)".contains(name))
    }

    @Test(
        "are told from others by their names",
        arguments: [
            "notes.txt", "a-1.data", "8E3A5D4C-0B1F-4C7E-9C55-2D3C9E6D3A10.data",
            "8E3A5D4C-0B1F-4C7E-9C55-2D3C9E6D3A10-x.data", "8E3A5D4C-0B1F-4C7E-9C55-2D3C9E6D3A10-01.data",
            "8E3A5D4C-0B1F-4C7E-9C55-2D3C9E6D3A10--1.data", "../8E3A5D4C-0B1F-4C7E-9C55-2D3C9E6D3A10-1.data",
        ])
    func foreignNames(name: String) {
        #expect(ExternalFiles.byteCount(of: name) == nil)
    }

    @Test("are swept when nothing refers to them; others stay")
    func sweep() throws {
        let place = try Place()
        let (kept, orphan) = (try place.write([1]), try place.write([2]))
        let unfinished = try place.write([3])
        try FileManager.default.moveItem(
            atPath: place.files.path(of: unfinished), toPath: place.files.path(of: unfinished) + ".new")
        try place.put("notes.txt")
        try place.put("letter.data")
        place.files.sweep(keeping: [kept])
        #expect(place.listing == [kept, "letter.data", "notes.txt"].sorted())
        #expect(!place.listing.contains(orphan))
        place.files.remove([kept, "letter.data"])
        place.files.removeEmptyFolder()
        #expect(place.listing == ["letter.data", "notes.txt"])
        unlink(place.files.path(of: "letter.data"))
        unlink(place.files.path(of: "notes.txt"))
        place.files.removeEmptyFolder()
        #expect(!FileManager.default.fileExists(atPath: place.files.supportFolder))
    }

    @Test("that cannot be written leave nothing and name the path")
    func refused() throws {
        let place = try Place()
        // A file stands where the folder should be.
        try Data().write(to: URL(fileURLWithPath: place.files.supportFolder))
        let error = try #require(#expect(throws: SwiftDataError.self) { try place.write([1]) })
        #expect(error.file?.hasPrefix(place.files.supportFolder) == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.files.supportFolder)).isEmpty)
    }

    // MARK: One save

    private func batch(_ values: [[UInt8]?]) -> RowBatch {
        let batch = RowBatch(entityName: "Trip", width: 2, storeIdentifier: nil)
        for (key, value) in values.enumerated() {
            batch.appendRow(key: Int64(key) + 1)
            batch.set(.text("name \(key)"), row: key, slot: 0)
            if let value { batch.set(.blob(value), row: key, slot: 1) }
        }
        return batch
    }

    @Test("replace large values by names; small and absent ones stay, and the batch is not changed")
    func moveOut() throws {
        let place = try Place()
        let changes = ExternalFileChanges(place.files)
        let small = [UInt8](repeating: 1, count: ExternalFiles.threshold)
        let source = batch([Self.large, small, nil])
        let rows = try changes.moveOut(source, slots: [1]) { _, _ in nil }
        #expect(source.cell(row: 0, slot: 1).kind == .blob)
        #expect(rows.count == 3 && rows.key(ofRow: 2) == 3)
        #expect(rows.value(of: rows.cell(row: 0, slot: 0)) == .text("name 0"))
        guard case .text(let name) = rows.value(of: rows.cell(row: 0, slot: 1)) else {
            Issue.record("no name")
            return
        }
        #expect(try place.read(name) == Self.large)
        #expect(rows.value(of: rows.cell(row: 1, slot: 1)) == .blob(small))
        #expect(rows.cell(row: 2, slot: 1).kind == .absent)
        let plain = batch([small, nil])
        #expect(try changes.moveOut(plain, slots: [1]) { _, _ in nil } === plain)
        changes.revert()
        #expect(place.listing.isEmpty)
    }

    @Test("keep the file of an equal value, and drop the one of another value only when the save is finished")
    func replacing() throws {
        let place = try Place()
        let (equal, other, third) = (try place.write(Self.large), try place.write([1, 2]), try place.write([3]))
        let old = [equal, other, third]
        let changes = ExternalFileChanges(place.files)
        let rows = try changes.moveOut(batch([Self.large, Self.large, [9]]), slots: [1]) { row, _ in old[row] }
        #expect(rows.value(of: rows.cell(row: 0, slot: 1)) == .text(equal))
        #expect(place.listing.count == 4 && place.listing.contains(other))
        try changes.prepare()
        changes.finish()
        #expect(place.listing.count == 2 && place.listing.contains(equal))
        #expect(!place.listing.contains(other) && !place.listing.contains(third))
    }
}
