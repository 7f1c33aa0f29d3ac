import Coffer
import Foundation
import Testing

@Model final class Texts {
    var key: Int
    var text: String
    var maybe: String?
    var character: Character
    var maybeCharacter: Character?
    init(_ key: Int, _ text: String, _ character: Character = "x") {
        self.key = key
        self.text = text
        self.character = character
    }
}

@Suite("Text")
struct TextTests {
    static let texts: [String] = [
        "", " ", "a", "a\0b", "\0", "caf\u{E9}", "cafe\u{301}", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "\u{1F468}\u{1F3FD}\u{200D}\u{1F4BB}", "ﬁ",
        "Å", "\u{212B}",
        "각", "\u{1100}\u{1161}\u{11A8}", "\u{FEFF}bom", "line\nbreak\r\n\ttab", "\"quotes\" 'and' `ticks`", "%_\\",
        "\u{10FFFF}",
        "\u{E000}", "\u{FFFD}", "مرحبا", "\u{202E}rtl", "null", "NULL", "nil", "0", "1e3", "{\"a\":1}",
    ]

    @Test("of every kind is read back as it was", arguments: TestStore.all)
    func kinds(_ store: TestStore) throws {
        let place = try TestPlace(store, Texts.self)
        let context = place.context()
        for (key, text) in Self.texts.enumerated() {
            let model = Texts(key, text)
            model.maybe = text
            context.insert(model)
        }
        context.insert(Texts(Self.texts.count, "nothing"))
        try context.save()
        for context in try place.newContexts() {
            let read = try context.all(Texts.self, by: SortDescriptor(\.key))
            #expect(read.map(\.text) == Self.texts + ["nothing"])
            #expect(read.map(\.maybe) == Self.texts + [nil])
            for (key, text) in Self.texts.enumerated() {
                let found = try context.all(Texts.self, where: #Predicate { $0.text == text })
                #expect(found.contains { $0.key == key }, "\(key)")
                #expect(found.allSatisfy { $0.text == text }, "\(key)")
                let optional = try context.count(Texts.self, where: #Predicate { $0.maybe == text })
                #expect(optional == found.count, "\(key)")
            }
        }
    }

    @Test("may be a megabyte, and be changed to something short", arguments: TestStore.all)
    func large(_ store: TestStore) throws {
        let place = try TestPlace(store, Texts.self)
        let context = place.context()
        let large = String(repeating: "0123456789abcdéf", count: 1 << 16)
        let model = Texts(1, large)
        context.insert(model)
        try context.save()
        for context in try place.newContexts() { #expect(try context.only(Texts.self).text == large) }
        model.text = "short"
        model.maybe = large
        try context.save()
        for context in try place.newContexts() {
            let read = try context.only(Texts.self)
            #expect(read.text == "short")
            #expect(read.maybe == large)
        }
    }

    @Test("composed and decomposed is the same, in equality, order and search", arguments: TestStore.all)
    func canonicalEquivalence(_ store: TestStore) throws {
        let place = try TestPlace(store, Texts.self)
        let context = place.context()
        context.insert(Texts(1, "cafe\u{301}"))
        context.insert(Texts(2, "caf\u{E9}"))
        context.insert(Texts(3, "cafe"))
        context.insert(Texts(4, "caff"))
        try context.save()
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        let mark = "\u{301}"
        for context in try place.newContexts() {
            for text in [composed, decomposed] {
                let found = try context.all(Texts.self, where: #Predicate { $0.text == text })
                #expect(Set(found.map(\.key)) == [1, 2])
                #expect(try context.count(Texts.self, where: #Predicate { $0.text.contains(text) }) == 2)
                #expect(try context.count(Texts.self, where: #Predicate { $0.text.starts(with: text) }) == 2)
                #expect(try context.count(Texts.self, where: #Predicate { $0.text > text }) == 0)
                #expect(try context.count(Texts.self, where: #Predicate { $0.text < text }) == 2)
            }
            // A mark alone is no character of either.
            #expect(try context.count(Texts.self, where: #Predicate { $0.text.contains(mark) }) == 0)
            #expect(try context.count(Texts.self, where: #Predicate { $0.text.count == 4 }) == 4)
        }
    }

    @Test("is ordered by its scalars", arguments: TestStore.all)
    func order(_ store: TestStore) throws {
        let place = try TestPlace(store, Texts.self)
        let context = place.context()
        let texts = ["b", "a", "Z", "á", "", "B", "z", "aa", "\u{FFFD}", "😀", "a\0", "é", "e\u{301}a"]
        for (key, text) in texts.enumerated() { context.insert(Texts(key, text)) }
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.all(Texts.self, by: SortDescriptor(\.text)).map(\.text) == texts.sorted())
        }
    }

    @Test("of one character is a character", arguments: TestStore.all)
    func characters(_ store: TestStore) throws {
        let place = try TestPlace(store, Texts.self)
        let context = place.context()
        let characters: [Character] = ["a", "\0", "é", "e\u{301}", "👩‍👩‍👧‍👦", "🇩🇪", "\r\n", "각", " "]
        for (key, character) in characters.enumerated() {
            let model = Texts(key, "", character)
            model.maybeCharacter = key == 0 ? nil : character
            context.insert(model)
        }
        try context.save()
        for context in try place.newContexts() {
            let read = try context.all(Texts.self, by: SortDescriptor(\.key))
            #expect(read.map(\.character) == characters)
            #expect(read.map(\.maybeCharacter) == [nil] + Array(characters.dropFirst()))
        }
    }
}
