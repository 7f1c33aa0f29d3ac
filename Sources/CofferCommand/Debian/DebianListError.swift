/// Why a package list could not be read: which file, which line, and what is wrong there.
struct DebianListError: Error, Equatable, CustomStringConvertible {
    var file: String
    /// Counted from 1; `nil` when the file as a whole is at fault.
    var line: Int?
    /// The package whose stanza is at fault, once its name is known.
    var package: String?
    var problem: String

    var description: String {
        var text = file
        if let line { text += ":\(line)" }
        text += ": "
        if let package { text += "package '\(package)': " }
        return text + problem
    }
}

extension String {
    /// The text in quotation marks, short and free of control characters, for one line of an error.
    var quotedForMessage: String {
        var text = ""
        for scalar in unicodeScalars.prefix(40) {
            text += scalar.properties.generalCategory == .control ? "\u{FFFD}" : String(scalar)
        }
        return unicodeScalars.count > 40 ? "'\(text)…'" : "'\(text)'"
    }
}
