import Foundation

/// The command `coffer-bench`, over any stores.
public enum BenchmarkCommand {
    static let options = [
        Arguments.Option(name: "store", values: ["LIST"], help: "measure these stores only, such as sqlite,memory"),
        Arguments.Option(name: "workload", values: ["LIST"], help: "run these workloads only, such as W1,W3"),
        Arguments.Option(
            name: "rows", values: ["NUMBER"],
            help: "rows of the data set; otherwise 100,000, beside 1,000 and 10,000\nfor how time grows"),
        Arguments.Option(name: "repetitions", values: ["NUMBER"], help: "how often each is measured (default 5)"),
        Arguments.Option(
            name: "growth", help: "measure 1,000 to 1,000,000 rows and fit how time grows; 3 repetitions"),
        Arguments.Option(name: "quick", help: "1,000 and 10,000 rows, and 3 repetitions"),
        Arguments.Option(
            name: "peers", values: ["FOLDER"],
            help: "measure SQLAlchemy and peewee too, in a virtual environment of Python\nthat is made in the folder"),
        Arguments.Option(
            name: "counts", help: "count statements, requests, allocations and bytes only, without a clock"),
        Arguments.Option(
            name: "limits", values: ["FILE"],
            help: "hold the counts to those of a file, with the size that they are for"),
        Arguments.Option(
            name: "write-limits", values: ["FILE"], help: "write the counts into the file as limits"),
        Arguments.Option(name: "no-baseline", help: "leave the baselines out, as for a profile of the store alone"),
        Arguments.Option(name: "folder", values: ["FOLDER"], help: "where the stores' files go meanwhile"),
        Arguments.Option(name: "keep", help: "leave the stores' files there, and say where"),
        Arguments.Option(name: "json", values: ["FILE"], help: "write the results to a file"),
        Arguments.Option(name: "html", values: ["FILE"], help: "write a page with charts"),
        Arguments.Option(
            name: "read", values: ["FILE"], help: "measure nothing and take the results from a JSON file"),
        Arguments.Option(
            name: "compare", values: ["A.json", "B.json"],
            help: "show what moved from A to B beyond the noise, and exit"),
        Arguments.Option(name: "list", help: "list stores and workloads and exit"),
        Arguments.Option(name: "help", help: "show this help and exit"),
    ]

    static var help: String {
        """
        Usage: coffer-bench [OPTION]...
        Measure stores of Coffer beside their engines used directly, doing the same work on the same data.

        Times are processor time of this process. All participants take turns in one run; what is printed is the
        median, its ratio to the baseline, and the least and greatest ratio of the repetitions.

        \(Arguments.help(options))
        Exit status: 0 when all work was done right, 1 when some failed or a count exceeds its limit, 2 for a command line that cannot be
        understood. Missed targets do not change it.

        """
    }

    /// Runs the command line of the process over these stores and ends the process.
    ///
    /// - Parameter others: stores that are measured only when they are named.
    public static func main(stores: [any BenchmarkStore], others: [any BenchmarkStore] = []) -> Never {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.contains(where: { $0.hasPrefix("--limits") || $0.hasPrefix("--write-limits") }) { hashAlike() }
        exit(run(words, stores: stores, others: others))
    }

    /// Starts the process anew with hashes that are the same each time: what a table allocates depends on them.
    private static func hashAlike() {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard ProcessInfo.processInfo.environment[name] == nil, setenv(name, "1", 1) == 0 else { return }
        var words: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
        words.append(nil)
        // Where the system has no such file the counts are as near as they are.
        execv("/proc/self/exe", words)
    }

    /// Runs one command line and answers the exit code.
    static func run(_ words: [String], stores: [any BenchmarkStore], others: [any BenchmarkStore]) -> Int32 {
        do {
            let arguments = try Arguments(words, options: options)
            if arguments.has("help") {
                print(help, terminator: "")
                return 0
            }
            if let operand = arguments.operands.first {
                throw UsageError(description: "there are no operands, such as '\(operand)'")
            }
            if arguments.has("list") {
                print(list(stores, others), terminator: "")
                return 0
            }
            if let files = arguments.values("compare") {
                let reports = try files.map { try Report(contentsOf: URL(fileURLWithPath: $0)) }
                print(Comparison(reports[0], reports[1]).text, terminator: "")
                return 0
            }
            if let file = arguments["read"] {
                return try present(Report(contentsOf: URL(fileURLWithPath: file)), arguments)
            }
            return try present(measure(arguments, stores: stores, others: others), arguments)
        } catch let error as UsageError {
            printError("coffer-bench: \(error)\nTry 'coffer-bench --help' for more information.\n")
            return 2
        } catch {
            printError("coffer-bench: \(error)\n")
            return 1
        }
    }

    private static func measure(
        _ arguments: Arguments, stores: [any BenchmarkStore], others: [any BenchmarkStore]
    ) throws -> Report {
        let isQuick = arguments.has("quick")
        let chosen = try arguments.list("store").map { try choose(stores + others, $0) } ?? stores
        let workloads = try arguments.list("workload").map(Workload.named) ?? Workload.all
        let growth = arguments.has("growth")
        let limits = try arguments["limits"].map { try CountLimits(contentsOf: URL(fileURLWithPath: $0)) }
        let sizes: [Int]
        if let rows = try arguments.number("rows") ?? limits?.own?.rows {
            sizes = [rows]
        } else {
            sizes = [1000, 10_000] + (isQuick ? [] : [100_000]) + (growth ? [1_000_000] : [])
        }
        let repetitions =
            arguments.has("counts") ? 0 : try arguments.number("repetitions") ?? (isQuick || growth ? 3 : 5)
        let parent = arguments["folder"].map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
        let folders = try WorkFolder(in: parent)
        defer {
            if arguments.has("keep") { print("The files are in \(folders.url.path).") } else { folders.remove() }
        }
        if !Report.Machine.isOptimised {
            printError("coffer-bench: built without optimisation; the times mean little\n")
        }

        let progress = ProgressLine()
        var report = Report(repetitions: repetitions)
        let withBaseline = !arguments.has("no-baseline")
        var contenders = chosen.map { Runner.Contender($0, withBaseline: withBaseline) }
        if let folder = arguments["peers"] {
            do {
                let environment = try PeerEnvironment(in: URL(fileURLWithPath: folder)) { progress.show($0) }
                contenders += try environment.start(scratch: folders.url).map {
                    Runner.Contender($0, withBaseline: withBaseline)
                }
            } catch let absence as PeerEnvironment.Absence {
                report.remarks = ["No peers were measured: \(absence)."]
            }
        }
        let runner = Runner(contenders, repetitions: repetitions, folders: folders) { progress.show($0) }
        for rows in sizes {
            progress.show("making \(rows) rows")
            let data = BenchmarkData(rows: rows)
            for workload in workloads { report.results += runner.run(workload, data) }
            folders.forgetTemplates()
        }
        progress.clear()
        return report
    }

    private static func present(_ report: Report, _ arguments: Arguments) throws -> Int32 {
        print(report.tables, terminator: "")
        if report.sizes.count > 1, report.repetitions > 0 { print(report.growthTables, terminator: "") }
        for remark in report.remarks ?? [] { print(remark) }
        if let file = arguments["json"] { try report.write(to: URL(fileURLWithPath: file)) }
        if let file = arguments["html"] {
            try Page(report).write(to: URL(fileURLWithPath: file))
            print("The page is in \(file).")
        }
        let hasFailed = report.results.contains { $0.ours.isFailure || $0.baseline?.isFailure == true }
        if let file = arguments["write-limits"] {
            let url = URL(fileURLWithPath: file)
            var limits = FileManager.default.fileExists(atPath: file) ? try CountLimits(contentsOf: url) : CountLimits()
            limits.take(report)
            try limits.write(to: url)
        }
        var violations: [String] = []
        if let file = arguments["limits"] {
            violations = try CountLimits(contentsOf: URL(fileURLWithPath: file)).violations(report)
            for violation in violations { print("Over its limit: \(violation)") }
            if violations.isEmpty { print("All counts are within their limits.") }
        }
        return hasFailed || !violations.isEmpty ? 1 : 0
    }

    private static func choose(
        _ stores: [any BenchmarkStore], _ names: [String]
    ) throws(UsageError) -> [any BenchmarkStore] {
        var chosen: [any BenchmarkStore] = []
        for name in names {
            guard let store = stores.first(where: { $0.name == name }) else {
                let known = stores.map(\.name).joined(separator: ", ")
                throw UsageError(description: "there is no store '\(name)', only \(known)")
            }
            chosen.append(store)
        }
        return chosen
    }

    private static func list(_ stores: [any BenchmarkStore], _ others: [any BenchmarkStore]) -> String {
        var text = "Stores: " + stores.map(\.name).joined(separator: ", ")
        if !others.isEmpty { text += "; when named also " + others.map(\.name).joined(separator: ", ") }
        text += "\n\n"
        var table = TextTable(["", "workload", "target", "aim"], left: [0, 1])
        for workload in Workload.all {
            table.add([
                workload.id, workload.title, workload.target?.text(2) ?? "", workload.aim?.text(2) ?? "",
            ])
        }
        text += table.text
        return text + "\nTarget and aim are ratios of the SQLite store to SQLite itself.\n"
    }

    private static func printError(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
