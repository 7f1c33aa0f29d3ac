import SwiftSyntax
import SwiftSyntaxMacros

/// `@Transient`: a mark that `@Model` reads. It expands to nothing.
public struct TransientMacro: PeerMacro {
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        node.reportUnlessOnProperty(declaration, in: context)
        return []
    }
}
