import Foundation

/// What a word is, for full-text search in every store.
///
/// - A word is a run of letters and digits with the marks on them. Everything else lies between words: spaces,
///   punctuation, symbols, control characters. `e-mail` is two words, `don't` too.
/// - Where a script has no spaces (Chinese, Japanese, Thai, Lao, Burmese, Khmer), each character is a word of its own, and
///   so are emoji. What is searched for is split alike, so that it is found as a run of such words.
/// - Case does not count, nor do accents and other marks of alphabets that are read without them too (Latin, Greek,
///   Cyrillic, Hebrew, Arabic), nor the width and form of characters: `STRASSE` is `Straße`, `Łódź` is `lodz`, `ﬁn` is
///   `fin`, `①` is `1`. Marks that make another letter of a letter count: `が` is not `か`.
/// - Of a word the first 64 scalars count.
///
/// Indexes hold words in this form, so the rules are part of the format of stores.
public enum TextWords {
    /// How many scalars of a word count.
    public static let longestWord = 64

    /// The words of a text in the form in which they are compared, in their order.
    ///
    /// ```swift
    /// TextWords.words(of: "Zürich, 3. März")      // ["zurich", "3", "marz"]
    /// ```
    ///
    /// Complexity: O(*length*); text in ASCII takes no more than a pass over its bytes.
    public static func words(of text: String) -> [String] {
        var words: [String] = []
        forEachWord(of: text) { word, _ in words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// The words of a text with a space between them: what SQLite's index is given.
    public static func joinedWords(of text: UnsafeRawBufferPointer) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(text.count)
        forEachWord(of: text) { word, _ in
            if !joined.isEmpty { joined.append(0x20) }
            joined.append(contentsOf: word)
        }
        return joined
    }

    static func forEachWord(
        of text: String, _ body: (_ word: UnsafeBufferPointer<UInt8>, _ place: Range<Int>) -> Void
    ) {
        var text = text
        text.withUTF8 { forEachWord(of: UnsafeRawBufferPointer($0), body) }
    }

    /// Goes through the words of a text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - body: takes the word in its compared form, which is never empty and valid during the call only, and the
    ///     bytes of the text that it stands at.
    public static func forEachWord(
        of text: UnsafeRawBufferPointer, _ body: (_ word: UnsafeBufferPointer<UInt8>, _ place: Range<Int>) -> Void
    ) {
        var word: [UInt8] = []
        var offset = 0
        while offset < text.count {
            let start = offset
            word.removeAll(keepingCapacity: true)
            while offset < text.count, let letter = lowercase(text[offset]) {
                word.append(letter)
                offset += 1
            }
            // What is not ASCII belongs to the word, or has to be looked at; so has a combining mark behind ASCII.
            if offset < text.count, text[offset] >= 0x80 {
                offset = start
                takeScalars(of: text, from: &offset, body)
            } else if word.isEmpty {
                offset += 1
            } else {
                if word.count > longestWord { word.removeLast(word.count - longestWord) }
                word.withUnsafeBufferPointer { body($0, start..<offset) }
            }
        }
    }

    /// An ASCII letter or digit, small; nil for every other byte.
    @inline(__always)
    static func lowercase(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x61...0x7A, 0x30...0x39: byte
        case 0x41...0x5A: byte | 0x20
        default: nil
        }
    }

    /// Takes the word that begins with the next scalars, or passes over one that begins none.
    private static func takeScalars(
        of text: UnsafeRawBufferPointer, from offset: inout Int,
        _ body: (_ word: UnsafeBufferPointer<UInt8>, _ place: Range<Int>) -> Void
    ) {
        let start = offset
        let (first, length) = scalar(of: text, at: offset)
        offset += length
        let role = first.map { WordRole($0) } ?? .between
        guard role == .letter || role == .wordOfItsOwn else { return }
        while offset < text.count {
            let (next, length) = scalar(of: text, at: offset)
            guard let next else { break }
            let part = WordRole(next)
            guard part == .attached || part == .letter && role == .letter else { break }
            offset += length
        }
        let bytes = UnsafeRawBufferPointer(rebasing: text[start..<offset])
        if role == .wordOfItsOwn, length == bytes.count, let first, WordFolding.isPlainCharacter(first) {
            body(bytes.bindMemory(to: UInt8.self), start..<offset)
        } else if role == .letter, let word = WordFolding.foldLetters(bytes) {
            word.withUnsafeBufferPointer { body($0, start..<offset) }
        } else {
            var folded = WordFolding.fold(bytes, isOneCharacter: role == .wordOfItsOwn)
            folded.withUTF8 { if !$0.isEmpty { body($0, start..<offset) } }
        }
    }

    /// The scalar at an offset; nil where the bytes are no UTF-8.
    private static func scalar(of text: UnsafeRawBufferPointer, at offset: Int) -> (Unicode.Scalar?, length: Int) {
        let first = text[offset]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first < 0xF5, offset + length <= text.count else { return (nil, 1) }
        var value = UInt32(first & (0xFF >> UInt8(length + 1)))
        for index in 1..<length {
            let byte = text[offset + index]
            guard byte & 0xC0 == 0x80 else { return (nil, 1) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard let scalar = Unicode.Scalar(value) else { return (nil, 1) }
        return (scalar, length)
    }
}

/// What a scalar is to the words of a text.
enum WordRole {
    /// Part of a word.
    case letter
    /// A word by itself, with what is attached to it.
    case wordOfItsOwn
    /// Belongs to what stands in front of it: marks, invisible characters, the colours of emoji.
    case attached
    /// No part of any word.
    case between

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0..<0x80:
            let isLetter = scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
            self = isLetter ? .letter : .between
        case 0xFF9E, 0xFF9F, 0x1F3FB...0x1F3FF: self = .attached
        // One half is not 12.
        case 0xBC...0xBE, 0x2150...0x215F, 0x2189: self = .between
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005, 0x3041...0x30FF, 0x31F0...0x31FF,
            0xFF66...0xFF9D:
            let role = Self.role(of: scalar.properties.generalCategory)
            self = role == .letter ? .wordOfItsOwn : role
        default:
            let category = scalar.properties.generalCategory
            if scalar.properties.isIdeographic || category == .otherSymbol && scalar.value >= 0x2600 {
                self = .wordOfItsOwn
            } else {
                self = Self.role(of: category)
            }
        }
    }

    private static func role(of category: Unicode.GeneralCategory) -> WordRole {
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            .letter
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: .attached
        default: .between
        }
    }
}
