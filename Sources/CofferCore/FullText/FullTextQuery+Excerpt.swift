extension FullTextQuery {
    /// Where the query's words stand in a text, in order and without overlaps; a phrase is one range.
    ///
    /// What the query excludes is not looked for, so a text that does not match has ranges too if some words occur.
    ///
    /// Complexity: O(*length* · *terms*).
    public func ranges(in text: String) -> [Range<String.Index>] {
        let utf8 = text.utf8
        return places(in: text).map { place in
            utf8.index(
                utf8.startIndex, offsetBy: place.lowerBound)..<utf8.index(utf8.startIndex, offsetBy: place.upperBound)
        }
    }

    /// A part of a text that shows what was found.
    public struct Excerpt: Hashable, Sendable {
        /// The part, with `…` where the text goes on.
        public let text: String
        /// Where the query's words stand in it.
        public let ranges: [Range<String.Index>]
    }

    /// The part of a text with the most of the query's words; its beginning where none occurs.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - limit: how many words the part has at most; at least one is given.
    /// - Complexity: O(*length* · *terms*).
    public func excerpt(of text: String, words limit: Int = 24) -> Excerpt {
        var list = WordList()
        var text = text
        text.withUTF8 { list.add(UnsafeRawBufferPointer($0)) }
        let limit = max(limit, 1)
        if list.count <= limit { return Excerpt(text: text, ranges: ranges(in: text)) }
        let hits = hits(in: list)
        var best = 0..<limit
        var most = 0
        var first = 0
        for (last, hit) in hits.enumerated() {
            while first < last, hits[first].lowerBound < hit.upperBound - limit { first += 1 }
            guard last - first + 1 > most else { continue }
            most = last - first + 1
            // In the middle, as far as the text goes.
            let slack = max(limit - (hit.upperBound - hits[first].lowerBound), 0)
            let start = min(max(hits[first].lowerBound - slack / 2, 0), list.count - limit)
            best = start..<start + limit
        }
        let utf8 = text.utf8
        let start = best.lowerBound == 0 ? 0 : list.places[best.lowerBound].lowerBound
        let end = best.upperBound == list.count ? utf8.count : list.places[best.upperBound - 1].upperBound
        let from = utf8.index(utf8.startIndex, offsetBy: start)
        let part = text[from..<utf8.index(from, offsetBy: end - start)]
        let whole = (start > 0 ? "…" : "") + part + (end < utf8.count ? "…" : "")
        return Excerpt(text: whole, ranges: ranges(in: whole))
    }

    /// The places of the terms among a text's words, in order.
    private func hits(in words: WordList) -> [Range<Int>] {
        var hits: [Range<Int>] = []
        for term in wanted {
            var next = words.firstPlace(of: term.keys, isPrefix: term.isPrefix)
            while let place = next {
                hits.append(place..<place + term.keys.count)
                next = words.firstPlace(of: term.keys, isPrefix: term.isPrefix, from: place + 1)
            }
        }
        return hits.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    }

    /// The bytes at which the terms stand, in order, those that overlap as one.
    private func places(in text: String) -> [Range<Int>] {
        var words = WordList()
        words.add(text)
        var places: [Range<Int>] = []
        var last: Range<Int>?
        for hit in hits(in: words) {
            let place = words.places[hit.lowerBound].lowerBound..<words.places[hit.upperBound - 1].upperBound
            if let before = last, hit.lowerBound < before.upperBound {
                last = before.lowerBound..<max(before.upperBound, hit.upperBound)
                let known = places[places.count - 1]
                places[places.count - 1] = known.lowerBound..<max(known.upperBound, place.upperBound)
            } else {
                last = hit
                places.append(place)
            }
        }
        return places
    }
}
