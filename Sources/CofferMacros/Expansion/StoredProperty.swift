import SwiftSyntax

/// A stored `var` of a model that is written to the store.
struct StoredProperty {
    let declaration: VariableDeclSyntax
    /// The place among the persisted properties of the class, in the order of the source.
    let slot: Int
    /// As written, with backticks where the source has them.
    let spelling: String
    /// Without backticks.
    let name: String
    let type: TypeSyntax?
    let value: ExprSyntax?
    let observers: AccessorDeclListSyntax?

    var storage: String { "_" + name }

    var attribute: AttributeSyntax? { declaration.attribute(named: "Attribute") }
    var relationship: AttributeSyntax? { declaration.attribute(named: "Relationship") }

    /// What the spelling of the type, or of the initial value, tells about the type.
    var shape: TypeShape {
        if let type { return TypeShape(type) }
        return value.map(TypeShape.init(inferredFrom:)) ?? .named
    }

    /// Whether the property may refer to other models, so that the walk over the graph has to look at it.
    var mayBeRelationship: Bool { relationship != nil || attribute == nil && shape.mayBeRelationship }

    /// The type of the storage, which is nil while the value has not been loaded.
    var storageDeclaration: String {
        guard let type else { return "\(storage) = Swift.Optional(\(value?.trimmedDescription ?? "()"))" }
        // `T?` would be nil from the start, and a forgotten assignment in an initialiser would go unnoticed.
        if let implicit = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return "\(storage): Swift.Optional<\(implicit.wrappedType.trimmedDescription)?>"
        }
        return "\(storage): Swift.Optional<\(type.trimmedDescription)>"
    }

    /// How values get into rows and out of them.
    enum Passage {
        /// As the type says.
        case plain
        /// Through a value transformer.
        case transformed(ExprSyntax)
        /// Always through the type's own coding (`.codable`).
        case coded
        /// Not at all (`.ephemeral`).
        case none
    }

    var passage: Passage {
        if hasOption("ephemeral") { return .none }
        if let transformer { return .transformed(transformer) }
        return hasOption("codable") ? .coded : .plain
    }

    private func hasOption(_ name: String) -> Bool {
        (attribute?.argumentList ?? []).contains {
            $0.label == nil && $0.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == name
        }
    }

    /// The argument of `.transformable(by:)`, where the property has that option.
    var transformer: ExprSyntax? {
        for argument in attribute?.argumentList ?? [] {
            guard let call = argument.expression.as(FunctionCallExprSyntax.self),
                let member = call.calledExpression.as(MemberAccessExprSyntax.self),
                member.declName.baseName.text == "transformable"
            else { continue }
            return call.arguments.first?.expression
        }
        return nil
    }

    /// Whether a value is changed in place rather than read, changed and written back.
    ///
    /// Collections gain by it, and so may a structure that holds collections. Scalars gain nothing, an optional named
    /// type is mostly a model, and observers must see every change as a whole.
    var changesInPlace: Bool {
        guard observers == nil, transformer == nil else { return false }
        let shape = shape
        if shape.isCollection { return true }
        guard case .named = shape else { return false }
        return type.map { !TypeShape.isOptional($0) } ?? true
    }
}

extension StoredProperty {
    /// Nil unless the declaration is a single stored variable with a plain name.
    init?(_ declaration: VariableDeclSyntax, slot: Int) {
        guard declaration.bindings.count == 1, let binding = declaration.bindings.first,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
        else { return nil }
        self.declaration = declaration
        self.slot = slot
        spelling = pattern.identifier.text
        name = pattern.identifier.text.withoutBackticks
        type = binding.typeAnnotation?.type.trimmed
        value = binding.initializer?.value
        if case .accessors(let list)? = binding.accessorBlock?.accessors { observers = list } else { observers = nil }
    }
}

extension String {
    var withoutBackticks: String { filter { $0 != "`" } }
}

extension VariableDeclSyntax {
    /// The attribute of that name, with or without the module in front.
    func attribute(named name: String) -> AttributeSyntax? {
        for case .attribute(let attribute) in attributes where attribute.name == name { return attribute }
        return nil
    }

    func modifier(_ keyword: Keyword) -> DeclModifierSyntax? {
        modifiers.first { $0.name.tokenKind == .keyword(keyword) }
    }

    var isTransient: Bool { attribute(named: "Transient") != nil }
    var isLet: Bool { bindingSpecifier.tokenKind == .keyword(.let) }
    var belongsToType: Bool { modifier(.static) != nil || modifier(.class) != nil }

    /// Whether the value is computed: any accessor but the observers of a stored property.
    var isComputed: Bool {
        guard let block = bindings.first?.accessorBlock else { return false }
        guard case .accessors(let list) = block.accessors else { return true }
        return !list.allSatisfy { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
    }
}

extension AttributeSyntax {
    var name: String {
        if let identifier = attributeName.as(IdentifierTypeSyntax.self) { return identifier.name.text }
        return attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }

    var argumentList: LabeledExprListSyntax? {
        if case .argumentList(let list)? = arguments { return list }
        return nil
    }

    /// The arguments as written, ready to be passed on to an initialiser.
    var argumentText: String { argumentList?.trimmedDescription ?? "" }
}
