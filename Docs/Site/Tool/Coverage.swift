import Foundation

/// Whether every public symbol has a comment. What is inherited from a protocol counts; underscored names do not.
struct Coverage {
    private let graphs: [SymbolGraph]
    private let root: String

    init(_ graphs: [SymbolGraph], below root: String) {
        self.graphs = graphs
        self.root = root
    }

    func check() throws {
        var total = 0
        var missing: Set<String> = []
        for graph in graphs {
            for symbol in graph.symbols where !symbol.isUnderscored && !symbol.isExtension {
                total += 1
                let text = symbol.docComment?.lines.map(\.text).joined() ?? ""
                if text.allSatisfy(\.isWhitespace) { missing.insert(place(of: symbol, in: graph)) }
            }
        }
        guard missing.isEmpty else {
            throw SiteProblem(
                "\(missing.count) of \(total) public symbols have no comment:\n"
                    + missing.sorted().joined(separator: "\n"))
        }
        print("documentation: all \(total) public symbols have comments")
    }

    private func place(of symbol: SymbolGraph.Symbol, in graph: SymbolGraph) -> String {
        guard let location = symbol.location else { return "  \(graph.module): \(symbol.path)" }
        let file = URL(string: location.uri)?.path ?? location.uri
        let short = file.hasPrefix(root + "/") ? String(file.dropFirst(root.count + 1)) : file
        return "  \(short):\(location.position.line + 1): \(symbol.path)"
    }
}
