/// Everything a run of the demo has to say at its end.
struct DemoReport {
    var source = ""
    /// The path of the SQLite file; `nil` in memory.
    var place: String?
    var packageCount = 0
    var sections: [PackageQuestions.SectionAnswer] = []
    var popular: [PackageQuestions.PackageAnswer] = []
    var maintainers: [PackageQuestions.MaintainerAnswer] = []
    var search = ""
    var found = PackageQuestions.SearchAnswer(count: 0, first: [])
    var ends: (from: String, to: String)?
    var path: [PackageGraph.Step]?
    private var steps = TextTable(.init("Step"), .init("Time", .right), .init("Result"))

    mutating func add(_ step: String, _ result: String, since start: ContinuousClock.Instant) {
        steps.add(step, DemoReport.text(of: ContinuousClock.now - start), result)
    }

    var text: String {
        var text = "Packages  \(packageCount.grouped), from \(source)\n"
        text += "Store     \(place.map { "SQLite, \($0)" } ?? "in memory")\n"
        text += sectionText + popularText + maintainerText + searchText + pathText
        text += "\nSteps\n" + steps.text()
        if let place { text += "\nThe store is an SQLite file: sqlite3 \(DemoReport.quoted(place)) .schema\n" }
        return text
    }

    private var sectionText: String {
        var table = TextTable(.init("Section"), .init("Packages", .right), .init("Installed", .right))
        for section in sections {
            table.add(section.name, section.packages.grouped, DemoReport.size(section.installedSize))
        }
        return "\nLargest sections\n" + table.text()
    }

    private var popularText: String {
        var table = TextTable(.init("Package"), .init("Dependents", .right), .init("Summary"))
        for package in popular { table.add(package.name, package.dependents.grouped, package.summary) }
        return "\nPackages most depended on\n" + table.text()
    }

    private var maintainerText: String {
        var table = TextTable(.init("Packages", .right), .init("Maintainer"))
        for maintainer in maintainers { table.add(maintainer.packages.grouped, maintainer.contact) }
        return "\nMaintainers with the most packages\n" + table.text()
    }

    private var searchText: String {
        var table = TextTable(.init("Package"), .init("Summary"))
        for package in found.first { table.add(package.name, package.summary) }
        let part = found.count > found.first.count ? ", the first \(found.first.count)" : ""
        let head = "\nPackages with '\(search)' in name or summary: \(found.count.grouped)\(part)\n"
        return found.first.isEmpty ? head : head + table.text()
    }

    private var pathText: String {
        guard let ends else { return "" }
        let head = "\nShortest dependency path from \(ends.from) to \(ends.to)"
        guard let path else { return head + ": there is none\n" }
        guard !path.isEmpty else { return head + ": they are one package\n" }
        var table = TextTable(.init("Package"), .init("Depends on"), .init("Met by"))
        for step in path { table.add(step.package, step.wanted, step.metBy) }
        return head + ": \(path.count) \(path.count == 1 ? "step" : "steps")\n" + table.text()
    }

    /// KiB as MiB, to one place.
    static func size(_ kibibytes: Int) -> String {
        let tenths = (kibibytes * 10 + 512) / 1024
        return "\((tenths / 10).grouped).\(tenths % 10) MiB"
    }

    static func text(of duration: Duration) -> String {
        let microseconds = Int(duration / .microseconds(1))
        if microseconds < 1_000_000 { return "\(microseconds / 1000).\(microseconds / 100 % 10) ms" }
        let hundredths = microseconds / 10_000
        let rest = hundredths % 100
        return "\((hundredths / 100).grouped).\(rest < 10 ? "0" : "")\(rest) s"
    }

    /// The path as one word of a shell.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { DebianName.isNameByte($0) || $0 == UInt8(ascii: "/") }
        return isPlain
            ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
