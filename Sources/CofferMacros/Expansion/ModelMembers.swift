import SwiftSyntax

/// The members that `@Model` adds to a class, as text.
///
/// The compiler spends its time on this text, so it is kept short: what can be a function of the core is one.
struct ModelMembers {
    let model: ModelDeclaration
    /// Whether no superclass is a model. Only such a class carries the state that all models have.
    let isTopmost: Bool

    private var name: String { model.name }
    private var access: AccessLevel { AccessLevel(model.syntax.modifiers) }
    /// In front of everything the core calls: it works on any thread, whatever actor the class is bound to.
    private var isolation: String { model.isIsolated ? "nonisolated " : "" }

    /// In front of members that need no dynamic dispatch.
    private var plain: String { access.prefix + isolation }

    /// In front of members that a subclass overrides.
    private var overridable: String {
        (isTopmost ? "" : "override ") + (model.isFinal ? access.prefix : access.overridablePrefix) + isolation
    }

    /// In front of type properties that a subclass overrides.
    private var overridableType: String { overridable + (model.isFinal && isTopmost ? "static" : "class") }

    /// In front of initialisers.
    private var required: String { access.prefix + isolation + (model.isFinal && isTopmost ? "" : "required ") }

    private var superclass: String? {
        isTopmost ? nil : model.syntax.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
    }

    /// Whether slots are counted from the last one of the superclass.
    private var countsOn: Bool { model.possibleSuperclass != nil }

    private func slot(_ property: StoredProperty) -> String {
        countsOn ? "first + \(property.slot)" : "\(property.slot)"
    }

    var all: [String] {
        state + descriptor + plainness + firstSlot + [schemaMetadata] + constraints + initializers
            + [load, store, visit, forget, edit]
    }

    // MARK: State

    private var state: [String] {
        guard isTopmost else { return [] }
        let hidden = "@exclusivity(unchecked) " + (model.isIsolated ? "nonisolated(unsafe) " : "")
        let prefix = hidden + access.prefix + (model.isFinal ? "" : "final ")
        var lines = [
            prefix + "var _$flags: Swift.UInt64 = 0",
            prefix + "var _$key: Swift.Int64 = 0",
            prefix + "var _$home: CofferCore._ModelHome? = nil",
            prefix + "var _$extras: CofferCore._ModelExtras? = nil",
        ]
        if model.hasDeinitializer || model.isIsolated && countsOn {
            // The end of the token tells the core, where the class has a deinit of its own or might have to override
            // one that is bound to an actor.
            lines.append(hidden + "private final var _$token = CofferCore._LifeToken()")
            lines.append(
                plain + (model.isFinal ? "" : "final ") + "var _$lifeToken: CofferCore._LifeToken? { _$token }")
        } else {
            lines.append("deinit { CofferCore._modelWillDie(self) }")
        }
        return lines
    }

    // MARK: Schema

    private var descriptor: [String] {
        let type = "CofferCore._ModelDescriptor"
        let superclass = superclass.map { $0 + ".self" } ?? "nil"
        if model.isGeneric {
            return [
                "\(overridableType) var _$descriptor: \(type) { \(type).of(\(name).self, superclass: \(superclass)) }"
            ]
        }
        if model.isFinal, isTopmost {
            return ["\(plain)static let _$descriptor = \(type)(\(name).self, superclass: nil)"]
        }
        return [
            "\(overridableType) var _$descriptor: \(type) { _$ownDescriptor }",
            "\(isolation)private static let _$ownDescriptor = \(type)(\(name).self, superclass: \(superclass))",
        ]
    }

    private var plainness: [String] {
        ["\(overridableType) var _$isPlain: Swift.Bool { \(model.hasPlainStorage) }"]
    }

    private var firstSlot: [String] {
        guard countsOn else { return [] }
        let prefix = isolation + "private static"
        guard let superclass else { return ["@inline(__always) \(prefix) var _$firstSlot: Swift.Int { 0 }"] }
        let count = "CofferCore._slotCount(\(superclass).self)"
        if model.isGeneric { return ["\(prefix) var _$firstSlot: Swift.Int { \(count) }"] }
        return ["\(prefix) let _$firstSlot = \(count)"]
    }

    private var schemaMetadata: String {
        let type = "CofferCore.Schema.PropertyMetadata"
        let entries = model.properties.map { property in
            var arguments = ["\"\(property.name)\"", "\\\(name).\(property.spelling)"]
            if let value = property.value, !value.is(NilLiteralExprSyntax.self) {
                arguments.append("default: \(value.trimmedDescription)")
            }
            if let attribute = property.attribute {
                arguments.append("metadata: CofferCore.Schema.Attribute(\(attribute.argumentText))")
            } else if let relationship = property.relationship {
                arguments.append("metadata: CofferCore.Schema.Relationship(\(relationship.argumentText))")
            }
            return "    \(type)._make(\(arguments.joined(separator: ", "))),\n"
        }
        var list = entries.isEmpty ? "[]" : "[\n\(entries.joined())]"
        // A key path to a property that is bound to an actor can only be written on that actor.
        if model.isIsolated, !entries.isEmpty { list = "CofferCore._unisolated { \(list) }" }
        return "\(overridableType) var schemaMetadata: [\(type)] { \(list) }"
    }

    /// A class that can be inherited from always has the member, because its subclasses cannot know whether to override.
    private var constraints: [String] {
        if model.constraints.isEmpty, isTopmost, model.isFinal { return [] }
        let list = model.constraints.map { constraint in
            let root = constraint.genericArgumentClause?.trimmedDescription ?? "<\(name)>"
            return "CofferCore.Schema.\(constraint.macroName.text)\(root)(\(constraint.arguments.trimmedDescription))"
        }
        var text = "[\(list.joined(separator: ", "))]"
        if model.isIsolated, !list.isEmpty { text = "CofferCore._unisolated { \(text) }" }
        return ["\(overridableType) var _$constraints: [any CofferCore.SchemaProperty] { \(text) }"]
    }

    // MARK: Initialisers

    private var initializers: [String] {
        let body =
            model.properties.map { "    \($0.storage) = nil\n" }.joined()
            + (isTopmost ? "" : "    super.init(_$blank: ())\n")
        var initializers = ["\(required)init(_$blank: Swift.Void) {\n\(body)}"]
        // The one above takes away the initialiser that a class gets when all its properties have values.
        if model.mayGetPlainInitializer, isTopmost { initializers.append("init() {}") }
        return initializers
    }

    // MARK: Rows and relationships

    /// A method that first lets the superclass do its part.
    private func method(_ signature: String, super call: String, lines: [String]) -> String {
        var body = lines
        if countsOn, !lines.isEmpty { body.insert("let first = \(name)._$firstSlot", at: 0) }
        if !isTopmost { body.insert(call, at: 0) }
        let text = body.isEmpty ? " {}" : " {\n" + body.map { "    \($0)\n" }.joined() + "}"
        return "\(overridable)func \(signature)\(text)"
    }

    /// A method that moves values between the storage and a row.
    private func transfer(
        _ signature: String, row: String, super call: String, action: (_ slot: String, StoredProperty) -> String?
    ) -> String {
        var lines = model.properties.compactMap { property in
            action(slot(property), property).map { "if row.wants(\(slot(property))) { \($0) }" }
        }
        // The values' own conformances may be bound to the actor, too.
        if model.isIsolated, !lines.isEmpty {
            lines = ["try CofferCore._unisolated(self, \(row)) { model, row in"] + lines.map { "    " + $0 } + ["}"]
        }
        return method(signature, super: call, lines: lines)
    }

    /// The storage of a property as a row method names it.
    private func storage(_ property: StoredProperty) -> String {
        (model.isIsolated ? "model." : "") + property.storage
    }

    private var load: String {
        transfer("_$load(_ row: CofferCore._RowReader) throws", row: "row", super: "try super._$load(row)") {
            slot, property in
            switch property.passage {
            case .plain: "\(storage(property)) = try row.value(\(slot))"
            case .transformed(let transformer):
                "\(storage(property)) = try row.transformed(\(slot), by: \(transformer.trimmedDescription))"
            case .coded: "\(storage(property)) = try row.coded(\(slot))"
            case .none: nil
            }
        }
    }

    private var store: String {
        transfer("_$store(_ row: inout CofferCore._RowWriter) throws", row: "&row", super: "try super._$store(&row)") {
            slot, property in
            switch property.passage {
            case .plain: "try row.put(\(slot), \(storage(property)))"
            case .transformed(let transformer):
                "try row.putTransformed(\(slot), \(storage(property)), by: \(transformer.trimmedDescription))"
            case .coded: "try row.putCoded(\(slot), \(storage(property)))"
            case .none: nil
            }
        }
    }

    private var related: [StoredProperty] { model.properties.filter(\.mayBeRelationship) }

    private var visit: String {
        method(
            "_$visit(_ visitor: inout CofferCore._RelatedVisitor)", super: "super._$visit(&visitor)",
            lines: related.map { "visitor.visit(\(slot($0)), \($0.storage))" })
    }

    private var forget: String {
        choice(
            "_$forget(_ slot: Swift.Int)", super: "super._$forget(slot)",
            cases: model.properties.map { ($0.slot, "\($0.storage) = nil") })
    }

    private var edit: String {
        choice(
            "_$edit(_ slot: Swift.Int, _ edit: CofferCore._RelationshipEdit)", super: "super._$edit(slot, edit)",
            cases: related.map { ($0.slot, "CofferCore._edit(&\($0.storage), edit)") })
    }

    /// A method that acts on one slot, and leaves the slots of the superclass to it.
    private func choice(_ signature: String, super call: String, cases: [(slot: Int, action: String)]) -> String {
        let otherwise = isTopmost ? "break" : call
        guard !cases.isEmpty else {
            return "\(overridable)func \(signature) {\(isTopmost ? "" : " \(call) ")}"
        }
        let subject = countsOn ? "slot - \(name)._$firstSlot" : "slot"
        let lines = cases.map { "    case \($0.slot): \($0.action)\n" }.joined()
        return "\(overridable)func \(signature) {\n    switch \(subject) {\n\(lines)    default: \(otherwise)\n    }\n}"
    }
}
