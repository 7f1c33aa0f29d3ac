import Coffer
import Foundation

/// A random program of saves. What a save does follows from its number and from what is stored, so that a program that
/// was killed goes on as if it had not been.
struct RandomProgram: Sendable {
    let seed: UInt64
    let length: Int

    /// The program as a scenario from one of its saves on.
    func scenario(after done: Int) -> Scenario {
        Scenario(
            name: "random \(seed)",
            prepare: { site in try World.fill(ModelContext(site.open()), for: site.store) },
            run: { site, trial in
                var number = done
                while number < length {
                    let container = try trial.attempt("opening") { try site.open() }
                    let context = ModelContext(container)
                    // Programs end and begin again.
                    repeat {
                        let save = number
                        do {
                            try trial.save(context) { try step(save, $0) }
                        } catch let error as SwiftDataError where Self.refusals.contains(error.code) {
                            // Some changes do not go together.
                            context.rollback()
                            try trial.save(context) { $0.insert(Slip(1000 + save, "save \(save) was refused")) }
                        }
                        number += 1
                    } while number < length && number % 7 != 0
                }
            }, isRanked: true)
    }

    private static let refusals: Set<SwiftDataError.Code> = [
        .missingRequiredValue, .invalidRelationship, .uniquenessConflict,
    ]

    private func step(_ number: Int, _ context: ModelContext) throws {
        var generator = SeededGenerator(seed &* 1000 &+ UInt64(number))
        // Each state is another one.
        context.insert(Slip(1000 + number, "save \(number)"))
        // Chosen from what is stored: among unsaved rows some have the same unique values, and no order of their own.
        let volumes = try context.fetch(FetchDescriptor<Volume>(sortBy: [SortDescriptor(\.code)]))
        let shelves = try context.fetch(FetchDescriptor<Shelf>(sortBy: [SortDescriptor(\.name)]))
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            try change(
                number, context, volumes.filter { !$0.isDeleted }, shelves.filter { !$0.isDeleted }, &generator)
        }
    }

    private func change(
        _ number: Int, _ context: ModelContext, _ volumes: [Volume], _ shelves: [Shelf],
        _ generator: inout SeededGenerator
    ) throws {
        func pick<T>(_ list: [T]) -> T? { list.randomElement(using: &generator) }
        // Numbers that an atlas has are left alone: a row does not change its class.
        let drawn = Int.random(in: 0..<40, using: &generator)
        let code = drawn % 4 == 3 ? drawn + 1 : drawn
        let kind = Int.random(in: 0..<16, using: &generator)
        switch kind {
        case 0, 1:
            let volume = Volume(code, "random \(number)", pages: code)
            volume.shelf = pick(shelves)
            context.insert(volume)
        case 2:
            let volume = Volume(code, "covered \(number)", pages: code)
            volume.cover = World.bytes(number, 17_000 + code)
            context.insert(volume)
        case 3: context.insert(Atlas(1000 + number * 8 + code % 8, "atlas \(number)", pages: code, maps: number))
        case 4: context.insert(Shelf("shelf \(code % 6)", room: number))
        case 5: pick(volumes)?.title = "changed \(number)"
        case 6: for volume in volumes { volume.pages += 1 }
        case 7: pick(volumes)?.cover = code % 2 == 0 ? nil : World.bytes(number, 20_000)
        case 8: if let volume = pick(volumes) { context.delete(volume) }
        case 9: if let shelf = pick(shelves), shelves.count > 2 { context.delete(shelf) }
        case 10: pick(volumes)?.shelf = pick(shelves)
        case 11: pick(shelves)?.volumes.reverse()
        case 12:
            if let volume = pick(volumes) {
                let writer = Writer("writer \(number)")
                volume.writers.append(writer)
            }
        case 13: try context.delete(model: Volume.self, where: #Predicate { $0.code == code })
        case 14:
            try context.update(model: Volume.self, where: #Predicate { $0.code > code }) { $0.remark = "r\(number)" }
        default:
            if let volume = pick(volumes), volume.loan == nil { volume.loan = Loan("reader \(number)", volume) }
        }
    }
}
