import Coffer
import Foundation

/// `coffer dump`: writes a store as lines of JSON.
enum DumpCommand: Command {
    static let declaration = CommandDeclaration(
        name: "dump", summary: "write a store as lines of JSON, without losing anything",
        operands: [.init(name: "STORE")],
        options: [
            CommandOption(
                "output", letter: "o", value: "FILE", isPath: true,
                help: "write there; the file must not exist yet\n(default: standard output)")
        ],
        details: """
            The first lines hold the schema, each other one a row with its id, its values and the ids of the rows
            that it leads to; the last one says that nothing is missing. 'coffer load' makes a store of it.
            """,
        examples: [
            .init("coffer dump trips.sqlite > trips.jsonl", "keep a store as text"),
            .init("coffer dump trips.sqlite | coffer load - trips.lmdb", "make another store of it"),
        ])

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        let store = try StorePlace(arguments.operands[0]).open()
        guard let output = arguments["output"] else {
            try write(store, on: console) { console.write($0) }
            return 0
        }
        let descriptor = Foundation.open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandFailure("\(output): \(String(cString: strerror(errno)))") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try write(store, on: console) { try file.write(contentsOf: Data($0.utf8)) }
            try file.synchronize()
        } catch {
            unlink(output)
            throw error
        }
        return 0
    }

    private static func write(
        _ store: any ImportingRowStore, on console: Console, _ write: (String) throws -> Void
    ) throws {
        try withoutActuallyEscaping(write) { write in
            var progress = Progress(on: console)
            defer { progress.end() }
            try DumpWriter(store: store, write: write).run { progress.update("Dump \($0.shownSafely)", $1) }
        }
    }
}
