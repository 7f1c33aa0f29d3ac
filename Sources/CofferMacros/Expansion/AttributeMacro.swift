import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`: a mark that `@Model` reads. It expands to nothing.
public struct AttributeMacro: PeerMacro {
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        node.reportUnlessOnProperty(declaration, in: context)
        return []
    }
}

extension AttributeSyntax {
    /// The mark of a property on anything else is a mistake that `@Model` never gets to see.
    func reportUnlessOnProperty(_ declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext) {
        guard !declaration.is(VariableDeclSyntax.self) else { return }
        Finding("marker-target", at: self, "'@\(name)' can only be attached to a property").report(in: context)
    }
}
