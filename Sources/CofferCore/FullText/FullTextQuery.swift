/// What a full-text search looks for, read from the text that a person types.
///
/// | Written | Finds texts |
/// | --- | --- |
/// | `swift data` | with both words, wherever they stand |
/// | `"swift data"` | with the words one behind the other |
/// | `persist*` | with a word that begins so; `"swift da"*` with such a word behind another |
/// | `rain OR snow` | that meet what stands on one side of `OR`; the words of a side belong together |
/// | `-draft`, `-"first draft"` | without it |
///
/// What words are, and which of them are the same, ``TextWords`` says. Reading never fails: a quotation mark without a
/// partner goes on to the end, an `OR` with nothing on one side does not count, and neither does punctuation. A query
/// without any word, the empty one first of all, finds everything.
///
/// ```swift
/// let query = FullTextQuery("swift persist*")
/// query.matches("Persistence in Swift")                  // true
/// query.ranges(in: "Persistence in Swift")               // of "Persistence" and of "Swift"
/// ```
///
/// A query may be used from any isolation. To find models, use `matchesFullText(_:)` in a predicate, or
/// ``ModelContext/search(_:for:in:)``.
public struct FullTextQuery: Hashable, Sendable {
    /// One thing to look for.
    public struct Term: Hashable, Sendable {
        /// The words in their compared form, which stand one behind the other; never none.
        public let words: [String]
        /// Whether the last word is the beginning of one only.
        public let isPrefix: Bool
        /// Whether texts with it are not wanted.
        public let isExcluded: Bool
        /// The words as bytes.
        let keys: [[UInt8]]

        init(words: [String], isPrefix: Bool, isExcluded: Bool) {
            self.words = words
            self.isPrefix = isPrefix
            self.isExcluded = isExcluded
            keys = words.map { Array($0.utf8) }
        }
    }

    /// The text that the query was read from.
    public let text: String
    /// What has to be met: all terms of one of the lists. Without a list everything is found.
    public let alternatives: [[Term]]

    /// Reads a query.
    public init(_ text: String) {
        self.text = text
        var parser = FullTextParser(text)
        alternatives = parser.alternatives()
    }

    /// Whether the query has no words, and finds everything.
    public var isEmpty: Bool { alternatives.isEmpty }

    /// Whether the texts, taken together, are what the query looks for. The words of a phrase stand in one of them.
    ///
    /// Complexity: O(*length of the texts* · *terms*).
    public func matches(_ texts: String...) -> Bool { matches(texts) }

    /// Whether the texts, taken together, are what the query looks for.
    public func matches(_ texts: some Sequence<String>) -> Bool {
        if isEmpty { return true }
        var words = WordList()
        for text in texts { words.add(text) }
        return matches(words)
    }

    func matches(_ words: WordList) -> Bool {
        alternatives.isEmpty
            || alternatives.contains { terms in
                terms.allSatisfy {
                    (words.firstPlace(of: $0.keys, isPrefix: $0.isPrefix) != nil) != $0.isExcluded
                }
            }
    }

    /// The terms that are looked for, each once.
    var wanted: [Term] {
        var seen: Set<Term> = []
        return alternatives.joined().filter { !$0.isExcluded && seen.insert($0).inserted }
    }

    // MARK: Relevance

    /// How well the texts fit the query; greater is better, and 0 where none of its words occurs.
    ///
    /// The sum, over the terms and the texts, of *n* / (*n* + 0.3 + 0.009 *w*), where the text has *w* words and the term
    /// *n* times: BM25 with a usual length of a hundred words, and without the rarity of words. So a score depends on
    /// query and texts alone; it is the same in every store and does not move when other rows come and go. A word in a
    /// title counts for more than one in a long text.
    ///
    /// Complexity: O(*length of the texts* · *terms*).
    public func score(of texts: String...) -> Double { score(of: texts) }

    /// How well the texts fit the query.
    public func score(of texts: some Sequence<String>) -> Double {
        let wanted = wanted
        var score = 0.0
        var words = WordList()
        for text in texts where !wanted.isEmpty {
            words.removeAll()
            words.add(text)
            for term in wanted {
                var count = 0.0
                var next = words.firstPlace(of: term.keys, isPrefix: term.isPrefix)
                while let place = next {
                    count += 1
                    next = words.firstPlace(of: term.keys, isPrefix: term.isPrefix, from: place + 1)
                }
                score += count / (count + 0.3 + 0.009 * Double(words.count))
            }
        }
        return score
    }
}

extension FullTextQuery: CustomStringConvertible {
    /// The text that the query was read from.
    public var description: String { text }
}
