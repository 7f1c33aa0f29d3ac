import Coffer
import Foundation

/// `coffer demo`: imports a Debian package list, saves it, reopens the store, and prints answers.
struct DemoCommand: Command {
    private let options: DemoOptions
    private let console: Console
    private var progress: Progress
    private var report = DemoReport()

    static let systemList = "/var/lib/dpkg/status"

    static var declaration: CommandDeclaration { DemoOptions.declaration }

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        var command = DemoCommand(options: try DemoOptions(arguments), console: console)
        try command.run()
        return 0
    }

    private init(options: DemoOptions, console: Console) {
        self.options = options
        self.console = console
        progress = Progress(on: console)
    }

    // MARK: - Steps

    private mutating func run() throws {
        defer { progress.end() }
        let list = try readList()
        let store = try DemoStore(options)
        do {
            report.place = store.file?.path
            try importPackages(list, into: store)
        } catch {
            store.remove()
            throw error
        }
        progress.end()
        console.write(report.text)
    }

    private mutating func readList() throws -> [DebianPackage] {
        progress.begin("Read the list")
        let start = ContinuousClock.now
        var path = options.file == "-" ? "/dev/stdin" : options.file
        if path == nil, FileManager.default.fileExists(atPath: DemoCommand.systemList) { path = DemoCommand.systemList }
        var all: [DebianPackage]
        if let path {
            var list = try DebianPackageList(path: path)
            report.source = options.file == "-" ? "standard input" : path
            all = try list.readAll()
        } else {
            var list = DebianPackageList(bytes: PackageResources.packages_status, name: "the list of the command")
            report.source = list.name
            all = try list.readAll()
        }
        let listed = all.count
        all.removeAll { !$0.isPresent }
        guard !all.isEmpty else { throw DemoError(description: "\(report.source): there is no package in it") }
        let names = Set(PackageImport.names(of: all))
        for name in [options.from, options.to].compactMap(\.self) where !names.contains(name) {
            throw DemoError(description: "\(report.source): there is no package \(name.quotedForMessage) in it")
        }
        report.packageCount = all.count
        let removed = listed > all.count ? ", \((listed - all.count).grouped) removed ones left out" : ""
        report.add("Read the list", "\(all.count.grouped) packages\(removed)", since: start)
        return all
    }

    private mutating func importPackages(_ list: [DebianPackage], into store: DemoStore) throws {
        let kind = store.file == nil ? "in memory" : "a new SQLite file"
        var container = try timed("Open the store", { _ in kind }) { try store.open() }
        try fill(container, with: list)
        if store.file != nil {
            container = try timed("Reopen the store", { _ in "a new container" }) { try store.open() }
        }
        try answer(ModelContext(container))
    }

    private mutating func fill(_ container: ModelContainer, with list: [DebianPackage]) throws {
        let context = ModelContext(container)
        context.autosaveEnabled = false
        progress.begin("Build the graph")
        let start = ContinuousClock.now
        var importer = PackageImport(into: context)
        importer.insert(list) { progress.update("Build the graph", $0, of: list.count) }
        report.add(
            "Build the graph",
            "\(importer.sectionCount.grouped) sections, \(importer.maintainerCount.grouped) maintainers, "
                + "\(importer.dependencyCount.grouped) dependencies, \(importer.provisionCount.grouped) provisions",
            since: start)
        let models =
            list.count + importer.sectionCount + importer.maintainerCount + importer.dependencyCount
            + importer.provisionCount + importer.virtualPackageCount
        try timed("Save", { "\(models.grouped) models" }) { try context.save() }
    }

    private mutating func answer(_ context: ModelContext) throws {
        let questions = PackageQuestions(context: context)
        report.sections = try timed("Largest sections", { "\($0.count) rows" }) { try questions.largestSections() }
        report.popular = try timed("Most depended on", { "\($0.count) rows" }) { try questions.mostDependedOn() }
        report.maintainers = try timed("Busiest maintainers", { "\($0.count) rows" }) {
            try questions.busiestMaintainers()
        }
        let word = options.search
        report.search = word
        report.found = try timed("Search", { "\($0.count.grouped) packages" }) { try questions.search(word) }
        let (from, to) = (options.from, options.to)
        (report.ends, report.path) = try timed(
            "Dependency path", { $0.1.map { "\($0.count) steps" } ?? "none" }
        ) {
            let graph = try PackageGraph(context)
            let ends = graph.distantPair(from: from, to: to)
            return (ends, ends.flatMap { graph.shortestPath(from: $0.from, to: $0.to) })
        }
    }

    /// Does a step, shows that it is being done, and notes the time it took.
    private mutating func timed<R>(_ step: String, _ result: (R) -> String, _ body: () throws -> R) rethrows -> R {
        progress.begin(step)
        let start = ContinuousClock.now
        let value = try body()
        report.add(step, result(value), since: start)
        return value
    }
}
