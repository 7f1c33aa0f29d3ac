import Coffer
import Foundation
import Testing

@testable import CofferCommand

/// The demo's answers, checked another way: by awk over the same list.
@Suite struct DemoAnswerTests {
    /// The list that comes with the command, and the machine's own where it is one that awk can read by names alone:
    /// packages of other architectures have their architecture in the name.
    static let lists: [String] = {
        guard var own = try? DebianPackageList(path: DemoCommand.systemList), let packages = try? own.readAll(),
            PackageImport.names(of: packages) == packages.map(\.name)
        else { return [packagedList] }
        return [packagedList, own.name]
    }()

    static let packagedList = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/CofferCommand/Resources/packages.status").path

    @Test(arguments: lists, DemoOptions.StoreKind.allCases)
    func answersAgreeWithAwk(_ list: String, _ store: DemoOptions.StoreKind) throws {
        let expected = try AwkAnswers(list: list)
        try withImported(list, store) { context in
            let questions = PackageQuestions(context: context, limit: .max)
            let sections = try questions.largestSections()
            #expect(sections.count == expected.sections.count)
            for section in sections {
                #expect(
                    expected.sections[section.name] == [section.packages, section.installedSize], "\(section.name)")
            }
            #expect(sections.map(\.installedSize) == expected.sections.values.map { $0[1] }.sorted(by: >))

            let popular = try questions.mostDependedOn()
            #expect(Dictionary(popular.map { ($0.name, $0.dependents) }) { $1 } == expected.dependents)
            #expect(popular.map(\.dependents) == expected.dependents.values.sorted(by: >))

            let maintainers = try questions.busiestMaintainers()
            #expect(Dictionary(maintainers.map { ($0.contact, $0.packages) }) { $1 } == expected.maintainers)

            let found = try questions.search("compress")
            #expect(found.count == expected.found.count)
            #expect(found.first.map(\.name) == expected.found.sorted())
        }
    }

    @Test(arguments: lists, DemoOptions.StoreKind.allCases)
    func pathsAreShortestAndMadeOfDependencies(_ list: String, _ store: DemoOptions.StoreKind) throws {
        let expected = try AwkAnswers(list: list)
        try withImported(list, store) { context in
            let graph = try PackageGraph(context)
            let ends = try #require(graph.distantPair())
            #expect(expected.dependents[ends.to] == expected.dependents.values.max())
            for (from, to) in [
                ends, (ends.to, ends.from), (ends.from, ends.from), ("perl", "libc6"), ("git", "perl-base"),
            ] {
                let path = graph.shortestPath(from: from, to: to)
                #expect(path?.count == expected.distance(from: from, to: to), "\(from) to \(to)")
                for step in path ?? [] {
                    #expect(expected.edges[step.package]?.contains(step.metBy) == true, "\(step)")
                }
                #expect(path.map { $0.first?.package ?? from } == path.map { _ in from })
                #expect(path.map { $0.last?.metBy ?? to } == path.map { _ in to })
            }
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-query")))
    func sectionsAgreeWithDpkgQuery() throws {
        let format = "${db:Status-Status}\t${Section}\t${Installed-Size}\n"
        var expected: [String: [Int]] = [:]
        for line in try output(of: "dpkg-query", "--show", "--showformat=\(format)").split(separator: "\n") {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard !["not-installed", "config-files"].contains(cells[0]), !cells[1].isEmpty else { continue }
            expected[cells[1], default: [0, 0]][0] += 1
            expected[cells[1], default: [0, 0]][1] += Int(cells[2]) ?? 0
        }
        try withImported(DemoCommand.systemList, .memory) { context in
            let sections = try PackageQuestions(context: context, limit: .max).largestSections()
            #expect(Dictionary(sections.map { ($0.name, [$0.packages, $0.installedSize]) }) { $1 } == expected)
        }
    }

    @Test func bothStoresHoldTheSameGraph() throws {
        func facts(_ store: DemoOptions.StoreKind) throws -> [String] {
            try withImported(DemoAnswerTests.packagedList, store) { context in
                try context.fetch(FetchDescriptor<Package>(sortBy: [SortDescriptor(\.name)])).map { package in
                    let dependencies = package.dependencies.map {
                        "\($0.kind) \($0.place).\($0.choice) \($0.wanted) \($0.constraint ?? "-") "
                            + "\($0.target?.name ?? "-") \($0.virtualPackage?.name ?? "-")"
                    }
                    let provisions = package.provisions.map {
                        "\($0.virtualPackage?.name ?? "-") \($0.version ?? "-")"
                    }
                    let dependents = package.dependents.map { "\($0.package?.name ?? "-")" }
                    return """
                        \(package.name) \(package.version) \(package.architecture ?? "-") \(package.priority ?? "-") \
                        \(package.summary) \(package.installedSize) \(package.section?.name ?? "-") \
                        \(package.maintainer?.contact ?? "-") \(dependencies.sorted()) \(provisions.sorted()) \
                        \(dependents.sorted())
                        """
                }
            }
        }
        let inMemory = try facts(.memory)
        #expect(inMemory.count == 159)
        #expect(try facts(.sqlite) == inMemory)
    }

    @Test func packagesOfOtherArchitecturesKeepTheirOwnNames() throws {
        let text = """
            Package: app
            Version: 1
            Architecture: amd64
            Depends: lib, tool:any

            Package: lib
            Version: 1
            Architecture: amd64

            Package: tool
            Version: 1
            Architecture: all

            Package: lib
            Version: 1
            Architecture: i386
            Depends: base, tool

            Package: base
            Version: 1
            Architecture: i386
            """
        try withTemporaryFile(text) { path in
            try withImported(path, .memory) { context in
                let packages = try context.fetch(FetchDescriptor<Package>(sortBy: [SortDescriptor(\.name)]))
                #expect(packages.map(\.name) == ["app", "base:i386", "lib", "lib:i386", "tool"])
                #expect(packages[0].dependencies.compactMap { $0.target?.name }.sorted() == ["lib", "tool"])
                #expect(packages[3].dependencies.compactMap { $0.target?.name }.sorted() == ["base:i386", "tool"])
            }
        }
    }

    /// Imports `list`, saves, opens the store anew and calls `body`.
    private func withImported<R>(
        _ list: String, _ kind: DemoOptions.StoreKind, _ body: (ModelContext) throws -> R
    ) throws -> R {
        var options = DemoOptions()
        options.store = kind
        let store = try DemoStore(options)
        defer { store.remove() }
        var container = try store.open()
        do {
            var reader = try DebianPackageList(path: list)
            let packages = try reader.readAll().filter(\.isPresent)
            let context = ModelContext(container)
            var importer = PackageImport(into: context)
            importer.insert(packages)
            try context.save()
        }
        if kind == .sqlite { container = try store.open() }
        return try body(ModelContext(container))
    }
}

/// What awk finds in a list.
struct AwkAnswers {
    var sections: [String: [Int]] = [:]
    var maintainers: [String: Int] = [:]
    var dependents: [String: Int] = [:]
    var found: [String] = []
    /// Each package to those that meet its Pre-Depends and Depends.
    var edges: [String: Set<String>] = [:]

    init(list: String) throws {
        for line in try output(of: "awk", AwkAnswers.program, list).split(separator: "\n") {
            let cells = line.split(separator: "\t").map(String.init)
            switch cells[0] {
            case "section": sections[cells[1]] = [Int(cells[2]) ?? -1, Int(cells[3]) ?? -1]
            case "maintainer": maintainers[cells[1]] = Int(cells[2])
            case "dependents": dependents[cells[1]] = Int(cells[2])
            case "found": found.append(cells[1])
            default: edges[cells[1], default: []].insert(cells[2])
            }
        }
    }

    /// How many steps apart two packages are; `nil` when no way leads there.
    func distance(from start: String, to end: String) -> Int? {
        var reached: Set = [start]
        var steps = 0
        while !reached.contains(end) {
            let next = reached.union(reached.flatMap { edges[$0] ?? [] })
            if next.count == reached.count { return nil }
            reached = next
            steps += 1
        }
        return steps
    }

    private static let program = #"""
        function value(text) { sub(/^[^:]*:[ \t]*/, "", text); return text }
        function finish(    i, count, names, wanted, list) {
            if (name != "" && state !~ / (not-installed|config-files)$/) {
                present[name] = 1
                if (section != "") { sectionCount[section]++; sectionSize[section] += size }
                if (maintainer != "") maintainers[maintainer]++
                if (index(name, "compress") || index(summary, "compress")) print "found\t" name
                count = split(depends, names, /[,|]/)
                for (i = 1; i <= count; i++) {
                    wanted = names[i]
                    gsub(/\([^)]*\)|\[[^\]]*\]|<[^>]*>|:[a-z0-9-]+|[ \t]/, "", wanted)
                    if (wanted != "") wants[name, wanted] = 1
                }
                count = split(provides, list, ",")
                for (i = 1; i <= count; i++) {
                    wanted = list[i]
                    gsub(/\([^)]*\)|:[a-z0-9-]+|[ \t]/, "", wanted)
                    if (wanted != "") provided[name, wanted] = 1
                }
            }
            name = state = section = maintainer = summary = depends = provides = ""; size = 0
        }
        /^[ \t]*$/ { finish(); field = ""; next }
        /^[ \t]/ {
            if (field == "depends") depends = depends $0
            if (field == "provides") provides = provides $0
            next
        }
        { field = "" }
        /^Package:/ { name = value($0) }
        /^Status:/ { state = value($0) }
        /^Section:/ { section = value($0) }
        /^Maintainer:/ { maintainer = value($0) }
        /^Installed-Size:/ { size = value($0) }
        /^Description:/ { summary = value($0) }
        /^(Pre-)?Depends:/ { depends = depends "," value($0); field = "depends" }
        /^Provides:/ { provides = value($0); field = "provides" }
        END {
            finish()
            for (key in wants) {
                split(key, pair, SUBSEP)
                if (pair[2] in present) { counts[pair[2]]++; print "edge\t" pair[1] "\t" pair[2] }
                users[pair[2]] = users[pair[2]] "\t" pair[1]
            }
            for (key in provided) {
                split(key, pair, SUBSEP)
                total = split(users[pair[2]], list, "\t")
                for (i = 1; i <= total; i++) if (list[i] != "") print "edge\t" list[i] "\t" pair[1]
            }
            for (key in sectionCount) print "section\t" key "\t" sectionCount[key] "\t" sectionSize[key]
            for (key in maintainers) print "maintainer\t" key "\t" maintainers[key]
            for (key in counts) print "dependents\t" key "\t" counts[key]
        }
        """#
}

/// What a program on PATH writes to its standard output.
func output(of program: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw ProgramFailure(program: program, status: process.terminationStatus)
    }
    return String(decoding: data, as: UTF8.self)
}

struct ProgramFailure: Error {
    var program: String
    var status: Int32
}
