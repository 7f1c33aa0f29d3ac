import SwiftSyntaxMacros

/// Every macro of the plug-in; the compiler asks for them by the name of the type.
public enum CofferMacroTypes {
    private static let all: [any (Macro & SendableMetatype).Type] = [
        ModelMacro.self,
        PersistedPropertyMacro.self,
        AttributeMacro.self,
        RelationshipMacro.self,
        TransientMacro.self,
        UniqueMacro.self,
        IndexMacro.self,
        FullTextMacro.self,
        ModelActorMacro.self,
        PredicateMacro.self,
        ModelExpressionMacro.self,
    ]

    public static func named(_ typeName: String) -> (any Macro.Type)? {
        all.first { String(describing: $0) == typeName }
    }
}
