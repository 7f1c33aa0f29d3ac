import Foundation

/// The form of a word in which it is compared; see ``TextWords``.
enum WordFolding {
    /// The form of a word; empty where nothing of it counts.
    ///
    /// Equivalent texts have one form: it is made of the decomposed word alone.
    ///
    /// - Parameter isOneCharacter: whether the word is one because its script has no spaces. It stays one character then,
    ///   also where a form for compatibility has several.
    static func fold(_ word: UnsafeRawBufferPointer, isOneCharacter: Bool) -> String {
        let text = String(decoding: word, as: UTF8.self)
        var decomposed = text.decomposedStringWithCompatibilityMapping
        if isOneCharacter, !isOneCharacterLong(decomposed) { decomposed = text.decomposedStringWithCanonicalMapping }
        // The small iota below Greek letters is a mark, and its capital would be a letter.
        decomposed.unicodeScalars.removeAll { $0.value == 0x345 }
        // Through the capitals, which know ß as SS and ς as Σ; some small letters decompose again.
        let cased = (isOneCharacter ? decomposed : decomposed.uppercased()).lowercased()
        let small = isOneCharacter ? cased : cased.decomposedStringWithCompatibilityMapping
        var folded = String.UnicodeScalarView()
        var count = 0
        for scalar in small.unicodeScalars where !isDropped(scalar) {
            if let letters = plain[scalar] {
                folded.append(contentsOf: letters.unicodeScalars)
                count += letters.unicodeScalars.count
            } else {
                folded.append(scalar)
                count += 1
            }
            if count >= TextWords.longestWord { break }
        }
        return String(folded).precomposedStringWithCanonicalMapping
    }

    /// Whether everything behind the first scalar is attached to it.
    private static func isOneCharacterLong(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, WordRole(first) != .attached else { return false }
        return text.unicodeScalars.dropFirst().allSatisfy { WordRole($0) == .attached }
    }

    /// Letters that do not decompose and are written without their stroke, or as two, where a keyboard lacks them.
    private static let plain: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th",
        "ß": "ss",
    ]

    /// Whether a scalar of a decomposed word does not count.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x61...0x7A, 0x30...0x39: return false
        // The marks of Latin, Greek and Cyrillic letters, of Hebrew, of Arabic with the stroke that makes words longer,
        // and the selectors of variants.
        case 0x300...0x36F, 0x483...0x487, 0x591...0x5C7, 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6ED,
            0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0x1F3FB...0x1F3FF,
            0xE0100...0xE01EF:
            return true
        // Attached wherever it stands in the text, and not decomposed there.
        case 0x3099, 0x309A: return false
        default:
            switch WordRole(scalar) {
            case .between: return true
            case .attached: return scalar.properties.generalCategory == .format
            case .letter, .wordOfItsOwn: return false
            }
        }
    }
}
