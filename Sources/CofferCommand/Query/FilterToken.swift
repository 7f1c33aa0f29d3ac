/// A word or sign of a filter, and where it begins.
struct FilterToken: Equatable {
    enum Kind: Equatable {
        /// A name: of a property, or a word of the language.
        case name(String)
        /// A name in back quotes, which is never a word of the language.
        case quotedName(String)
        case number(String)
        case text(String)
        case sign(String)
        case end
    }

    var kind: Kind
    /// Counted from one, in characters.
    var column: Int

    /// As messages show it.
    var shown: String {
        switch kind {
        case .name(let text), .quotedName(let text), .sign(let text): "'\(text)'"
        case .number: "a number"
        case .text: "a text"
        case .end: "the end"
        }
    }
}

/// What is wrong with a filter, and at which column.
struct FilterFault: Error, Equatable, CustomStringConvertible {
    var column: Int
    var detail: String

    var description: String { "column \(column): \(detail)" }
}

/// Cuts the text of a filter into tokens.
struct FilterScanner {
    private let characters: [Character]
    private var position = 0

    private static let signs = ["==", "!=", "<=", ">=", "<>", "&&", "||", "=", "<", ">", "(", ")", ",", ".", "!"]

    /// - Throws: ``FilterFault`` for a character that begins nothing, and for text without an end.
    static func tokens(of text: String) throws(FilterFault) -> [FilterToken] {
        var scanner = FilterScanner(characters: Array(text))
        var tokens: [FilterToken] = []
        while true {
            let token = try scanner.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private init(characters: [Character]) { self.characters = characters }

    private mutating func next() throws(FilterFault) -> FilterToken {
        while position < characters.count, characters[position].isWhitespace { position += 1 }
        let column = position + 1
        guard position < characters.count else { return FilterToken(kind: .end, column: column) }
        let first = characters[position]
        if first == "'" || first == "\"" { return FilterToken(kind: .text(try quoted(first)), column: column) }
        if first == "`" { return FilterToken(kind: .quotedName(try quoted(first)), column: column) }
        if first.isLetter || first == "_" || first == "$" {
            let start = position
            while position < characters.count, isPartOfName(characters[position]) { position += 1 }
            return FilterToken(kind: .name(String(characters[start..<position])), column: column)
        }
        if isDigit(first) || first == "-" && position + 1 < characters.count && isDigit(characters[position + 1]) {
            return FilterToken(kind: .number(number()), column: column)
        }
        for sign in Self.signs where characters[position...].starts(with: sign) {
            position += sign.count
            return FilterToken(kind: .sign(sign), column: column)
        }
        throw FilterFault(column: column, detail: "'\(first)' begins nothing that is known".shownSafely)
    }

    private func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    private func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$"
    }

    /// Text to the closing mark, which stands for itself where it is doubled.
    private mutating func quoted(_ mark: Character) throws(FilterFault) -> String {
        let column = position + 1
        position += 1
        var text = ""
        while position < characters.count {
            let character = characters[position]
            position += 1
            if character != mark {
                text.append(character)
            } else if position < characters.count, characters[position] == mark {
                text.append(mark)
                position += 1
            } else {
                return text
            }
        }
        throw FilterFault(column: column, detail: "what begins with \(mark) has no end")
    }

    private mutating func number() -> String {
        let start = position
        position += 1
        while position < characters.count {
            let character = characters[position]
            let isSign = (character == "-" || character == "+") && "eE".contains(characters[position - 1])
            guard isDigit(character) || ".eE".contains(character) || isSign else { break }
            position += 1
        }
        return String(characters[start..<position])
    }
}
