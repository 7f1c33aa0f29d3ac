import Coffer
import Foundation
import Testing

@Model final class Letter {
    var text: String
    var folder: Folder?
    init(_ text: String) { self.text = text }
}

@Model final class Folder {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Letter.folder) var letters: [Letter] = []
    init(_ name: String) { self.name = name }
}

@Suite("The state of a model")
struct ModelStateTests {
    /// What a model says of itself.
    struct State: Equatable, CustomStringConvertible {
        var hasContext = false
        var hasChanges = false
        var isDeleted = false

        init(_ model: any PersistentModel) {
            hasContext = model.modelContext != nil
            hasChanges = model.hasChanges
            isDeleted = model.isDeleted
        }

        private init(_ hasContext: Bool, _ hasChanges: Bool, _ isDeleted: Bool) {
            (self.hasContext, self.hasChanges, self.isDeleted) = (hasContext, hasChanges, isDeleted)
        }

        static let outside = State(false, false, false)
        static let stored = State(true, false, false)
        static let changed = State(true, true, false)
        static let deleted = State(true, false, true)

        var description: String { "context \(hasContext), changes \(hasChanges), deleted \(isDeleted)" }
    }

    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext, letter: Letter) {
        let place = try TestPlace(store, Folder.self)
        let maker = place.context()
        let folder = Folder("f")
        maker.insert(folder)
        folder.letters.append(Letter("t"))
        try maker.save()
        let context = place.context()
        return (place, context, try context.only(Letter.self))
    }

    private func counts(_ context: ModelContext) -> [Int] {
        [context.insertedModelsArray.count, context.changedModelsArray.count, context.deletedModelsArray.count]
    }

    @Test("runs from insertion over changes to deletion", arguments: TestStore.all)
    func whole(_ store: TestStore) throws {
        let (_, context, _) = try Self.make(store)
        let letter = Letter("n")
        #expect(State(letter) == .outside)
        letter.text = "m"
        #expect(State(letter) == .outside)
        context.insert(letter)
        #expect(State(letter) == .changed && counts(context) == [1, 0, 0])
        try context.save()
        #expect(State(letter) == .stored && counts(context) == [0, 0, 0])
        letter.text = "o"
        #expect(State(letter) == .changed && counts(context) == [0, 1, 0])
        try context.save()
        #expect(State(letter) == .stored && !context.hasChanges)
        context.delete(letter)
        #expect(State(letter) == .deleted && counts(context) == [0, 0, 1] && context.hasChanges)
        try context.save()
        #expect(State(letter) == .outside && counts(context) == [0, 0, 0] && !context.hasChanges)
        letter.text = "p"
        #expect(State(letter) == .outside && !context.hasChanges && letter.text == "p")
        context.insert(letter)
        #expect(State(letter) == .changed)
        try context.save()
        #expect(try context.count(Letter.self, where: #Predicate { $0.text == "p" }) == 1)
    }

    @Test("ends at once for a new model that is deleted", arguments: TestStore.all)
    func insertedThenDeleted(_ store: TestStore) throws {
        let (place, context, _) = try Self.make(store)
        let letter = Letter("n")
        context.insert(letter)
        context.delete(letter)
        #expect(State(letter) == .outside && counts(context) == [0, 0, 0] && !context.hasChanges)
        try context.save()
        #expect(try place.context().count(Letter.self) == 1)
        context.insert(letter)
        #expect(State(letter) == .changed)
        try context.save()
        #expect(try place.context().count(Letter.self) == 2)
    }

    @Test("goes on for a deleted model that is inserted again", arguments: TestStore.all)
    func deletedThenInserted(_ store: TestStore) throws {
        let (place, context, letter) = try Self.make(store)
        let identifier = letter.persistentModelID
        context.delete(letter)
        letter.text = "x"
        context.insert(letter)
        #expect(State(letter) == .changed && counts(context) == [0, 1, 0])
        try context.save()
        #expect(try place.context().only(Letter.self).text == "x")
        #expect(letter.persistentModelID == identifier)
    }

    @Test("is put back by a rollback, whatever was done", arguments: TestStore.all)
    func rollback(_ store: TestStore) throws {
        let (place, context, letter) = try Self.make(store)
        let folder = try #require(letter.folder)
        let new = Letter("n")
        folder.letters.append(new)
        #expect(State(new) == .changed)
        letter.text = "x"
        context.rollback()
        #expect(State(new) == .outside && new.text == "n")
        #expect(State(letter) == .stored && letter.text == "t")
        #expect(State(folder) == .stored && folder.letters == [letter])
        #expect(!context.hasChanges)
        context.delete(letter)
        context.rollback()
        #expect(State(letter) == .stored && letter.folder === folder)
        letter.text = "y"
        context.delete(letter)
        context.rollback()
        #expect(State(letter) == .stored && letter.text == "t")
        context.delete(letter)
        letter.text = "z"
        letter.folder = nil
        context.rollback()
        #expect(State(letter) == .stored && letter.text == "t" && letter.folder === folder)
        #expect(folder.letters == [letter] && !context.hasChanges)
        try context.save()
        let other = place.context()
        #expect(try other.only(Folder.self).letters.map(\.text) == ["t"])
        other.insert(new)
        #expect(new.modelContext === other, "what was rolled back is free for any context")
    }

    @Test("ends with the context, in every state", arguments: TestStore.all)
    func contextEnds(_ store: TestStore) throws {
        let place = try Self.make(store).place
        var context: ModelContext? = place.context()
        let stored = try context!.only(Letter.self)
        let folder = try context!.only(Folder.self)
        #expect(stored.text == "t" && folder.letters.count == 1)
        let new = Letter("n")
        context!.insert(new)
        folder.name = "changed"
        context!.delete(stored)
        #expect(State(stored) == .deleted && State(new) == .changed && State(folder) == .changed)
        context = nil
        #expect([State(stored), State(new), State(folder)] == [.outside, .outside, .outside])
        #expect(stored.text == "t" && new.text == "n" && folder.name == "changed")
        new.text = "later"
        #expect(State(new) == .outside)
        let other = place.context()
        other.insert(new)
        try other.save()
        #expect(try place.context().count(Letter.self) == 2)
    }

    @Test("ends with the container's data, in every state", arguments: TestStore.all)
    func erased(_ store: TestStore) throws {
        let (place, context, stored) = try Self.make(store)
        let folder = try context.only(Folder.self)
        let new = Letter("n")
        context.insert(new)
        folder.name = "changed"
        context.delete(stored)
        #expect(stored.text == "t")
        try place.container.erase()
        #expect(try context.count(Letter.self) == 0)
        #expect([State(stored), State(new), State(folder)] == [.outside, .outside, .outside])
        #expect(!context.hasChanges && counts(context) == [0, 0, 0])
        #expect(stored.text == "t" && new.text == "n")
        context.insert(new)
        try context.save()
        #expect(try place.context().count(Letter.self) == 1)
    }

    @Test("ends for what delete rules delete along, once it is saved", arguments: TestStore.all)
    func cascade(_ store: TestStore) throws {
        let (_, context, letter) = try Self.make(store)
        let folder = try context.only(Folder.self)
        context.delete(folder)
        #expect(State(folder) == .deleted && State(letter) == .stored)
        try context.save()
        #expect(State(folder) == .outside && State(letter) == .outside)
    }
}
