import Coffer
import Foundation
import Synchronization
import Testing

@testable import StoreNeighbour

/// Threads of one process that open a store at the same time, which is not there yet.
@Suite("Many openings")
struct ManyOpeningsTests {
    @Test("make one store, and each saves to it", arguments: TestStore.migrating)
    func making(_ store: TestStore) throws {
        for _ in 0..<15 {
            let site = try MigrationSite(store)
            let failures = Mutex<[String]>([])
            // The protocol does not say so, but those of the stores are values.
            nonisolated(unsafe) let configuration = site.configuration
            DispatchQueue.concurrentPerform(iterations: 5) { number in
                do {
                    let container = try ModelContainer(for: Schema([Barrel.self]), configurations: [configuration])
                    let context = ModelContext(container)
                    context.insert(Barrel("\(number)", number))
                    try context.save()
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock { $0 } == [])
            try site.open(Barrel.self) { context in
                let count = try context.all(Barrel.self).count
                #expect(count == 5)
            }
        }
    }

    @Test("migrate one store, and each saves to it", arguments: TestStore.migrating)
    func migrating(_ store: TestStore) throws {
        for _ in 0..<8 {
            let site = try MigrationSite(store)
            try site.open(Barrel.self) { context in
                context.insert(Barrel("old", 1))
                try context.save()
            }
            let failures = Mutex<[String]>([])
            nonisolated(unsafe) let configuration = site.configuration
            DispatchQueue.concurrentPerform(iterations: 5) { number in
                do {
                    let schema = Schema([Shrunk.Barrel.self])
                    let context = ModelContext(try ModelContainer(for: schema, configurations: [configuration]))
                    context.insert(Shrunk.Barrel("\(number)", number))
                    try context.save()
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock { $0 } == [])
            try site.open(Shrunk.Barrel.self) { context in
                let count = try context.all(Shrunk.Barrel.self).count
                #expect(count == 6)
            }
        }
    }
}
