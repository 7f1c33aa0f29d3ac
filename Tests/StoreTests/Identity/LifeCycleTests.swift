import Coffer
import Foundation
import Testing

@Model final class Candle {
    var colour: String
    var notes: [String] = []
    init(_ colour: String) { self.colour = colour }
}

@Suite("The life of a model")
struct LifeCycleTests {
    /// What a model says of itself.
    private struct State: Equatable, CustomStringConvertible {
        var context: Bool
        var isDeleted = false
        var hasChanges = false
        var isPermanent: Bool

        init(_ context: Bool, isDeleted: Bool = false, hasChanges: Bool = false, isPermanent: Bool) {
            self.context = context
            self.isDeleted = isDeleted
            self.hasChanges = hasChanges
            self.isPermanent = isPermanent
        }

        init(_ model: Candle) {
            self.init(
                model.modelContext != nil, isDeleted: model.isDeleted, hasChanges: model.hasChanges,
                isPermanent: model.persistentModelID.storeIdentifier != nil)
        }

        var description: String {
            "context \(context), deleted \(isDeleted), changes \(hasChanges), permanent \(isPermanent)"
        }
    }

    @Test("shows in its context, deletion, changes and identifier", arguments: TestStore.all)
    func states(_ store: TestStore) throws {
        let place = try TestPlace(store, Candle.self)
        var context: ModelContext? = place.context()
        let candle = Candle("red")
        #expect(State(candle) == State(false, isPermanent: false))
        context?.insert(candle)
        #expect(State(candle) == State(true, hasChanges: true, isPermanent: false))
        try context?.save()
        #expect(State(candle) == State(true, isPermanent: true))
        candle.notes.append("n")
        #expect(State(candle) == State(true, hasChanges: true, isPermanent: true))
        context?.rollback()
        #expect(State(candle) == State(true, isPermanent: true) && candle.notes.isEmpty)
        context?.delete(candle)
        #expect(State(candle) == State(true, isDeleted: true, isPermanent: true))
        context?.rollback()
        #expect(State(candle) == State(true, isPermanent: true))
        let dropped = Candle("blue")
        context?.insert(dropped)
        context?.rollback()
        #expect(State(dropped) == State(false, isPermanent: false) && dropped.colour == "blue")
        context?.delete(candle)
        try context?.save()
        #expect(State(candle) == State(false, isPermanent: true) && candle.colour == "red")
        let second = Candle("green")
        context?.insert(second)
        try context?.save()
        context = nil
        #expect(State(second) == State(false, isPermanent: true) && second.colour == "green")
        second.colour = "white"
        #expect(second.colour == "white")
        #expect(try place.context().only(Candle.self).colour == "green")
    }

    @Test("begins anew when a model is inserted after its deletion was saved", arguments: TestStore.all)
    func again(_ store: TestStore) throws {
        let place = try TestPlace(store, Candle.self)
        let context = place.context()
        let candle = Candle("red")
        context.insert(candle)
        try context.save()
        let first = candle.persistentModelID
        context.delete(candle)
        try context.save()
        context.insert(candle)
        #expect(State(candle) == State(true, hasChanges: true, isPermanent: false))
        try context.save()
        #expect(State(candle) == State(true, isPermanent: true) && candle.persistentModelID != first)
        for context in try place.newContexts() { #expect(try context.only(Candle.self).colour == "red") }
    }

    @Test("goes on elsewhere when a model whose context ended is inserted into another", arguments: TestStore.all)
    func moved(_ store: TestStore) throws {
        let place = try TestPlace(store, Candle.self)
        var context: ModelContext? = place.context()
        let candle = Candle("red")
        context?.insert(candle)
        try context?.save()
        context = nil
        let other = place.context()
        other.insert(candle)
        #expect(State(candle) == State(true, hasChanges: true, isPermanent: false))
        try other.save()
        #expect(try other.count(Candle.self) == 2)
    }
}
