import Foundation
import Testing

@testable import CofferCore

@Suite("The words of a text")
struct TextWordsTests {
    @Test(
        "are runs of letters and digits, in their compared form",
        arguments: [
            ("", []), (" \t\n\0 … -!?", []), ("Swift", ["swift"]),
            ("Open-source, e-mail", ["open", "source", "e", "mail"]),
            ("don't l’homme", ["don", "t", "l", "homme"]), ("a\0b", ["a", "b"]),
            ("3.14 snake_case", ["3", "14", "snake", "case"]),
            ("Straße STRASSE STRAẞE", ["strasse", "strasse", "strasse"]),
            ("Zürich ŁÓDŹ Ångström", ["zurich", "lodz", "angstrom"]),
            ("ﬁn Ⅳ ｗｉｄｅ m²", ["fin", "iv", "wide", "m2"]), ("Ærø œuvre Þór", ["aero", "oeuvre", "thor"]),
            ("ΣΊΣΥΦΟΣ Σίσυφος", ["σισυφοσ", "σισυφοσ"]), ("Ёлка й", ["елка", "и"]),
            ("ISTANBUL İstanbul ısı", ["istanbul", "istanbul", "isi"]),
            ("東京タワー", ["東", "京", "タ", "ワ", "ー"]), ("がか ｶﾞ", ["が", "か", "ガ"]), ("한국어 한", ["한국어", "한"]),
            ("שָׁלוֹם", ["שלום"]), ("مُحَمَّد", ["محمد"]), ("ภาษา", ["ภ", "า", "ษ", "า"]),
            ("🎉x👍🏽👍", ["🎉", "x", "👍", "👍"]), ("👨‍👩‍👧 🇩🇪 ❤️", ["👨", "👩", "👧", "🇩", "🇪", "❤"]),
            ("½ 20°C", ["20", "c"]), ("so\u{AD}ft x\u{301}\u{302}y \u{301}", ["soft", "xy"]), ("क़िताब", ["क\u{93C}िताब"]),
        ] as [(String, [String])])
    func words(_ text: String, _ words: [String]) {
        #expect(TextWords.words(of: text) == words)
    }

    @Test("are the same in every normalisation form and in any case")
    func sameInAllForms() {
        var random = SplitMix(7)
        for _ in 0..<3000 {
            let text = Alphabet.text(&random)
            let words = TextWords.words(of: text)
            #expect(TextWords.words(of: text.decomposedStringWithCanonicalMapping) == words, "\(text.debugDescription)")
            #expect(
                TextWords.words(of: text.precomposedStringWithCanonicalMapping) == words, "\(text.debugDescription)")
            // What they are made of stays what it is.
            for word in words { #expect(TextWords.words(of: word) == [word], "\(text.debugDescription)") }
            #expect(TextWords.words(of: words.joined(separator: " ")) == words)
        }
    }

    @Test("are cut behind 64 scalars")
    func longWords() {
        let long = String(repeating: "x", count: 100)
        #expect(TextWords.words(of: long) == [String(repeating: "x", count: 64)])
        #expect(TextWords.words(of: long + "é") == [String(repeating: "x", count: 64)])
        #expect(TextWords.words(of: String(repeating: "é", count: 100)) == [String(repeating: "e", count: 64)])
    }

    @Test("are the same by the short ways as letter by letter")
    func shortWays() {
        var random = SplitMix(3)
        func text(_ random: inout SplitMix) -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...70, using: &random) {
                let value = UInt32.random(in: Bool.random(using: &random) ? 0x61...0x7A : 0xC0...0x6FF, using: &random)
                if let scalar = Unicode.Scalar(value) { text.append(scalar) }
            }
            return String(text)
        }
        for _ in 0..<500 {
            let text = text(&random)
            TextWords.forEachWord(of: text) { word, place in
                let bytes = Array(text.utf8)[place]
                let slow = Array(bytes).withUnsafeBytes { WordFolding.fold($0, isOneCharacter: false) }
                #expect(String(decoding: word, as: UTF8.self) == slow, "\(text.debugDescription)")
            }
        }
        for value in [0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x4F00, 0x1F300...0x1F3FA] as [ClosedRange<UInt32>] {
            for scalar in value.compactMap(Unicode.Scalar.init) {
                let text = String(Character(scalar))
                let slow = Array(text.utf8).withUnsafeBytes { WordFolding.fold($0, isOneCharacter: true) }
                #expect(TextWords.words(of: text) == [slow])
            }
        }
    }

    @Test("have places in the text")
    func places() {
        let text = "Zürich, 東京 don't"
        var found: [String] = []
        TextWords.forEachWord(of: text) { _, place in
            found.append(String(decoding: Array(text.utf8)[place], as: UTF8.self))
        }
        #expect(found == ["Zürich", "東", "京", "don", "t"])
    }

    @Test("are ASCII letters and digits, or no ASCII at all, so that SQLite's tokenizer changes nothing")
    func plainForSQLite() {
        for value in (0...0x3FFFF as ClosedRange<UInt32>) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for word in TextWords.words(of: String(Character(scalar))) {
                let isPlain = word.utf8.allSatisfy {
                    $0 >= 0x80 || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                }
                if !isPlain { Issue.record("\(String(value, radix: 16)): \(word.debugDescription)") }
            }
        }
    }

    @Test("of bytes that are no UTF-8 are those between them")
    func damagedText() {
        for bytes in [[0x61, 0xFF, 0x62], [0x61, 0xC3, 0x62], [0xE6, 0x9D, 0x61, 0x20, 0x62]] as [[UInt8]] {
            var words: [String] = []
            bytes.withUnsafeBytes { bytes in
                TextWords.forEachWord(of: bytes) { word, _ in words.append(String(decoding: word, as: UTF8.self)) }
            }
            #expect(words == ["a", "b"])
        }
    }
}

/// Random numbers from a seed.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Texts of scalars that are hard on a splitter of words.
enum Alphabet {
    static let ranges: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0xA0...0x17F, 0x300...0x345, 0x370...0x3FF, 0x400...0x4FF, 0x5D0...0x5EA, 0x621...0x652,
        0x904...0x94D, 0xE01...0xE3A, 0x1100...0x11FF, 0x1E00...0x1EFF, 0x1F00...0x1FFF, 0x2000...0x206F,
        0x2100...0x218F, 0x3041...0x30FF, 0x4E00...0x4E20, 0xAC00...0xAC40, 0xF900...0xF920, 0xFB00...0xFB06,
        0xFF01...0xFF9F, 0x1F300...0x1F400, 0x1F3FB...0x1F3FF,
    ]

    static func text(_ random: inout SplitMix) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }
}
