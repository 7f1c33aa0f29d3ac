import Coffer
import Foundation
import Testing

/// What many actors of one process do to one container, each through a context of its own.
@Suite("Many actors")
struct ManyActorsTests {
    @Test("that write what is their own lose nothing", arguments: TestStore.rowStores)
    func disjoint(_ store: TestStore) async throws {
        let place = try TestPlace(store, Cask.self)
        let container = place.container
        let actors = 8
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<actors {
                group.addTask { try await CaskActor(modelContainer: container).work(number, rounds: 25) }
            }
            try await group.waitForAll()
        }
        for context in try place.newContexts() {
            let casks = try context.all(Cask.self)
            #expect(Set(casks.map(\.name)).count == casks.count)
            // Every actor has inserted 25, deleted each fifth, and added 25 to its first one.
            #expect(casks.count == actors * 20)
            for number in 0..<actors {
                #expect(casks.first { $0.name == "\(number)-1" }?.count == 25)
            }
        }
    }

    /// Two contexts that change different properties of one row keep both; of one property, the later save stays.
    @Test("that change different properties of the same rows lose none of them", arguments: TestStore.rowStores)
    func merging(_ store: TestStore) async throws {
        let place = try TestPlace(store, Cask.self)
        let context = place.context()
        for number in 0..<20 { context.insert(Cask("\(number)")) }
        try context.save()
        let container = place.container
        try await withThrowingTaskGroup(of: Void.self) { group in
            for property in 0..<4 {
                group.addTask { try await CaskActor(modelContainer: container).fill(property, rounds: 30) }
            }
            try await group.waitForAll()
        }
        for context in try place.newContexts() {
            for cask in try context.all(Cask.self) {
                let counts: [Int] = [cask.count, cask.second, cask.third, cask.fourth]
                #expect(counts.allSatisfy { $0 == 30 }, "\(cask.name): \(counts)")
            }
        }
    }

    /// Readers beside writers see whole saves only.
    @Test("that read beside others see whole saves", arguments: TestStore.rowStores)
    func readers(_ store: TestStore) async throws {
        let place = try TestPlace(store, Cask.self)
        let context = place.context()
        for number in 0..<50 { context.insert(Cask("\(number)")) }
        try context.save()
        let container = place.container
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await CaskActor(modelContainer: container).raiseAll(rounds: 40) }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<40 {
                        let counts = try await CaskActor(modelContainer: container).counts()
                        #expect(Set(counts).count == 1 && counts.count == 50)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

@Model final class Cask {
    @Attribute(.unique) var name: String
    var count = 0
    var second = 0
    var third = 0
    var fourth = 0
    init(_ name: String) { self.name = name }
}

@ModelActor actor CaskActor {
    /// Inserts, changes and deletes casks of its own.
    func work(_ number: Int, rounds: Int) throws {
        var first: Cask?
        for round in 1...rounds {
            let cask = Cask("\(number)-\(round)")
            modelContext.insert(cask)
            if first == nil { first = cask }
            first?.count += 1
            try modelContext.save()
            if round % 5 == 0 {
                modelContext.delete(cask)
                try modelContext.save()
            }
        }
    }

    /// Counts one property of every cask up.
    func fill(_ property: Int, rounds: Int) throws {
        for _ in 0..<rounds {
            for cask in try modelContext.fetch(FetchDescriptor<Cask>()) {
                switch property {
                case 0: cask.count += 1
                case 1: cask.second += 1
                case 2: cask.third += 1
                default: cask.fourth += 1
                }
            }
            try modelContext.save()
        }
    }

    func raiseAll(rounds: Int) throws {
        for _ in 0..<rounds {
            for cask in try modelContext.fetch(FetchDescriptor<Cask>()) { cask.count += 1 }
            try modelContext.save()
        }
    }

    func counts() throws -> [Int] { try modelContext.fetch(FetchDescriptor<Cask>()).map(\.count) }
}
