import Coffer
import Foundation

/// `coffer convert`: copies a store into one of another kind.
enum ConvertCommand: Command {
    static let declaration = CommandDeclaration(
        name: "convert", summary: "copy a store into a new one of any kind",
        operands: [.init(name: "FROM"), .init(name: "TO")],
        options: [
            NewStorePlace.option("to-kind", or: ""),
            CommandOption("json", letter: "j", help: "print the digests of the entities as JSON"),
        ],
        details: """
            Schema, ids, values, links, the order of lists and large values are the same in the new store. Both are
            compared by count and digest of each entity before the new one gets its name. FROM stays as it is, and
            nobody can save to it meanwhile; there must be nothing at TO yet.
            """,
        examples: [
            .init("coffer convert trips.sqlite trips.json", "make a readable archive of an SQLite file"),
            .init("coffer convert --to-kind=lmdb trips.json trips", "make an LMDB folder of an archive"),
        ])

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        let target = try NewStorePlace(arguments.operands[1], kind: arguments["to-kind"], option: "to-kind")
        let source = try StorePlace(arguments.operands[0])
        var progress = Progress(on: console)
        defer { progress.end() }
        let digest = try convert(source, to: target) {
            progress.update("Copy \($0.entityName.shownSafely)", $0.rows, of: $0.total)
        }
        progress.end()
        if arguments.has("json") {
            let entities = digest.entities.map {
                JSONText.object([
                    ("name", JSONText.string($0.name)), ("rows", String($0.rows)),
                    ("digest", JSONText.string($0.digest)),
                ])
            }
            console.write(
                JSONText.object([
                    ("path", JSONText.string(target.path)), ("kind", JSONText.string(target.kind.rawValue)),
                    ("entities", JSONText.array(entities)),
                ]) + "\n")
        } else {
            console.write(target.report(digest))
        }
        return 0
    }

    private static func convert(
        _ source: StorePlace, to target: NewStorePlace, progress: @escaping (StoreConversion.Progress) -> Void
    ) throws -> StoreDigest {
        // Who may write a store can keep others from saving to it meanwhile; who may not reads it as it is.
        let mayWrite = source.files.allSatisfy { access($0, F_OK) != 0 || access($0, W_OK) == 0 }
        let folder = URL(fileURLWithPath: source.path).deletingLastPathComponent().path
        let isHeld = mayWrite && access(folder, W_OK) == 0
        guard let configuration = source.kind.configuration(source.path, allowsSave: isHeld) else {
            return try target.fill(from: source.open(), progress: progress)
        }
        return try StoreConversion.convert(from: configuration, to: target.configuration, progress: progress)
    }
}
