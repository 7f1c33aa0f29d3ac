import SwiftSyntax
import SwiftSyntaxMacros

/// `@Model`: turns a class into a model.
public struct ModelMacro {
    public static var formatMode: FormatMode { .disabled }
}

extension ModelMacro: MemberMacro {
    public static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let syntax = declaration.as(ClassDeclSyntax.self) else {
            Finding.notAClass(declaration).report(in: context)
            return []
        }
        let model = ModelDeclaration(syntax, in: context)
        // Only the missing conformances are listed: a class that lacks none has a model as its superclass.
        let isTopmost =
            protocols.contains { $0.trimmedDescription.hasSuffix("PersistentModel") } || syntax.namesPersistentModel
        for finding in ModelReview(model: model, isTopmost: isTopmost).findings { finding.report(in: context) }
        return ModelMembers(model: model, isTopmost: isTopmost).all.map { DeclSyntax("\(raw: $0)") }
    }
}

extension ModelMacro: MemberAttributeMacro {
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard let variable = member.as(VariableDeclSyntax.self),
            variable.isMeantToPersist(withConstants: context.persistsConstants),
            let syntax = declaration.as(ClassDeclSyntax.self),
            let property = ModelDeclaration(syntax, in: context).property(of: variable)
        else { return [] }
        return ["@CofferCore._PersistedProperty(\(raw: property.slot))"]
    }
}

extension ModelMacro: ExtensionMacro {
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let syntax = declaration.as(ClassDeclSyntax.self) else { return [] }
        let name = type.trimmedDescription
        let observable = syntax.isIsolated(in: context) ? "nonisolated " : ""
        let persistent = syntax.conformanceIsolation(in: context)
        return try protocols.compactMap { missing in
            switch missing.trimmedDescription.split(separator: ".").last {
            case "PersistentModel": "extension \(name): \(persistent)CofferCore.PersistentModel {}"
            case "Observable": "extension \(name): \(observable)CofferCore.Observable {}"
            case "Sendable":
                """
                @available(*, unavailable, message: "a model belongs to the context that made it: pass its \
                persistentModelID, or work in a ModelActor")
                extension \(name): @unchecked Swift.Sendable {}
                """
            default: nil
            }
        }.map { (text: String) in try ExtensionDeclSyntax("\(raw: text)") }
    }
}
