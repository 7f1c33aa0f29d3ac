import CofferMacroExpansion
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The program that the compiler starts to expand Coffer's macros.
///
/// The conversation is started by hand: the toolchain ships swift-syntax without its `SwiftCompilerPlugin` module. The
/// macros live in a library beside it, which the tests can import without having to be built for the host themselves.
@main
struct CofferPlugin: PluginProvider {
    static func main() throws {
        let connection = try StandardIOMessageConnection()
        try CompilerPluginMessageListener(connection: connection, provider: CofferPlugin()).main()
    }

    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        if let macro = CofferMacroTypes.named(typeName) { return macro }
        throw MacroExpansionErrorMessage("the plug-in \(moduleName) has no macro type \(typeName)")
    }
}
