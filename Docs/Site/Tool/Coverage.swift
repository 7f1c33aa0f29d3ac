import Foundation

/// Whether every public symbol has a comment, and says what it throws. What is inherited from a protocol counts; underscored
/// names do not.
struct Coverage {
    private let graphs: [SymbolGraph]
    private let root: String

    init(_ graphs: [SymbolGraph], below root: String) {
        self.graphs = graphs
        self.root = root
    }

    func check() throws {
        var total = 0
        var problems: Set<String> = []
        for graph in graphs {
            for symbol in graph.symbols where !symbol.isUnderscored && !symbol.isExtension {
                total += 1
                if symbol.comment.allSatisfy(\.isWhitespace) {
                    problems.insert(place(of: symbol, in: graph) + " has no comment")
                } else if symbol.canThrow, !isCoding(symbol), !symbol.comment.contains(#/\b[Tt]hrows\b/#) {
                    problems.insert(place(of: symbol, in: graph) + " does not say what it throws")
                }
            }
        }
        guard problems.isEmpty else {
            throw SiteProblem(
                "of \(total) public symbols \(problems.count) lack something:\n"
                    + problems.sorted().joined(separator: "\n"))
        }
        print("documentation: all \(total) public symbols have comments, and say what they throw")
    }

    /// What a coder calls throws the coder's errors, everywhere.
    private func isCoding(_ symbol: SymbolGraph.Symbol) -> Bool {
        ["encode(to:)", "init(from:)"].contains(symbol.pathComponents.last)
    }

    private func place(of symbol: SymbolGraph.Symbol, in graph: SymbolGraph) -> String {
        guard let location = symbol.location else { return "  \(graph.module): \(symbol.path)" }
        let file = URL(string: location.uri)?.path ?? location.uri
        let short = file.hasPrefix(root + "/") ? String(file.dropFirst(root.count + 1)) : file
        return "  \(short):\(location.position.line + 1): \(symbol.path)"
    }
}
