import Foundation

/// Where a command writes: answers to one place, progress and errors to another.
struct Console {
    /// Takes the text of answers.
    var write: (String) -> Void
    /// Takes the text of errors and of progress.
    var writeError: (String) -> Void
    /// Whether progress is shown. True only for a terminal.
    var showsProgress: Bool

    /// Standard output and standard error; progress when standard error is a terminal.
    static var standard: Console {
        Console(
            write: { text in
                do {
                    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
                } catch {
                    // Nobody can be told more than this, and half an answer must not pass for one.
                    try? FileHandle.standardError.write(
                        contentsOf: Data("coffer: the answer cannot be written: \(error.localizedDescription)\n".utf8))
                    exit(1)
                }
            },
            writeError: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
            showsProgress: isatty(STDERR_FILENO) == 1)
    }
}

/// One line on a terminal that says what is being done and how far it is; nothing at all elsewhere.
struct Progress {
    private let console: Console
    private var shown = 0
    private var lastUpdate: ContinuousClock.Instant?

    init(on console: Console) {
        self.console = console
    }

    /// Shows the beginning of a step at once.
    mutating func begin(_ step: String) {
        lastUpdate = nil
        update(step)
    }

    /// Shows how far a step is, at most ten times a second.
    mutating func update(_ step: String, _ done: Int? = nil, of total: Int? = nil) {
        guard console.showsProgress else { return }
        let now = ContinuousClock.now
        if let lastUpdate, now - lastUpdate < .milliseconds(100) { return }
        lastUpdate = now
        var text = step
        if let done { text += " \(done.grouped)" }
        if let total { text += " of \(total.grouped)" }
        text = text.cut(to: 79)
        console.writeError("\r" + text.padding(to: shown))
        shown = text.count
    }

    /// Clears the line.
    mutating func end() {
        guard console.showsProgress, shown > 0 else { return }
        console.writeError("\r" + String(repeating: " ", count: shown) + "\r")
        shown = 0
    }
}
