import Coffer
import Foundation

/// `coffer inspect`: says what a store is and what is in it.
enum InspectCommand: Command {
    static let declaration = CommandDeclaration(
        name: "inspect", summary: "say what a store is and what is in it",
        operands: [.init(name: "STORE")],
        options: [
            CommandOption(
                "entity", letter: "e", value: "NAME", repeats: true, help: "say only what NAME is; may be repeated"),
            CommandOption("json", letter: "j", help: "print the result as JSON"),
            CommandOption("schema", help: "print the schema in its stored form, as JSON"),
        ],
        details: """
            STORE is an SQLite file, an LMDB folder, a JSON archive or a dump. It is read only, and may be in use; the
            program that made it is not needed. Values are not shown.
            """,
        examples: [
            .init("coffer inspect trips.sqlite", "entities, properties, indexes, counts and sizes"),
            .init("coffer inspect -j trips.lmdb | jq '.entities[].rows'", "the same for a program"),
        ])

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        let place = try StorePlace(arguments.operands[0])
        let store = try place.open(readsAll: false)
        if arguments.has("schema") {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            console.write(String(decoding: try encoder.encode(store.schema), as: UTF8.self) + "\n")
            return 0
        }
        let names = arguments.all("entity")
        let entities =
            names.isEmpty
            ? store.schema.entities.sorted { $0.name < $1.name }
            : try names.map { try StoreRows.entity($0, of: store) }
        let summary = try StoreSummary(place, store, entities)
        console.write(arguments.has("json") ? summary.json : names.isEmpty ? summary.text : summary.entitiesText)
        return 0
    }
}
