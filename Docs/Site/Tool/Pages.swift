import Foundation

/// Whether the pages of the modules list every public symbol, by its subject: `docc` appends what is not listed to the end
/// of a page, under the kinds of symbols, where nobody looks for it.
struct Pages {
    private let catalogue: URL
    private let graphs: [SymbolGraph]
    /// The module of each symbol that is no other's member.
    private let owners: [String: String]

    init(catalogue: URL, graphs: [SymbolGraph]) {
        self.catalogue = catalogue
        self.graphs = graphs
        var owners: [String: String] = [:]
        for graph in graphs where !graph.isOfExtensions {
            for symbol in graph.symbols { owners[symbol.pathComponents[0]] = graph.module }
        }
        self.owners = owners
    }

    /// Copies the symbols of all modules that have any, once their pages are found to be complete.
    func check(copyingGraphsTo folder: URL) throws {
        let modules = Set(graphs.filter { !$0.isOfExtensions && !$0.symbols.isEmpty }.map(\.module))
        var problems: [String] = []
        for graph in graphs where !graph.isOfExtensions && modules.contains(graph.module) {
            let page = catalogue.appending(path: "\(graph.module).md")
            let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
            let listed = Set(text.matches(of: #/^- ``([^`]+)``/#.anchorsMatchLineEndings()).map { Self.bare($0.1) })
            let symbols = Set(
                graph.symbols.filter { $0.pathComponents.count == 1 && !$0.isUnderscored }.map(\.pathComponents[0]))
            for symbol in symbols.subtracting(listed).sorted() {
                problems.append("  Docs/Site/Coffer.docc/\(graph.module).md does not list \(symbol)")
            }
        }
        if !problems.isEmpty { throw SiteProblem("pages lack symbols:\n" + problems.joined(separator: "\n")) }
        for graph in graphs where modules.contains(graph.owner) {
            try linked(graph).write(to: folder.appending(path: graph.file.lastPathComponent))
        }
    }

    /// A link without what tells it from others of the same name: `Index(_:)-4tqmx`.
    private static func bare(_ link: Substring) -> String {
        String(link.replacing(#/-[0-9a-z]+$/#, with: ""))
    }

    // MARK: Links

    /// The symbols with links in their comments that lead to other modules' symbols, too. In the source they say the
    /// symbol's name, as code there does, since a module's names are visible where it is imported.
    private func linked(_ graph: SymbolGraph) throws -> Data {
        let data = try Data(contentsOf: graph.file)
        guard var contents = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            let symbols = contents["symbols"] as? [[String: Any]]
        else { throw SiteProblem("\(graph.file.path) is no symbol graph") }
        contents["symbols"] = symbols.map { symbol in
            guard var comment = symbol["docComment"] as? [String: Any],
                let lines = comment["lines"] as? [[String: Any]]
            else { return symbol }
            comment["lines"] = lines.map { line in
                guard let text = line["text"] as? String else { return line }
                return line.merging(["text": linked(text, in: graph)]) { $1 }
            }
            return symbol.merging(["docComment": comment]) { $1 }
        }
        return try JSONSerialization.data(withJSONObject: contents)
    }

    private func linked(_ text: String, in graph: SymbolGraph) -> String {
        text.replacing(#/``([^`\/]+)([^`]*)``/#) { match in
            guard let owner = owners[Self.bare(match.1)], owner != graph.owner || graph.isOfExtensions else {
                return String(match.0)
            }
            return "``/\(owner)/\(match.1)\(match.2)``"
        }
    }
}
