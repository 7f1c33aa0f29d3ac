import Coffer
import CofferJSON
import Foundation

extension Scenarios {
    private static func fill(_ site: Site) throws {
        try World.fill(ModelContext(site.open()), for: site.store)
    }

    /// What is done with stores as a whole.
    static let stores: [Scenario] = [
        Scenario(
            name: "make a store", prepare: { _ in },
            run: { site, trial in
                let container = try trial.attempt("opening") { try site.open() }
                trial.saved()
                withExtendedLifetime(container) {}
            }, openingFinishes: true, alwaysChanges: false),
        Scenario(
            name: "make a store and save", prepare: { _ in },
            run: { site, trial in
                let container = try trial.attempt("opening") { try site.open() }
                trial.saved()
                let context = ModelContext(container)
                try trial.save(context) { $0.insert(Shelf("first", room: 1)) }
                try trial.save(context) { context in
                    let volume = Volume(1, "second", pages: 2)
                    volume.cover = World.bytes(1, 20_000)
                    volume.shelf = try context.all(Shelf.self).first
                    context.insert(volume)
                }
            }, alwaysChanges: false),
        Scenario(
            name: "open and close", prepare: fill,
            run: { site, trial in
                for _ in 0..<2 {
                    let container = try trial.attempt("opening") { try site.open() }
                    _ = try trial.attempt("counting") {
                        try ModelContext(container).fetchCount(FetchDescriptor<Volume>())
                    }
                }
            }),
        Scenario(
            name: "erase", prepare: fill,
            run: { site, trial in
                let container = try trial.attempt("opening") { try site.open() }
                try trial.attempt("erasing") { try container.erase() }
                trial.saved()
            }),
        Scenario(
            name: "erase and save", prepare: fill,
            run: { site, trial in
                let container = try trial.attempt("opening") { try site.open() }
                try trial.attempt("erasing") { try container.erase() }
                trial.saved()
                try trial.save(ModelContext(container)) { $0.insert(Shelf("after", room: 1)) }
            }),
        Scenario(
            name: "two contexts in turn", prepare: fill,
            run: { site, trial in
                let container = try trial.attempt("opening") { try site.open() }
                let (one, other) = (ModelContext(container), ModelContext(container))
                try trial.save(one) { try $0.shelf(0).room = 21 }
                try trial.save(other) { try $0.shelf(0).room = 22 }
                try trial.save(one) { $0.delete(try $0.shelf(1)) }
                try trial.save(other) { $0.insert(Volume(800, "other", pages: 8)) }
            }),
        Scenario(
            name: "open again between saves", prepare: fill,
            run: { site, trial in
                for number in 0..<3 {
                    let container = try trial.attempt("opening") { try site.open() }
                    try trial.save(ModelContext(container)) { $0.insert(Slip(80 + number, "again \(number)")) }
                }
            }, closesStores: true),
        // SQLite's log is longer than it lets it grow; the archive's journal is folded in.
        Scenario(
            name: "many large saves", prepare: fill,
            run: { site, trial in
                let container = try trial.attempt("opening") { try site.open() }
                let context = ModelContext(container)
                for number in 0..<4 {
                    try trial.save(context) { context in
                        let volume = Volume(900 + number, "large", pages: 1)
                        volume.scan = World.bytes(900 + number, site.store.keepsFiles ? 1_200_000 : 350_000)
                        context.insert(volume)
                    }
                }
                for number in 0..<2 { try trial.save(context) { $0.insert(Slip(90 + number, "after \(number)")) } }
            }),
        Scenario(
            name: "grow an LMDB map", stores: [.lmdb], site: { $0.mapSize = 1 << 17 }, prepare: fill,
            run: { site, trial in
                let container = try trial.attempt("opening") { try site.open() }
                let context = ModelContext(container)
                for number in 0..<2 {
                    try trial.save(context) { context in
                        for code in 0..<10 {
                            let volume = Volume(900 + number * 10 + code, "large", pages: 1)
                            volume.scan = World.bytes(900 + code, 60_000)
                            context.insert(volume)
                        }
                    }
                }
            }),
        Scenario(
            name: "fold the journal", stores: [.journal], prepare: fill,
            run: { site, trial in
                do {
                    let container = try trial.attempt("opening") { try site.open() }
                    let context = ModelContext(container)
                    try trial.save(context) { try $0.shelf(0).room = 91 }
                    try trial.save(context) { $0.insert(Slip(91, "in the journal")) }
                    try fold(site, trial)
                    try trial.save(context) { try $0.shelf(0).room = 92 }
                }
                try fold(site, trial)
            }, alwaysChanges: false),
        Scenario(
            name: "fold a journal beside an open store", stores: [.journal], prepare: fill,
            run: { site, trial in
                let container = try trial.attempt("opening") { try site.open() }
                let context = ModelContext(container)
                for round in 0..<3 {
                    try trial.save(context) { try $0.shelf(1).room = 100 + round }
                    try fold(site, trial)
                }
            }, alwaysChanges: false),
    ]

    private static func fold(_ site: Site, _ trial: Trial) throws {
        guard let configuration = site.configuration as? JSONArchiveConfiguration else { return }
        try trial.attempt("folding") { try configuration.fold() }
    }

    /// Copies into a store of another kind.
    static let conversions: [Scenario] = CrashStore.usual.map { source in
        Scenario(
            name: "convert from \(source.rawValue)", stores: Set(CrashStore.usual).subtracting([source]),
            prepare: { site in
                let place = Site(source, site.folder + "/from")
                try FileManager.default.createDirectory(atPath: place.folder, withIntermediateDirectories: true)
                try World.fill(ModelContext(place.open()), for: site.store)
            },
            run: { site, trial in
                let place = Site(source, site.folder + "/from")
                try trial.attempt("converting") {
                    try StoreConversion.convert(from: place.configuration, to: site.configuration)
                }
                trial.saved()
            }, opens: false,
            check: { site in
                // The old store is as it was, and the new one, where it is there, is like it.
                let place = Site(source, site.folder + "/from")
                let (old, new) = (try place.state(), try site.state())
                guard old != "none" else { return ["the store that is copied is gone"] }
                return new == "none" || new == old ? [] : ["the copy differs: \(new) instead of \(old)"]
            })
    }
}
