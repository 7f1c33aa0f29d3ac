import Coffer

/// `coffer check`: looks for damage.
enum CheckCommand: Command {
    static let declaration = CommandDeclaration(
        name: "check", summary: "look whether a store is whole, and say where it is not",
        operands: [.init(name: "STORE")],
        options: [
            CommandOption(
                "limit", letter: "n", value: "N", help: "name at most N problems; default: 100, 0 for all"),
            CommandOption("json", letter: "j", help: "print the result as JSON"),
        ],
        details: """
            The engine checks its own file; every row is read and compared with the schema; links must lead to rows
            and both sides of a relationship agree; unique values must be so; indexes have to agree with the rows;
            and the files of large values must be there. Nothing is changed. Values are not shown.
            """,
        examples: [
            .init("coffer check trips.sqlite", "say what is wrong, if anything is"),
            .init("coffer check -j trips.lmdb", "the same for a program"),
        ],
        exitStatus: "0 for a store that is whole, 1 for one that is not or cannot be read,\n"
            + "2 for a wrong command line")

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        var limit = try arguments.number("limit") ?? 100
        if limit == 0 { limit = .max }
        let place = try StorePlace(arguments.operands[0])
        var progress = Progress(on: console)
        defer { progress.end() }
        let result = try StoreInspection(place).run { progress.update($0, $1) }
        progress.end()
        console.write(
            arguments.has("json") ? result.json(place, limit: limit) : result.text(place, limit: limit))
        return result.problems.isEmpty ? 0 : 1
    }
}

/// All that can be found out about what is wrong with a store.
private struct StoreInspection {
    let place: StorePlace

    struct Result {
        var problems: [StoreProblem] = []
        var entities = 0
        var rows = 0

        func text(_ place: StorePlace, limit: Int) -> String {
            let path = place.path.shownSafely
            let size = "\(counted(entities, "entity", "entities")), \(counted(rows, "row", "rows"))"
            if problems.isEmpty { return "\(path): no problems in \(size)\n" }
            var text = problems.prefix(limit).map { "\($0)".shownSafely + "\n" }.joined()
            if problems.count > limit { text += "… and \((problems.count - limit).grouped) more\n" }
            return text + "\(path): \(counted(problems.count, "problem", "problems")) in \(size)\n"
        }

        func json(_ place: StorePlace, limit: Int) -> String {
            let list = problems.prefix(limit).map { problem in
                JSONText.object(
                    [
                        problem.entity.map { ("entity", JSONText.string($0)) },
                        problem.key.map { ("id", String($0)) },
                        problem.property.map { ("property", JSONText.string($0)) },
                        ("detail", JSONText.string(problem.detail)),
                    ].compactMap(\.self))
            }
            return JSONText.object([
                ("path", JSONText.string(place.path)), ("kind", JSONText.string(place.kind.rawValue)),
                ("entities", String(entities)), ("rows", String(rows)),
                ("problemCount", String(problems.count)), ("problems", JSONText.array(list)),
            ]) + "\n"
        }
    }

    init(_ place: StorePlace) { self.place = place }

    func run(progress: @escaping (_ step: String, _ rows: Int?) -> Void) throws -> Result {
        var result = Result()
        progress("Check the files", nil)
        try gather(&result) { result in
            if let configuration = place.configuration {
                result.problems = try StoreOpening.checkFiles(configuration)
            }
        }
        // LMDB trusts what it maps, so a damaged file is not opened.
        if place.kind == .lmdb, !result.problems.isEmpty { return result }
        try gather(&result) { result in
            let store = try place.open()
            result.entities = store.schema.entities.count
            result.problems += try StoreCheck(of: store).run { progress("Check \($0.shownSafely)", $1) }
            for entity in store.schema.entities {
                result.rows += (try? store.countRows(FetchPlan(entityName: entity.name))) ?? 0
            }
        }
        return result
    }

    /// Takes damage that an error tells of for a problem like others.
    private func gather(_ result: inout Result, _ body: (inout Result) throws -> Void) throws {
        do {
            try body(&result)
        } catch let error as SwiftDataError where error.code == .corruptStore {
            let problem = StoreProblem(
                entity: error.entity, property: error.property, error.detail ?? "the store is damaged")
            if !result.problems.contains(problem) { result.problems.append(problem) }
        }
    }
}
