import SwiftSyntax
import SwiftSyntaxMacros

/// `#Index`, with plain or with typed groups of key paths: a mark that `@Model` reads. It expands to nothing.
public struct IndexMacro: DeclarationMacro {
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        reportMisplacedConstraint(node, in: context)
        return []
    }
}
