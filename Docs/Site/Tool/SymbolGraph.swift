import Foundation

/// What the compiler knows of a module's public symbols; the part that is looked at here.
struct SymbolGraph {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Location: Decodable {
            struct Position: Decodable { let line: Int }
            let uri: String
            let position: Position
        }
        struct Comment: Decodable {
            struct Line: Decodable { let text: String }
            let lines: [Line]
        }

        struct Fragment: Decodable {
            let kind: String
            let spelling: String
        }

        let kind: Kind
        let pathComponents: [String]
        let declarationFragments: [Fragment]?
        let docComment: Comment?
        let location: Location?

        var path: String { pathComponents.joined(separator: ".") }
        /// An underscore says that a symbol is public for the compiler's sake only.
        var isUnderscored: Bool { pathComponents.contains { $0.hasPrefix("_") } }
        var comment: String { docComment?.lines.map(\.text).joined(separator: "\n") ?? "" }

        /// Whether a call may throw errors of its own, rather than those of a closure that it is given.
        var canThrow: Bool {
            var depth = 0
            for fragment in declarationFragments ?? [] {
                if fragment.kind == "keyword", fragment.spelling == "throws", depth == 0 { return true }
                for character in fragment.spelling {
                    if character == "(" { depth += 1 }
                    if character == ")" { depth -= 1 }
                }
            }
            return false
        }

        /// Stands for all extensions of somebody else's type.
        var isExtension: Bool {
            kind.identifier.hasPrefix("swift.extension") || kind.identifier.hasSuffix(".extension")
        }
    }

    private struct Contents: Decodable {
        struct Module: Decodable { let name: String }
        let module: Module
        let symbols: [Symbol]
    }

    let file: URL
    let module: String
    let symbols: [Symbol]

    init(_ path: String) throws {
        file = URL(filePath: path)
        let contents = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file))
        module = contents.module.name
        symbols = contents.symbols
    }

    /// The module that declares what is in a file such as `CofferCore@Swift.symbols.json`.
    var owner: String { String(file.lastPathComponent.prefix { $0 != "@" && $0 != "." }) }
    /// Whether these are extensions of another module's types.
    var isOfExtensions: Bool { file.lastPathComponent.contains("@") }

}
