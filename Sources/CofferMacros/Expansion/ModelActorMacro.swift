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
        let properties: [DeclSyntax] = [
            "\(raw: access)nonisolated let modelExecutor: any CofferCore.ModelExecutor",
            "\(raw: access)nonisolated let modelContainer: CofferCore.ModelContainer",
        ]
        // An actor may want to do more when it starts.
        if actor.hasContainerInitializer { return properties }
        return properties + [
            """
            \(raw: access)init(modelContainer: CofferCore.ModelContainer) {
                let modelContext = CofferCore.ModelContext(modelContainer)
                self.modelExecutor = CofferCore.DefaultSerialModelExecutor(modelContext: modelContext)
                self.modelContainer = modelContainer
            }
            """
        ]
    }
}

extension ActorDeclSyntax {
    /// Whether there is an `init(modelContainer:)` already.
    fileprivate var hasContainerInitializer: Bool {
        memberBlock.members.contains { item in
            guard let initializer = item.decl.as(InitializerDeclSyntax.self) else { return false }
            return initializer.signature.parameterClause.parameters.map(\.firstName.text) == ["modelContainer"]
        }
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
