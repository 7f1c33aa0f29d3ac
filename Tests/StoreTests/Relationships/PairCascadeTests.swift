import Coffer
import Foundation
import Testing

@Model final class Lorry {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Trailer.lorry) var trailer: Trailer?
    init(_ name: String) { self.name = name }
}

@Model final class Trailer {
    var name: String
    var lorry: Lorry?
    init(_ name: String, _ lorry: Lorry? = nil) {
        self.name = name
        self.lorry = lorry
    }
}

/// Ways to link the two from the side that has no rule.
enum PairWay: String, CaseIterable {
    case initialiser, setter, setterBeforeInsertion, otherContext
}

@Suite("A one-to-one link that was made from one side is followed by the rule of the other")
struct PairCascadeTests {
    private func link(_ way: PairWay, _ place: TestPlace) throws {
        let context = place.context()
        let lorry = Lorry("l")
        context.insert(lorry)
        switch way {
        case .initialiser: context.insert(Trailer("t", lorry))
        case .setter:
            let trailer = Trailer("t")
            context.insert(trailer)
            try context.save()
            trailer.lorry = lorry
        case .setterBeforeInsertion:
            let trailer = Trailer("t")
            trailer.lorry = lorry
            context.insert(trailer)
        case .otherContext:
            try context.save()
            let other = place.context()
            other.insert(Trailer("t", try other.only(Lorry.self)))
            try other.save()
        }
        try context.save()
    }

    @Test("one by one", arguments: TestStore.all, PairWay.allCases)
    func single(_ store: TestStore, _ way: PairWay) throws {
        let place = try TestPlace(store, Lorry.self)
        try link(way, place)
        let context = try place.reopen()
        context.delete(try context.only(Lorry.self))
        try context.save()
        for context in try [context] + place.newContexts() { #expect(try context.count(Trailer.self) == 0) }
    }

    @Test("by predicate", arguments: TestStore.all, PairWay.allCases)
    func batch(_ store: TestStore, _ way: PairWay) throws {
        let place = try TestPlace(store, Lorry.self)
        try link(way, place)
        let context = try place.reopen()
        try context.delete(model: Lorry.self)
        try context.save()
        for context in try [context] + place.newContexts() { #expect(try context.count(Trailer.self) == 0) }
    }

    @Test("before the first save", arguments: TestStore.all)
    func unsaved(_ store: TestStore) throws {
        let place = try TestPlace(store, Lorry.self)
        let context = place.context()
        let lorry = Lorry("l")
        context.insert(Trailer("t", lorry))
        context.delete(lorry)
        try context.save()
        #expect(try context.count(Lorry.self) == 0 && context.count(Trailer.self) == 0)
    }
}
