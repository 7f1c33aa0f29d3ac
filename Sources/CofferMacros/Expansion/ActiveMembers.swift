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
            // Compilers before 6.3 tell a macro nothing of the build.
            guard let (clause, problems) = configuration.map({ conditional.activeClause(in: $0) }), problems.isEmpty
            else {
                undecided += conditional.clauses.compactMap(\.condition).prefix(1)
                addWithoutStorage(conditional)
                continue
            }
            if case .decls(let members)? = clause?.elements { add(members, configuration) }
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
}
