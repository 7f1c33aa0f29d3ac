import SwiftSyntax
import SwiftSyntaxMacros

/// `@ModelActor`: gives an actor a container, an executor and the initialiser that makes both.
public struct ModelActorMacro {}

extension ModelActorMacro: MemberMacro {
    public static var formatMode: FormatMode { .disabled }

    public static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let actor = declaration.as(ActorDeclSyntax.self) else {
            Finding("actor-kind", at: declaration.introducer, "'@ModelActor' can only be attached to an actor")
                .report(in: context)
            return []
        }
        let access = AccessLevel(actor.modifiers).prefix
        return [
            "\(raw: access)nonisolated let modelExecutor: any CofferCore.ModelExecutor",
            "\(raw: access)nonisolated let modelContainer: CofferCore.ModelContainer",
            """
            \(raw: access)init(modelContainer: CofferCore.ModelContainer) {
                let modelContext = CofferCore.ModelContext(modelContainer)
                self.modelExecutor = CofferCore.DefaultSerialModelExecutor(modelContext: modelContext)
                self.modelContainer = modelContainer
            }
            """,
        ]
    }
}

extension ModelActorMacro: ExtensionMacro {
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): CofferCore.ModelActor {}")]
    }
}
