import Coffer
import CofferJSON
import CofferLMDB
import Foundation

@testable import CofferCommand

/// A store that a test makes with models, of each kind that lies in files.
enum SampleStore: String, CaseIterable {
    case sqlite
    case lmdb
    case json

    func path(_ folder: String, _ name: String = "voyages") -> String { "\(folder)/\(name).\(rawValue)" }

    /// Makes a store, fills it, and closes it.
    ///
    /// - Returns: its path.
    @discardableResult
    func make(
        in folder: String, named name: String = "voyages", of types: [any PersistentModel.Type] = voyageModels,
        _ fill: (ModelContext) throws -> Void = fillVoyages
    ) throws -> String {
        let url = URL(fileURLWithPath: path(folder, name))
        let configuration: any DataStoreConfiguration =
            switch self {
            case .sqlite: SQLiteStoreConfiguration(url: url)
            case .lmdb: LMDBStoreConfiguration(url: url)
            case .json: JSONArchiveConfiguration(url: url)
            }
        let container = try ModelContainer(for: Schema(types), configurations: [configuration])
        let context = ModelContext(container)
        try fill(context)
        try context.save()
        return url.path
    }
}

/// Rows with values at the ends of their types.
func fillVoyages(_ context: ModelContext) throws {
    let alps = Voyage("Alps")
    alps.start = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    alps.price = Decimal(string: "1234.50") ?? 0
    alps.rating = -0.0
    alps.ton = 1.5
    alps.miles = .max
    alps.small = .min
    alps.isDone = true
    alps.code = UUID(uuidString: "11111111-2222-3333-4444-555555555555")
    alps.site = URL(string: "https://example.org/alps?x=1")
    alps.weather = .rough
    alps.berth = Berth(deck: 2, letters: ["a", "\u{e9}\u{1F40B}"])
    alps.seal = Data([0, 1, 2, 255])
    alps.photo = Data(repeating: 7, count: 40_000)
    let coast = Voyage("Coast <script>\u{1b}[31m")
    coast.rating = .nan
    coast.price = Decimal(string: "-0.001") ?? 0
    let islands = Voyage("Islands")
    islands.rating = 4.25
    islands.start = Date(timeIntervalSinceReferenceDate: 0)
    for voyage in [alps, coast, islands] { context.insert(voyage) }
    // Saved first, so that ids are 1, 2 and 3 in this order.
    try context.save()
    let halts = [("Zermatt", 3), ("Chamonix", 1), ("Aosta", 2)].map { Halt($0.0, nights: $0.1) }
    for halt in halts {
        context.insert(halt)
        try context.save()
    }
    alps.halts = [halts[2], halts[0]]
    islands.halts = [halts[1]]
    let guides = [Guide("Ada"), Guide("Bo")]
    for guide in guides {
        context.insert(guide)
        try context.save()
    }
    alps.guides = [guides[1], guides[0]]
    guides[0].voyages = [islands, alps]
    let vessels = [Vessel(label: "Raft"), Sailer(label: "Clipper", masts: 3)]
    for vessel in vessels {
        context.insert(vessel)
        try context.save()
    }
    alps.vessel = vessels[1]
}

/// The digest of what is at a place, whatever kind it is.
func digest(_ path: String) throws -> StoreDigest { try StoreDigest(of: StorePlace(path).open()) }
