/// The words of some texts, one behind the other. Keeps its memory when it is used again.
struct WordList {
    private var bytes: [UInt8] = []
    /// Where each word ends in the bytes. An empty word stands between texts, and equals none.
    private var ends: [Int] = []
    /// Where each word stands in its text.
    private(set) var places: [Range<Int>] = []

    var count: Int { ends.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
    }

    /// Adds the words of one more text.
    mutating func add(_ text: UnsafeRawBufferPointer) {
        if !ends.isEmpty {
            ends.append(bytes.count)
            places.append(text.count..<text.count)
        }
        TextWords.forEachWord(of: text) { word, place in
            bytes.append(contentsOf: word)
            ends.append(bytes.count)
            places.append(place)
        }
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Whether some words stand here, one behind the other.
    ///
    /// - Parameter isPrefix: whether the last of them is the beginning of a word only.
    func contains(_ words: [[UInt8]], isPrefix: Bool, at start: Int) -> Bool {
        guard start + words.count <= count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            for (offset, word) in words.enumerated() {
                let index = start + offset
                let first = index == 0 ? 0 : ends[index - 1]
                let length = ends[index] - first
                let isBeginning = isPrefix && offset == words.count - 1
                guard isBeginning ? length >= word.count : length == word.count else { return false }
                for place in word.indices where bytes[first + place] != word[place] { return false }
            }
            return true
        }
    }

    /// The first place from one on at which some words stand; nil where there is none.
    func firstPlace(of words: [[UInt8]], isPrefix: Bool, from start: Int = 0) -> Int? {
        guard start + words.count <= count else { return nil }
        for place in start...(count - words.count) where contains(words, isPrefix: isPrefix, at: place) {
            return place
        }
        return nil
    }
}
