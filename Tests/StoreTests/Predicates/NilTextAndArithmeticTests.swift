import Coffer
import Foundation
import Testing

@Model final class Note {
    var n: Int
    var title: String
    var mood: String?
    var stars: Double?
    var due: Date?
    init(_ n: Int, _ title: String, _ mood: String?, _ stars: Double?, _ due: Date?) {
        self.n = n
        self.title = title
        self.mood = mood
        self.stars = stars
        self.due = due
    }
}

@Suite("Nil, wildcard characters and arithmetic in predicates")
struct NilTextAndArithmeticTests {
    static let early = Date(timeIntervalSinceReferenceDate: 1000)
    static let late = Date(timeIntervalSinceReferenceDate: 2000)

    static func make(_ store: TestStore) throws -> TestPlace {
        let place = try TestPlace(store, Note.self)
        let context = place.context()
        let notes = [
            Note(1, "Report", "calm", 3.5, nil),
            Note(2, "report", nil, nil, early),
            Note(3, "100%", "wild", 2.5, nil),
            Note(4, "a_b", nil, 0.5, early),
            Note(5, "axb", "calm", nil, nil),
            Note(6, "O'Neil", "wild", 2.0, late),
            Note(7, "", "", -1, nil),
        ]
        for note in notes { context.insert(note) }
        try context.save()
        return place
    }

    private func check(_ store: TestStore, _ cases: [(String, Predicate<Note>, Set<Int>)]) throws {
        let place = try Self.make(store)
        for (name, predicate, numbers) in cases {
            let context = place.context()
            #expect(try Set(context.all(Note.self, where: predicate).map(\.n)) == numbers, "\(name)")
            #expect(try place.context().count(Note.self, where: predicate) == numbers.count, "\(name), counted")
            // The meaning is what evaluating the predicate over plain objects gives.
            let evaluated = try context.all(Note.self).filter { try predicate.evaluate($0) }
            #expect(Set(evaluated.map(\.n)) == numbers, "\(name), evaluated")
        }
    }

    @Test("nil is no value that equals another", arguments: TestStore.all)
    func nothing(_ store: TestStore) throws {
        try check(
            store,
            [
                ("optional !=", #Predicate { $0.mood != "calm" }, [2, 3, 4, 6, 7]),
                ("!(optional ==)", #Predicate { !($0.mood == "calm") }, [2, 3, 4, 6, 7]),
                ("?? in the set", #Predicate { ($0.mood ?? "calm") == "calm" }, [1, 2, 4, 5]),
                ("== nil", #Predicate { $0.mood == nil }, [2, 4]),
                ("== empty", #Predicate { $0.mood == "" }, [7]),
                ("nil || empty", #Predicate { $0.mood == nil || $0.mood == "" }, [2, 4, 7]),
                ("?? number", #Predicate { ($0.stars ?? 0) >= 2.5 }, [1, 3]),
                ("flatMap ?? true", #Predicate { $0.stars.flatMap { $0 > 1 } ?? true }, [1, 2, 3, 5, 6]),
                ("!(flatMap ?? true)", #Predicate { !($0.stars.flatMap { $0 > 1 } ?? true) }, [4, 7]),
                ("date == nil", #Predicate { $0.due == nil }, [1, 3, 5, 7]),
            ])
    }

    @Test("dates are compared with captured ones", arguments: TestStore.all)
    func dates(_ store: TestStore) throws {
        let early = Self.early
        let late = Self.late
        try check(
            store,
            [
                ("flatMap >", #Predicate { $0.due.flatMap { $0 > early } ?? false }, [6]),
                ("==", #Predicate { $0.due == early }, [2, 4]),
                ("!=", #Predicate { $0.due != early }, [1, 3, 5, 6, 7]),
                ("?? <=", #Predicate { ($0.due ?? late) <= early }, [2, 4]),
            ])
    }

    @Test("no character of a text is special", arguments: TestStore.all)
    func wildcards(_ store: TestStore) throws {
        let quote = "'"
        try check(
            store,
            [
                ("percent", #Predicate { $0.title.contains("%") }, [3]),
                ("underscore", #Predicate { $0.title.contains("_") }, [4]),
                ("quote", #Predicate { $0.title.contains("'") }, [6]),
                ("captured quote", #Predicate { $0.title.contains(quote) }, [6]),
                ("empty", #Predicate { $0.title.contains("") }, [1, 2, 3, 4, 5, 6, 7]),
                ("starts with", #Predicate { $0.title.starts(with: "Re") }, [1]),
                ("starts with wildcard", #Predicate { $0.title.starts(with: "_") }, []),
                ("starts with nothing", #Predicate { $0.title.starts(with: "") }, [1, 2, 3, 4, 5, 6, 7]),
                ("== with quote", #Predicate { $0.title == "O'Neil" }, [6]),
            ])
    }

    @Test("text is measured, ordered and searched as Swift does", arguments: TestStore.all)
    func text(_ store: TestStore) throws {
        try check(
            store,
            [
                ("isEmpty", #Predicate { $0.title.isEmpty }, [7]),
                ("count", #Predicate { $0.title.count > 3 }, [1, 2, 3, 6]),
                ("<", #Predicate { $0.title < "a" }, [1, 3, 6, 7]),
                ("case", #Predicate { $0.title == "report" }, [2]),
                ("localised search", #Predicate { $0.title.localizedStandardContains("REPORT") }, [1, 2]),
            ])
    }

    @Test("integers are divided as Swift does", arguments: TestStore.all)
    func arithmetic(_ store: TestStore) throws {
        try check(
            store,
            [
                ("% and /", #Predicate { $0.n % 2 == 1 && $0.n / 2 == 1 }, [3]),
                ("negative %", #Predicate { (0 - $0.n) % 2 == -1 }, [1, 3, 5, 7]),
                ("negative /", #Predicate { (0 - $0.n) / 2 == -1 }, [2, 3]),
                ("range", #Predicate { (2...4).contains($0.n) }, [2, 3, 4]),
                ("half-open range", #Predicate { (2..<4).contains($0.n) }, [2, 3]),
                ("? :", #Predicate { $0.n > 3 ? $0.mood == nil : $0.mood != nil }, [1, 3, 4]),
            ])
    }
}
