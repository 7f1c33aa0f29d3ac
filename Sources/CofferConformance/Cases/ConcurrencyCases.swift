import CofferCore
import Foundation
import Synchronization

/// Several threads at one store.
enum ConcurrencyCases {
    static func add(_ cases: inout CaseList) {
        cases.add("readers", "Readers beside a writer see every save whole or not at all") { trial in
            try trial.write { context in for number in 0..<10 { context.insert(Ship("ship \(number)", tonnage: 0)) } }
            let container = try trial.container()
            let torn = Mutex<[Int]>([])
            let isDone = Atomic<Bool>(false)
            let errors = try inParallel(4) { worker in
                if worker == 0 {
                    defer { isDone.store(true, ordering: .releasing) }
                    for round in 1...40 {
                        let context = ModelContext(container)
                        for ship in try context.all(Ship.self) { ship.tonnage = round }
                        try context.save()
                    }
                } else {
                    repeat {
                        let tonnages = try ModelContext(container).all(Ship.self).map(\.tonnage)
                        if Set(tonnages).count != 1 || tonnages.count != 10 { torn.withLock { $0 = tonnages } }
                    } while !isDone.load(ordering: .acquiring)
                }
            }
            try trial.equal(errors, [], "errors")
            try trial.equal(torn.withLock { $0 }, [], "a save that was seen in part")
            try trial.read { context in
                try trial.equal(Set(try context.all(Ship.self).map(\.tonnage)), [40], "the tonnages at the end")
            }
        }
        cases.add("writers", "Saves of several threads are all kept, under identifiers of their own") { trial in
            let container = try trial.container()
            let identifiers = Mutex<Set<PersistentIdentifier>>([])
            let errors = try inParallel(4) { worker in
                for round in 0..<25 {
                    let context = ModelContext(container)
                    let ship = Ship("\(worker)", tonnage: round)
                    context.insert(ship)
                    ship.crew = [Sailor("\(worker) \(round)")]
                    try context.save()
                    let identifier = ship.persistentModelID
                    identifiers.withLock { _ = $0.insert(identifier) }
                }
            }
            try trial.equal(errors, [], "errors")
            try trial.equal(identifiers.withLock { $0.count }, 100, "the number of identifiers")
            try trial.read { context in
                let ships = try context.all(Ship.self)
                try trial.equal(ships.count, 100, "the number of ships")
                try trial.expect(
                    ships.allSatisfy { $0.crew.map(\.name) == ["\($0.name) \($0.tonnage)"] },
                    "each ship has its own sailor")
            }
        }
        cases.add("counts", "A count taken while rows come and go is one that was true") { trial in
            let container = try trial.container()
            let wrong = Mutex<[Int]>([])
            let isDone = Atomic<Bool>(false)
            let errors = try inParallel(3) { worker in
                if worker == 0 {
                    defer { isDone.store(true, ordering: .releasing) }
                    for _ in 0..<30 {
                        let context = ModelContext(container)
                        for number in 0..<5 { context.insert(Berth(number)) }
                        try context.save()
                        for berth in try context.all(Berth.self) { context.delete(berth) }
                        try context.save()
                    }
                } else {
                    repeat {
                        let count = try ModelContext(container).count(Berth.self)
                        if count != 0, count != 5 { wrong.withLock { $0.append(count) } }
                    } while !isDone.load(ordering: .acquiring)
                }
            }
            try trial.equal(errors, [], "errors")
            try trial.equal(wrong.withLock { $0 }, [], "counts that were never true")
        }
        cases.add(
            "containers", "Threads with containers of their own at one place lose nothing", needs: [.severalOpenings]
        ) { trial in
            let containers = try (0..<3).map { _ in try trial.openContainer() }
            let errors = try inParallel(3) { worker in
                for round in 0..<20 {
                    let context = ModelContext(containers[worker])
                    context.insert(Ship("\(worker)", tonnage: round))
                    try context.save()
                }
            }
            try trial.equal(errors, [], "errors")
            try trial.read { context in
                let ships = try context.all(Ship.self)
                try trial.equal(ships.count, 60, "the number of ships")
                try trial.equal(Set(ships.map { "\($0.name) \($0.tonnage)" }).count, 60, "the different ones")
            }
        }
    }

    /// Runs a block on several threads and answers what they threw.
    private static func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws -> [String] {
        let errors = Mutex<[String]>([])
        let group = DispatchGroup()
        for worker in 0..<count {
            // Threads of their own, since readers wait for the writer: a pool might not have so many.
            group.enter()
            Thread.detachNewThread {
                do { try body(worker) } catch { errors.withLock { $0.append("\(error)") } }
                group.leave()
            }
        }
        group.wait()
        return errors.withLock { $0 }
    }
}
