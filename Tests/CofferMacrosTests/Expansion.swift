import SwiftDiagnostics
import SwiftIfConfig
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import CofferMacroExpansion

/// What the plug-in makes of a piece of source.
struct Expansion {
    /// The source with its expansions in place.
    let text: String
    /// Each finding as `line:column: severity: message`, in the order of the source.
    let findings: [String]
    /// The source after each correction that was offered, in the order of the findings.
    let corrections: [String]
}

private let macros: [String: MacroSpec] = [
    "_PersistedProperty": MacroSpec(type: PersistedPropertyMacro.self),
    "Attribute": MacroSpec(type: AttributeMacro.self),
    "Relationship": MacroSpec(type: RelationshipMacro.self),
    "Transient": MacroSpec(type: TransientMacro.self),
    "Unique": MacroSpec(type: UniqueMacro.self),
    "Index": MacroSpec(type: IndexMacro.self),
    "FullText": MacroSpec(type: FullTextMacro.self),
    "Predicate": MacroSpec(type: PredicateMacro.self),
    "Expression": MacroSpec(type: ModelExpressionMacro.self),
    "ModelActor": MacroSpec(type: ModelActorMacro.self, conformances: ["CofferCore.ModelActor"]),
]

/// Expands source as a compiler would.
///
/// - Parameters:
///   - missing: The conformances that the compiler would say a model lacks; none when its superclass is a model.
///   - conditions: What `-D` sets.
///   - features: The features of the language that are switched on.
///   - mode: The language mode.
func expand(
    _ source: String, missing: [TypeSyntax] = ["Observable", "PersistentModel", "Sendable"],
    conditions: Set<String> = [], features: Set<String> = [], mode: Int = 6
) -> Expansion {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")],
        buildConfiguration: StaticBuildConfiguration(
            customConditions: conditions, features: features, targetOSs: ["Linux"],
            languageVersion: VersionTuple(mode), compilerVersion: VersionTuple(6, 3)))
    var specs = macros
    specs["Model"] = MacroSpec(type: ModelMacro.self, conformances: missing)
    let expanded = file.expand(macroSpecs: specs) { node in
        BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    }

    let located = context.diagnostics.map { (position: Position(of: $0.node, in: context), diagnostic: $0) }
        .sorted { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
    return Expansion(
        text: expanded.description,
        findings: located.map { position, diagnostic in
            "\(position.line):\(position.column): \(diagnostic.diagMessage.severity): \(diagnostic.message)"
        },
        corrections: located.flatMap { $0.diagnostic.fixIts }.map { apply($0, to: source, in: context) })
}

extension Expansion {
    /// The lines without their indentation, to look for one of them.
    var lines: [String] { text.trimmedLines }

    /// Whether some lines follow one another, whatever their indentation.
    func contains(lines block: String) -> Bool { lines.contains(block.trimmedLines) }
}

extension String {
    fileprivate var trimmedLines: [String] {
        split(separator: "\n").map { String($0.trimmingPrefix { $0 == " " }) }
    }
}

private struct Position {
    let line: Int
    let column: Int

    init(of node: Syntax, at place: PositionInSyntaxNode = .afterLeadingTrivia, in context: BasicMacroExpansionContext)
    {
        let location = context.location(of: node, at: place, filePathMode: .fileID)
        line = location.flatMap { Int($0.line.description) } ?? 0
        column = location.flatMap { Int($0.column.description) } ?? 0
    }
}

private func apply(_ fixIt: FixIt, to source: String, in context: BasicMacroExpansionContext) -> String {
    var bytes = Array(source.utf8)
    for case .replace(let old, let new) in fixIt.changes {
        let start = Position(of: old, at: .beforeLeadingTrivia, in: context)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(\.utf8.count)
        let offset = lines.prefix(start.line - 1).reduce(0) { $0 + $1 + 1 } + start.column - 1
        bytes.replaceSubrange(offset..<(offset + old.totalLength.utf8Length), with: Array(new.description.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
}
