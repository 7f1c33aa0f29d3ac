import SwiftDiagnostics
import SwiftSyntax

/// What is wrong with a class that is to be a model.
///
/// All rules are checked in one place and once, in the member role; the other roles pass over what is diagnosed here.
struct ModelReview {
    let model: ModelDeclaration
    let isTopmost: Bool

    var findings: [Finding] {
        var findings: [Finding] = []
        for case let property? in model.members.map({ $0.as(VariableDeclSyntax.self) }) {
            findings += PropertyReview(property: property, persistsConstants: model.persistsConstants).findings
        }
        findings += missingInitializer + storageCollisions + foreignActor + hiddenModel + undecidedConditions
        return findings
    }

    private func isMeantToPersist(_ variable: VariableDeclSyntax) -> Bool {
        variable.isMeantToPersist(withConstants: model.persistsConstants)
    }

    /// The expansion adds initialisers, so Swift gives the class none of its own and none of its superclass.
    private var missingInitializer: [Finding] {
        guard !model.hasInitializer, !(isTopmost && model.mayGetPlainInitializer) else { return [] }
        // A property without a type has a finding of its own, and no parameter could be written for it.
        let valueless = model.members.compactMap { $0.as(VariableDeclSyntax.self) }.filter(\.needsValue)
        var parameters: [String] = []
        var assignments: [String] = []
        var names: [String] = []
        for variable in valueless {
            guard let binding = variable.bindings.first, let type = binding.typeAnnotation?.type.trimmedDescription,
                let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            else { return [] }
            names.append("'\(name)'")
            parameters.append("\(name): \(type)")
            assignments.append("self.\(name) = \(name)")
        }
        let reason =
            valueless.isEmpty
            ? "the class inherits none, because '@Model' adds initialisers"
            : names.joined(separator: ", ") + (names.count == 1 ? " has" : " have") + " no initial value"
        let access = AccessLevel(model.syntax.modifiers).prefix
        let initializer = MemberBlockItemSyntax.initializer(
            access: access, parameters: parameters, body: assignments, in: model.syntax)
        let block = model.syntax.memberBlock
        var changed = block
        changed.members.append(initializer)
        return [
            Finding(
                "initializer", at: model.syntax.name, "the model '\(model.name)' needs an initialiser: \(reason)",
                fixIts: [.replace(block, with: changed, "add an initialiser")])
        ]
    }

    /// The conformances are extensions at the top of the file, from where a private nested type cannot be seen.
    private var hiddenModel: [Finding] {
        let isPrivate = { (modifier: DeclModifierSyntax) in modifier.name.tokenKind == .keyword(.private) }
        guard model.isHidden, let modifier = model.syntax.modifiers.first(where: isPrivate) else { return [] }
        let visible = modifier.with(\.name, .keyword(.fileprivate))
            .with(\.leadingTrivia, modifier.leadingTrivia).with(\.trailingTrivia, modifier.trailingTrivia)
        return [
            Finding(
                "hidden", at: modifier, "a nested model cannot be 'private', since its conformances stand outside",
                fixIts: [.replace(modifier, with: visible, "make it 'fileprivate'")])
        ]
    }

    /// The core frees a model from the main actor; other actors it does not know.
    private var foreignActor: [Finding] {
        guard let actor = model.syntax.globalActor, actor.name != "MainActor" else { return [] }
        return [
            Finding("actor", at: actor, "a model can be bound to the main actor, but not to '@\(actor.name)'")
        ]
    }

    /// A slot must not depend on what only the compiler knows. Members without storage may, and so may transient ones.
    private var undecidedConditions: [Finding] {
        model.undecided.filter { condition in
            let conditional = condition.parent?.parent?.parent?.as(IfConfigDeclSyntax.self)
            return conditional?.clauses.contains { clause in
                guard case .decls(let members)? = clause.elements else { return false }
                return members.contains { item in
                    guard let variable = item.decl.as(VariableDeclSyntax.self) else {
                        return item.decl.is(MacroExpansionDeclSyntax.self) || item.decl.is(IfConfigDeclSyntax.self)
                    }
                    return isMeantToPersist(variable)
                }
            } ?? false
        }.map {
            Finding(
                "condition", at: $0,
                "a macro cannot evaluate '\($0.trimmedDescription)': persisted properties cannot depend on it")
        }
    }

    /// `_name` is where the expansion keeps `name`.
    private var storageCollisions: [Finding] {
        let properties = model.members.compactMap { $0.as(VariableDeclSyntax.self) }
        let storages = Dictionary(
            properties.filter(isMeantToPersist).compactMap { StoredProperty($0, slot: 0) }.map {
                ($0.storage, $0.name)
            }
        ) { first, _ in first }
        return properties.flatMap(\.bindings).compactMap { binding in
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
                let property = storages[pattern.identifier.text.withoutBackticks]
            else { return nil }
            return Finding(
                "storage-name", at: pattern,
                "'\(pattern.identifier.text)' is the name of the storage of the persisted property '\(property)'")
        }
    }
}

extension Finding {
    static func notAClass(_ declaration: some DeclGroupSyntax) -> Finding {
        let keyword = declaration.introducer
        let kind = keyword.text
        let article = kind == "enum" || kind == "actor" || kind == "extension" ? "an" : "a"
        var fixIts: [FixIt] = []
        if kind == "struct" || kind == "actor" {
            let text = TokenSyntax.identifier("final class")
                .with(\.leadingTrivia, keyword.leadingTrivia).with(\.trailingTrivia, keyword.trailingTrivia)
            fixIts = [.replace(keyword, with: text, "make it a 'final class'")]
        }
        return Finding(
            "model-kind", at: keyword, "'@Model' can only be attached to a class, not to \(article) \(kind)",
            fixIts: fixIts)
    }
}

extension MemberBlockItemSyntax {
    /// An initialiser behind the other members, indented like them.
    fileprivate static func initializer(
        access: String, parameters: [String], body: [String], in model: ClassDeclSyntax
    ) -> MemberBlockItemSyntax {
        let indentation =
            model.memberBlock.members.first?.firstToken(viewMode: .sourceAccurate)?.leadingTrivia.indentation()
            ?? "    "
        let lines = body.map { "\(indentation)    \($0)\n" }.joined()
        let text = "\(access)init(\(parameters.joined(separator: ", "))) {\n\(lines)\(indentation)}"
        return MemberBlockItemSyntax(
            leadingTrivia: .newlines(2), decl: DeclSyntax("\(raw: indentation)\(raw: text)"))
    }
}

extension Trivia {
    /// The blanks between the last line break and the token.
    fileprivate func indentation() -> String? {
        guard let line = description.split(separator: "\n", omittingEmptySubsequences: false).last else { return nil }
        return line.isEmpty ? nil : String(line)
    }
}
