import CofferFuzz
import CofferShapes
import Testing

extension FuzzStore: CustomTestStringConvertible {
    public var testDescription: String { name }
}

@Suite("Predicates at random")
struct RandomPredicateTests {
    @Test("there are enough shapes, each under a name of its own")
    func shapes() {
        #expect(PredicateShape.all.count >= 200)
        #expect(Set(PredicateShape.all.map(\.name)).count == PredicateShape.all.count)
    }

    @Test("a shape is true of some rows and false of others")
    func answers() {
        for shape in PredicateShape.all where !["nobody", "everybody"].contains(shape.name) {
            var answers = shape.answers(worlds: 2, draws: 8)
            if !answers.isSuperset(of: [true, false]) { answers = shape.answers(worlds: 12, draws: 40) }
            #expect(answers.isSuperset(of: [true, false]), "\(shape.name)")
        }
    }

    /// The long form is `make fuzz`.
    @Test("find the same rows in a store as in plain Swift", arguments: FuzzStore.allForPredicates)
    func sameRows(_ store: FuzzStore) throws {
        var run = ShapeRun(store: store, seed: 11)
        run.things = 12
        // Every store takes other cases.
        let place = FuzzStore.allForPredicates.firstIndex { $0.name == store.name } ?? 0
        let cases = run.casesPerWorld * place..<run.casesPerWorld * (place + 1)
        var compared = 0
        if let failure = try run.failure(cases: cases, compared: { compared += $0 }) { Issue.record("\(failure)") }
        #expect(compared > cases.count * 12)
    }

    @Test("a wrong store is found out, and the report is short and can be replayed")
    func differencesAreFound() throws {
        var run = ShapeRun(store: .memory, seed: 3)
        run.things = 12
        run.shapes = [PredicateShape.wrong]
        let failure = try #require(try run.failure(cases: 0..<60))
        let report = failure.description
        #expect(report.contains("memory: count, saved rows: “wrong”"))
        let replay = try #require(report.split(separator: "\n").last)
        #expect(replay.hasPrefix("replay: coffer-fuzz predicates --store memory --seed 3 --case "))
        let words = replay.split(separator: " ")
        func option(_ name: String) -> Substring? {
            words.firstIndex(of: name[...]).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
        }
        let rows = try #require(option("--rows")).split(separator: ",").compactMap { Int($0) }
        #expect(rows.count == 1)
        let part = (option("--part") ?? "").split(separator: ".").compactMap { Int($0) }
        let number = try #require(option("--case").flatMap { Int($0) })
        let excerpt = ShapeRun.Excerpt(part: part, rows: Set(rows), isBare: words.contains("--bare"))
        #expect(try run.failure(case: number, excerpt)?.description == report)
    }
}
