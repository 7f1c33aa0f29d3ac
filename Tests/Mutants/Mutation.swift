import CofferConformance
import CofferCore
import CofferInMemory
import Foundation

/// How a copy of the store in memory differs from the original, in one way.
///
/// Each closure stands where the store could go wrong; all of them do nothing unless they are set.
struct Mutation: Sendable {
    typealias Base = InMemoryStore

    // Reading
    var plan: @Sendable (inout FetchPlan, Base) throws -> Void = { _, _ in }
    /// Which of the found rows are handed out, and in which order.
    var rows: @Sendable (inout [Int], RowBatch, FetchPlan) throws -> Void = { _, _, _ in }
    /// What a cell is read as; nil for what it is.
    var value: (@Sendable (StoredValue, CellPlace) -> StoredValue?)?
    var owners: @Sendable (inout [Int64]) -> Void = { _ in }
    var countPlan: @Sendable (inout FetchPlan) -> Void = { _ in }
    var count: @Sendable (inout Int) -> Void = { _ in }
    var keysPlan: @Sendable (inout FetchPlan) -> Void = { _ in }
    var blocks: Blocks = .sound
    var caches: Caches = .none

    // Writing
    var changes: @Sendable (inout RowChanges, Base) throws -> Void = { _, _ in }
    var commit: @Sendable (RowChanges, Base) throws -> RowChangesResult = { try $1.commit($0) }
    var result: @Sendable (inout RowChangesResult) -> Void = { _ in }
    var error: @Sendable (any Error) -> any Error = { $0 }
    var erase: @Sendable (Base) throws -> Void = { try $0.erase() }

    // Opening
    var schema: @Sendable (Schema) throws -> Schema = { $0 }
    var reopened: @Sendable (Base) throws -> Void = { _ in }
    var keepsRows = true
    var erasesByReplacing = false
    /// The identifier that the store shows, from its own and the place's name.
    var identifier: (@Sendable (String) -> String)?
    var features: StoreCapabilities.Features?

    // SwiftData's own requests
    var remapped: @Sendable (inout [PersistentIdentifier: PersistentIdentifier]) -> Void = { _ in }
    var resultStore: @Sendable (String) -> String = { $0 }
    var staleSnapshots = false
    var handsFiltersBack = false

    enum Blocks { case sound, losesTheLast, repeatsTheFirst, dividesOwners, swallowsErrors, keepsRows }
    enum Caches { case none, forever, untilOwnSave }

    struct CellPlace {
        let entityName: String
        let slot: Int
        let row: Int
        let kind: CellKind
    }
}

/// One fault, and the cases of the kit that are to find it.
struct Mutant {
    let name: String
    /// The beginnings of the identifiers of the cases that fit.
    let fits: [String]
    /// The store with the fault.
    let subject: any ConformanceSubject

    /// A fault in the store in memory.
    init(_ name: String, _ fits: String..., change: (inout Mutation) -> Void) {
        self.name = name
        self.fits = fits
        var mutation = Mutation()
        change(&mutation)
        subject = MutantSubject(name: name, mutation: mutation)
    }

    /// A fault in the JSON archive.
    init(file name: String, _ fits: String..., change: (inout FileMutation) -> Void) {
        self.name = name
        self.fits = fits
        var mutation = FileMutation()
        change(&mutation)
        subject = FileMutantSubject(name: name, mutation: mutation)
    }

    /// A fault in the history of the archive of the examples.
    init(history name: String, _ fits: String..., change: (inout HistoryMutation) -> Void) {
        self.name = name
        self.fits = fits
        var mutation = HistoryMutation()
        change(&mutation)
        subject = HistoryMutantSubject(name: name, mutation: mutation)
    }
}
