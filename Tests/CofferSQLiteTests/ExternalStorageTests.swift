import CofferCore
import Foundation
import Synchronization
import Testing

@testable import CofferSQLite

@Model final class Photo {
    @Attribute(.unique) var title: String
    @Attribute(.externalStorage) var pixels: Data
    @Attribute(.externalStorage) var thumbnail: Data?
    init(_ title: String, _ pixels: Data, _ thumbnail: Data? = nil) {
        self.title = title
        self.pixels = pixels
        self.thumbnail = thumbnail
    }
}

/// A folder with a store of photos.
private final class Album: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-album-\(UUID().uuidString)")
    var url: URL { folder.appendingPathComponent("album.sqlite") }
    var files: ExternalFiles { ExternalFiles(beside: url.path) }
    var names: [String] { files.names().sorted() }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    func open(allowsSave: Bool = true, _ schema: Schema = Schema([Photo.self])) throws -> ModelContainer {
        try ModelContainer(
            for: schema, configurations: [SQLiteStoreConfiguration("album", url: url, allowsSave: allowsSave)])
    }

    func context(allowsSave: Bool = true) throws -> ModelContext { ModelContext(try open(allowsSave: allowsSave)) }

    static func data(_ seed: UInt8, _ count: Int = 100_000) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) ^ seed })
    }

    /// Runs a statement in the file, as another program would.
    func run(_ sql: String) throws {
        let connection = try SQLiteConnection(path: url.path, mode: .readWrite, busyTimeout: .seconds(1))
        try connection.execute(sql)
    }
}

extension ModelContext {
    fileprivate func photo(_ title: String) throws -> Photo {
        try #require(fetch(FetchDescriptor<Photo>(predicate: #Predicate { $0.title == title })).first)
    }
}

@Suite("External storage in files beside an SQLite store")
struct ExternalStorageTests {
    @Test("goes with rows that are deleted by predicate, and stays when the save fails")
    func batchDelete() throws {
        let album = try Album()
        let maker = try album.context()
        maker.insert(Photo("a", Album.data(1), Album.data(2)))
        maker.insert(Photo("b", Album.data(3)))
        maker.insert(Photo("c", Album.data(4)))
        try maker.save()
        let context = ModelContext(maker.container)
        let c = try context.photo("c")
        try context.delete(model: Photo.self, where: #Predicate { $0.title == "a" })
        c.title = "b"
        #expect(throws: SwiftDataError.uniquenessConflict) { try context.save() }
        #expect(album.names.count == 4)
        c.title = "d"
        try context.save()
        #expect(album.names.count == 2)
        #expect(try context.photo("b").pixels == Album.data(3))
    }

    @Test("has a file for each large value and none for small ones")
    func filesOfValues() throws {
        let album = try Album()
        let context = try album.context()
        context.insert(Photo("a", Album.data(1), Album.data(2)))
        context.insert(Photo("b", Album.data(3), Data([1])))
        context.insert(Photo("c", Data()))
        #expect(album.names.isEmpty)
        try context.save()
        #expect(album.names.count == 3)
        let other = try album.context()
        #expect(try other.photo("a").pixels == Album.data(1))
        #expect(try other.photo("a").thumbnail == Album.data(2))
        #expect(try other.photo("b").pixels == Album.data(3))
        #expect(try other.photo("b").thumbnail == Data([1]))
        #expect(try other.photo("c").thumbnail == nil)
    }

    @Test("is read only when the property is read")
    func lazy() throws {
        let album = try Album()
        var context = try album.context()
        context.insert(Photo("a", Album.data(1), Album.data(2)))
        try context.save()
        context = try album.context()
        album.files.remove(album.names)
        // Nothing of the files is needed for the row, its changes, or the question whether there is a value.
        let photo = try context.photo("a")
        photo.title = "A"
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Photo>(predicate: #Predicate { $0.thumbnail != nil })) == 1)
        #expect(context.loadError == nil)
    }

    @Test("replaces the file of a new value and keeps that of an equal one")
    func replacing() throws {
        let album = try Album()
        var context = try album.context()
        context.insert(Photo("a", Album.data(1), Album.data(2)))
        try context.save()
        let before = album.names
        context = try album.context()
        // Not read before: only the files can tell that the value is the same.
        try context.photo("a").pixels = Album.data(1)
        try context.save()
        #expect(album.names == before)
        try context.photo("a").pixels = Album.data(9)
        try context.save()
        #expect(album.names.count == 2 && album.names != before)
        #expect(try album.context().photo("a").pixels == Album.data(9))
        try context.photo("a").thumbnail = nil
        try context.save()
        #expect(album.names.count == 1)
        try context.photo("a").pixels = Data([1, 2])
        try context.save()
        #expect(album.names.isEmpty)
        #expect(try album.context().photo("a").pixels == Data([1, 2]))
    }

    @Test("goes with its row: deleted, written over, erased")
    func deleting() throws {
        let album = try Album()
        let container = try album.open()
        let context = ModelContext(container)
        for title in ["a", "b", "c"] { context.insert(Photo(title, Album.data(1), Album.data(2))) }
        try context.save()
        context.delete(try context.photo("a"))
        try context.save()
        #expect(album.names.count == 4)
        // A new model takes the row over, and two new ones one row.
        context.insert(Photo("b", Album.data(5)))
        context.insert(Photo("d", Album.data(6)))
        context.insert(Photo("d", Album.data(7)))
        try context.save()
        #expect(album.names.count == 4)
        #expect(try album.context().photo("b").pixels == Album.data(5))
        #expect(try album.context().photo("d").pixels == Album.data(7))
        try context.delete(model: Photo.self, where: #Predicate { $0.title == "c" })
        try context.save()
        #expect(album.names.count == 2)
        try container.erase()
        #expect(!FileManager.default.fileExists(atPath: album.files.supportFolder))
        context.insert(Photo("e", Album.data(1)))
        try context.save()
        #expect(album.names.count == 1)
    }

    @Test("leaves nothing of a save that fails or is taken back")
    func failing() throws {
        let album = try Album()
        let context = try album.context()
        context.insert(Photo("a", Album.data(1)))
        context.insert(Photo("b", Album.data(2)))
        try context.save()
        let before = album.names
        let (a, b) = (try context.photo("a"), try context.photo("b"))
        a.pixels = Album.data(8)
        b.title = "a"
        context.insert(Photo("c", Album.data(9)))
        #expect(throws: SwiftDataError.uniquenessConflict) { try context.save() }
        #expect(album.names == before)
        context.rollback()
        #expect(a.pixels == Album.data(1) && b.title == "b")
        try context.save()
        #expect(album.names == before)
        a.pixels = Album.data(8)
        try context.save()
        #expect(album.names.count == 2 && album.names != before)
    }

    @Test("sweeps what a stopped process left, and nothing else")
    func sweeping() throws {
        let album = try Album()
        var context: ModelContext? = try album.context()
        context?.insert(Photo("a", Album.data(1)))
        try context?.save()
        context = nil
        let kept = album.names
        let orphan = try Album.data(3).withUnsafeBytes { try album.files.write($0) }
        let note = album.files.path(of: "note.txt")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: note))
        // Somebody is writing: the file may belong to a save that is not finished.
        let writer = try SQLiteConnection(path: album.url.path, mode: .readWrite, busyTimeout: .seconds(1))
        try writer.execute("BEGIN IMMEDIATE")
        context = try album.context()
        #expect(album.names.contains(orphan))
        context = nil
        try writer.execute("ROLLBACK")
        context = try album.context(allowsSave: false)
        #expect(album.names.contains(orphan))
        context = try album.context()
        #expect(album.names == kept)
        #expect(FileManager.default.fileExists(atPath: note))
        #expect(try context?.photo("a").pixels == Album.data(1))
    }

    @Test("loses no file to openings that sweep while others save")
    func sweepingWhileSaving() throws {
        let album = try Album()
        _ = try album.context()
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            do {
                // Two save, each through a container of its own; two open and close.
                let context = try album.context()
                for round in 0..<10 {
                    guard worker < 2 else {
                        _ = try album.context()
                        continue
                    }
                    context.insert(Photo("\(worker) \(round)", Album.data(UInt8(round))))
                    if round > 0 { try context.photo("\(worker) \(round - 1)").pixels = Album.data(UInt8(100 + round)) }
                    try context.save()
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let context = try album.context()
        let photos = try context.fetch(FetchDescriptor<Photo>())
        #expect(photos.count == 20 && album.names.count == 20)
        #expect(photos.allSatisfy { $0.pixels.count == 100_000 } && context.loadError == nil)
    }

    @Test("is read by a store that is open for reading only")
    func readOnly() throws {
        let album = try Album()
        try { () throws in
            let context = try album.context()
            context.insert(Photo("a", Album.data(1)))
            try context.save()
        }()
        let context = try album.context(allowsSave: false)
        #expect(try context.photo("a").pixels == Album.data(1))
    }

    @Test("says which file is missing, and gives the default")
    func missing() throws {
        let album = try Album()
        var context = try album.context()
        context.insert(Photo("a", Album.data(1), Album.data(2)))
        try context.save()
        let names = album.names
        album.files.remove(names)
        context = try album.context()
        let photo = try context.photo("a")
        #expect(photo.pixels.isEmpty)
        let error = try #require(context.loadError as? SwiftDataError)
        #expect(error.code == .externalFileMissing)
        #expect(error.entity == "Photo" && error.property == "pixels" && error.store == "album")
        #expect(names.contains { error.file?.hasSuffix($0) == true })
        // What can throw does: a fetch that asks for the value, and a filter that needs it.
        var descriptor = FetchDescriptor<Photo>()
        descriptor.propertiesToFetch = [\.thumbnail]
        let other = try album.context()
        #expect(throws: SwiftDataError.externalFileMissing) { try other.fetch(descriptor) }
        #expect(throws: SwiftDataError.externalFileMissing) {
            try other.fetchCount(FetchDescriptor<Photo>(predicate: #Predicate { $0.pixels.isEmpty }))
        }
    }

    @Test("gives a reader the value that the row has now")
    func replacedMeanwhile() throws {
        let album = try Album()
        let reader = try album.context()
        let writer = try album.context()
        writer.insert(Photo("a", Album.data(1)))
        try writer.save()
        let photo = try reader.photo("a")
        try writer.photo("a").pixels = Album.data(2)
        try writer.save()
        #expect(photo.pixels == Album.data(2))
        #expect(reader.loadError == nil)
    }

    @Test("comes and goes with the option; values stay")
    func optionChanges() throws {
        let album = try Album()
        func schema(_ options: [Schema.Attribute.Option]) -> Schema {
            let schema = Schema([Photo.self])
            for attribute in schema.entities[0].attributes where attribute.name != "title" {
                attribute.options = options
            }
            return schema
        }
        func use(_ options: [Schema.Attribute.Option], _ body: (ModelContext) throws -> Void) throws {
            try body(ModelContext(album.open(schema(options))))
        }
        try use([]) {
            $0.insert(Photo("inside", Album.data(1)))
            try $0.save()
        }
        #expect(album.names.isEmpty)
        try use([.externalStorage]) {
            #expect(try $0.photo("inside").pixels == Album.data(1))
            $0.insert(Photo("beside", Album.data(2)))
            try $0.save()
        }
        #expect(album.names.count == 1)
        try use([]) { context in
            let (inside, beside) = (try context.photo("inside"), try context.photo("beside"))
            #expect(inside.pixels == Album.data(1) && beside.pixels == Album.data(2))
        }
        #expect(album.names.isEmpty)
    }

    @Test("is found through a symbolic link to the store")
    func symbolicLink() throws {
        let album = try Album()
        let context = try album.context()
        context.insert(Photo("a", Album.data(1)))
        try context.save()
        let link = album.folder.appendingPathComponent("elsewhere.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: album.url)
        let other = ModelContext(
            try ModelContainer(for: Photo.self, configurations: SQLiteStoreConfiguration(url: link)))
        #expect(try other.photo("a").pixels == Album.data(1))
        #expect(album.names.count == 1)
    }
}
