import Coffer
import Foundation
import Testing

enum Phase: String, Codable, CaseIterable { case draft, live, retired }

@Model final class Page {
    var key: UUID
    var rank: Int
    var phase: Phase
    var prior: Phase?
    init(rank: Int, key: UUID) {
        self.key = key
        self.rank = rank
        phase = Phase.allCases[rank % 3]
        prior = rank % 4 == 0 ? .live : nil
    }
}

@Suite("Enumerations and captured collections in predicates")
struct CapturedCollectionTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, keys: [UUID]) {
        let place = try TestPlace(store, Page.self)
        let keys = (0..<12).map { _ in UUID() }
        let context = place.context()
        for (rank, key) in keys.enumerated() { context.insert(Page(rank: rank, key: key)) }
        try context.save()
        return (place, keys)
    }

    @Test("an enumeration is compared and looked up", arguments: TestStore.all)
    func enumerations(_ store: TestStore) throws {
        let (place, _) = try Self.make(store)
        let live = Phase.live
        let maybe: Phase? = .live
        let nobody: Phase? = nil
        let two: [Phase] = [.draft, .retired]
        let none: [Phase] = []
        let lives: Set = [1, 4, 7, 10]
        let others: Set = [0, 2, 3, 5, 6, 8, 9, 11]
        let priors: Set = [0, 4, 8]
        let unprior = Set(0..<12).subtracting(priors)
        let cases: [(String, Predicate<Page>, Set<Int>)] = [
            ("==", #Predicate { $0.phase == live }, lives),
            ("!=", #Predicate { $0.phase != live }, others),
            ("!(==)", #Predicate { !($0.phase == live) }, others),
            ("rawValue", #Predicate { $0.phase.rawValue == "live" }, lives),
            ("contains", #Predicate { two.contains($0.phase) }, others),
            ("contains of none", #Predicate { none.contains($0.phase) }, []),
            ("!contains of none", #Predicate { !none.contains($0.phase) }, Set(0..<12)),
            ("optional ==", #Predicate { $0.prior == live }, priors),
            ("optional == optional", #Predicate { $0.prior == maybe }, priors),
            ("optional !=", #Predicate { $0.prior != live }, unprior),
            ("optional == nil", #Predicate { $0.prior == nil }, unprior),
            ("optional == captured nil", #Predicate { $0.prior == nobody }, unprior),
            ("optional != nil", #Predicate { $0.prior != nil }, priors),
        ]
        for (name, predicate, ranks) in cases {
            for context in try place.newContexts() {
                #expect(try Set(context.all(Page.self, where: predicate).map(\.rank)) == ranks, "\(name)")
                #expect(try context.count(Page.self, where: predicate) == ranks.count, "\(name), counted")
            }
        }
    }

    @Test("a captured collection may be large", arguments: TestStore.all)
    func large(_ store: TestStore) throws {
        let (place, keys) = try Self.make(store)
        let list = (0..<50_000).map { _ in UUID() } + [keys[2], keys[5], keys[11]]
        // SQLite takes no more than 32,766 variables in a statement.
        let set = Set(list.suffix(33_000))
        let ranks = Array(100..<33_000) + [3, 4]
        let cases: [(String, Predicate<Page>, Set<Int>)] = [
            ("array", #Predicate { list.contains($0.key) }, [2, 5, 11]),
            ("not in set", #Predicate { !set.contains($0.key) }, [0, 1, 3, 4, 6, 7, 8, 9, 10]),
            ("two of them", #Predicate { set.contains($0.key) || ranks.contains($0.rank) }, [2, 3, 4, 5, 11]),
        ]
        let context = place.context()
        for (name, predicate, found) in cases {
            #expect(try Set(context.all(Page.self, where: predicate).map(\.rank)) == found, "\(name)")
        }
        #expect(try context.count(Page.self, where: #Predicate { set.contains($0.key) }) == 3)
    }

    @Test("models are found by their identifiers", arguments: TestStore.all)
    func identifiers(_ store: TestStore) throws {
        let (place, _) = try Self.make(store)
        let context = place.context()
        let wanted = try context.all(Page.self).filter { $0.rank < 3 }
        let set = Set(wanted.map(\.persistentModelID))
        let list = wanted.map(\.persistentModelID)
        let one = list[0]
        for context in try place.newContexts() {
            let inSet = try context.all(Page.self, where: #Predicate { set.contains($0.persistentModelID) })
            #expect(Set(inSet.map(\.rank)) == [0, 1, 2])
            let inList = try context.all(Page.self, where: #Predicate { list.contains($0.persistentModelID) })
            #expect(Set(inList.map(\.rank)) == [0, 1, 2])
            let found = try context.only(Page.self, where: #Predicate { $0.persistentModelID == one })
            #expect(found.persistentModelID == one)
            let others = try context.count(Page.self, where: #Predicate { $0.persistentModelID != one })
            #expect(others == 11)
        }
    }
}
