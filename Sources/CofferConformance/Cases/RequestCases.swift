import CofferCore
import Foundation

/// SwiftData's own requests, made without a context: what every `DataStore` promises.
enum RequestCases {
    static func add(_ cases: inout CaseList) {
        saving(&cases)
        fetching(&cases)
    }

    /// A store with ships by name, and their identifiers.
    private static func fill(
        _ trial: ConformanceTrial, _ names: [String] = ["Argo", "Beagle", "Cutty"]
    ) throws -> (requests: SeamRequests, identifiers: [PersistentIdentifier]) {
        let requests = try trial.requests()
        let snapshots = names.enumerated().map { requests.snapshot(Ship($1, tonnage: $0)) }
        let result = try requests.save(inserted: snapshots)
        let identifiers = try snapshots.map {
            try trial.unwrap(result.remapped[$0.persistentIdentifier], "the permanent identifier of a new row")
        }
        return (requests, identifiers)
    }

    private static func saving(_ cases: inout CaseList) {
        cases.add("remapped", "A save gives each inserted snapshot a permanent identifier of its entity") { trial in
            let (requests, identifiers) = try fill(trial)
            try trial.equal(Set(identifiers).count, 3, "the number of identifiers")
            for identifier in identifiers {
                try trial.equal(identifier.storeIdentifier, requests.store.identifier, "the store")
                try trial.equal(identifier.entityName, "Ship", "the entity")
            }
        }
        cases.add("only-remapped", "The result remaps the inserted snapshots and nothing else") { trial in
            let (requests, identifiers) = try fill(trial)
            let new = requests.snapshot(Ship("Dory"))
            let changed = requests.copy(requests.snapshot(Ship("Ark")), identifiers[0])
            let result = try requests.save(inserted: [new], updated: [changed])
            try trial.equal(Array(result.remapped.keys), [new.persistentIdentifier], "what is remapped")
            try trial.equal(result.storeIdentifier, requests.store.identifier, "the store that the result names")
        }
        cases.add("links-remapped", "Links between inserted snapshots are stored as permanent ones") { trial in
            let requests = try trial.requests()
            let ship = Ship("Argo")
            let sailor = Sailor("Ada")
            sailor.ship = ship
            let snapshots = [requests.snapshot(sailor), requests.snapshot(ship)]
            let result = try requests.save(inserted: snapshots)
            let stored = try trial.unwrap(requests.fetch(FetchDescriptor<Sailor>()).first, "the sailor")
            let permanent = result.remapped[snapshots[1].persistentIdentifier]
            try trial.equal(try requests.link(stored, "ship"), permanent, "the link")
        }
        cases.add(
            "permanent-links", "No stored snapshot has a temporary identifier, whether it was inserted or updated"
        ) {
            trial in
            let requests = try trial.requests()
            let old = requests.snapshot(Voyage("old"))
            let row = try trial.unwrap(
                try requests.save(inserted: [old]).remapped[old.persistentIdentifier], "the permanent identifier")
            let (ship, harbour) = (Ship("Argo"), Harbour("Brest"))
            let targets = [requests.snapshot(ship), requests.snapshot(harbour)]
            func voyage(_ title: String) -> any DataStoreSnapshot {
                let voyage = Voyage(title)
                voyage.ship = ship
                voyage.calls = [harbour]
                return requests.snapshot(voyage)
            }
            let saved = try requests.save(
                inserted: [voyage("new")] + targets, updated: [requests.copy(voyage("updated"), row)]
            ).remapped
            try requests.expectPermanent(trial, Voyage.self)
            let stored = try requests.fetch(FetchDescriptor<Voyage>())
            try trial.equal(stored.count, 2, "the number of voyages")
            for snapshot in stored {
                let title = try requests.text(snapshot, "title") ?? "nameless"
                try trial.equal(
                    try requests.link(snapshot, "ship"), saved[ship.persistentModelID],
                    "the ship of the \(title) voyage")
            }
        }
        cases.add("updated", "An updated snapshot replaces the row's values") { trial in
            let (requests, identifiers) = try fill(trial)
            let changed = requests.copy(requests.snapshot(Ship("Ark", nickname: "Noah's")), identifiers[1])
            _ = try requests.save(updated: [changed])
            let stored = try requests.fetch(FetchDescriptor<Ship>())
            try trial.equal(
                try stored.compactMap { try requests.text($0, "name") }.sorted(), ["Argo", "Ark", "Cutty"], "the names")
            let ark = try trial.unwrap(stored.first { $0.persistentIdentifier == identifiers[1] }, "the row")
            try trial.equal(try requests.text(ark, "nickname"), "Noah's", "the nickname")
        }
        cases.add("deleted", "A deleted snapshot is gone; the others stay") { trial in
            let (requests, identifiers) = try fill(trial)
            let stored = try requests.fetch(FetchDescriptor<Ship>())
            _ = try requests.save(deleted: stored.filter { $0.persistentIdentifier == identifiers[1] })
            try trial.equal(
                Set(try requests.fetch(FetchDescriptor<Ship>()).map(\.persistentIdentifier)),
                [identifiers[0], identifiers[2]], "what is left")
        }
        cases.add("all-at-once", "One save inserts, updates and deletes") { trial in
            let (requests, identifiers) = try fill(trial)
            let stored = try requests.fetch(FetchDescriptor<Ship>())
            _ = try requests.save(
                inserted: [requests.snapshot(Ship("Dory"))],
                updated: [requests.copy(requests.snapshot(Ship("Ark")), identifiers[0])],
                deleted: stored.filter { $0.persistentIdentifier == identifiers[2] })
            let names = try requests.fetch(FetchDescriptor<Ship>()).compactMap { try requests.text($0, "name") }
            try trial.equal(names.sorted(), ["Ark", "Beagle", "Dory"], "the names")
        }
        cases.add("empty-save", "A save without any change is no error") { trial in
            let (requests, _) = try fill(trial)
            let result = try requests.save()
            try trial.expect(result.remapped.isEmpty, "nothing is remapped")
            try trial.equal(try requests.fetch(FetchDescriptor<Ship>()).count, 3, "the number of rows")
        }
    }

    private static func fetching(_ cases: inout CaseList) {
        cases.add("entity", "A fetch answers with rows of the requested entity, under their identifiers") { trial in
            let (requests, identifiers) = try fill(trial)
            _ = try requests.save(inserted: [requests.snapshot(Skill("knots")), requests.snapshot(Sailor("Ada"))])
            let stored = try requests.fetch(FetchDescriptor<Ship>())
            try trial.equal(Set(stored.map(\.persistentIdentifier)), Set(identifiers), "the identifiers")
            try trial.equal(stored.count, 3, "the number of rows")
        }
        cases.add("values", "Each snapshot has its own row's values") { trial in
            let (requests, identifiers) = try fill(trial)
            for snapshot in try requests.fetch(FetchDescriptor<Ship>()) {
                let place = try trial.unwrap(identifiers.firstIndex(of: snapshot.persistentIdentifier), "the row")
                try trial.equal(
                    try requests.text(snapshot, "name"), ["Argo", "Beagle", "Cutty"][place], "the name of a row")
            }
        }
        cases.add("filter", "A request with a condition is answered rightly, or handed back") { trial in
            let (requests, _) = try fill(trial)
            let descriptor = FetchDescriptor<Ship>(predicate: #Predicate { $0.tonnage > 0 })
            do {
                let names = try requests.fetch(descriptor).compactMap { try requests.text($0, "name") }
                try trial.equal(names.sorted(), ["Beagle", "Cutty"], "the names")
            } catch DataStoreError.preferInMemoryFilter {
                try trial.expect(!trial.has(.filtering), "a store that claims to filter does not hand this back")
            }
        }
        cases.add("sort", "A request with an order is answered in it, or handed back") { trial in
            let (requests, _) = try fill(trial, ["Beagle", "Cutty", "Argo"])
            let descriptor = FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.name, order: .reverse)])
            do {
                let names = try requests.fetch(descriptor).compactMap { try requests.text($0, "name") }
                try trial.equal(names, ["Cutty", "Beagle", "Argo"], "the names")
            } catch DataStoreError.preferInMemorySort {
                try trial.expect(!trial.has(.sorting), "a store that claims to sort does not hand this back")
            }
        }
        cases.add("page", "A request with limit and offset answers with as many rows as it should") { trial in
            let (requests, _) = try fill(trial, (0..<7).map { "ship \($0)" })
            var descriptor = FetchDescriptor<Ship>()
            descriptor.fetchLimit = 3
            try trial.equal(try requests.fetch(descriptor).count, 3, "a page at the start")
            descriptor.fetchOffset = 5
            try trial.equal(try requests.fetch(descriptor).count, 2, "a page at the end")
            descriptor.fetchOffset = 9
            try trial.equal(try requests.fetch(descriptor).count, 0, "a page beyond the end")
        }
        cases.add("count", "A count is the number of rows that a fetch gives") { trial in
            let (requests, _) = try fill(trial)
            try trial.equal(try requests.fetchCount(FetchDescriptor<Ship>()), 3, "the count")
            try trial.equal(try requests.fetchCount(FetchDescriptor<Voyage>()), 0, "the count of an empty entity")
            var descriptor = FetchDescriptor<Ship>()
            descriptor.fetchLimit = 2
            descriptor.fetchOffset = 2
            try trial.equal(try requests.fetchCount(descriptor), 1, "the count with limit and offset")
        }
        cases.add("identifiers", "Identifiers are those of the rows that a fetch gives") { trial in
            let (requests, identifiers) = try fill(trial)
            try trial.equal(
                Set(try requests.fetchIdentifiers(FetchDescriptor<Ship>())), Set(identifiers), "the identifiers")
        }
        cases.add("cached", "Cached snapshots are of the rows asked for, and as they are stored") { trial in
            let (requests, identifiers) = try fill(trial)
            _ = try requests.fetch(FetchDescriptor<Ship>())
            let cached = try requests.cached([identifiers[0], identifiers[2]])
            try trial.expect(
                Set(cached.keys).isSubset(of: [identifiers[0], identifiers[2]]), "no other row comes along")
            _ = try requests.save(updated: [requests.copy(requests.snapshot(Ship("Ark")), identifiers[0])])
            for (identifier, snapshot) in try requests.cached(identifiers) {
                try trial.equal(snapshot.persistentIdentifier, identifier, "the identifier of a cached snapshot")
                let place = try trial.unwrap(identifiers.firstIndex(of: identifier), "the row")
                try trial.equal(
                    try requests.text(snapshot, "name"), ["Ark", "Beagle", "Cutty"][place], "the name in the cache")
            }
        }
        cases.add("copied", "A snapshot copied under another identifier has its values, links replaced") { trial in
            let requests = try trial.requests()
            let stored = requests.snapshot(Ship("Beagle"))
            let saved = try requests.save(inserted: [stored]).remapped
            let target = try trial.unwrap(saved[stored.persistentIdentifier], "a permanent identifier")
            let ship = Ship("Argo")
            let sailor = Sailor("Ada")
            sailor.ship = ship
            let copy = requests.copy(requests.snapshot(sailor), target, [ship.persistentModelID: target])
            try trial.equal(copy.persistentIdentifier, target, "the identifier")
            try trial.equal(try requests.link(copy, "ship"), target, "the link")
            try trial.equal(try requests.text(copy, "name"), "Ada", "the name")
        }
    }
}
