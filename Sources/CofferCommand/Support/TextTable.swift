/// Rows of text in aligned columns.
struct TextTable {
    enum Alignment: Sendable {
        case left
        case right
    }

    struct Column: Sendable {
        var title: String
        var alignment: Alignment

        init(_ title: String, _ alignment: Alignment = .left) {
            self.title = title
            self.alignment = alignment
        }
    }

    var columns: [Column]
    private(set) var rows: [[String]] = []

    init(_ columns: Column...) {
        self.columns = columns
    }

    init(columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row. Cells that are missing stay empty, cells past the last column are dropped.
    mutating func add(_ cells: String...) { add(cells) }

    /// The same for a list of cells.
    mutating func add(_ cells: [String]) {
        let missing = Array(repeating: "", count: max(0, columns.count - cells.count))
        rows.append(Array((cells + missing).prefix(columns.count)))
    }

    /// The table, one line a row, each indented by two spaces and none longer than `width` where the last column can be
    /// cut to make it so.
    ///
    /// - Parameter hasTitles: whether the first line is that of the columns' titles.
    func text(width: Int = 100, hasTitles: Bool = true) -> String {
        let lines = (hasTitles ? [columns.map(\.title)] : []) + rows
        let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            var line = ""
            for (index, cell) in cells.enumerated() {
                line += "  "
                var cell = cell
                if index == cells.count - 1, columns[index].alignment == .left {
                    cell = cell.cut(to: max(width - line.count, 12))
                }
                let padding = String(repeating: " ", count: max(0, widths[index] - cell.count))
                line += columns[index].alignment == .right ? padding + cell : cell + padding
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}

extension String {
    /// The text with spaces behind it, up to `width` characters.
    func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text, its end replaced by an ellipsis where it is longer than `width` characters.
    func cut(to width: Int) -> String {
        count <= width ? self : prefix(max(0, width - 1)) + "…"
    }
}

extension Int {
    /// The number with a thin mark between thousands: `1,234,567`.
    var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }
}
