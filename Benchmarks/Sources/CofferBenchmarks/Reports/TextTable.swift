/// Rows of text in aligned columns; the first and the last are aligned to the left, those between to the right.
struct TextTable {
    private var lines: [[String]]
    private let leftColumns: Set<Int>

    init(_ titles: [String], left: Set<Int> = [0]) {
        lines = [titles]
        leftColumns = left
    }

    mutating func add(_ cells: [String]) { lines.append(cells) }

    var text: String {
        let columns = lines.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            lines.lazy.filter { $0.count > column }.map { $0[column].count }.max() ?? 0
        }
        return lines.map { cells in
            var line = ""
            for (column, cell) in cells.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += (column == 0 ? "" : "  ") + (leftColumns.contains(column) ? cell + padding : padding + cell)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
