import Coffer
import Foundation

/// Something that a program does to a store, with saves that are reported.
struct Scenario: Sendable {
    let name: String
    /// The stores on which it says something.
    var stores: Set<CrashStore> = Set(CrashStore.allCases)
    /// Adapts the place.
    var site: @Sendable (inout Site) -> Void = { _ in }
    /// Makes what is there before.
    let prepare: @Sendable (Site) throws -> Void
    /// What is crashed.
    let run: @Sendable (Site, Trial) throws -> Void
    /// Opens the store after the crash, as the program would.
    var open: @Sendable (Site) throws -> ModelContainer = { try $0.open() }
    /// Whether opening by itself brings the store to its last state.
    var openingFinishes = false
    /// Whether opening is a part of what is tried afterwards.
    var opens = true
    /// Whether every save changes what is stored.
    var alwaysChanges = true
    /// Whether stores are closed on the way, which folds an archive's journal; where that fails the journal stays.
    var closesStores = false
    /// Whether the keys of rows depend on where processes end.
    var isRanked = false
    /// What else has to hold when nothing is open.
    var check: @Sendable (Site) throws -> [String] = { _ in [] }

    func site(_ store: CrashStore, _ folder: String) -> Site {
        var result = Site(store, folder)
        site(&result)
        return result
    }
}

extension Scenario {
    /// Saves in the library.
    ///
    /// - Parameter steps: the changes of a save each.
    static func saves(
        _ name: String, on stores: Set<CrashStore> = Set(CrashStore.allCases),
        _ steps: (@Sendable (ModelContext) throws -> Void)...
    ) -> Scenario {
        Scenario(
            name: name, stores: stores,
            prepare: { site in try World.fill(ModelContext(site.open()), for: site.store) },
            run: { site, trial in try trial.saves(site, steps) })
    }
}

/// All scenarios, by name.
enum Scenarios {
    static let all: [Scenario] = saves + links + batches + files + stores + migrations + conversions
    static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }
}
