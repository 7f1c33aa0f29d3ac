import Coffer
import Foundation
import Testing

@Model final class Pantry {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \PantryShelf.pantry) var shelves: [PantryShelf] = []
    @Relationship(deleteRule: .deny, inverse: \PantryKey.pantry) var keys: [PantryKey] = []
    init(_ name: String) { self.name = name }
}

@Model final class PantryShelf {
    var number: Int
    var pantry: Pantry?
    @Relationship(inverse: \Jar.shelf) var jars: [Jar] = []
    @Relationship(deleteRule: .cascade, inverse: \ShelfTag.shelf) var tag: ShelfTag?
    @Relationship(inverse: \Spice.shelves) var spices: [Spice] = []
    init(_ number: Int, _ pantry: Pantry? = nil) {
        self.number = number
        self.pantry = pantry
    }
}

@Model final class Jar {
    var label: String
    var shelf: PantryShelf
    init(_ label: String, _ shelf: PantryShelf) {
        self.label = label
        self.shelf = shelf
    }
}

@Model final class ShelfTag {
    var text: String
    var shelf: PantryShelf?
    init(_ text: String) { self.text = text }
}

@Model final class Spice {
    var name: String
    var shelves: [PantryShelf] = []
    var best: PantryShelf?
    init(_ name: String) { self.name = name }
}

@Model final class PantryKey {
    var name: String
    var pantry: Pantry?
    init(_ name: String) { self.name = name }
}

@Model final class Branch {
    var depth: Int
    @Relationship(deleteRule: .cascade, inverse: \Branch.parent) var twigs: [Branch] = []
    var parent: Branch?
    init(_ depth: Int, _ parent: Branch?) {
        self.depth = depth
        self.parent = parent
    }
}

@Suite("A batch delete that the store runs")
struct BatchDeletePlanTests {
    /// Two pantries, "a" and "b", of two shelves each; every shelf with a tag and in the spice "salt".
    static func make(_ store: TestStore) throws -> TestPlace {
        let place = try TestPlace(store, Pantry.self, Branch.self, PlainRow.self)
        let context = place.context()
        let salt = Spice("salt")
        context.insert(salt)
        for (index, name) in ["a", "b"].enumerated() {
            let pantry = Pantry(name)
            context.insert(pantry)
            for number in 0..<2 {
                let shelf = PantryShelf(index * 10 + number, pantry)
                context.insert(shelf)
                shelf.tag = ShelfTag("\(name)\(number)")
                shelf.spices = [salt]
                if number == 0, index == 0 { salt.best = shelf }
            }
        }
        try context.save()
        return place
    }

    private func expectAGone(_ context: ModelContext) throws {
        #expect(try context.all(Pantry.self).map(\.name) == ["b"])
        #expect(try context.all(PantryShelf.self, by: SortDescriptor(\.number)).map(\.number) == [10, 11])
        #expect(try context.all(ShelfTag.self, by: SortDescriptor(\.text)).map(\.text) == ["b0", "b1"])
        let salt = try context.only(Spice.self)
        #expect(salt.shelves.map(\.number).sorted() == [10, 11])
        #expect(salt.best == nil)
    }

    @Test("follows the rules of to-many, to-one and many-to-many links without a model", arguments: TestStore.all)
    func rules(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let asked = try place.record.during {
            try context.delete(model: Pantry.self, where: #Predicate { $0.name == "a" })
            try context.save()
        }
        for context in try [context] + place.newContexts() { try expectAGone(context) }
        try store.needs(.requestsOfItsOwn)
        #expect(asked.batches == 1 && asked.rows == 0 && asked.requests == 1)
        #expect(asked.deleted == 5, "a pantry, two shelves, two tags")
    }

    @Test("lets go of the models that the rules delete, and cuts the links of others", arguments: TestStore.all)
    func memory(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let shelves = try context.all(PantryShelf.self, by: SortDescriptor(\.number))
        let tags = try context.all(ShelfTag.self, by: SortDescriptor(\.text))
        let pantries = try context.all(Pantry.self, by: SortDescriptor(\.name))
        let salt = try context.only(Spice.self)
        #expect(salt.shelves.count == 4 && salt.best === shelves[0])
        try context.delete(model: Pantry.self, where: #Predicate { $0.name == "a" })
        #expect(pantries.map(\.isDeleted) == [true, false] && context.hasChanges)
        try context.save()
        let isGone = [true, true, false, false]
        #expect(shelves.map { $0.modelContext == nil } == isGone)
        #expect(tags.map { $0.modelContext == nil } == isGone)
        #expect(pantries.map { $0.modelContext == nil } == [true, false])
        #expect(salt.best == nil && salt.shelves.map(\.number).sorted() == [10, 11])
        #expect(!context.hasChanges && !salt.hasChanges)
    }

    @Test("is heard of by a context that has the models", arguments: TestStore.all)
    func elsewhere(_ store: TestStore) throws {
        let place = try Self.make(store)
        let other = place.context()
        let shelves = try other.all(PantryShelf.self, by: SortDescriptor(\.number))
        let salt = try other.only(Spice.self)
        #expect(salt.shelves.count == 4 && salt.best === shelves[0])
        let context = place.context()
        try context.delete(model: Pantry.self, where: #Predicate { $0.name == "a" })
        try context.save()
        #expect(try other.count(PantryShelf.self) == 2)
        #expect(shelves.map { $0.modelContext == nil } == [true, true, false, false])
        #expect(salt.best == nil && salt.shelves.count == 2)
    }

    @Test("tells of every row in the notification", arguments: TestStore.all)
    func notification(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let doomed = try Set(
            context.fetchIdentifiers(FetchDescriptor<PantryShelf>(predicate: #Predicate { $0.number < 10 }))
                + context.fetchIdentifiers(FetchDescriptor<ShelfTag>(predicate: #Predicate { $0.text < "b" })))
        nonisolated(unsafe) var told: [PersistentIdentifier] = []
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { notification in
            let key = ModelContext.NotificationKey.deletedIdentifiers.rawValue
            told += notification.userInfo?[key] as? [PersistentIdentifier] ?? []
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.delete(model: PantryShelf.self, where: #Predicate { $0.number < 10 })
        try context.save()
        #expect(told.count == doomed.count && Set(told) == doomed)
    }

    @Test("is refused by a rule, and leaves everything as it was", arguments: TestStore.all)
    func deny(_ store: TestStore) throws {
        let place = try Self.make(store)
        let maker = place.context()
        let key = PantryKey("k")
        maker.insert(key)
        key.pantry = try maker.only(Pantry.self, where: #Predicate { $0.name == "a" })
        try maker.save()
        let context = place.context()
        try context.delete(model: Pantry.self)
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error?.code == .deleteDenied && error?.entity == "Pantry" && error?.property == "keys")
        #expect(context.hasChanges)
        #expect(try place.context().count(Pantry.self) == 2)
        #expect(try place.context().count(PantryShelf.self) == 4)
        // The next save may succeed.
        maker.delete(key)
        try maker.save()
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.count(Pantry.self) == 0)
            #expect(try context.count(ShelfTag.self) == 0)
        }
    }

    @Test("is refused where a required link would be empty", arguments: TestStore.all)
    func required(_ store: TestStore) throws {
        let place = try Self.make(store)
        let maker = place.context()
        maker.insert(Jar("plum", try maker.only(PantryShelf.self, where: #Predicate { $0.number == 0 })))
        try maker.save()
        let context = place.context()
        try context.delete(model: Pantry.self, where: #Predicate { $0.name == "a" })
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error?.code == .modelValidationFailure && error?.property == "shelf")
        context.rollback()
        #expect(!context.hasChanges)
        try context.save()
        #expect(try place.context().count(PantryShelf.self) == 4)
        // Together with what requires it, it goes.
        try context.delete(model: Jar.self)
        try context.delete(model: Pantry.self, where: #Predicate { $0.name == "a" })
        try context.save()
        for context in try place.newContexts() { try expectAGone(context) }
    }

    @Test("gives the same as one that is looked at before the save", arguments: TestStore.all)
    func looks(_ store: TestStore) throws {
        let looks: [(ModelContext) throws -> Void] = [
            { context in _ = try context.count(PantryShelf.self, where: #Predicate { $0.number < 10 }) },
            { context in
                let left = try context.all(Pantry.self).map(\.name)
                #expect(left == ["b"])
            },
            { #expect($0.deletedModelsArray.count == 1) },
            { $0.undoManager = UndoManager() },
            { $0.insert(PantryShelf(11, nil)) },
        ]
        for (index, look) in looks.enumerated() {
            let place = try Self.make(store)
            let context = place.context()
            try context.delete(model: Pantry.self, where: #Predicate { $0.name == "a" })
            let asked = try place.record.during {
                try look(context)
                for shelf in context.insertedModelsArray.compactMap({ $0 as? PantryShelf }) { context.delete(shelf) }
                try context.save()
            }
            for context in try place.newContexts() { try expectAGone(context) }
            if index < 4 { #expect(asked.batches == 0) }
        }
    }

    @Test("leaves alone what matches only afterwards", arguments: TestStore.all)
    func later(_ store: TestStore) throws {
        let place = try TestPlace(store, PlainRow.self)
        let context = place.context()
        for number in 0..<6 { context.insert(PlainRow(number)) }
        try context.save()
        let kept = try context.only(PlainRow.self, where: #Predicate { $0.number == 5 })
        let marked = try context.only(PlainRow.self, where: #Predicate { $0.number == 1 })
        try context.delete(model: PlainRow.self, where: #Predicate { $0.number < 3 })
        kept.number = 0
        marked.number = 7
        context.insert(PlainRow(2))
        #expect(marked.isDeleted && !kept.isDeleted)
        try context.save()
        #expect(marked.modelContext == nil && kept.modelContext === context)
        for context in try place.newContexts() {
            #expect(try context.all(PlainRow.self, by: SortDescriptor(\.number)).map(\.number) == [0, 2, 3, 4])
        }
    }

    @Test("is taken back for one model that is inserted again", arguments: TestStore.all)
    func restored(_ store: TestStore) throws {
        let place = try TestPlace(store, PlainRow.self)
        let context = place.context()
        for number in 0..<6 { context.insert(PlainRow(number)) }
        try context.save()
        let back = try context.only(PlainRow.self, where: #Predicate { $0.number == 1 })
        try context.delete(model: PlainRow.self, where: #Predicate { $0.number < 3 })
        #expect(back.isDeleted)
        context.insert(back)
        #expect(!back.isDeleted)
        try context.save()
        #expect(back.modelContext === context)
        for context in try place.newContexts() {
            #expect(try context.all(PlainRow.self, by: SortDescriptor(\.number)).map(\.number) == [1, 3, 4, 5])
        }
    }

    @Test("that finds nothing is no change", arguments: TestStore.all)
    func nothing(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        try context.delete(model: Pantry.self, where: #Predicate { $0.name == "z" })
        try context.delete(model: PlainRow.self)
        #expect(!context.hasChanges)
    }

    @Test("empties several classes in one save", arguments: TestStore.all)
    func severalClasses(_ store: TestStore) throws {
        let place = try Self.make(store)
        let maker = place.context()
        maker.insert(Jar("plum", try maker.only(PantryShelf.self, where: #Predicate { $0.number == 0 })))
        maker.insert(PlainRow(1))
        try maker.save()
        let context = place.context()
        let asked = try place.record.during {
            try context.delete(model: Spice.self)
            try context.delete(model: PantryShelf.self)
            try context.delete(model: Jar.self)
            try context.delete(model: PlainRow.self)
            try context.save()
        }
        for context in try place.newContexts() {
            #expect(try context.count(Spice.self) == 0)
            #expect(try context.count(PantryShelf.self) == 0)
            #expect(try context.count(ShelfTag.self) == 0)
            #expect(try context.count(Jar.self) == 0)
            #expect(try context.count(PlainRow.self) == 0)
            #expect(try context.all(Pantry.self).allSatisfy { $0.shelves.isEmpty })
        }
        try store.needs(.requestsOfItsOwn)
        #expect(asked.batches == 4 && asked.commits == 1 && asked.rows == 0)
    }

    @Test("goes down a tree, and by a predicate that follows links", arguments: TestStore.all)
    func tree(_ store: TestStore) throws {
        let place = try Self.make(store)
        let maker = place.context()
        for _ in 0..<2 {
            var parent: Branch?
            for depth in 0..<5 {
                let branch = Branch(depth, parent)
                maker.insert(branch)
                parent = branch
            }
        }
        try maker.save()
        let context = place.context()
        try context.delete(model: Branch.self, where: #Predicate { $0.depth == 2 })
        try context.save()
        #expect(try context.all(Branch.self).map(\.depth).sorted() == [0, 0, 1, 1])
        try context.delete(model: Branch.self, where: #Predicate { $0.parent?.depth == 0 })
        try context.delete(
            model: PantryShelf.self, where: #Predicate { $0.pantry?.name == "a" || $0.tag?.text == "b1" })
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.all(Branch.self).map(\.depth) == [0, 0])
            #expect(try context.all(PantryShelf.self).map(\.number) == [10])
            #expect(try context.all(ShelfTag.self).map(\.text) == ["b0"])
        }
    }

    @Test("is stored with everything else of the save, or not at all", arguments: TestStore.all)
    func together(_ store: TestStore) throws {
        try store.needs(.uniqueness)
        let place = try TestPlace(store, PlainRow.self, Chore.self)
        let context = place.context()
        for number in 0..<4 { context.insert(PlainRow(number)) }
        for code in ["x", "y"] { context.insert(Chore(code, 1)) }
        try context.save()
        let fresh = place.context()
        let chore = try fresh.only(Chore.self, where: #Predicate { $0.code == "x" })
        try fresh.delete(model: PlainRow.self, where: #Predicate { $0.number < 2 })
        chore.code = "y"
        #expect(throws: SwiftDataError.uniquenessConflict) { try fresh.save() }
        #expect(try place.context().count(PlainRow.self) == 4)
        chore.code = "z"
        try fresh.save()
        for context in try place.newContexts() {
            #expect(try context.count(PlainRow.self) == 2)
            #expect(try context.count(Chore.self, where: #Predicate { $0.code == "z" }) == 1)
        }
    }

    @Test("reaches live results", arguments: TestStore.all)
    func results(_ store: TestStore) throws {
        let place = try TestPlace(store, PlainRow.self)
        let maker = place.context()
        for number in 0..<4 { maker.insert(PlainRow(number)) }
        try maker.save()
        let (mine, other) = (place.context(), place.context())
        let own = try ResultsObserver(fetchDescriptor: FetchDescriptor<PlainRow>(), modelContext: mine)
        let others = try ResultsObserver(fetchDescriptor: FetchDescriptor<PlainRow>(), modelContext: other)
        #expect(own.results.count == 4 && others.results.count == 4)
        try mine.delete(model: PlainRow.self, where: #Predicate { $0.number > 0 })
        #expect(own.results.count == 1 && others.results.count == 4)
        try mine.save()
        #expect(own.results.count == 1 && others.results.count == 1)
        try mine.delete(model: PlainRow.self)
        try mine.save()
        #expect(own.results.isEmpty && others.results.isEmpty)
    }
}
