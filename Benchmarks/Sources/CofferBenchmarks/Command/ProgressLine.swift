import Foundation

/// A line on the terminal that says what is being done; nothing where standard error is no terminal.
final class ProgressLine {
    private let isShown = isatty(2) == 1
    private var width = 0

    func show(_ text: String) {
        guard isShown else { return }
        let text = String(text.prefix(79))
        write("\r" + text + String(repeating: " ", count: max(0, width - text.count)))
        width = text.count
    }

    func clear() {
        guard isShown, width > 0 else { return }
        write("\r" + String(repeating: " ", count: width) + "\r")
        width = 0
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
