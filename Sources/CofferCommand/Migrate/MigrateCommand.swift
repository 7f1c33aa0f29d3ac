import Coffer
import Foundation

/// `coffer migrate --dry-run`: says what opening a store with another schema would do.
enum MigrateCommand: Command {
    static let declaration = CommandDeclaration(
        name: "migrate", summary: "say what opening a store with another schema would do",
        operands: [.init(name: "STORE")],
        options: [
            CommandOption("dry-run", help: "change nothing; has to be said"),
            CommandOption(
                "to-schema", value: "FILE", isPath: true,
                help: "the schema to come to: that of another store or dump,\nor what 'coffer inspect --schema' prints"),
            CommandOption("json", letter: "j", help: "print the report as JSON"),
        ],
        details: """
            Rows that would be copied are, into a store that is thrown away, so that the figures are those of the
            real migration. Nobody may have STORE open meanwhile. Without the program its migration plan is not known,
            nor default values that are expressions, as in 'var id = UUID()': a property that is new and has such a
            one is taken for one that has none.
            """,
        examples: [
            .init("coffer migrate --dry-run --to-schema=new.json trips.sqlite", "rows touched, and what would be lost")
        ])

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        guard arguments.has("dry-run") else {
            throw UsageError(
                description: "a store is migrated by the program that has the models; here it takes '--dry-run'")
        }
        guard let file = arguments["to-schema"] else {
            throw UsageError(description: "option '--to-schema' is missing")
        }
        let place = try StorePlace(arguments.operands[0])
        guard let configuration = place.kind.configuration(place.path, allowsSave: true) else {
            throw CommandFailure("\(place.path): is a dump, which nobody migrates")
        }
        let schema = try self.schema(at: file)
        let report = try StoreOpening.previewMigration(configuration, to: schema)
        if arguments.has("json") {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            console.write(String(decoding: try encoder.encode(report), as: UTF8.self) + "\n")
            return 0
        }
        console.write("\(report)".split(separator: "\n").map { String($0).shownSafely + "\n" }.joined())
        if report.losesData { console.write("Data would be lost.\n") }
        return 0
    }

    /// The schema of a store or a dump, or one by itself.
    private static func schema(at file: String) throws -> Schema {
        let place = try StorePlace(file)
        if place.kind == .dump { return try DumpReader(file).schema() }
        if place.kind == .json, let schema = try? Schema.load(from: URL(fileURLWithPath: file)) { return schema }
        return try place.open().schema
    }
}
