import SwiftSyntax

extension ModelDeclaration {
    private static let harmlessAttributes: Set<String> = [
        "Model", "Attribute", "Relationship", "available", "MainActor", "objc", "dynamicMemberLookup", "preconcurrency",
    ]

    /// Whether every instance variable belongs to a persisted property, as far as the source tells.
    ///
    /// The core copies models without values where that holds (see BlankFactory), so whatever might bring an instance
    /// variable of another kind counts against it: other macros above all.
    var hasPlainStorage: Bool {
        guard undecided.isEmpty, !hasDeinitializer, !isIsolated, syntax.attributes.areHarmless(Self.harmlessAttributes)
        else { return false }
        return members.allSatisfy { member in
            if let macro = member.as(MacroExpansionDeclSyntax.self) {
                return macro.macroName.text == "Unique" || macro.macroName.text == "Index"
            }
            guard let variable = member.as(VariableDeclSyntax.self) else { return true }
            if variable.belongsToType || variable.isComputed { return true }
            return property(of: variable) != nil && variable.attributes.areHarmless(Self.harmlessAttributes)
        }
    }
}

extension AttributeListSyntax {
    fileprivate func areHarmless(_ names: Set<String>) -> Bool {
        allSatisfy { element in
            guard case .attribute(let attribute) = element else { return false }
            return names.contains(attribute.name)
        }
    }
}
