import Coffer
import Foundation
import Testing

/// A small generator that gives the same numbers everywhere.
private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// A program that makes changes at random, and knows how everything looked after each step.
private struct RandomProgram {
    let it: GardenPlace
    var dice: Dice
    var names = 0
    /// How everything looked before each step that can be undone, and now.
    var states: [String]
    var position = 0
    var log: [String] = []

    init(_ store: TestStore, seed: UInt64) throws {
        it = try GardenPlace(store)
        dice = Dice(state: seed)
        states = [try it.state()]
    }

    private mutating func name() -> String {
        names += 1
        return "n\(names)"
    }

    private mutating func change() throws {
        let context = it.context
        let gardens = try context.all(Garden.self, by: SortDescriptor(\.name))
        let helpers = try context.all(Helper.self, by: SortDescriptor(\.name))
        let beds = gardens.flatMap { $0.beds.filter { !$0.isDeleted } }
        let garden = gardens.randomElement(using: &dice)
        let bed = beds.randomElement(using: &dice)
        let plant = bed?.plants.filter { !$0.isDeleted }.randomElement(using: &dice)
        let kind = Int.random(in: 0..<15, using: &dice)
        log.append("change \(kind) \(garden?.name ?? "-") \(bed?.label ?? "-") \(plant?.kind ?? "-")")
        switch kind {
        case 0: context.insert(Garden(name()))
        case 1: if let garden { context.insert(Bed(name(), garden)) }
        case 2: if let garden { garden.beds.append(Bed(name(), garden)) }
        case 3: if let bed { bed.plants.insert(Plant(name()), at: 0) }
        case 4: if let bed, let garden { bed.garden = garden }
        case 5: if let plant { plant.bed = beds.randomElement(using: &dice) }
        case 6: if let garden { garden.beds.shuffle(using: &dice) }
        case 7: if let bed { context.delete(bed) }
        case 8: if let plant { context.delete(plant) }
        case 9: if let garden, gardens.count > 1 { context.delete(garden) }
        case 10: if let helper = helpers.randomElement(using: &dice) { helper.gardens = gardens.shuffled(using: &dice) }
        case 11: if let garden { garden.helpers = [Helper(name())] }
        case 12: if let garden { garden.notes.append(name()) }
        case 13: if let garden { context.insert(Sign(name(), garden)) }
        default: if let helper = helpers.randomElement(using: &dice), helpers.count > 1 { context.delete(helper) }
        }
    }

    private mutating func step() throws {
        it.manager.beginUndoGrouping()
        for _ in 0..<Int.random(in: 1...3, using: &dice) { try change() }
        it.manager.endUndoGrouping()
        let count = it.manager.undoCount
        // A step may have changed nothing.
        if count == position { return }
        states.removeLast(states.count - 1 - position)
        states.append(try it.state())
        position += 1
    }

    private func check() throws {
        #expect(it.manager.undoCount == position)
        let found = try it.state()
        #expect(found == states[position], "after \(log.joined(separator: ", "))")
    }

    /// - Returns: whether all went as it should.
    mutating func run(_ moves: Int) throws -> Bool {
        for _ in 0..<moves {
            switch Int.random(in: 0..<8, using: &dice) {
            case 0...2:
                try step()
            case 3, 4:
                log.append("undo")
                it.manager.undo()
                position = max(position - 1, 0)
            case 5:
                log.append("redo")
                if it.manager.canRedo { position += 1 }
                it.manager.redo()
            default:
                log.append("save")
                try it.context.save()
                try it.expectStored(states[position], "after \(log.joined(separator: ", "))")
            }
            try check()
            if try it.state() != states[position] { return false }
        }
        return true
    }
}

@Suite("Undo at random")
struct RandomUndoTests {
    @Test("always leads to where it came from", arguments: TestStore.all, 0..<15)
    func walk(_ store: TestStore, _ seed: Int) throws {
        var program = try RandomProgram(store, seed: UInt64(seed))
        _ = try program.run(30)
    }
}
