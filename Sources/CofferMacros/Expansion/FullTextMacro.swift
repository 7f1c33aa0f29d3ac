import SwiftSyntax
import SwiftSyntaxMacros

/// `#FullText`: a mark that `@Model` reads. It expands to nothing.
public struct FullTextMacro: DeclarationMacro {
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        reportMisplacedConstraint(node, in: context)
        return []
    }
}
