import Foundation

/// `coffer new-store`: writes a package for a store.
enum NewStoreCommand: Command {
    static var declaration: CommandDeclaration { NewStoreOptions.declaration }

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        try run(arguments, on: console, executable: Bundle.main.executablePath)
    }

    /// - Parameter executable: where the command lies; Coffer is looked for above it.
    static func run(_ arguments: CommandArguments, on console: Console, executable: String?) throws -> Int32 {
        let options = try NewStoreOptions(arguments)
        let package = StorePackage(name: options.name, coffer: try source(options, executable))
        let folder = URL(fileURLWithPath: options.parent, isDirectory: true)
            .appendingPathComponent(options.name, isDirectory: true)
        try write(package, to: folder)
        console.write(answer(package, folder))
        return 0
    }

    private static func answer(_ package: StorePackage, _ folder: URL) -> String {
        let files = package.files.map { "  \(package.name)/\($0.path)\n" }.joined()
        return "\(files)Run 'swift test' in \(folder.path) to see what the store can do and what it lacks.\n"
    }

    // MARK: - Coffer

    /// Where the package is to find Coffer.
    private static func source(_ options: NewStoreOptions, _ executable: String?) throws -> StorePackage.Source {
        if let place = options.coffer {
            if place.contains("://") { return .address(place) }
            let folder = URL(fileURLWithPath: place, isDirectory: true).standardizedFileURL
            if isCoffer(folder) { return .folder(folder.path) }
            // As Git writes addresses: user@host:path.
            if place.wholeMatch(of: #/[^\/:]+@[^\/:]+:.+/#) != nil { return .address(place) }
            throw CommandFailure("\(folder.path): Coffer's package is not there")
        }
        var folder = URL(fileURLWithPath: executable ?? "/").resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/" {
            if isCoffer(folder) { return .folder(folder.path) }
            folder.deleteLastPathComponent()
        }
        throw UsageError(description: "option '--coffer' is needed: this command does not lie in a clone of Coffer")
    }

    private static func isCoffer(_ folder: URL) -> Bool {
        ["Package.swift", "Sources/CofferConformance"].allSatisfy {
            FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
        }
    }

    // MARK: - Writing

    /// Writes all files of a package into a folder that must not exist, or none.
    private static func write(_ package: StorePackage, to folder: URL) throws {
        let files = FileManager.default
        // A link that leads nowhere is something that is there, too.
        if files.fileExists(atPath: folder.path) || (try? files.destinationOfSymbolicLink(atPath: folder.path)) != nil {
            throw CommandFailure("\(folder.path): there is something already")
        }
        var isFolder: ObjCBool = false
        let parent = folder.deletingLastPathComponent()
        guard files.fileExists(atPath: parent.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure("\(parent.path): there is no such folder")
        }
        do {
            for file in package.files {
                let place = folder.appendingPathComponent(file.path)
                try files.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: place)
            }
        } catch {
            try? files.removeItem(at: folder)
            throw CommandFailure("\(folder.path): \(error.localizedDescription)")
        }
    }
}
