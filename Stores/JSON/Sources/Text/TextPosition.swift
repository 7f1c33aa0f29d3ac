/// A place in a text as editors show it: lines and characters counted from 1 on.
struct TextPosition: CustomStringConvertible {
    let line: Int
    let column: Int

    init(_ offset: Int, in text: UnsafeRawBufferPointer) {
        self.init(behind: (1, 1), text.prefix(offset))
    }

    /// The place behind a part of the text that begins at another place.
    private init(behind start: (line: Int, column: Int), _ part: some Sequence<UInt8>) {
        var (line, column) = start
        for byte in part {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }

    /// The places of many offsets, for which the text is gone through once.
    static func all(_ offsets: some Sequence<Int>, in text: UnsafeRawBufferPointer) -> [Int: TextPosition] {
        var places: [Int: TextPosition] = [:]
        var (last, start) = (0, (line: 1, column: 1))
        for offset in offsets.sorted() where places[offset] == nil {
            let end = min(offset, text.count)
            let place = TextPosition(behind: start, text[last..<end])
            places[offset] = place
            (last, start) = (end, (place.line, place.column))
        }
        return places
    }

    var description: String { "line \(line), column \(column)" }
}
