import Coffer

/// `coffer load`: makes a store of a dump.
enum LoadCommand: Command {
    static let declaration = CommandDeclaration(
        name: "load", summary: "make a store of a dump",
        operands: [.init(name: "FILE"), .init(name: "STORE")],
        options: [NewStorePlace.option("kind", or: "")],
        details: """
            FILE is what 'coffer dump' wrote; '-' is standard input. There must be nothing at STORE yet. Rows keep
            their ids, and the store its identifier. What does not fit together is refused, and nothing is made.
            """,
        examples: [
            .init("coffer load trips.jsonl trips.sqlite", "make an SQLite file"),
            .init("coffer load --kind=lmdb trips.jsonl trips", "make an LMDB folder"),
        ])

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        let place = try NewStorePlace(arguments.operands[1], kind: arguments["kind"], option: "kind")
        var progress = Progress(on: console)
        defer { progress.end() }
        progress.begin("Read the dump")
        let store = try DumpReader(arguments.operands[0]).load { progress.update("Read the dump", $0) }
        let digest = try place.fill(from: store) {
            progress.update("Copy \($0.entityName.shownSafely)", $0.rows, of: $0.total)
        }
        progress.end()
        console.write(place.report(digest))
        return 0
    }
}

extension NewStorePlace {
    /// Makes the store as a copy of an open one.
    func fill(
        from store: any ImportingRowStore, progress: @escaping (StoreConversion.Progress) -> Void
    ) throws -> StoreDigest {
        let target = try StoreOpening.make(configuration, schema: store.schema, identifier: store.identifier)
        do {
            let digest = try StoreConversion.copy(store, into: target.store, progress: progress)
            try target.finish()
            return digest
        } catch {
            target.abandon()
            throw error
        }
    }

    /// One line about what was made.
    func report(_ digest: StoreDigest) -> String {
        let rows = digest.entities.reduce(0) { $0 + $1.rows }
        return "\(path.shownSafely): \(kind.title), \(counted(digest.entities.count, "entity", "entities")), "
            + "\(counted(rows, "row", "rows"))\n"
    }
}

/// A number with the word for one or for several.
func counted(_ count: Int, _ one: String, _ several: String) -> String {
    "\(count.grouped) \(count == 1 ? one : several)"
}
