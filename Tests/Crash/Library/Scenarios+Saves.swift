import Coffer
import Foundation

extension Scenarios {
    /// Saves of attributes, and of what follows from them: indexes, words, unique values.
    static let saves: [Scenario] = [
        .saves("insert one", { $0.insert(Shelf("new", room: 9)) }),
        .saves(
            "insert three hundred",
            { context in
                for number in 0..<300 {
                    context.insert(Volume(1000 + number, "many \(number % 7)", pages: number % 13))
                }
            }),
        .saves(
            "insert a graph",
            { context in
                let shelf = Shelf("graph", room: 7)
                let writer = Writer("graph writer")
                for number in 0..<5 {
                    let volume = Volume(200 + number, "graph \(number)", pages: number)
                    volume.shelf = shelf
                    volume.writers.append(writer)
                    volume.loan = Loan("graph reader \(number)", volume)
                }
                context.insert(shelf)
            }),
        .saves("insert of a subclass", { $0.insert(Atlas(300, "new atlas", pages: 3, maps: 8)) }),
        .saves("update a value", { try $0.shelf(0).room = 77 }),
        .saves("update every row", { for volume in try $0.all(Volume.self) { volume.remark = "seen \(volume.code)" } }),
        .saves(
            "update indexed values", { for volume in try $0.all(Volume.self) { volume.pages = 500 - volume.pages } }),
        .saves("update texts", { for slip in try $0.all(Slip.self) { slip.text = "other words for \(slip.number)" } }),
        .saves("update a subclass", { for atlas in try $0.all(Atlas.self) { atlas.maps += 1; atlas.title += "!" } }),
        .saves("update to nothing", { for volume in try $0.all(Volume.self) { volume.scan = nil } }),
        .saves("rename a unique value", { try $0.shelf(0).name = "renamed" }),
        .saves(
            "exchange unique values",
            { context in
                let (first, second) = (try context.volume(1), try context.volume(2))
                (first.code, second.code) = (second.code, first.code)
                first.title = "was 1"
            }),
        .saves("write a row onto another", { $0.insert(Shelf("shelf 1", room: 55)) }),
        .saves(
            "write rows onto others",
            { context in
                for code in stride(from: 0, to: 16, by: 2) {
                    context.insert(Volume(code, "again \(code)", pages: code + 1))
                }
            }),
        .saves(
            "write rows onto others with links",
            { context in
                let shelf = Shelf("shelf 2", room: 56)
                let volume = Volume(1, "moved by writing", pages: 4)
                volume.shelf = shelf
                volume.writers = [try context.writer(3)]
                context.insert(volume)
            }),
        .saves(
            "take over a freed unique value",
            { context in
                context.delete(try context.shelf(2))
                context.insert(Shelf("shelf 3", room: 1))
                try context.shelf(1).name = "freed"
                context.insert(Shelf("shelf 1", room: 2))
            }),
        .saves(
            "insert a large value",
            { context in
                let volume = Volume(400, "scanned", pages: 1)
                volume.scan = World.bytes(400, 300_000)
                context.insert(volume)
            }),
        .saves("insert a large text", { $0.insert(Slip(40, String(repeating: "a long text of words ", count: 3000))) }),
        .saves("delete one", { $0.delete(try $0.slip(2)) }),
        .saves("delete every row", { for slip in try $0.all(Slip.self) { $0.delete(slip) } }),
        .saves("delete a subclass", { for atlas in try $0.all(Atlas.self) { $0.delete(atlas) } }),
        .saves(
            "insert, update and delete",
            { context in
                context.insert(Slip(50, "fifty"))
                try context.slip(0).text = "changed"
                context.delete(try context.slip(1))
                context.insert(Volume(500, "five hundred", pages: 5))
                context.delete(try context.volume(2))
                try context.volume(3).pages = 33
            }),
        .saves(
            "ten saves one after the other",
            { $0.insert(Slip(60, "0")) }, { try $0.slip(60).text = "1" }, { $0.insert(Slip(61, "2")) },
            { try $0.slip(61).text = "3" }, { $0.delete(try $0.slip(60)) }, { try $0.shelf(0).room = 5 },
            { $0.insert(Shelf("ten", room: 6)) }, { try $0.volume(4).pages = 7 }, { $0.delete(try $0.volume(4)) },
            { try $0.slip(61).text = "9" }),
        .saves(
            "undo what was saved",
            { context in
                context.undoManager = UndoManager()
                try context.shelf(0).room = 66
            },
            { context in
                context.undoManager?.undo()
                try context.shelf(1).room = 67
            }),
    ]
}
