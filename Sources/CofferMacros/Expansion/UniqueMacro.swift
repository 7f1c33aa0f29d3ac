import SwiftSyntax
import SwiftSyntaxMacros

/// `#Unique`: a mark that `@Model` reads. It expands to nothing.
public struct UniqueMacro: DeclarationMacro {
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        reportMisplacedConstraint(node, in: context)
        return []
    }
}

/// Reports `#Unique`, `#Index` or `#FullText` outside a class, without any key path, or with an empty group of them.
func reportMisplacedConstraint(
    _ node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
) {
    let name = node.macroName.text
    if context.lexicalContext.first?.is(ClassDeclSyntax.self) != true {
        Finding("constraint-place", at: node.pound, "'#\(name)' belongs into a class marked '@Model'")
            .report(in: context)
    }
    if node.arguments.isEmpty {
        Finding("constraint-empty", at: node.macroName, "'#\(name)' needs at least one array of key paths")
            .report(in: context)
    }
    for argument in node.arguments {
        // The paths of `.binary([\.name])` lie one level deeper than those of `[\.name]`.
        let paths = argument.expression.as(FunctionCallExprSyntax.self)?.arguments.first?.expression
        guard let array = (paths ?? argument.expression).as(ArrayExprSyntax.self), array.elements.isEmpty else {
            continue
        }
        Finding("constraint-empty", at: array, "an empty group of key paths says nothing: name a property")
            .report(in: context)
    }
}
