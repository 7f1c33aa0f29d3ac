import CofferCore
import Testing

@Suite("A full-text query")
struct FullTextQueryTests {
    private func text(_ query: String) -> String {
        FullTextQuery(query).alternatives.map { terms in
            terms.map { ($0.isExcluded ? "-" : "") + $0.words.joined(separator: "+") + ($0.isPrefix ? "*" : "") }
                .joined(separator: " ")
        }.joined(separator: " | ")
    }

    @Test(
        "is read leniently",
        arguments: [
            ("", ""), ("  ", ""), ("swift", "swift"), ("Swift  DATA", "swift data"), ("\"Swift Data\"", "swift+data"),
            ("“swift data„ x", "swift+data x"), ("persist*", "persist*"), ("\"swift da\"*", "swift+da*"),
            ("\"swift da*\"", "swift+da*"), ("\"open end", "open+end"), ("e-mail", "e+mail"), ("-draft", "-draft"),
            ("- draft", "draft"), ("-\"first draft\"", "-first+draft"), ("--x", "-x"), ("-", ""), ("a -", "a"),
            ("rain OR snow", "rain | snow"), ("a b OR c -d", "a b | c -d"), ("OR", ""), ("OR a", "a"), ("a OR", "a"),
            ("a OR OR b", "a | b"), ("a or b", "a or b"), ("\"OR\"", "or"), ("-OR", "-or"), ("a OR !!!", "a"),
            ("!!! … *", ""), ("***", ""), ("a\"b c\"d", "a b+c d"), ("\"\"", ""), ("a\0b", "a+b"), ("東京", "東+京"),
            ("(a) AND b", "a and b"),
        ])
    func reading(_ query: String, _ expected: String) {
        #expect(text(query) == expected)
        #expect(FullTextQuery(query).isEmpty == expected.isEmpty)
        #expect(FullTextQuery(query).text == query)
    }

    @Test(
        "matches",
        arguments: [
            ("", ["anything"]), ("!", []), ("swift data", ["Data in Swift"]), ("swift data", ["Swift", "data"]),
            ("\"swift data\"", ["All about SWIFT: Data"]), ("persist*", ["Persistence"]), ("persist*", ["persist"]),
            ("\"swift da\"*", ["swift database"]), ("rain OR snow", ["Snow!"]), ("-draft", ["final"]),
            ("-draft", []), ("a -b OR c", ["b c"]), ("東京", ["東京都"]), ("cafe", ["Café"]), ("Café", ["CAFE\u{301}"]),
            ("👍", ["👍🏽"]), ("e-mail", ["my e mail"]),
        ] as [(String, [String])])
    func found(_ query: String, _ texts: [String]) { #expect(FullTextQuery(query).matches(texts)) }

    @Test(
        "does not match",
        arguments: [
            ("swift", []), ("swift data", ["Swift"]), ("\"swift data\"", ["data swift"]), ("\"a b\"", ["a", "b"]),
            ("\"a b\"", ["a x b"]), ("persist", ["persistence"]), ("persist*", ["apersist"]), ("-draft", ["a Draft"]),
            ("a -b", ["a b"]), ("rain OR snow", ["sun"]), ("京東", ["東京"]), ("か", ["が"]), ("x", ["", "\0"]),
        ] as [(String, [String])])
    func notFound(_ query: String, _ texts: [String]) { #expect(!FullTextQuery(query).matches(texts)) }

    @Test("means what it means over lists of words")
    func likeAPlainSearch() {
        var random = SplitMix(11)
        let letters = ["a", "ab", "abc", "b", "ba", "c"]
        func words(_ count: ClosedRange<Int>) -> [String] {
            (0..<Int.random(in: count, using: &random)).map { _ in letters.randomElement(using: &random)! }
        }
        for _ in 0..<4000 {
            let texts = [words(0...4), words(0...4)]
            var isFound = false
            var sides: [String] = []
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                var terms: [String] = []
                var holds = true
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let term = words(1...2)
                    let isPrefix = Bool.random(using: &random)
                    let isExcluded = Int.random(in: 0..<4, using: &random) == 0
                    let occurs = texts.contains { text in
                        text.indices.contains { start in
                            guard start + term.count <= text.count else { return false }
                            return term.indices.allSatisfy { index in
                                let word = text[start + index]
                                let isBeginning = isPrefix && index == term.count - 1
                                return isBeginning ? word.hasPrefix(term[index]) : word == term[index]
                            }
                        }
                    }
                    holds = holds && occurs != isExcluded
                    terms.append((isExcluded ? "-\"" : "\"") + term.joined(separator: " ") + (isPrefix ? "\"*" : "\""))
                }
                isFound = isFound || holds
                sides.append(terms.joined(separator: " "))
            }
            let query = sides.joined(separator: " OR ")
            let all = texts.map { $0.joined(separator: " ") }
            #expect(FullTextQuery(query).matches(all) == isFound, "\(query) in \(all)")
        }
    }

    @Test("says where its words stand")
    func ranges() {
        func marked(_ query: String, _ text: String) -> [String] {
            FullTextQuery(query).ranges(in: text).map { String(text[$0]) }
        }
        #expect(
            marked("zurich persist*", "In Zürich: Persistence, persistent") == ["Zürich", "Persistence", "persistent"])
        #expect(marked("\"swift data\" -in", "in Swift-Data swift") == ["Swift-Data"])
        #expect(marked("\"a b\" \"b c\"", "a b c d") == ["a b c"])
        #expect(marked("a b", "a b") == ["a", "b"])
        #expect(marked("東京", "新東京駅") == ["東京"])
        #expect(marked("👍", "x👍🏽") == ["👍🏽"])
        #expect(marked("", "text").isEmpty && marked("-x", "x").isEmpty)
    }

    @Test("shows the part of a text where most of it stands")
    func excerpts() {
        let text = (1...40).map { $0 == 30 || $0 == 31 || $0 == 3 ? "needle" : "hay\($0)" }.joined(separator: " ")
        let excerpt = FullTextQuery("needle").excerpt(of: text, words: 6)
        #expect(excerpt.text == "…hay28 hay29 needle needle hay32 hay33…")
        #expect(excerpt.ranges.map { excerpt.text[$0] } == ["needle", "needle"])
        #expect(FullTextQuery("absent").excerpt(of: text, words: 2).text == "hay1 hay2…")
        #expect(FullTextQuery("x").excerpt(of: "short, x.", words: 9).text == "short, x.")
        #expect(FullTextQuery("hay40").excerpt(of: text, words: 2).text == "…hay39 hay40")
        #expect(FullTextQuery("\"hay5 hay6 hay7\"").excerpt(of: text, words: 1).text == "…hay5…")
        #expect(FullTextQuery("x").excerpt(of: "", words: 0).text.isEmpty)
    }

    @Test("prefers more words, in shorter texts")
    func scores() {
        let query = FullTextQuery("swift data")
        #expect(query.score(of: "swift") < query.score(of: "swift data"))
        #expect(query.score(of: "swift") > query.score(of: "swift " + String(repeating: "x ", count: 500)))
        #expect(query.score(of: "swift x") < query.score(of: "swift swift"))
        #expect(query.score(of: "swift", "data") > query.score(of: "swift", "nothing"))
        #expect(query.score(of: "none") == 0 && FullTextQuery("-swift").score(of: "data") == 0)
        #expect(abs(FullTextQuery("a").score(of: "a b") - 1 / (1 + 0.3 + 0.018)) < 1e-12)
    }
}
