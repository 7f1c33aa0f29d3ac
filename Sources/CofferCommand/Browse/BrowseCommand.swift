import Coffer
import Foundation

/// `coffer browse`: makes a page of a store.
enum BrowseCommand: Command {
    static let declaration = CommandDeclaration(
        name: "browse", summary: "make one HTML page of a store, to be read in any browser",
        operands: [.init(name: "STORE")],
        options: [
            CommandOption(
                "output", letter: "o", value: "FILE", isPath: true,
                help: "write there; the file must not exist yet\n(default: standard output)"),
            CommandOption(
                "rows", letter: "n", value: "N", help: "at most N rows of each entity; default: 1000, 0 for all"),
        ],
        details: """
            The page has all that it needs and asks no network for anything: a drawing of the schema, the rows of each
            entity page by page, and links that lead from row to row. It shows the values of the store; mind who gets
            it. Of large values it has the size, of long texts the beginning.
            """,
        examples: [.init("coffer browse trips.sqlite --output trips.html", "look around in a store")])

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        var limit = try arguments.number("rows") ?? 1000
        if limit == 0 { limit = .max }
        let place = try StorePlace(arguments.operands[0])
        let store = try place.open()
        var progress = Progress(on: console)
        defer { progress.end() }
        let page = try BrowsePage(place, store, limit: limit).text { progress.update("Read \($0.shownSafely)", $1) }
        progress.end()
        guard let output = arguments["output"] else {
            console.write(page)
            return 0
        }
        let descriptor = Foundation.open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandFailure("\(output): \(String(cString: strerror(errno)))") }
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(page.utf8))
        } catch {
            unlink(output)
            throw CommandFailure("\(output): cannot be written")
        }
        return 0
    }
}
