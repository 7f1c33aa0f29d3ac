/// A place in a text as editors show it: lines and characters counted from 1 on.
struct TextPosition: CustomStringConvertible {
    let line: Int
    let column: Int

    init(_ offset: Int, in text: UnsafeRawBufferPointer) {
        var line = 1
        var column = 1
        for byte in text.prefix(offset) {
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

    var description: String { "line \(line), column \(column)" }
}
