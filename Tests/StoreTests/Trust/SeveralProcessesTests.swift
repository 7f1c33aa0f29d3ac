import Coffer
import Foundation
import Testing

@testable import StoreNeighbour

/// Several processes at one store, some of which die.
@Suite("Several processes", .timeLimit(.minutes(10)))
struct SeveralProcessesTests {
    @Test("that save at the same time lose nothing", arguments: TestStore.migrating)
    func together(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        let neighbours = try (0..<3).map { _ in try Neighbour(site) }
        for neighbour in neighbours { #expect(try neighbour.ask("open") == "done") }
        for (number, neighbour) in neighbours.enumerated() { try neighbour.tell("pour p\(number)- 40") }
        for neighbour in neighbours { #expect(neighbour.answer() == "done") }
        for neighbour in neighbours { #expect(try neighbour.ask("count") == "120") }
        for neighbour in neighbours { try neighbour.ask("close") }
        try site.open(Barrel.self) { context in
            let names = try context.all(Barrel.self).map(\.name)
            #expect(Set(names).count == 120 && names.count == 120)
        }
    }

    @Test("make a store together, and it is one store", arguments: TestStore.migrating)
    func making(_ store: TestStore) throws {
        for round in 0..<8 {
            let site = try MigrationSite(store)
            let neighbours = try (0..<3).map { _ in try Neighbour(site) }
            for neighbour in neighbours { try neighbour.tell("open") }
            for neighbour in neighbours { #expect(neighbour.answer() == "done") }
            for (number, neighbour) in neighbours.enumerated() {
                #expect(try neighbour.ask("insert r\(round)-\(number) 10") == "done")
            }
            for neighbour in neighbours { #expect(try neighbour.ask("count") == "3") }
        }
    }

    @Test(
        "bring a store up to newer models together, and lose nothing that any of them saves",
        arguments: TestStore.migrating, ["more", "narrow"])
    func migrating(_ store: TestStore, _ models: String) throws {
        for _ in 0..<6 {
            let site = try MigrationSite(store)
            let neighbours = try (0..<3).map { _ in try Neighbour(site) }
            #expect(try neighbours[0].ask("open") == "done")
            #expect(try neighbours[0].ask("pour a 10") == "done")
            #expect(try neighbours[0].ask("insert large 20000") == "done")
            #expect(try neighbours[0].ask("close") == "done")
            for neighbour in neighbours { try neighbour.tell("open \(models)") }
            // Whoever is done saves at once, while others may still be waiting for their turn.
            for (number, neighbour) in neighbours.enumerated() { try neighbour.tell("insert b\(number) 20000") }
            for neighbour in neighbours {
                #expect(neighbour.answer() == "done")
                #expect(neighbour.answer() == "done")
            }
            for neighbour in neighbours {
                #expect(try neighbour.ask("count") == "14")
                #expect(try neighbour.ask("sizes") == "80100")
            }
        }
    }

    @Test("open, save and close in turn, in threads too, beside others that only read", arguments: TestStore.migrating)
    func cycles(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        let neighbours = try (0..<4).map { _ in try Neighbour(site) }
        try neighbours[0].tell("cycle a 12")
        try neighbours[1].tell("threads b 3 6")
        try neighbours[2].tell("look 20")
        try neighbours[3].tell("look 20")
        for neighbour in neighbours {
            let answer = neighbour.answer()
            // A store that nobody has made yet is not there to read.
            let isMissing = answer.split(separator: ";").allSatisfy {
                $0.trimmingCharacters(in: .whitespaces).hasPrefix("storeNotFound")
            }
            #expect(answer == "done" || isMissing && !answer.isEmpty, "\(answer)")
        }
        #expect(try neighbours[0].ask("open") == "done")
        #expect(try neighbours[0].ask("count") == "30")
        #expect(try neighbours[2].ask("look 1") == "done")
    }

    @Test("that are killed leave no lock behind, and what they had saved", arguments: TestStore.migrating)
    func killed(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        let survivor = try Neighbour(site)
        #expect(try survivor.ask("open") == "done")
        var saved = 0
        for round in 0..<8 {
            let neighbour = try Neighbour(site)
            #expect(try neighbour.ask("open") == "done")
            #expect(try neighbour.ask("pour r\(round)-") == "pouring")
            // Both want to write now; one of them dies, wherever it is.
            for number in 0..<(round + 1) { #expect(try survivor.ask("insert s\(round)-\(number) 20000") == "done") }
            neighbour.kill()
            #expect(try survivor.ask("insert after\(round) 100") == "done")
            saved += round + 2 + 3
        }
        let count = try #require(Int(try survivor.ask("count")))
        #expect(count >= saved)
        try survivor.ask("close")
        try site.open(Barrel.self) { context in
            #expect(try context.count(Barrel.self) == count)
            for barrel in try context.all(Barrel.self) { #expect(barrel.label != nil) }
        }
    }
}
