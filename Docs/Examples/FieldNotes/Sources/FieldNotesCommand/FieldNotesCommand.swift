import FieldNotes
import Foundation

@main struct FieldNotesCommand {
    static func main() async {
        do {
            try await Session(Invocation(CommandLine.arguments.dropFirst())).run { print($0) }
        } catch {
            FileHandle.standardError.write(Data("fieldnotes: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// What was typed: options, and the words that are left.
struct Invocation {
    static let usage = """
        usage: fieldnotes [--store sqlite|lmdb|json|memory] [--folder DIR] [--device NAME] [--station FILE] COMMAND
          add SUBJECT PLACE [REMARKS]          writes a note
          list [TEXT]                          shows notes; * marks what the station has not heard of
          set NOTE subject|place|remarks|count VALUE
          remove NOTE                          throws a note away
          sync                                 brings this device and the station together
        NOTE is the beginning of what `list` shows in front of a note.
        """

    var store = StoreChoice.sqlite
    var folder = URL.currentDirectory().appending(path: "notes")
    var device = ProcessInfo.processInfo.hostName
    var station = URL.currentDirectory().appending(path: "station.json")
    var words: [String] = []

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            guard let value = rest.popFirst() else { throw UsageError("\(word) needs a value") }
            switch word {
            case "--store":
                guard let choice = StoreChoice(rawValue: value) else { throw UsageError("there is no store \(value)") }
                store = choice
            case "--folder": folder = URL(filePath: value)
            case "--device": device = value
            case "--station": station = URL(filePath: value)
            default: throw UsageError("there is no option \(word)")
            }
        }
    }
}

/// A wrong command line.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ problem: String) { description = "\(problem)\n\(Invocation.usage)" }
}
