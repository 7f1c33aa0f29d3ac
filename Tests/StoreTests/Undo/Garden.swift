import Coffer
import Foundation
import Testing

// The models of the undo tests: a list with an inverse and a cascade, a many-to-many relationship, a link in one
// direction, and values of every kind of storage.

@Model final class Garden {
    var name: String
    var size: Double?
    var notes: [String] = []
    var place: Place?
    @Relationship(deleteRule: .cascade, inverse: \Bed.garden) var beds: [Bed] = []
    @Relationship(inverse: \Helper.gardens) var helpers: [Helper] = []
    init(_ name: String) { self.name = name }

    struct Place: Codable, Equatable {
        var street: String
        var number: Int
    }
}

@Model final class Bed {
    var label: String
    var garden: Garden
    @Relationship(deleteRule: .cascade, inverse: \Plant.bed) var plants: [Plant] = []
    init(_ label: String, _ garden: Garden) {
        self.label = label
        self.garden = garden
    }
}

@Model final class Plant {
    var kind: String
    var bed: Bed?
    init(_ kind: String, _ bed: Bed? = nil) {
        self.kind = kind
        self.bed = bed
    }
}

@Model final class Helper {
    var name: String
    var gardens: [Garden] = []
    init(_ name: String) { self.name = name }
}

/// Refers to gardens, which know nothing of it.
@Model final class Sign {
    var text: String
    var garden: Garden?
    init(_ text: String, _ garden: Garden? = nil) {
        self.text = text
        self.garden = garden
    }
}

/// A store with two gardens, and a context that records.
///
/// "north" has the beds a, b and c, and in b the plants x and y; "south" has none. The helper h works in both.
struct GardenPlace {
    let place: TestPlace
    let context: ModelContext
    let manager = UndoManager()

    init(_ store: TestStore) throws {
        place = try TestPlace(store, Garden.self, Sign.self)
        let maker = place.context()
        let north = Garden("north")
        let south = Garden("south")
        maker.insert(north)
        maker.insert(south)
        for label in ["a", "b", "c"] {
            let bed = Bed(label, north)
            maker.insert(bed)
            if label == "b" { bed.plants = [Plant("x"), Plant("y")] }
        }
        let helper = Helper("h")
        maker.insert(helper)
        helper.gardens = [north, south]
        try maker.save()
        context = place.context()
        context.undoManager = manager
    }

    func garden(_ name: String, in other: ModelContext? = nil) throws -> Garden {
        try (other ?? context).only(Garden.self, where: #Predicate { $0.name == name })
    }

    func bed(_ label: String, in other: ModelContext? = nil) throws -> Bed {
        try (other ?? context).only(Bed.self, where: #Predicate { $0.label == label })
    }

    /// Everything a context sees, as text, without what the next save deletes.
    func state(_ context: ModelContext? = nil) throws -> String {
        let context = context ?? self.context
        var lines: [String] = []
        for garden in try context.all(Garden.self, by: SortDescriptor(\.name)) {
            #expect(garden.beds.allSatisfy { $0.garden === garden })
            #expect(garden.helpers.allSatisfy { $0.gardens.contains(garden) })
            let helpers = garden.helpers.filter { !$0.isDeleted }
            let beds = garden.beds.filter { !$0.isDeleted }.map { bed in
                let plants = bed.plants.filter { !$0.isDeleted }
                #expect(plants.allSatisfy { $0.bed === bed })
                return bed.label + (plants.isEmpty ? "" : "(" + plants.map(\.kind).joined(separator: " ") + ")")
            }
            lines.append(
                "\(garden.name) [\(beds.joined(separator: " "))] \(helpers.map(\.name).sorted()) \(garden.notes)"
            )
        }
        let helpers = try context.all(Helper.self, by: SortDescriptor(\.name))
        lines += helpers.map { "\($0.name): \($0.gardens.filter { !$0.isDeleted }.map(\.name))" }
        let loose = try context.all(Plant.self, by: SortDescriptor(\.kind)).filter { $0.bed == nil }
        lines += loose.map(\.kind)
        lines += try context.all(Sign.self, by: SortDescriptor(\.text)).map { sign in
            "\(sign.text) \(sign.garden.flatMap { $0.isDeleted || $0.modelContext == nil ? nil : $0.name } ?? "-")"
        }
        return lines.joined(separator: "; ")
    }

    /// What the store holds, seen from elsewhere.
    func expectStored(_ expected: String, _ comment: Comment? = nil) throws {
        for context in try place.newContexts() {
            let found = try state(context)
            #expect(found == expected, comment)
        }
    }

    func expect(_ expected: String, _ comment: Comment? = nil) throws {
        let found = try state()
        #expect(found == expected, comment)
    }

    static let start = #"north [a b(x y) c] ["h"] []; south [] ["h"] []; h: ["north", "south"]"#

    /// Makes a change as one step and takes it back and makes it again, unsaved and saved: every time the context has
    /// to look as it did before or after, and so has the store after a save. Delete rules are followed by the save, so
    /// "after" is one thing before it and may be another thing then.
    func expectReversible(_ change: () throws -> Void) throws {
        let before = try state()
        try change()
        context.processPendingChanges()
        let after = try state()
        #expect(after != before)
        #expect(manager.undoCount == 1)
        for _ in 0..<2 {
            manager.undo()
            try expect(before, "undone")
            #expect(!context.hasChanges, "nothing is left to save")
            #expect(!manager.canUndo)
            manager.redo()
            try expect(after, "done again")
            #expect(context.hasChanges)
            #expect(manager.undoCount == 1 && !manager.canRedo)
        }
        try context.save()
        let saved = try state()
        try expectStored(saved, "saved")
        for _ in 0..<2 {
            manager.undo()
            try expect(before, "undone after the save")
            #expect(context.hasChanges)
            try context.save()
            try expectStored(before, "undone and saved")
            manager.redo()
            try expect(after, "done again after the save")
            try context.save()
            try expect(saved)
            try expectStored(saved, "done again and saved")
        }
        // The other mix: the undo is saved, its redo is not, and the other way round.
        manager.undo()
        manager.redo()
        try expect(after)
        try context.save()
        try expectStored(saved)
        manager.undo()
        try context.save()
        manager.redo()
        manager.undo()
        try expect(before)
        try context.save()
        try expectStored(before)
    }
}
