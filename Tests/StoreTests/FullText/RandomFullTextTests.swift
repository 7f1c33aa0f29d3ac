import Coffer
import Foundation
import Testing

/// Random texts and queries, against evaluating the predicate over plain objects.
@Suite("Random full-text searches")
struct RandomFullTextTests {
    struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    static let words = [
        "a", "ab", "abc", "Ab", "é", "E\u{301}", "è", "straße", "STRASSE", "東京", "京", "東", "が", "か\u{3099}", "か", "🎉",
        "👍🏽",
        "don't", "x\0y", "-", "\"", "OR", "or", "*", "ﬁ", "fi", String(repeating: "long", count: 30), "\u{301}",
        String(repeating: "long", count: 30) + "er", "Ω", "ω", "１", "1", "קוֹל", "rank", "rowid", "NOT", "(", "{", "'",
        ":",
    ]
    static let separators = [" ", " ", " ", "", ", ", "\n", "\0"]

    static func text(_ random: inout Generator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            text += words.randomElement(using: &random)! + separators.randomElement(using: &random)!
        }
        return text
    }

    static func query(_ random: inout Generator) -> String {
        let marks = ["", "", "", "-", "\"", "OR "]
        let ends = [" ", " ", "* ", "\" ", ""]
        var text = ""
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            text += marks.randomElement(using: &random)! + words.randomElement(using: &random)!
            text += ends.randomElement(using: &random)!
        }
        return text
    }

    @Test("give what plain objects give", arguments: TestStore.all)
    func oracle(_ store: TestStore) throws {
        var random = Generator(state: 20_260_731)
        let place = try TestPlace(store, Essayist.self)
        let maker = place.context()
        var plain: [Int: Essay] = [:]
        func fill(_ essay: Essay) {
            essay.title = Self.text(&random)
            essay.body = Bool.random(using: &random) ? Self.text(&random) : nil
        }
        for code in 0..<120 {
            let essay = Essay(code, "")
            fill(essay)
            maker.insert(essay)
            if code == 0 { essay.body = String(repeating: "very long text, 東京 ", count: 200) }
            // What makes an archive write a journal.
            if code == 1 { essay.note = String(repeating: "long ", count: 20_000) }
        }
        try maker.save()
        for essay in try maker.all(Essay.self) {
            if essay.code % 7 == 0, essay.code > 0 { fill(essay) }
            if essay.code % 11 == 5 { maker.delete(essay) }
        }
        try maker.save()
        let context = try place.reopen()
        // Some changes are left unsaved.
        for essay in try context.all(Essay.self) where essay.code % 13 == 6 { fill(essay) }
        for essay in try context.all(Essay.self) {
            plain[essay.code] = Essay(essay.code, essay.title, essay.body)
        }
        for _ in 0..<30 {
            let query = Self.query(&random)
            let predicates: [Predicate<Essay>] = [
                #Predicate { $0.matchesFullText(query) },
                #Predicate { !$0.matchesFullText(query) && $0.code > 20 },
                #Predicate { $0.title.matchesFullText(query) },
                #Predicate { $0.body?.matchesFullText(query) == true || $0.code == 1 },
            ]
            for (number, predicate) in predicates.enumerated() {
                let found = try context.all(Essay.self, where: predicate).map(\.code).sorted()
                let expected = try plain.values.filter { try predicate.evaluate($0) }.map(\.code).sorted()
                #expect(found == expected, "\(number): \(query.debugDescription)")
                #expect(try context.count(Essay.self, where: predicate) == expected.count)
            }
        }
    }
}
