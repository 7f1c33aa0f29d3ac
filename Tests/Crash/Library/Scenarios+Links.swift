import Coffer
import Foundation

extension Scenarios {
    /// Saves of relationships, and deletions by their rules.
    static let links: [Scenario] = [
        .saves("set a link", { try $0.volume(0).shelf = try $0.shelf(2) }),
        .saves("clear a link", { try $0.volume(0).shelf = nil }),
        .saves(
            "move a list",
            { context in
                let target = try context.shelf(0)
                for volume in try context.shelf(1).volumes { volume.shelf = target }
            }),
        .saves("order a list", { try $0.shelf(0).volumes.reverse() }),
        .saves(
            "insert into the middle of a list",
            { context in
                let volume = Volume(600, "between", pages: 6)
                try context.shelf(1).volumes.insert(volume, at: 1)
            }),
        .saves("take out of a list", { _ = try $0.shelf(1).volumes.remove(at: 0) }),
        .saves(
            "add pairs",
            { context in
                let writer = try context.writer(0)
                for volume in try context.all(Volume.self) where !volume.writers.contains(writer) {
                    volume.writers.append(writer)
                }
            }),
        .saves("remove pairs", { for volume in try $0.all(Volume.self) { volume.writers = [] } }),
        .saves(
            "replace pairs from the other side",
            { context in
                let writer = try context.writer(1)
                writer.volumes = try [11, 3, 7, 0].map { try context.volume($0) }
            }),
        .saves("order pairs", { for volume in try $0.all(Volume.self) { volume.writers.reverse() } }),
        .saves(
            "take a one-to-one link away",
            { context in
                let loan = try context.volume(0).loan
                let volume = try context.volume(1)
                volume.loan = loan
            }),
        .saves(
            "move a required link",
            { context in
                for loan in try context.all(Loan.self) { loan.volume = try context.volume(loan.volume.code + 1) }
            }),
        .saves("delete with a cascade", { $0.delete(try $0.shelf(0)) }),
        .saves("delete all shelves", { for shelf in try $0.all(Shelf.self) { $0.delete(shelf) } }),
        .saves("delete with links to clear", { $0.delete(try $0.writer(2)) }),
        .saves(
            "delete and link anew",
            { context in
                let volumes = try context.shelf(2).volumes
                let target = try context.shelf(0)
                for volume in volumes.prefix(2) { volume.shelf = target }
                context.delete(try context.shelf(2))
            }),
    ]

    /// Saves of deletions and updates by predicate, which run in the store.
    static let batches: [Scenario] = [
        .saves("delete by predicate", { try $0.delete(model: Slip.self, where: #Predicate { $0.number > 1 }) }),
        .saves(
            "delete by predicate with a cascade",
            { try $0.delete(model: Shelf.self, where: #Predicate { $0.room < 2 }) }),
        .saves("delete all of a class", { try $0.delete(model: Writer.self) }),
        .saves(
            "update by predicate",
            { context in
                try context.update(model: Volume.self, where: #Predicate { $0.pages > 30 }) { $0.title = "thick" }
            }),
        .saves(
            "update by expression",
            { context in
                try context.update(model: Volume.self) { $0.set(\.pages, to: #Expression { $0.pages + 1000 }) }
            }),
        .saves(
            "update and delete by predicate with others",
            { context in
                context.insert(Slip(70, "seventy"))
                try context.update(model: Shelf.self, where: #Predicate { $0.room == 1 }) { $0.room = 100 }
                try context.delete(model: Loan.self)
                try context.volume(5).title = "five"
            }),
    ]

    /// Saves of values that lie in files of their own, where the store has such.
    static let files: [Scenario] = [
        .saves(
            "insert with a file",
            { context in
                let volume = Volume(700, "covered", pages: 7)
                volume.cover = World.bytes(700, 40_000)
                context.insert(volume)
            }),
        .saves(
            "insert with several files",
            { context in
                for number in 0..<4 {
                    let volume = Volume(710 + number, "covered \(number)", pages: 7)
                    volume.cover = World.bytes(710 + number, 20_000 + number)
                    context.insert(volume)
                }
            }),
        .saves("replace a file", { try $0.volume(0).cover = World.bytes(1, 25_000) }),
        .saves(
            "replace files twice", { try $0.volume(0).cover = World.bytes(2, 25_000) },
            { context in
                try context.volume(0).cover = World.bytes(3, 26_000)
                try context.volume(5).cover = World.bytes(4, 27_000)
            }),
        .saves("bring a file into the row", { try $0.volume(5).cover = World.bytes(5, 100) }),
        .saves("take a file away", { for volume in try $0.all(Volume.self) { volume.cover = nil } }),
        .saves(
            "delete rows with files",
            { context in
                for volume in try context.all(Volume.self) where volume.code % 5 == 0 { context.delete(volume) }
            }),
        .saves(
            "delete rows with files by predicate",
            { context in
                try context.delete(model: Volume.self, where: #Predicate { $0.code == 0 || $0.code == 5 })
            }),
        .saves(
            "write onto a row with a file",
            { context in
                let volume = Volume(5, "onto", pages: 1)
                volume.cover = World.bytes(6, 18_000)
                context.insert(volume)
            }),
    ]
}
