import Foundation

/// What `Docs/Site/build` leaves to Swift: looking at symbols, and making articles of the guides.
@main enum SiteTool {
    static func main() {
        var words = CommandLine.arguments.dropFirst()
        do {
            switch (words.popFirst(), words.count) {
            case ("coverage", 2...):
                try Coverage(words.dropFirst().map(SymbolGraph.init), below: words[words.startIndex]).check()
            case ("articles", 2):
                try Articles(root: URL(filePath: words[words.startIndex])).write(into: URL(filePath: words.last!))
            case ("pages", 3...):
                let catalogue = URL(filePath: words.removeFirst())
                let folder = URL(filePath: words.removeFirst())
                try Pages(catalogue: catalogue, graphs: words.map(SymbolGraph.init)).check(copyingGraphsTo: folder)
            default: throw SiteProblem("usage: site-tool coverage|articles|pages …")
            }
        } catch {
            FileHandle.standardError.write(Data("documentation: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// What is wrong, in words.
struct SiteProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
