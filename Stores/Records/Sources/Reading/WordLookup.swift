import CofferCore
import Foundation

/// A full-text condition on texts of a row that the index of words has.
struct WordLookup {
    private let query: FullTextQuery
    private let words: RecordWords
    /// The fields that are looked into; nil for all of the index.
    private let fields: [Int]?

    /// What the index tells about a condition.
    struct Found {
        /// The rows that may match, in ascending order.
        let keys: [Int64]
        /// Whether all of them do.
        let isExact: Bool
    }

    /// The look-up of a condition; nil where the condition is none on texts of the index, or the index cannot help: it
    /// finds words, and with a part that only says what is not wanted all other rows match.
    init?(_ condition: FilterExpression, _ space: RecordSpace) {
        guard let words = space.words, case .fullText(let texts, .constant(.text(let text), _)) = condition else {
            return nil
        }
        var fields: [Int] = []
        for text in texts {
            guard case .property(let path) = text, path.variable.number == 0, let step = path.ownStep,
                let field = space.field(ofSlot: step.slot), words.fields.contains(field.number)
            else { return nil }
            fields.append(field.number)
        }
        query = FullTextQuery(text)
        if query.isEmpty || !query.alternatives.allSatisfy({ $0.contains { !$0.isExcluded } }) { return nil }
        self.words = words
        self.fields = Set(fields).count == words.fields.count ? nil : fields
    }

    /// The rows that the index leaves.
    ///
    /// - Complexity: O(*entries of the words*); of a word behind a rare one, O(*rows with the rare one*).
    func find(_ reader: any RecordReader, maximumKeySize: Int) throws -> Found {
        let longest = RecordWords.longestWord(maximumKeySize: maximumKeySize)
        var all: [Int64] = []
        var isExact = true
        for terms in query.alternatives {
            var found: [Int64]?
            // Long words are rarer, and the rest need only be looked up for the rows that have them.
            let parts = terms.filter { !$0.isExcluded }.flatMap(Self.parts).sorted { $0.word.count > $1.word.count }
            for part in parts where found?.isEmpty != true {
                found = try narrow(found, to: part, longest, reader)
                if part.word.count >= longest { isExact = false }
            }
            if terms.contains(where: { $0.words.count > 1 }) { isExact = false }
            for term in terms where term.isExcluded && term.words.count == 1 && found?.isEmpty == false {
                // What shares a cut word may be another one.
                guard let part = Self.parts(term).first, part.word.count < longest else {
                    isExact = false
                    continue
                }
                let unwanted = Set(try narrow(found, to: part, longest, reader))
                found?.removeAll { unwanted.contains($0) }
            }
            all = all.isEmpty ? found ?? [] : RecordFetch.ascending(all + (found ?? []))
        }
        return Found(keys: all, isExact: isExact)
    }

    /// A word to look up.
    private struct Part: Hashable {
        let word: [UInt8]
        let isPrefix: Bool
    }

    private static func parts(_ term: FullTextQuery.Term) -> [Part] {
        term.words.enumerated().map { index, word in
            Part(word: Array(word.utf8), isPrefix: term.isPrefix && index == term.words.count - 1)
        }
    }

    /// Those of some rows that have a word, or all that have it.
    private func narrow(
        _ rows: [Int64]?, to part: Part, _ longest: Int, _ reader: any RecordReader
    ) throws -> [Int64] {
        let word = Array(part.word.prefix(longest))
        if let rows, !part.isPrefix, rows.count <= 256 {
            return try rows.filter { try has(word, row: $0, reader) }
        }
        var keys: [Int64] = []
        let range = KeyRange(prefix: part.isPrefix ? word : word + [0])
        try reader.scan(words.table, range) { entry, _ in
            if let fields, !fields.contains(RecordWords.field(entry)) { return true }
            if let key = IndexKey.row(entry) { keys.append(key) }
            return true
        }
        keys = RecordFetch.ascending(keys)
        guard let rows else { return keys }
        let known = Set(rows)
        return keys.filter(known.contains)
    }

    private func has(_ word: [UInt8], row key: Int64, _ reader: any RecordReader) throws -> Bool {
        for field in fields ?? words.fields {
            var entry = word + [0]
            withUnsafeBytes(of: UInt16(truncatingIfNeeded: field).bigEndian) { entry.append(contentsOf: $0) }
            withUnsafeBytes(of: key.bigEndian) { entry.append(contentsOf: $0) }
            if try reader.get(words.table, entry) != nil { return true }
        }
        return false
    }
}
