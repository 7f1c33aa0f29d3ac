import Foundation

/// `coffer new-store`: writes a package for a store.
struct NewStoreCommand {
    /// Something that keeps the package from being written.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs one command line and returns its exit code.
    ///
    /// - Parameter executable: where the command lies; Coffer is looked for above it.
    static func run(
        _ words: [String], on console: Console, executable: String? = Bundle.main.executablePath
    ) -> Int32 {
        do {
            let arguments = try CommandArguments(words, options: NewStoreOptions.all)
            if arguments.has("help") {
                console.write(NewStoreOptions.help)
            } else if arguments.has("version") {
                console.write(CofferCommand.versionText)
            } else {
                let options = try NewStoreOptions(arguments)
                let package = StorePackage(name: options.name, coffer: try source(options, executable))
                let folder = URL(fileURLWithPath: options.parent, isDirectory: true)
                    .appendingPathComponent(options.name, isDirectory: true)
                try write(package, to: folder)
                console.write(answer(package, folder))
            }
            return 0
        } catch let error as UsageError {
            console.writeError("coffer new-store: \(error)\nTry 'coffer new-store --help' for more information.\n")
            return 2
        } catch {
            let message = String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " ")
            console.writeError("coffer new-store: \(message)\n")
            return 1
        }
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
            throw Failure(description: "\(folder.path): Coffer's package is not there")
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
            throw Failure(description: "\(folder.path): there is something already")
        }
        var isFolder: ObjCBool = false
        let parent = folder.deletingLastPathComponent()
        guard files.fileExists(atPath: parent.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw Failure(description: "\(parent.path): there is no such folder")
        }
        do {
            for file in package.files {
                let place = folder.appendingPathComponent(file.path)
                try files.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: place)
            }
        } catch {
            try? files.removeItem(at: folder)
            throw Failure(description: "\(folder.path): \(error.localizedDescription)")
        }
    }
}
