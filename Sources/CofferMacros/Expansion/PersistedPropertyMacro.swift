import SwiftSyntax
import SwiftSyntaxMacros

/// `@_PersistedProperty(slot)`: the storage and the accessors of one persisted property.
///
/// `@Model` attaches it, because an accessor macro does not see the class and cannot count slots itself.
public struct PersistedPropertyMacro {}

extension PersistedPropertyMacro: PeerMacro {
    public static var formatMode: FormatMode { .disabled }

    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let expansion = PropertyExpansion(node, declaration, in: context) else { return [] }
        return expansion.peers.map { DeclSyntax("\(raw: $0)") }
    }
}

extension PersistedPropertyMacro: AccessorMacro {
    public static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let expansion = PropertyExpansion(node, declaration, in: context) else { return [] }
        return expansion.accessors.map { AccessorDeclSyntax(stringLiteral: $0) }
    }
}

/// The text that replaces one stored property.
private struct PropertyExpansion {
    let property: StoredProperty
    /// The expression of the slot: a literal, or counted from the last slot of the superclass.
    let slot: String
    let keyPath: String
    let isIsolated: Bool

    init?(_ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext) {
        guard let variable = declaration.as(VariableDeclSyntax.self),
            let property = StoredProperty(variable, slot: 0),
            let model = context.lexicalContext.first?.as(ClassDeclSyntax.self)
        else { return nil }
        self.property = property
        slot = model.slotExpression(node.argumentText)
        keyPath = "\\\(model.name.text).\(property.spelling)"
        isIsolated = model.isIsolated(in: context)
    }

    private var isolation: String { isIsolated ? "nonisolated(unsafe) " : "" }

    var peers: [String] {
        var peers = ["@exclusivity(unchecked) \(isolation)private final var \(property.storageDeclaration)"]
        if property.observers != nil {
            peers.append("@exclusivity(unchecked) \(isolation)private final var \(property.observing) = false")
        }
        return peers
    }

    /// Appended to the names of the core's functions where the value passes through a transformer.
    private var suffix: String { property.transformer == nil ? "" : "Transformed" }

    /// Sets the value by way of the core, which keeps the old one and tells the context.
    private var assignment: String {
        "CofferCore._set\(suffix)(self, \(slot), \(keyPath), \(property.storage), newValue) { \(property.storage) = $0 }"
    }

    private var absent: String {
        let arguments = "self, \(slot), \(keyPath)"
        return switch property.passage {
        case .plain: "CofferCore._absent(\(arguments))"
        case .transformed(let transformer):
            "CofferCore._absentTransformed(\(arguments), by: \(transformer.trimmedDescription))"
        case .coded: "CofferCore._absentCoded(\(arguments))"
        case .none: "CofferCore._absentEphemeral(\(arguments))"
        }
    }

    var accessors: [String] {
        let storage = property.storage
        var accessors = [
            "@storageRestrictions(initializes: \(storage)) init(initialValue) { \(storage) = initialValue }",
            """
            get {
                if CofferCore._mustPrepare(_$flags) { CofferCore._willRead(self, \(slot), \(keyPath)) }
                if let value = \(storage) { return value }
                let value = \(absent)
                \(storage) = value
                return value
            }
            """,
        ]
        if property.declaration.isLet { return accessors }
        accessors.append(property.observers.map(observedSetter) ?? "set { \(assignment) }")
        if property.changesInPlace {
            // A constant that is nothing but `()` would be warned of; values have nothing to remember.
            accessors.append(
                """
                _modify {
                    let before = (CofferCore._willModify(self, \(slot), \(keyPath), \(storage)), 0)
                    if case Swift.Optional.none = \(storage) { \(storage) = \(absent) }
                    defer { CofferCore._didModify(self, \(slot), \(keyPath), before.0, \(storage)) }
                    yield &\(storage)!
                }
                """)
        }
        return accessors
    }

    /// A setter that runs the observers of the source, which the compiler drops once a macro adds accessors.
    ///
    /// An observer that sets its own property must not start itself again, hence the mark. The bodies become local
    /// functions, so that a `return` in one leaves the observer and not the setter.
    private func observedSetter(_ observers: AccessorDeclListSyntax) -> String {
        var before: [String] = []
        var after: [String] = []
        for observer in observers {
            let isWillSet = observer.accessorSpecifier.tokenKind == .keyword(.willSet)
            let implicit = isWillSet ? "newValue" : "oldValue"
            let name = observer.parameters?.name.text ?? implicit
            let body = observer.body?.statements.trimmedDescription ?? ""
            let function = isWillSet ? "willSet" : "didSet"
            if isWillSet {
                if name != implicit { before.append("let \(name) = newValue") }
            } else if observer.parameters != nil || observer.body?.mentions(implicit) == true {
                before.append("let \(name) = \(property.spelling)")
            }
            let call = ["func \(function)() {", body, "}", "\(function)()"]
            if isWillSet { before += call } else { after += call }
        }
        let lines =
            ["set {", "if \(property.observing) { return \(assignment) }"]
            + ["\(property.observing) = true", "defer { \(property.observing) = false }"]
            + before + [assignment] + after + ["}"]
        return lines.joined(separator: "\n")
    }
}

extension StoredProperty {
    /// The mark that the observers of the property are running.
    fileprivate var observing: String { "_$in_" + name }
}

extension SyntaxProtocol {
    fileprivate func mentions(_ identifier: String) -> Bool {
        tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .identifier(identifier) }
    }
}

extension ClassDeclSyntax {
    /// A slot of this class: a class that may have a model as superclass counts on from its last slot.
    func slotExpression(_ index: String) -> String {
        possibleSuperclass == nil ? index : "\(name.text)._$firstSlot + \(index)"
    }
}
