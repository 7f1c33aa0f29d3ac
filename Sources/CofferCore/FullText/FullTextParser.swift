/// Reads what a person types into a search field.
struct FullTextParser {
    private let scalars: [Unicode.Scalar]
    private var offset = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The terms between the `OR`s.
    mutating func alternatives() -> [[FullTextQuery.Term]] {
        var lists: [[FullTextQuery.Term]] = [[]]
        while let part = next() {
            switch part {
            case .or: lists.append([])
            case .term(let term): lists[lists.count - 1].append(term)
            }
        }
        return lists.filter { !$0.isEmpty }
    }

    private enum Part {
        case or
        case term(FullTextQuery.Term)
    }

    /// The next part that says something.
    private mutating func next() -> Part? {
        while offset < scalars.count {
            if Self.isSpace(scalars[offset]) {
                offset += 1
                continue
            }
            var isExcluded = false
            if scalars[offset] == "-" || scalars[offset] == "\u{2212}" {
                isExcluded = true
                offset += 1
            }
            guard offset < scalars.count, !Self.isSpace(scalars[offset]) else { continue }
            let isPhrase = Self.isQuote(scalars[offset])
            let text = isPhrase ? phrase() : word()
            if !isPhrase, !isExcluded, text == "OR" { return .or }
            let words = TextWords.words(of: text)
            if words.isEmpty { continue }
            return .term(
                FullTextQuery.Term(words: words, isPrefix: text.hasSuffix("*"), isExcluded: isExcluded))
        }
        return nil
    }

    /// The text up to the closing quotation mark, with a star that stands behind it.
    private mutating func phrase() -> String {
        offset += 1
        var text = take { !Self.isQuote($0) }
        offset += 1
        if offset < scalars.count, scalars[offset] == "*" {
            text += "*"
            offset += 1
        }
        return text
    }

    private mutating func word() -> String { take { !Self.isSpace($0) && !Self.isQuote($0) } }

    private mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while offset < scalars.count, belongs(scalars[offset]) {
            text.append(scalars[offset])
            offset += 1
        }
        return String(text)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    /// Quotation marks, those that keyboards put in their place too.
    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "\u{201C}" || scalar == "\u{201D}" || scalar == "\u{201E}"
    }
}
