import Coffer
import Foundation

/// The store of one run of the demo: where it lies, and how it is opened.
struct DemoStore {
    /// The SQLite file; `nil` in memory.
    let file: URL?
    /// The folder that was made for the file, if any.
    private let madeFolder: URL?

    /// Chooses the place; nothing but a temporary folder is made yet.
    ///
    /// - Throws: `DemoError` when something is in the place already, and what the store says of it when that is no store.
    init(_ options: DemoOptions) throws {
        guard options.store == .sqlite else {
            file = nil
            madeFolder = nil
            return
        }
        guard let output = options.output else {
            let folder = try DemoStore.makeTemporaryFolder()
            madeFolder = folder
            file = folder.appending(path: "packages.sqlite")
            return
        }
        madeFolder = nil
        let place = URL(fileURLWithPath: output)
        file = place
        guard FileManager.default.fileExists(atPath: place.path) else { return }
        _ = try DemoStore.container(SQLiteStoreConfiguration(url: place, allowsSave: false))
        throw DemoError(description: "\(output): is a store already; remove it or choose another place")
    }

    /// Opens the store, and makes it the first time.
    func open() throws -> ModelContainer {
        if let file { return try DemoStore.container(SQLiteStoreConfiguration(url: file)) }
        return try DemoStore.container(InMemoryStoreConfiguration())
    }

    /// Removes what a failed run has made.
    func remove() {
        if let madeFolder {
            try? FileManager.default.removeItem(at: madeFolder)
        } else if let file {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
        }
    }

    private static func container(_ configuration: some DataStoreConfiguration) throws -> ModelContainer {
        try ModelContainer(
            for: Package.self, Section.self, Maintainer.self, Dependency.self, VirtualPackage.self, Provision.self,
            configurations: configuration)
    }

    private static func makeTemporaryFolder() throws -> URL {
        let parent = FileManager.default.temporaryDirectory
        var template = Array(parent.appending(path: "coffer-demo-XXXXXX").path.utf8CString)
        guard mkdtemp(&template) != nil else {
            throw DemoError(
                description: "\(parent.path): no folder can be made there: \(String(cString: strerror(errno)))")
        }
        return URL(fileURLWithPath: String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
}

/// A failure of the demo that is neither the list's nor the store's: one line that says what and where.
struct DemoError: Error, Equatable, CustomStringConvertible {
    var description: String
}
