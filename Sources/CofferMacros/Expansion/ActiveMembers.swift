import SwiftIfConfig
import SwiftSyntax

/// The members of a class that take part in this build, with `#if` resolved.
struct ActiveMembers {
    private(set) var declarations: [DeclSyntax] = []
    /// Conditions that only the compiler can evaluate, such as `canImport`.
    private(set) var undecided: [ExprSyntax] = []

    init(_ members: MemberBlockItemListSyntax, in configuration: (any BuildConfiguration)?) {
        add(members, configuration)
    }

    private mutating func add(_ members: MemberBlockItemListSyntax, _ configuration: (any BuildConfiguration)?) {
        for member in members {
            guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else {
                declarations.append(member.decl)
                continue
            }
            if let configuration {
                let (clause, problems) = conditional.activeClause(in: configuration)
                if problems.isEmpty {
                    add(clause, configuration)
                } else {
                    undecided += conditional.clauses.compactMap(\.condition).prefix(1)
                    addWithoutStorage(conditional)
                }
            } else {
                add(conditional.clauses.first, configuration)
            }
        }
    }

    /// Whichever clause is taken, initialisers and the like are there for the checks that ask for one.
    private mutating func addWithoutStorage(_ conditional: IfConfigDeclSyntax) {
        for clause in conditional.clauses {
            guard case .decls(let members)? = clause.elements else { continue }
            declarations += members.map(\.decl).filter {
                $0.is(InitializerDeclSyntax.self) || $0.is(DeinitializerDeclSyntax.self)
            }
        }
    }

    private mutating func add(_ clause: IfConfigClauseSyntax?, _ configuration: (any BuildConfiguration)?) {
        guard case .decls(let members)? = clause?.elements else { return }
        add(members, configuration)
    }
}
