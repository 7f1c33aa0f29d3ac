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

    // MARK: Short ways

    /// Whether a character of a script without spaces is its own form: nothing about it decomposes for good.
    static func isPlainCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0x1F300...0x1FAFF: true
        default: false
        }
    }

    /// The forms of the letters below U+0700 that stand alone, by scalar; empty for all others. There a letter's form does
    /// not depend on its neighbours.
    private static let letters: [(bytes: [UInt8], count: Int)] = (0..<0x700 as Range<UInt32>).map { value in
        guard value >= 0x80, let scalar = Unicode.Scalar(value), WordRole(scalar) == .letter else { return ([], 0) }
        let text = Array(String(Character(scalar)).utf8)
        let form = text.withUnsafeBytes { fold($0, isOneCharacter: false) }
        return (Array(form.utf8), form.unicodeScalars.count)
    }

    /// The form of a word of letters below U+0700 without marks of their own; nil for any other word.
    static func foldLetters(_ word: UnsafeRawBufferPointer) -> [UInt8]? {
        var folded: [UInt8] = []
        folded.reserveCapacity(word.count)
        var count = 0
        var offset = 0
        while offset < word.count, count < TextWords.longestWord {
            let first = word[offset]
            if let letter = TextWords.lowercase(first) {
                folded.append(letter)
                count += 1
                offset += 1
            } else if first >= 0xC2, first < 0xDC, offset + 1 < word.count {
                let letter = letters[Int(first & 0x1F) << 6 | Int(word[offset + 1] & 0x3F)]
                if letter.bytes.isEmpty { return nil }
                folded.append(contentsOf: letter.bytes)
                count += letter.count
                offset += 2
            } else {
                return nil
            }
        }
        return folded
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
