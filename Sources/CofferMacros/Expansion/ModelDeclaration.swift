import SwiftIfConfig
import SwiftSyntax
import SwiftSyntaxMacros

/// The class that `@Model` is attached to, read once for every role.
struct ModelDeclaration {
    let syntax: ClassDeclSyntax
    /// As written; inside the class it stands for the class with its own generic arguments.
    let name: String
    let properties: [StoredProperty]
    /// The active members, with `#if` resolved.
    let members: [DeclSyntax]
    /// The conditions of `#if` that the plug-in cannot evaluate.
    let undecided: [ExprSyntax]
    /// Whether the class or one that encloses it is generic: such a class can have no stored type properties.
    let isGeneric: Bool
    /// Whether a `let` is persisted as well.
    let persistsConstants: Bool
    /// Whether the class is private to another type, so that no extension can name it.
    let isHidden: Bool
    /// Whether the class is bound to an actor, so that what the core calls has to be freed from it.
    let isIsolated: Bool

    init(_ syntax: ClassDeclSyntax, in context: some MacroExpansionContext) {
        self.syntax = syntax
        name = syntax.name.text
        let active = ActiveMembers(syntax.memberBlock.members, in: context.buildConfiguration)
        members = active.declarations
        undecided = active.undecided
        isGeneric = syntax.genericParameterClause != nil || context.lexicalContext.contains { $0.isGenericDeclaration }
        persistsConstants = context.persistsConstants
        isHidden = !context.lexicalContext.isEmpty && syntax.has(.private)
        let variables = members.compactMap { $0.as(VariableDeclSyntax.self) }
        isIsolated = syntax.isIsolated(in: context) || variables.contains { $0.attributes.globalActor != nil }
        let names = Set(variables.flatMap(\.bindings).map { $0.pattern.trimmedDescription })
        var properties: [StoredProperty] = []
        for variable in variables where variable.isMeantToPersist(withConstants: persistsConstants) {
            // What is diagnosed gets no accessors, which would only add errors.
            let findings = PropertyReview(property: variable, persistsConstants: persistsConstants).findings
            if findings.contains(where: { $0.message.severity == .error }) { continue }
            if let property = StoredProperty(variable, slot: properties.count), !names.contains(property.storage) {
                properties.append(property)
            }
        }
        self.properties = properties
    }

    var isFinal: Bool { syntax.has(.final) }
    var hasInitializer: Bool { members.contains { $0.is(InitializerDeclSyntax.self) } }
    var hasDeinitializer: Bool { members.contains { $0.is(DeinitializerDeclSyntax.self) } }

    /// The first inherited type where it may be a class; a macro cannot tell a class from a protocol.
    var possibleSuperclass: TypeSyntax? { syntax.possibleSuperclass }

    /// `#Unique`, `#Index` and `#FullText`, in the order of the source.
    var constraints: [MacroExpansionDeclSyntax] {
        members.compactMap { $0.as(MacroExpansionDeclSyntax.self) }.filter {
            ["Unique", "Index", "FullText"].contains($0.macroName.text)
        }
    }

    /// Whether the class is one that Swift gives an initialiser without parameters.
    var mayGetPlainInitializer: Bool {
        !hasInitializer && syntax.inheritanceClause == nil
            && members.allSatisfy { member in
                guard let variable = member.as(VariableDeclSyntax.self) else { return true }
                return !variable.needsValue
            }
    }

    func property(of variable: VariableDeclSyntax) -> StoredProperty? {
        guard let name = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
            return nil
        }
        return properties.first { $0.spelling == name }
    }
}

extension ClassDeclSyntax {
    func has(_ keyword: Keyword) -> Bool { modifiers.contains { $0.name.tokenKind == .keyword(keyword) } }

    /// Protocols that models often name and that are surely no classes.
    private static let knownProtocols: Set<String> = [
        "Codable", "Encodable", "Decodable", "Hashable", "Equatable", "Comparable", "Identifiable", "Sendable",
        "CustomStringConvertible", "CustomDebugStringConvertible", "Observable", "PersistentModel", "AnyObject",
    ]

    /// Whether the class states the conformance itself, which takes it off the list of the missing ones.
    var namesPersistentModel: Bool {
        inheritanceClause?.inheritedTypes.contains { $0.type.trimmedDescription.hasSuffix("PersistentModel") } ?? false
    }

    var possibleSuperclass: TypeSyntax? {
        guard let first = inheritanceClause?.inheritedTypes.first?.type else { return nil }
        if first.is(AttributedTypeSyntax.self) || first.is(CompositionTypeSyntax.self) { return nil }
        if let identifier = first.as(IdentifierTypeSyntax.self), Self.knownProtocols.contains(identifier.name.text) {
            return nil
        }
        return first.trimmed
    }
}

extension VariableDeclSyntax {
    /// Whether the property goes to the store, unless something is wrong with it.
    func isMeantToPersist(withConstants: Bool) -> Bool {
        // An override observes the property of the superclass, which has the storage.
        guard !isTransient, !belongsToType, !isComputed, modifier(.override) == nil else { return false }
        return !isLet || withConstants && holdsInformation
    }

    /// Whether a constant may differ from model to model, or is said to be stored: `let limit = 3` is neither.
    var holdsInformation: Bool {
        if needsValue || attribute(named: "Attribute") != nil || attribute(named: "Relationship") != nil { return true }
        guard let value = bindings.first?.initializer?.value else { return false }
        return value.is(FunctionCallExprSyntax.self) || value.is(MemberAccessExprSyntax.self)
    }
}

extension MacroExpansionContext {
    /// Whether a macro may give a `let` accessors, so that it can be persisted: with a warning before Swift 6 mode, and
    /// not at all in it.
    var persistsConstants: Bool {
        guard let version = buildConfiguration?.languageVersion else { return false }
        return version < VersionTuple(6)
    }
}

extension VariableDeclSyntax {
    /// Whether an initialiser has to give the stored property its first value.
    var needsValue: Bool {
        guard !belongsToType, !isComputed, modifier(.lazy) == nil, let binding = bindings.first else { return false }
        guard binding.initializer == nil else { return false }
        guard !isLet, let type = binding.typeAnnotation?.type else { return true }
        return !type.is(OptionalTypeSyntax.self) && !type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }
}

extension Syntax {
    fileprivate var isGenericDeclaration: Bool {
        asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
            || self.as(ExtensionDeclSyntax.self)?.genericWhereClause != nil
    }
}
