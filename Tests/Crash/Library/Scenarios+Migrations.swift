import Coffer
import Foundation

extension Scenarios {
    /// Openings by newer programs.
    static let migrations: [Scenario] = [
        migration("add to the schema") { try $0.open(Schema(versionedSchema: KeepersMore.self)) },
        migration("migrate on a copy") { try $0.open(Schema(versionedSchema: KeepersV2.self)) },
        migration("migrate without a backup", { $0.backup = .never }) {
            try $0.open(Schema(versionedSchema: KeepersV2.self))
        },
        migration("migrate by a plan", hasTwins: true) {
            try $0.open(Schema(versionedSchema: KeepersV3.self), plan: KeepersPlan.self)
        },
        migration("migrate by a plan with a backup", hasTwins: true, { $0.backup = .always }) {
            try $0.open(Schema(versionedSchema: KeepersV3.self), plan: KeepersPlan.self)
        },
    ]

    private static func migration(
        _ name: String, hasTwins: Bool = false, _ adapt: @escaping @Sendable (inout Site) -> Void = { _ in },
        _ open: @escaping @Sendable (Site) throws -> ModelContainer
    ) -> Scenario {
        Scenario(
            name: name, site: adapt,
            prepare: { site in
                let context = ModelContext(try site.open(Schema(versionedSchema: KeepersV1.self)))
                for number in 0..<6 {
                    let keeper = KeepersV1.Keeper("keeper number \(number)", "mail \(number)")
                    if hasTwins, number > 3 { keeper.email = "twice" }
                    if number % 2 == 0 { keeper.photo = World.bytes(number, site.store == .json ? 1000 : 20_000) }
                    keeper.junk = "junk \(number)"
                    for animal in 0..<number {
                        keeper.animals.append(KeepersV1.Animal("animal \(animal)", legs: animal))
                    }
                    context.insert(keeper)
                }
                if site.store == .journal {
                    for number in 0..<12 {
                        let text = String(repeating: "padding \(number) ", count: 120)
                        context.insert(KeepersV1.Keeper(text, "padding \(number)"))
                    }
                }
                try context.save()
            },
            run: { site, trial in
                let container = try trial.attempt("migrating") { try open(site) }
                trial.saved()
                withExtendedLifetime(container) {}
            },
            open: open,
            openingFinishes: true)
    }
}
