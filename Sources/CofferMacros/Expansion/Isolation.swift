import SwiftIfConfig
import SwiftSyntax
import SwiftSyntaxMacros

extension AttributeListSyntax {
    /// The attribute that binds a declaration to a global actor.
    var globalActor: AttributeSyntax? {
        for case .attribute(let attribute) in self
        where attribute.name.hasSuffix("Actor") && attribute.name != "ModelActor" {
            return attribute
        }
        return nil
    }
}

extension ClassDeclSyntax {
    /// The global actor that the class is bound to by an attribute of its own.
    var globalActor: AttributeSyntax? { attributes.globalActor }

    /// Whether the class is bound to an actor, by itself or because the module is compiled with a default isolation.
    ///
    /// The default isolation itself is not among what a macro is told, but the feature that it switches on is. Taking a
    /// free class for a bound one costs nothing but text, and even properties of a `nonisolated` class are bound when
    /// they meet requirements of a bound protocol.
    func isIsolated(in context: some MacroExpansionContext) -> Bool {
        globalActor != nil || Self.infersIsolatedConformances(in: context)
    }

    private static func infersIsolatedConformances(in context: some MacroExpansionContext) -> Bool {
        (try? context.buildConfiguration?.hasFeature(name: "InferIsolatedConformances")) ?? false
    }

    /// What stands in front of the conformance to `PersistentModel`.
    ///
    /// The core works on any thread, so the conformance is not bound to the actor. A property `id` of the class cannot
    /// be the identity of a free conformance, unless the compiler may bind that to the actor; then its use is checked
    /// when it runs.
    func conformanceIsolation(in context: some MacroExpansionContext) -> String {
        guard isIsolated(in: context) else { return "" }
        let hasIdentity = memberBlock.members.contains { item in
            item.decl.as(VariableDeclSyntax.self)?.bindings.contains { $0.pattern.trimmedDescription == "id" } ?? false
        }
        return hasIdentity && !Self.infersIsolatedConformances(in: context) ? "@preconcurrency " : "nonisolated "
    }
}
