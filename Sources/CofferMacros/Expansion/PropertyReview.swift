import SwiftDiagnostics
import SwiftSyntax

/// What is wrong with one property of a model.
struct PropertyReview {
    let property: VariableDeclSyntax
    /// Whether a `let` is persisted as well.
    let persistsConstants: Bool

    private var binding: PatternBindingSyntax { property.bindings.first! }
    private var attribute: AttributeSyntax? { property.attribute(named: "Attribute") }
    private var relationship: AttributeSyntax? { property.attribute(named: "Relationship") }

    var findings: [Finding] {
        if property.isComputed { return strayMarkers(on: "a computed property", severity: .error) }
        if property.belongsToType { return strayMarkers(on: "a static property", severity: .error) }
        if property.isTransient { return transientWithoutValue + strayMarkers(on: "a '@Transient' property") }
        if property.isLet, !persistsConstants || !property.holdsInformation { return constantsThatAreNotPersisted }
        if property.modifier(.override) != nil { return [] }
        let form = unsupportedForm
        return form.isEmpty ? contradictions : form
    }

    /// `@Attribute` and `@Relationship` describe what is stored.
    private func strayMarkers(on kind: String, severity: DiagnosticSeverity = .warning) -> [Finding] {
        [attribute, relationship].compactMap { $0 }.map {
            Finding(
                "marker-storage", at: $0, "'@\($0.name)' has no meaning on \(kind), which is not persisted",
                severity: severity, fixIts: [.remove($0, from: property)])
        }
    }

    /// A model that comes from the store starts with nothing but the initial values.
    private var transientWithoutValue: [Finding] {
        guard property.needsValue else { return [] }
        return [
            Finding(
                "transient-value", at: binding.pattern,
                "the '@Transient' property '\(binding.pattern.trimmedDescription)' needs an initial value "
                    + "or an optional type: a fetched model has no other source for it")
        ]
    }

    /// From Swift 6 mode on no macro may give a `let` accessors, and without any it cannot be filled from the store.
    private var constantsThatAreNotPersisted: [Finding] {
        guard !property.needsValue else {
            return [
                Finding(
                    "let-value", at: property.bindingSpecifier,
                    "a stored 'let' of a model needs an initial value and is not persisted: "
                        + "a fetched model could not be given its value",
                    fixIts: [.makePrivateSet(property)])
            ]
        }
        // `let id = UUID()` looks like an identity that is kept.
        guard property.holdsInformation else { return [] }
        return [
            Finding(
                "let-lost", at: property.bindingSpecifier,
                "a 'let' of a model is not persisted: each fetched model makes its initial value anew",
                severity: .warning, fixIts: [.makePrivateSet(property), .markTransient(property)])
        ]
    }

    /// Forms of declaration that cannot be given accessors or cannot be stored.
    private var unsupportedForm: [Finding] {
        if property.bindings.count > 1 {
            return [
                Finding(
                    "one-property", at: property.bindings.dropFirst().first!.pattern,
                    "a model declares one persisted property at a time", fixIts: splitFixIt)
            ]
        }
        if !binding.pattern.is(IdentifierPatternSyntax.self) {
            return [
                Finding(
                    "one-property", at: binding.pattern,
                    "a model cannot declare persisted properties with a tuple pattern: declare them one at a time")
            ]
        }
        if let modifier = property.modifier(.lazy) {
            return [
                Finding(
                    "lazy", at: modifier, "a 'lazy' property cannot be persisted", fixIts: [.markTransient(property)])
            ]
        }
        if let modifier = property.modifier(.weak) ?? property.modifier(.unowned) {
            let word = modifier.name.text
            return [
                Finding(
                    "reference", at: modifier,
                    "\(word == "weak" ? "a" : "an") '\(word)' property cannot be persisted; relationships hold their models without it",
                    fixIts: [.remove(modifier, from: property), .markTransient(property)])
            ]
        }
        if let wrapper = property.propertyWrapper {
            return [
                Finding(
                    "wrapper", at: wrapper, "a property with the wrapper '@\(wrapper.name)' cannot be persisted",
                    fixIts: [.markTransient(property)])
            ]
        }
        guard let type = binding.typeAnnotation?.type else {
            if binding.initializer != nil { return [] }
            return [
                Finding(
                    "type", at: binding.pattern,
                    "the persisted property '\(binding.pattern.trimmedDescription)' needs a type or an initial value")
            ]
        }
        if case .unstorable(let what) = TypeShape(type) {
            return [
                Finding(
                    "unstorable", at: type, "\(what) cannot be persisted", fixIts: [.markTransient(property)])
            ]
        }
        return []
    }

    private var splitFixIt: [FixIt] {
        guard let item = property.parent?.as(MemberBlockItemSyntax.self),
            let list = item.parent?.as(MemberBlockItemListSyntax.self), property.attributes.isEmpty,
            let index = list.firstIndex(of: item)
        else { return [] }
        var changed = list
        let indentation = Trivia(pieces: property.leadingTrivia.reversed().prefix { !$0.isNewline }.reversed())
        let parts = property.bindings.enumerated().map { position, binding in
            var part = property
            var only = binding.trimmed
            only.trailingComma = nil
            part.bindings = [only.trimmed]
            part.leadingTrivia = position == 0 ? property.leadingTrivia : .newline + indentation
            part.trailingTrivia = []
            return MemberBlockItemSyntax(decl: part)
        }
        changed.replaceSubrange(index..<list.index(after: index), with: parts)
        return [.replace(list, with: changed, "declare them one at a time")]
    }

    /// Marks that contradict each other or the type.
    private var contradictions: [Finding] {
        if let attribute, let relationship {
            return [
                Finding(
                    "both-markers", at: relationship,
                    "a property is an '@Attribute' or a '@Relationship', not both",
                    fixIts: [.remove(attribute, from: property), .remove(relationship, from: property)])
            ]
        }
        return relationshipFindings + uniqueFindings
    }

    private var shape: TypeShape {
        binding.typeAnnotation.map { TypeShape($0.type) }
            ?? binding.initializer.map { TypeShape(inferredFrom: $0.value) } ?? .named
    }

    private var relationshipFindings: [Finding] {
        guard let relationship else { return [] }
        var findings: [Finding] = []
        let typeNode = binding.typeAnnotation.map { Syntax($0.type) } ?? Syntax(binding.pattern)
        switch shape {
        case .scalar:
            findings.append(
                Finding(
                    "relationship-type", at: typeNode, "a relationship leads to a model, not to a plain value",
                    fixIts: [.remove(relationship, from: property)]))
        case .array(ofModels: false):
            findings.append(
                Finding(
                    "relationship-type", at: typeNode, "a relationship leads to models, not to plain values",
                    fixIts: [.remove(relationship, from: property)]))
        case .collection:
            findings.append(
                Finding(
                    "relationship-type", at: typeNode, "a relationship to many models is an array",
                    fixIts: useArrayFixIt))
        default: break
        }
        for argument in relationship.argumentList ?? [] where argument.label?.text == "inverse" {
            if argument.expression.is(KeyPathExprSyntax.self) || argument.expression.is(NilLiteralExprSyntax.self) {
                continue
            }
            findings.append(
                Finding(
                    "inverse", at: argument.expression,
                    "the inverse is given as a key path literal, such as \\Type.property"))
        }
        return findings
    }

    /// `Set<Stop>` becomes `[Stop]`.
    private var useArrayFixIt: [FixIt] {
        guard let set = binding.typeAnnotation?.type.as(IdentifierTypeSyntax.self), set.name.text == "Set",
            case .type(let element)? = set.genericArgumentClause?.arguments.first?.argument
        else { return [] }
        let array = ArrayTypeSyntax(element: element.trimmed)
            .with(\.leadingTrivia, set.leadingTrivia).with(\.trailingTrivia, set.trailingTrivia)
        return [.replace(set, with: array, "use an array")]
    }

    private var uniqueFindings: [Finding] {
        guard let attribute, shape.isCollection else { return [] }
        for argument in attribute.argumentList ?? [] {
            guard let option = argument.expression.as(MemberAccessExprSyntax.self),
                option.declName.baseName.text == "unique"
            else { continue }
            return [
                Finding(
                    "unique-type", at: argument.expression,
                    "a collection cannot be unique: nothing compares whole collections")
            ]
        }
        return []
    }
}

extension VariableDeclSyntax {
    /// Property wrappers that models are known to be given by mistake. Others get the compiler's own message, since a
    /// macro cannot tell a wrapper from another macro.
    private static let knownWrappers: Set<String> = [
        "AppStorage", "Bindable", "Binding", "Environment", "EnvironmentObject", "FetchRequest", "FocusState",
        "GestureState", "ObservedObject", "Published", "Query", "SceneStorage", "State", "StateObject", "TaskLocal",
    ]

    var propertyWrapper: AttributeSyntax? {
        for case .attribute(let attribute) in attributes where Self.knownWrappers.contains(attribute.name) {
            return attribute
        }
        return nil
    }
}

extension FixIt {
    /// `let` becomes `private(set) var`: fixed for others, and yet it can be filled from the store.
    fileprivate static func makePrivateSet(_ property: VariableDeclSyntax) -> FixIt {
        var changed = property
        changed.leadingTrivia = []
        changed.bindingSpecifier = .keyword(.var, trailingTrivia: .space)
        let setter = DeclModifierSyntax(
            name: .keyword(.private), detail: DeclModifierDetailSyntax(detail: .identifier("set")),
            trailingTrivia: .space)
        changed.modifiers.append(setter)
        changed.leadingTrivia = property.leadingTrivia
        return .replace(property, with: changed, "make it a 'private(set) var'")
    }
}
