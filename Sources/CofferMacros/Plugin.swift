import SwiftSyntaxMacros

/// Every macro of the plug-in; the compiler asks for them by the name of the type.
private let macros: [any (Macro & SendableMetatype).Type] = [
    ModelMacro.self,
    PersistedPropertyMacro.self,
    AttributeMacro.self,
    RelationshipMacro.self,
    TransientMacro.self,
    UniqueMacro.self,
    IndexMacro.self,
    ModelActorMacro.self,
]

#if COFFER_SYNTAX_PACKAGE
import SwiftCompilerPlugin

@main
struct CofferPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = macros
}
#else
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling

/// The toolchain ships no `SwiftCompilerPlugin` module, so the conversation with the compiler is started by hand.
@main
struct CofferPlugin: PluginProvider {
    static func main() throws {
        let connection = try StandardIOMessageConnection()
        try CompilerPluginMessageListener(connection: connection, provider: CofferPlugin()).main()
    }

    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        for macro in macros where String(describing: macro) == typeName { return macro }
        throw MacroExpansionErrorMessage("the plug-in \(moduleName) has no macro type \(typeName)")
    }
}
#endif
