import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A message of the plug-in; the identifier names the rule that was broken.
struct ModelMessage: DiagnosticMessage {
    let message: String
    let rule: String
    var severity = DiagnosticSeverity.error

    var diagnosticID: MessageID { MessageID(domain: "CofferMacros", id: rule) }
}

/// A correction that the editor can apply.
struct ModelFixIt: FixItMessage {
    let message: String
    let rule: String

    var fixItID: MessageID { MessageID(domain: "CofferMacros", id: rule) }
}

/// One finding: where, what, and optionally how to correct it.
struct Finding {
    let node: Syntax
    let message: ModelMessage
    var fixIts: [FixIt] = []

    init(
        _ rule: String, at node: some SyntaxProtocol, _ message: String,
        severity: DiagnosticSeverity = .error, fixIts: [FixIt] = []
    ) {
        self.node = Syntax(node)
        self.message = ModelMessage(message: message, rule: rule, severity: severity)
        self.fixIts = fixIts
    }

    func report(in context: some MacroExpansionContext) {
        context.diagnose(Diagnostic(node: node, message: message, fixIts: fixIts))
    }
}

extension FixIt {
    /// Replaces a node as a whole; the new text brings its own trivia.
    static func replace(_ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String) -> FixIt {
        FixIt(
            message: ModelFixIt(message: message, rule: "replace"),
            changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }

    /// Writes `@Transient` in front of a property, on its line.
    static func markTransient(_ property: VariableDeclSyntax) -> FixIt {
        var marked = property
        marked.leadingTrivia = []
        let attribute = AttributeSyntax(
            attributeName: IdentifierTypeSyntax(name: .identifier("Transient")), trailingTrivia: .space)
        marked.attributes.insert(.attribute(attribute), at: marked.attributes.startIndex)
        marked.leadingTrivia = property.leadingTrivia
        return .replace(property, with: marked, "mark it '@Transient'")
    }

    /// Takes one attribute away.
    static func remove(_ attribute: AttributeSyntax, from property: VariableDeclSyntax) -> FixIt {
        var changed = property
        changed.leadingTrivia = []
        changed.attributes = property.attributes.filter { $0.id != AttributeListSyntax.Element(attribute).id }
        changed.leadingTrivia = property.leadingTrivia
        return .replace(property, with: changed, "remove '\(attribute.trimmedDescription)'")
    }

    /// Takes one modifier away.
    static func remove(_ modifier: DeclModifierSyntax, from property: VariableDeclSyntax) -> FixIt {
        var changed = property
        changed.leadingTrivia = []
        changed.modifiers = property.modifiers.filter { $0.id != modifier.id }
        changed.leadingTrivia = property.leadingTrivia
        return .replace(property, with: changed, "remove '\(modifier.trimmedDescription)'")
    }
}
